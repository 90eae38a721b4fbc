"""One picture of the board with its pose known, looked at in the light of the empty picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats, Lens, Pose, project
from calibration.finity.board import FinityBoard
from calibration.light import LightGain, LightReference, Values, estimate_gain
from calibration.sampling import Maps, Picture, sample


@dataclass(frozen=True, slots=True)
class View:
    """A picture, where the board lies in it, and its light.

    Attributes:
        picture: (H, W, 3) uint8, BGR.
        gain: what makes its values comparable with the empty picture's.
        foreign: (H, W) whether a hand or a thing is seen at a pixel; None where none is in the picture.
    """

    picture: Picture
    lens: Lens
    pose: Pose
    gain: LightGain
    foreign: NDArray[np.bool_] | None = None

    def maps(self, points_mm: Floats) -> Maps:
        """Image pixels (..., 2) of board points (..., 3)."""
        shape = points_mm.shape[:-1]
        return project(points_mm.reshape(-1, 3), self.lens, self.pose).reshape(*shape, 2).astype(np.float32)

    def values(self, points_mm: Floats) -> Values:
        """Roots of linear light (..., 3) at board points (..., 3), as they would be in the empty picture's light."""
        return np.asarray(sample(self.picture, self.maps(points_mm)[None])[0] * self.gain.root, dtype=np.float32)


UNIT = LightGain(np.ones(3, dtype=np.float32), True)
"""The light of the empty picture itself."""


def patch_points_mm(board: FinityBoard, side: int = 6) -> Floats:
    """(patches, side * side, 3) points in the inner half of every printed patch."""
    line = np.linspace(-0.25, 0.25, side) * board.patches.size
    dx, dy = np.meshgrid(line, line)
    return np.array(
        [
            [(x + a, y + b, board.aruco.z) for a, b in zip(dx.ravel(), dy.ravel(), strict=True)]
            for x, y in board.patches.centres()
        ]
    )


def mat_points_mm(board: FinityBoard, step_mm: float = 12.0) -> Floats:
    """(N, 3) points on the plain mat: clear of tiles, markers and patches, and of the shade that tiles cast."""
    clear = 1.25 * board.hex_side
    half_w, half_h = board.mat[0] / 2 - 8, board.mat[1] / 2 - 8
    centres = np.array(list(board.station_centres.values()))
    around = board.aruco.size * 0.5 + 10
    found = []
    for x in np.arange(-half_w, half_w + 0.1, step_mm):
        for y in np.arange(-half_h, half_h + 0.1, step_mm):
            off_tiles = np.hypot(*(centres - (x, y)).T).min() > clear
            off_markers = all(max(abs(x - cx), abs(y - cy)) > around for cx, cy in board.aruco.centres)
            off_patches = abs(y - board.patches.y) > board.patches.size * 0.5 + 6
            if off_tiles and off_markers and off_patches:
                found.append((x, y, board.aruco.z))
    return np.array(found)


def light_of(picture: Picture, board: FinityBoard, lens: Lens, pose: Pose) -> LightReference:
    """Printed patches and plain mat as this picture shows them."""
    seen = View(picture, lens, pose, UNIT)
    return LightReference(seen.values(patch_points_mm(board)).mean(axis=1), seen.values(mat_points_mm(board)[None])[0])


def view_of(picture: Picture, board: FinityBoard, lens: Lens, pose: Pose, reference: LightReference) -> View | None:
    """The picture in the light of the empty picture; None where its light cannot be compared."""
    seen = light_of(picture, board, lens, pose)
    gain = estimate_gain(seen.strip, seen.plain, reference)
    return None if gain is None else View(picture, lens, pose, gain)
