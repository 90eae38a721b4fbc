"""Pictures with trouble put into them: things on the board, marbles where they cannot be, other light."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats, project
from calibration.infinity.appearance import InfinityCalibration
from calibration.sampling import Picture

Mask = NDArray[np.uint8]


def px(calibration: InfinityCalibration, x_mm: float, y_mm: float, z_mm: float = 2.0) -> Floats:
    point: Floats = project(np.array([[x_mm, y_mm, z_mm]]), calibration.lens, calibration.pose)[0]
    return point


def with_thing(picture: Picture, outline_px: Floats, colour: tuple[int, int, int]) -> Picture:
    """A flat thing of one colour with a soft edge over the board."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.rint(outline_px).astype(np.int32)], 255)
    share = cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None] / 255.0
    grain = np.random.default_rng(1).normal(0, 2, picture.shape)
    return np.asarray(np.clip(picture * (1 - share) + (np.array(colour) + grain) * share, 0, 255), dtype=np.uint8)


def with_marble(
    picture: Picture, calibration: InfinityCalibration, source: str, x_mm: float, y_mm: float, z_mm: float = 2.0
) -> Picture:
    """The marble from slot `source` a second time, with its centre at this place in space."""
    board = calibration.board
    from_mm = np.array(board.slot_centres()[source])
    eye = calibration.pose.eye_mm
    to_mm = np.array([x_mm, y_mm, z_mm])
    scale = float(np.linalg.norm(eye - from_mm) / np.linalg.norm(eye - to_mm))
    at, to = px(calibration, *from_mm), px(calibration, *to_mm)
    edge = px(calibration, from_mm[0] + board.marble.d / 2, from_mm[1], from_mm[2])
    radius = float(np.linalg.norm(edge - at)) * scale
    warp = np.array([[scale, 0, to[0] - scale * at[0]], [0, scale, to[1] - scale * at[1]]])
    moved = cv2.warpAffine(picture, warp, picture.shape[1::-1])
    yy, xx = np.mgrid[: picture.shape[0], : picture.shape[1]]
    share = np.clip(radius - np.hypot(xx - to[0], yy - to[1]) + 0.5, 0, 1)[..., None]
    return np.asarray(np.clip(picture * (1 - share) + moved * share, 0, 255), dtype=np.uint8)


def in_light(picture: Picture, factors: NDArray[np.floating] | float) -> Picture:
    """The picture under this many times the light; factors broadcast to (H, W, 3)."""
    linear = (picture / 255.0) ** 2.2 * factors
    return np.asarray(np.clip(linear, 0, 1) ** (1 / 2.2) * 255, dtype=np.uint8)
