"""A camera as a pinhole with a lens, where the board lies before it, and both fitted to markers.

Image pixels: the centre of the top left pixel is (0, 0), x right, y down. Camera frame as in OpenCV.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.board import Board
from calibration.errors import CalibrationError
from calibration.sentences import Sentence, system_sentence

Floats = NDArray[np.float64]
Corners = Mapping[int, Floats]
"""(4, 2) image pixels of each marker's corners, by id, in the order of `Board.marker_corners`."""

USUAL_FOCAL = (0.9, 0.135)
"""Focal length of table cameras in picture widths, and how far it may well be off; a few markers seen from above
hardly tell it, and seats stay right within 0.3 px all the same."""
USUAL_K1 = (0.0, 0.03)
USUAL_SHRINK = (0.985, 0.01)
"""Markers look smaller than printed: their dark edges are found about 0.3 px inwards. Fitted with the lens, because a
fit without it explains the same by a distortion that is not there and puts seats 1 px off."""
EDGE_PX = 0.15
"""How precisely a corner is found."""
MAX_ERROR_PX = 1.0
"""Reprojection error, root mean square, above which the board is not the one described: good pictures have 0.2."""
SHARP_ERROR_PX = 0.6
STEPS = 12
"""Gauss-Newton steps of `fit_one`; it is at rest after five or six."""


