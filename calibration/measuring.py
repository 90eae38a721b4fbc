"""Where markers that somebody stuck on lie, measured from one picture of them.

Each marker is a square of known size in one plane: together they tell the plane, and with it how far they are apart and
how each is turned, to a few tenths of a millimetre. Nothing is taken from where the board file has them but on which
side is up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.board import Markers
from calibration.camera import (
    EDGE_PX,
    USUAL_FOCAL,
    USUAL_SHRINK,
    Corners,
    Floats,
    Lens,
    Pose,
    board_mm_from_px,
    project,
    usual_lens,
)
from calibration.errors import EDIT, BoardError
from calibration.sentences import Sentence

LEAST_MARKERS = 3
"""Two small squares hardly tell how the plane is tilted."""
MAX_ERROR_PX = 0.8
"""Above this the markers are no squares of that size in one plane: flat ones fit within 0.3."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Markers with their places and turns; how far their corners are off in px; the camera as it was fitted."""

    markers: Markers
    error_px: float
    lens: Lens
    pose: Pose


def measure_markers(corners: Corners, known: Markers, size: tuple[int, int], lens: Lens | None = None) -> Measured:
    """Measure the markers that are seen; those that are not stay where they were, moved along with the others.

    Args:
        corners: (4, 2) image pixels of each marker's corners, by id.
        known: the markers as the board file has them: which there are, how large, and roughly where.
        size: width and height of the picture in pixels.
        lens: the camera's lens where it is known; else its focal length is estimated.
    Raises:
        BoardError: where too few are seen, or they are no squares of that size in one plane.
    """
    if len(corners) < LEAST_MARKERS:
        raise BoardError(
            EDIT,
            (
                Sentence(
                    "{count} markers are in sight: at least {least} must be, to be measured",
                    count=len(corners),
                    least=LEAST_MARKERS,
                ),
            ),
        )
    start = lens or usual_lens(*size)
    seen = np.array([corners[marker] for marker in corners])
    fits = [_fitted(seen, known.size, start, pose, lens is None) for pose in _starts(seen, known.size, start)]
    x, error_px, fitted = min(fits, key=lambda fit: fit[1])
    if error_px > MAX_ERROR_PX:
        fault = Sentence(
            "the markers are no squares of {size:g} mm in one plane ({px:.1f} px off): see that they "
            "are printed at 100 % and lie flat",
            size=known.size,
            px=error_px,
        )
        raise BoardError(EDIT, (fault,))
    lies = x[8:].reshape(-1, 3)
    turn, shift = _onto(lies[:, :2], np.array([known.centres[known.ids.index(marker)] for marker in corners]))
    return Measured(_told(known, tuple(corners), lies, turn, shift), error_px, fitted, _pose_of(x, turn, shift))


def _starts(seen: Floats, size: float, lens: Lens) -> list[Pose]:
    """What each marker for itself says of the plane: a small square allows two answers, seen from either side."""
    half = size / 2
    square = np.array([(-half, half, 0), (half, half, 0), (half, -half, 0), (-half, -half, 0)])
    found = []
    for px in seen:
        _, rvecs, tvecs, _ = cv2.solvePnPGeneric(
            square, px, lens.K, np.array(lens.dist), flags=cv2.SOLVEPNP_IPPE_SQUARE
        )
        found += [_as_pose(np.ravel(rvec), np.ravel(tvec)) for rvec, tvec in zip(rvecs, tvecs, strict=True)]
    return found


def _as_pose(rvec: Floats, tvec: Floats) -> Pose:
    r, t = rvec.tolist(), tvec.tolist()
    return Pose((r[0], r[1], r[2]), (t[0], t[1], t[2]))


