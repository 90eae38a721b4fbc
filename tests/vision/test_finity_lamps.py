"""What a lamp beside the board changes: gradients of light over the tiles, and long hard shades."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from calibration.finity.examples import Bare
from calibration.finity.tower import measure_tower
from calibration.finity.view import UNIT, View
from calibration.sampling import Picture
from tests.calibration.finity_scenes import calibrated, scene
from vision.finity.lamp import find_shift

BRIGHTEST = 1.6
"""Times the light beside the lamp: more would be cut off at the top."""


def beside_a_lamp(picture: Picture, times: float) -> Picture:
    """The picture with so many times more light at its upper edge than at its lower one."""
    light = np.minimum(np.exp(np.linspace(0.5, -0.5, len(picture)) * np.log(times)), BRIGHTEST)
    # codes go with light's power of 1 / 2.2, nearly
    lit: Picture = np.clip(np.rint(picture * light[:, None, None] ** (1 / 2.2)), 0, 255).astype(np.uint8)
    return lit


@pytest.mark.parametrize("number", [1, 3])
def test_a_lamp_beside_the_board_makes_the_tower_no_higher(number: int) -> None:
    calibration, _ = calibrated(scene(number))
    look = calibration.appearance
    bare = Bare(calibration.board, look.players, look.tiles, View(look.empty, calibration.lens, calibration.pose, UNIT))
    low, high = look.tiles.tower_height_mm
    view = replace(bare.view, picture=beside_a_lamp(look.empty, 6.0))
    tiles, doubts = measure_tower(replace(bare, view=view))
    lower, higher = tiles.tower_height_mm
    assert abs(lower - low) < 5.0
    assert abs(higher - high) < 5.0
    assert not doubts


@pytest.mark.parametrize(("number", "clear"), [(0, False), (1, True), (2, True), (3, True), (4, False)])
def test_shades_on_the_mat_tell_where_the_lamp_stands_and_soft_light_tells_nothing(number: int, clear: bool) -> None:
    folder = scene(number)
    calibration, _ = calibrated(folder)
    look = calibration.appearance
    bare = View(look.empty, calibration.lens, calibration.pose, UNIT)
    shift = find_shift(calibration.board, look.tiles, look.players, bare)
    assert (shift is not None) is clear
    if shift is None:
        return
    # like a compass: clockwise from the board's north
    azimuth = json.loads((folder / "scene.json").read_text())["profile"]["light"]["azimuth"]
    away = azimuth + 180 - math.degrees(math.atan2(*shift))
    assert abs((away + 180) % 360 - 180) < 20