@dataclass(frozen=True, slots=True)
class Lens:
    """Focal lengths and principal point in pixels, OpenCV's five distortion coefficients, picture size in pixels."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    dist: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0)

    @property
    def K(self) -> Floats:  # noqa: N802 - the matrix keeps its name
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])


@dataclass(frozen=True, slots=True)
class Pose:
    """Board to camera: a rotation vector in radians and a shift in millimetres."""

    rvec: tuple[float, float, float]
    tvec: tuple[float, float, float]

    @property
    def rotation(self) -> Floats:
        """(3, 3) taking board directions to camera directions."""
        return np.asarray(cv2.Rodrigues(np.array(self.rvec))[0], dtype=np.float64)

    @property
    def eye_mm(self) -> Floats:
        """(3,) where the camera stands, in board millimetres."""
        eye: Floats = -self.rotation.T @ np.array(self.tvec)
        return eye


@dataclass(frozen=True, slots=True)
class Fit:
    """Lens and poses as fitted together.

    Attributes:
        poses: one for each view, in order.
        shrink: apparent size of the markers against their printed size.
        error_px: root mean square distance of marker corners from where the fit has them.
    """

    lens: Lens
    poses: tuple[Pose, ...]
    shrink: float
    error_px: float


def usual_lens(width: int, height: int) -> Lens:
    """What a table camera has about, for pictures of this size."""
    return Lens(width, height, width * USUAL_FOCAL[0], width * USUAL_FOCAL[0], (width - 1) / 2, (height - 1) / 2)


def project(points_mm: Floats, lens: Lens, pose: Pose) -> Floats:
    """Image pixels (N, 2) of board points (N, 3) in millimetres."""
    px, _ = cv2.projectPoints(
        np.ascontiguousarray(points_mm, dtype=np.float64),
        np.array(pose.rvec),
        np.array(pose.tvec),
        lens.K,
        np.array(lens.dist),
    )
    return np.asarray(px, dtype=np.float64).reshape(-1, 2)


def board_mm_from_px(points_px: Floats, lens: Lens, pose: Pose, z_mm: float) -> Floats:
    """Board points (N, 2), x and y in millimetres, that picture points (N, 2) show at a height above the board.

    A way that never comes down to that height gives points that are not finite.
    """
    px = np.ascontiguousarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
    rays = cv2.undistortPoints(px, lens.K, np.array(lens.dist)).reshape(-1, 2)
    ways = np.column_stack([rays, np.ones(len(rays))]) @ pose.rotation
    eye = pose.eye_mm
    with np.errstate(divide="ignore", invalid="ignore"):
        far = (z_mm - eye[2]) / ways[:, 2]
        far = np.where(far > 0, far, np.nan)
    found: Floats = eye[:2] + far[:, None] * ways[:, :2]
    return found


def fit_cameras(views: Sequence[Corners], board: Board, size: tuple[int, int], lens: Lens | None = None) -> Fit:
    """Fit one lens and a pose for each view to marker corners; a lens that is given stays as it is.

    Args:
        views: corners found in each picture, at least two markers in each.
        size: width and height of the pictures in pixels.
    """
    width, height = size
    known = lens or usual_lens(width, height)
    starts = [_first_pose(view, board, known) for view in views]
    x0 = np.array(
        [1.0, 0.0, USUAL_SHRINK[0]] + [v for pose in starts for v in (*pose.rvec, *(t / 100 for t in pose.tvec))]
    )

    def unpack(x: Floats) -> tuple[Lens, list[Pose]]:
        focal = known.fx * float(x[0])
        bent = (float(x[1]), 0.0, 0.0, 0.0, 0.0)
        fitted = lens or Lens(width, height, focal, focal, known.cx, known.cy, bent)
        return fitted, [_pose(part[:3], part[3:] * 100) for part in x[3:].reshape(-1, 6)]

    def misses(x: Floats) -> Floats:
        fitted, poses = unpack(x)
        return np.concatenate(
            [_misses_px(view, board, fitted, pose, x[2]).ravel() for view, pose in zip(views, poses, strict=True)]
        )

    def weighted(x: Floats) -> Floats:
        priors = [
            (x[0] - 1.0) * USUAL_FOCAL[0] / USUAL_FOCAL[1],
            (x[1] - USUAL_K1[0]) / USUAL_K1[1],
            (x[2] - USUAL_SHRINK[0]) / USUAL_SHRINK[1],
        ]
        return np.concatenate([misses(x) / EDGE_PX, priors])

    # scipy takes a second to load, and reading a calibration needs none of it
    from scipy.optimize import least_squares

    best = least_squares(weighted, x0, loss="soft_l1", x_scale="jac", max_nfev=200).x
    fitted, poses = unpack(best)
    error = float(np.sqrt(np.mean(np.sum(misses(best).reshape(-1, 2) ** 2, axis=1))))
    return Fit(fitted, tuple(poses), float(best[2]), error)


def fit_one(corners: Corners, board: Board, size: tuple[int, int], lens: Lens | None = None) -> Fit:
    """Fit lens and pose to one view as `fit_cameras` does, in a few milliseconds; a lens that is given stays."""
    width, height = size
    known = lens or usual_lens(width, height)
    points = np.array([corner for marker in corners for corner in board.aruco.corners()[marker]])
    middles = points.reshape(-1, 4, 3).mean(axis=1).repeat(4, axis=0)
    seen = np.concatenate([corners[marker] for marker in corners])
    start = _first_pose(corners, board, known)
    x = np.array([1.0, 0.0, USUAL_SHRINK[0], *start.rvec, *start.tvec])
    goal = np.array([1.0, USUAL_K1[0], USUAL_SHRINK[0]])
    firm = np.array([USUAL_FOCAL[0] / USUAL_FOCAL[1], 1 / USUAL_K1[1], 1 / USUAL_SHRINK[1]])
    free = np.array([lens is None, lens is None, True, *[True] * 6])
    for _ in range(STEPS):
        misses, slopes = _slopes(x, points, middles, seen, known, lens)
        # far corners pull less, as in the loss of `fit_cameras`
        weight = 1 / EDGE_PX / np.sqrt(1 + (misses / EDGE_PX) ** 2) ** 0.5
        left = np.vstack([slopes * weight[:, None], np.diag(firm) @ np.eye(3, 9)])[:, free]
        right = np.concatenate([-misses * weight, firm * (goal - x[:3])])
        step = np.linalg.lstsq(left, right, rcond=None)[0]
        x[free] += step
        if np.abs(step[-3:]).max() < 1e-3:
            break
    misses, _ = _slopes(x, points, middles, seen, known, lens)
    error = float(np.sqrt(np.mean(np.sum(misses.reshape(-1, 2) ** 2, axis=1))))
    return Fit(_bent(known, x[0], x[1]) if lens is None else lens, (_pose(x[3:6], x[6:9]),), float(x[2]), error)


def _bent(lens: Lens, focal: float, k1: float) -> Lens:
    return replace(lens, fx=lens.fx * focal, fy=lens.fy * focal, dist=(float(k1), 0.0, 0.0, 0.0, 0.0))


def _slopes(
    x: Floats, points: Floats, middles: Floats, seen: Floats, known: Lens, lens: Lens | None
) -> tuple[Floats, Floats]:
    """(2N,) how far each corner is off, x and y in turn, and (2N, 9) how that grows with focal share, k1, shrink,
    rotation and shift."""
    at = lens or _bent(known, x[0], x[1])
    shrunk = middles + x[2] * (points - middles)
    px, slopes = cv2.projectPoints(shrunk, x[3:6], x[6:9], at.K, np.array(at.dist))
    moved, _ = cv2.projectPoints(shrunk + 0.01 * (points - middles), x[3:6], x[6:9], at.K, np.array(at.dist))
    by_shrink = (moved - px).reshape(-1, 1) / 0.01
    by_focal = (slopes[:, 6] * known.fx + slopes[:, 7] * known.fy).reshape(-1, 1)
    misses = px.reshape(-1) - seen.reshape(-1)
    return misses, np.hstack([by_focal, slopes[:, 10:11], by_shrink, slopes[:, :6]])


def solve_pose(corners: Corners, board: Board, lens: Lens, shrink: float, start: Pose) -> tuple[Pose, float]:
    """The pose that explains the corners best, from a start near it, and its root mean square error in px."""
    models = board.aruco.corners(shrink)
    object_mm = np.array([corner for marker in corners for corner in models[marker]])
    image_px = np.concatenate([corners[marker] for marker in corners])
    rvec, tvec = np.array(start.rvec).reshape(3, 1), np.array(start.tvec).reshape(3, 1)
    _, rvec, tvec = cv2.solvePnP(
        object_mm, image_px, lens.K, np.array(lens.dist), rvec, tvec, True, cv2.SOLVEPNP_ITERATIVE
    )
    pose = _pose(rvec, tvec)
    misses = _misses_px(corners, board, lens, pose, shrink)
    return pose, float(np.sqrt(np.mean(np.sum(misses**2, axis=1))))


def first_pose(corners: Corners, board: Board, lens: Lens) -> Pose:
    """The pose from corners alone, without an idea where the board lies."""
    return _first_pose(corners, board, lens)


def load_lens(path: str | Path) -> Lens:
    """Read a lens file: width, height, fx, fy, cx, cy in pixels and `dist`, OpenCV's five coefficients.

    Raises:
        CalibrationError: where the file is absent or says something else.
    """
    form = '{"width":1280,"height":720,"fx":1150,"fy":1150,"cx":639.5,"cy":359.5,"dist":[0,0,0,0,0]}'
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        lens = Lens(
            int(data["width"]),
            int(data["height"]),
            float(data["fx"]),
            float(data["fy"]),
            float(data["cx"]),
            float(data["cy"]),
            tuple(float(value) for value in data.get("dist", (0, 0, 0, 0, 0))),
        )
    except OSError as error:
        raise CalibrationError(
            Sentence("lens file {path}: cannot be read: {why}", path=str(path), why=system_sentence(error))
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise CalibrationError(
            Sentence("lens file {path}: write it like this: {form}", path=str(path), form=form)
        ) from None
    known = all(math.isfinite(value) for value in (lens.fx, lens.fy, lens.cx, lens.cy, *lens.dist))
    if not known or min(lens.fx, lens.fy, lens.width, lens.height) <= 0 or len(lens.dist) != 5:
        raise CalibrationError(
            Sentence(
                "lens file {path}: lengths must be above 0 and dist has five numbers, like {form}",
                path=str(path),
                form=form,
            )
        )
    return lens


def _first_pose(corners: Corners, board: Board, lens: Lens) -> Pose:
    models = board.aruco.corners(USUAL_SHRINK[0])
    object_mm = np.array([corner for marker in corners for corner in models[marker]])
    image_px = np.concatenate([corners[marker] for marker in corners])
    _, rvec, tvec = cv2.solvePnP(object_mm, image_px, lens.K, np.array(lens.dist), flags=cv2.SOLVEPNP_SQPNP)
    return _pose(rvec, tvec)


def _misses_px(corners: Corners, board: Board, lens: Lens, pose: Pose, shrink: float) -> Floats:
    models = board.aruco.corners(shrink)
    object_mm = np.array([corner for marker in corners for corner in models[marker]])
    misses: Floats = project(object_mm, lens, pose) - np.concatenate([corners[marker] for marker in corners])
    return misses


def _pose(rvec: ArrayLike, tvec: ArrayLike) -> Pose:
    r, t = (np.asarray(vector, dtype=np.float64).ravel().tolist() for vector in (rvec, tvec))
    return Pose((r[0], r[1], r[2]), (t[0], t[1], t[2]))
