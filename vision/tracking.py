"""Where the board lies now: checked cheaply in every picture, found again when it was bumped.

The check looks only at the places where the markers should be: is the marker's own pattern there, and are its corners
where they were? Only when fewer than two markers answer is the whole picture searched.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import Board
from calibration.camera import Corners, Floats, Pose, board_mm_from_px, first_pose, project, solve_pose
from calibration.file import Calibration
from calibration.markers import find_markers, gray, refine_corners
from calibration.sampling import Picture

SAME_PATTERN = 0.75
"""Correlation from which a marker's own pattern is there; half a hidden marker falls below, noise does not."""
STILL_PX = 0.7
"""A marker's mean corner shift that is noise: corners repeat within 0.2 px."""
NEAR_PX = 3.0
"""Corners that ran further than this from where they should be followed some other edge."""
FIT_PX = 1.2
"""Root mean square error up to which markers agree on a pose."""
SMALL = np.array([1e-3, 1e-3, 1e-5])
"""Millimetres and radians that move no marker by a thousandth of a pixel."""
SLIDE_STEPS = 10
"""Of Gauss and Newton; from where the corners lie on the board two or three are enough."""
CELLS = 8
"""Cells along an AprilTag 36h11 with its black border."""


class Track(StrEnum):
    STILL = "still"
    FOLLOWED = "followed"
    LOST = "lost"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Tracked:
    """What became of the board: its pose as far as it is known, markers that were seen, the pose's error in px."""

    track: Track
    pose: Pose
    markers: int
    error_px: float


class Tracker:
    """Follows a board from the pose where the calibration has it."""

    def __init__(self, calibration: Calibration) -> None:
        self._calibration = calibration
        self._patterns = _patterns(calibration.board)
        self._set(calibration.pose)

    @property
    def pose(self) -> Pose:
        return self._pose

    def check(self, picture: Picture) -> Tracked:
        """Look whether the board still lies where it lay, and follow it if not."""
        corners, moved = self._look_near(picture)
        if len(corners) >= 2:
            if not moved:
                return Tracked(Track.STILL, self._pose, len(corners), 0.0)
            followed = self._follow(corners)
            if followed is not None:
                return followed
        found = find_markers(gray(picture), self._calibration.board)
        if not found:
            return Tracked(Track.ABSENT, self._pose, 0, 0.0)
        if len(found) >= 2:
            return self._follow(found) or Tracked(Track.LOST, self._pose, len(found), 0.0)
        misses = _shifts(found, self._expected)
        still = max(misses.values()) < STILL_PX
        return Tracked(Track.STILL if still else Track.LOST, self._pose, 1, 0.0)

    def _set(self, pose: Pose) -> None:
        c = self._calibration
        self._pose = pose
        px = self._corners_px(pose)
        self._expected = {marker: px[4 * index : 4 * index + 4] for index, marker in enumerate(c.board.aruco.ids)}
        cells = project(_cell_centres(c.board), c.lens, pose).reshape(-1, CELLS * CELLS, 2)
        width, height = c.size
        self._boxes: dict[int, tuple[slice, slice, Floats, NDArray[np.intp]]] = {}
        for marker, points in zip(c.board.aruco.ids, cells, strict=True):
            low = np.floor(self._expected[marker].min(axis=0) - 8).astype(int)
            high = np.ceil(self._expected[marker].max(axis=0) + 9).astype(int)
            if low.min() < 0 or high[0] > width or high[1] > height:
                continue
            xy = np.rint(points - low).astype(np.intp)
            flat = xy[:, 1] * (high[0] - low[0]) + xy[:, 0]
            self._boxes[marker] = (slice(low[1], high[1]), slice(low[0], high[0]), low.astype(np.float64), flat)

    def _corners_px(self, pose: Pose) -> Floats:
        """(markers * 4, 2) where the corners of all markers should be, in the board's order."""
        c = self._calibration
        models = c.board.aruco.corners(c.shrink).values()
        return project(np.array([corner for model in models for corner in model]), c.lens, pose)

    def _look_near(self, picture: Picture) -> tuple[dict[int, Floats], bool]:
        """Markers whose pattern stands where it should, and whether any of them has moved."""
        corners: dict[int, Floats] = {}
        moved = False
        for marker, (rows, columns, low, cells) in self._boxes.items():
            crop = gray(picture[rows, columns])
            if _correlation(crop.ravel()[cells], self._patterns[marker]) < SAME_PATTERN:
                continue
            found = refine_corners(crop, self._expected[marker] - low) + low
            shifts = np.linalg.norm(found - self._expected[marker], axis=1)
            if shifts.max() > NEAR_PX:
                continue
            corners[marker] = found
            moved = moved or bool(shifts.mean() > STILL_PX)
        return corners, moved

    def _follow(self, corners: Corners) -> Tracked | None:
        """The pose that these markers tell; None where they do not agree on one."""
        pose, error = self._solve(corners)
        if error > FIT_PX and len(corners) > 2:
            # one marker may be half hidden and its corners wrong
            fewer = [{m: c for m, c in corners.items() if m != out} for out in corners]
            corners, (pose, error) = min(((c, self._solve(c)) for c in fewer), key=lambda item: item[1][1])
        if error > FIT_PX:
            return None
        if np.linalg.norm(self._corners_px(pose) - self._corners_px(self._pose), axis=1).mean() < STILL_PX:
            # only noise in one marker: nothing needs to be prepared anew
            return Tracked(Track.STILL, self._pose, len(corners), error)
        self._set(pose)
        return Tracked(Track.FOLLOWED, pose, len(corners), error)

    def _solve(self, corners: Corners) -> tuple[Pose, float]:
        c = self._calibration
        slid = slide(corners, c, self._pose)
        if len(corners) < 3 or slid[1] < 0.5:
            return slid
        starts = (self._pose, first_pose(corners, c.board, c.lens))
        free = min((solve_pose(corners, c.board, c.lens, c.shrink, start) for start in starts), key=lambda p: p[1])
        # a board that slid on its table is likelier than one that was lifted: three numbers instead of six
        return free if free[1] < 0.6 * slid[1] else slid


