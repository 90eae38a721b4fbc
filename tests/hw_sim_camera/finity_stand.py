"""A camera over a table of Finity, for tests."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from calibration.finity.board import FinityBoard, reference_board
from hw_sim.finity.camera.camera import FinityCamera
from hw_sim.finity.camera.looks import FINITY_LOOKS
from hw_sim.finity.camera.positions import Standing, scene_of
from hw_sim.finity.scene import FinityScene, TileShift
from hw_sim.scene import Light

STILL = Light(noise=0.0)
"""Light without noise: what is drawn can be compared."""
PATTERN = "bwbbwwbw"
STANDING = Standing(
    ("b N>NE M", "w NE>N R", "b NE>E L", "w E>SE M", "w S>SE R", "b W>SW M"),
    {"NE": {"S": "A", "M": "B", "L": "A"}, "W": {"M": "A"}, "E": {"L": "B"}},
    {"A": "N", "B": "SW"},
    {"A": ("C>N L", "C>NE M"), "B": ("C>S R",)},
)


@lru_cache(maxsize=1)
def board() -> FinityBoard:
    return reference_board()


@lru_cache(maxsize=2)
def camera(look: str) -> FinityCamera:
    return fresh_camera(look)


def fresh_camera(look: str, seed: int = 1) -> FinityCamera:
    return FinityCamera(board(), look=FINITY_LOOKS[look], seed=seed)


def bare() -> FinityScene:
    return FinityScene(2, PATTERN)


def scene(standing: Standing = STANDING) -> FinityScene:
    rng = np.random.default_rng(4)
    tiles = {"NE": TileShift(0.2, -0.1, 0.2)}
    return scene_of(standing, board(), 2, PATTERN, tiles=tiles, rng=rng, centre_rings="AB")
