"""A camera over a board, for tests: made once for each look."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from calibration.infinity.board import InfinityBoard, reference_board
from hw_sim.camera import PRESETS, SimCamera
from hw_sim.camera.positions import Layout
from hw_sim.camera.troubles import resting_scene
from hw_sim.scene import Light, Scene

STILL = Light(noise=0.0)
"""Light without noise: what is drawn can be compared."""
LAYOUT = Layout("YB..|YBB.|BY..|BWYK", "BYYYBYBB", 3)


@lru_cache(maxsize=1)
def board() -> InfinityBoard:
    return reference_board()


@lru_cache(maxsize=2)
def camera(look: str) -> SimCamera:
    return SimCamera(board(), look=PRESETS[look], seed=1)


def fresh_camera(look: str, seed: int = 1) -> SimCamera:
    return SimCamera(board(), look=PRESETS[look], seed=seed)


def scene(layout: Layout = LAYOUT) -> Scene:
    return resting_scene(layout, board())


def linear(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Light of a picture in parts of full scale, blue first."""
    return np.asarray((picture / 255.0) ** 2.2, np.float64)