def slide(corners: Corners, calibration: Calibration, start: Pose) -> tuple[Pose, float]:
    """The pose after the board slid and turned in its own plane, and its root mean square error in px."""
    c = calibration
    models = c.board.aruco.corners(c.shrink)
    model = np.array([corner for marker in corners for corner in models[marker]])
    seen = np.concatenate([corners[marker] for marker in corners])

    def misses(x: Floats) -> Floats:
        xy = model[:, :2] @ _turn(x[2]) + x[:2]
        off: Floats = (project(np.column_stack([xy, model[:, 2]]), c.lens, start) - seen).ravel()
        return off

    x = _laid_over(model[:, :2], board_mm_from_px(seen, c.lens, start, float(model[:, 2].mean())))
    for _ in range(SLIDE_STEPS):
        off = misses(x)
        slopes = np.column_stack([(misses(x + dx) - off) / dx.sum() for dx in np.diag(SMALL)])
        step = np.linalg.lstsq(slopes, -off, rcond=None)[0]
        x = x + step
        if (np.abs(step) < SMALL).all():
            break
    rotation = start.rotation @ cv2.Rodrigues(np.array([0.0, 0.0, x[2]]))[0]
    shift = start.rotation @ np.array([x[0], x[1], 0.0]) + np.array(start.tvec)
    r = cv2.Rodrigues(rotation)[0].ravel()
    pose = Pose((float(r[0]), float(r[1]), float(r[2])), (float(shift[0]), float(shift[1]), float(shift[2])))
    return pose, float(np.sqrt(np.mean(misses(x) ** 2) * 2))


def _turn(angle: float) -> Floats:
    """(2, 2), from the right: rows of points turned counter-clockwise by so many radians."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, sin], [-sin, cos]])


def _laid_over(model: Floats, seen: Floats) -> Floats:
    """(x, y, radians): the shift after the turn that lay points (N, 2) over others best."""
    about, towards = model.mean(axis=0), seen.mean(axis=0)
    u, v = model - about, seen - towards
    angle = float(np.arctan2((u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]).sum(), (u * v).sum()))
    return np.array([*(towards - about @ _turn(angle)), angle])


def _shifts(corners: Corners, expected: Corners) -> dict[int, float]:
    return {m: float(np.linalg.norm(found - expected[m], axis=1).mean()) for m, found in corners.items()}


def _patterns(board: Board) -> dict[int, Floats]:
    """Each marker's cells as zero-mean, unit-length numbers, row by row from its top left."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, board.aruco.dict))
    patterns = {}
    for marker in board.aruco.ids:
        bits = cv2.aruco.generateImageMarker(dictionary, marker, CELLS).astype(np.float64).ravel()
        bits -= bits.mean()
        patterns[marker] = bits / np.linalg.norm(bits)
    return patterns


def _cell_centres(board: Board) -> Floats:
    """(markers * 64, 3) millimetres, in the order of `_patterns`."""
    line = (np.arange(CELLS) - (CELLS - 1) / 2) * board.aruco.size / CELLS
    dx, dy = np.meshgrid(line, -line)
    return np.array(
        [
            board.aruco.at(marker, x, y)
            for marker in board.aruco.ids
            for x, y in zip(dx.ravel(), dy.ravel(), strict=True)
        ]
    )


def _correlation(values: NDArray[np.uint8], pattern: Floats) -> float:
    seen = values.astype(np.float64)
    seen -= seen.mean()
    return float(seen @ pattern) / max(1e-6, float(np.linalg.norm(seen)))