def _fitted(seen: Floats, size: float, lens: Lens, start: Pose, free: bool) -> tuple[Floats, float, Lens]:
    """Focal share, shrink, rotation, shift, then x, y and turn of each marker; the error in px; the lens."""
    middles = board_mm_from_px(seen.mean(axis=1), lens, start, 0.0)
    tops = board_mm_from_px(seen[:, :2].mean(axis=1), lens, start, 0.0) - middles
    turns = np.arctan2(-tops[:, 0], tops[:, 1])
    lies = np.column_stack([middles, turns])
    if not np.isfinite(lies).all():
        return np.zeros(0), np.inf, lens
    origin = middles.mean(axis=0)
    lies[:, :2] -= origin
    tvec = start.rotation @ np.array([*origin, 0.0]) + np.array(start.tvec)
    x0 = np.concatenate([[1.0, USUAL_SHRINK[0]], start.rvec, tvec, lies.ravel()])

    def misses(x: Floats) -> Floats:
        at = _bent(lens, x[0])
        model = _corners_mm(x[8:].reshape(-1, 3), size * x[1])
        off: Floats = (project(model, at, _as_pose(x[2:5], x[5:8])) - seen.reshape(-1, 2)).ravel()
        return off

    def weighted(x: Floats) -> Floats:
        # the frame may lie anywhere in the plane: it is held at the markers' middle, turned as it began
        firm = 1.0 if free else 1e3
        priors = [
            (x[0] - 1) * firm * USUAL_FOCAL[0] / USUAL_FOCAL[1],
            (x[1] - USUAL_SHRINK[0]) / USUAL_SHRINK[1],
            *x[8:].reshape(-1, 3)[:, :2].mean(axis=0),
            100 * (x[10::3] - turns).mean(),
        ]
        return np.concatenate([misses(x) / EDGE_PX, priors])

    from scipy.optimize import least_squares

    best = least_squares(weighted, x0, x_scale="jac", max_nfev=100).x
    error = float(np.sqrt(np.mean(np.sum(misses(best).reshape(-1, 2) ** 2, axis=1))))
    return best, error, _bent(lens, best[0])


def _bent(lens: Lens, focal: float) -> Lens:
    return replace(lens, fx=lens.fx * focal, fy=lens.fy * focal)


def _corners_mm(lies: Floats, size: float) -> Floats:
    """(markers * 4, 3) corners of squares with their middles and turns (radians)."""
    half = size / 2
    around = np.array([(-half, half), (half, half), (half, -half), (-half, -half)])
    cos, sin = np.cos(lies[:, 2:]), np.sin(lies[:, 2:])
    x = lies[:, :1] + cos * around[:, 0] - sin * around[:, 1]
    y = lies[:, 1:2] + sin * around[:, 0] + cos * around[:, 1]
    return np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3)


def _onto(measured: Floats, known: Floats) -> tuple[float, Floats]:
    """The turn (radians) and shift that lay the measured middles over the known ones as well as can be."""
    a, b = measured - measured.mean(axis=0), known - known.mean(axis=0)
    turn = float(np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum()))
    return turn, known.mean(axis=0) - _turned(turn) @ measured.mean(axis=0)


def _turned(turn: float) -> Floats:
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])


def _told(known: Markers, seen: Sequence[int], lies: Floats, turn: float, shift: Floats) -> Markers:
    """The known markers with what was measured in place of what was known."""
    middles = lies[:, :2] @ _turned(turn).T + shift
    turns = np.degrees((lies[:, 2] + turn + np.pi) % (2 * np.pi) - np.pi)
    centres = dict(zip(known.ids, known.centres, strict=True))
    centres |= {marker: (round(float(x), 2), round(float(y), 2)) for marker, (x, y) in zip(seen, middles, strict=True)}
    askew = dict(zip(known.ids, known.turns_deg or (0.0,) * len(known.ids), strict=True))
    askew |= {marker: round(float(angle), 2) for marker, angle in zip(seen, turns, strict=True)}
    return replace(known, centres=tuple(centres.values()), turns_deg=tuple(askew.values()))


def _pose_of(x: Floats, turn: float, shift: Floats) -> Pose:
    """The camera's pose in the board's frame. The markers' height is the plane's."""
    start = _as_pose(x[2:5], x[5:8])
    back = np.eye(3)
    back[:2, :2] = _turned(-turn)
    rotation = start.rotation @ back
    tvec = np.array(start.tvec) - rotation @ np.array([*shift, 0.0])
    return _as_pose(np.ravel(cv2.Rodrigues(rotation)[0]), tvec)
