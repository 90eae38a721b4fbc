"""Tiles and tower measured on the picture of the bare board."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.camera import Floats
from calibration.finity.examples import Bare
from calibration.finity.laying import lay_tiles
from calibration.finity.tiles import TilePlace, Tiles
from calibration.finity.tower import measure_tower
from calibration.finity.view import UNIT, View
from calibration.sampling import Picture
from calibration.views import fit_views
from hw_sim.finity.camera.camera import FinityCamera
from hw_sim.finity.camera.looks import FINITY_LOOKS
from hw_sim.finity.scene import FinityScene, TileShift
from tests.calibration.finity_scenes import BOARD, SCENES, calibrated, scene


def bare_of(picture: Picture, players: int) -> Bare:
    fit = fit_views(["the empty picture"], [picture], BOARD).fit
    return Bare(BOARD, players, Tiles.as_in_file(BOARD, players), View(picture, fit.lens, fit.poses[0], UNIT))


def true_places(number: int) -> dict[str, TilePlace]:
    detail = json.loads((scene(number) / "detail" / "empty.json").read_text(encoding="utf-8"))
    places = {}
    for tile in detail["stations"]:
        x, y = BOARD.station_centres[tile["name"]]
        places[tile["name"]] = TilePlace(tile["centre_3d"][0] - x, tile["centre_3d"][1] - y, tile["rot_deg"])
    return places


def misses(found: Tiles, true: dict[str, TilePlace]) -> Floats:
    """(tiles, 3) millimetres and degrees."""
    return np.array(
        [
            (found.places[n].dx_mm - t.dx_mm, found.places[n].dy_mm - t.dy_mm, found.places[n].turn_deg - t.turn_deg)
            for n, t in true.items()
        ]
    )


@pytest.mark.parametrize("number", SCENES)
def test_tiles_are_found_where_they_lie(number: int) -> None:
    calibration, _ = calibrated(scene(number))
    off = np.abs(misses(calibration.appearance.tiles, true_places(number)))
    assert np.median(off[:, :2]) < 0.25
    assert off[:, :2].max() < 0.8
    assert off[:, 2].max() < 0.6


@pytest.mark.parametrize("number", SCENES)
def test_the_towers_bounds_hold_its_height(number: int) -> None:
    calibration, _ = calibrated(scene(number))
    cone = json.loads((scene(number) / "scene.json").read_text(encoding="utf-8"))["cone_h_mm"]
    low, high = calibration.appearance.tiles.tower_height_mm
    top = BOARD.tile.floor_z + BOARD.tower.foot + BOARD.tower.cones * cone
    # the renderer's tower has a tip of 4.6 mm on its last cone
    assert low <= top
    assert top + 4.6 <= high
    assert high - low < 45


SHIFTS = {
    "C": TileShift(1.6, -1.2, 0.3),
    "N": TileShift(1.5, -1.0, -0.5),
    "NE": TileShift(2.2, -0.9, 0.4),
    "SE": TileShift(2.1, -1.8, 0.0),
    "S": TileShift(1.6, -2.0, 0.6),
    "SW": TileShift(1.0, -1.7, -0.3),
    "NW": TileShift(1.0, -0.8, 0.2),
    "E": TileShift(2.8, -1.4, 0.5),
    "W": TileShift(0.4, -1.2, 0.8),
}
"""All pushed aside together, and a little apart."""


@cache
def simulated(look: str, pattern: str) -> Bare:
    camera = FinityCamera(BOARD, look=FINITY_LOOKS[look], seed=3)
    return bare_of(np.asarray(camera.picture(FinityScene(2, pattern, tiles=SHIFTS)), dtype=np.uint8), 2)


def test_tiles_that_were_pushed_aside_together_are_found() -> None:
    tiles, doubts = lay_tiles(simulated("oak_ceiling", "bwbbwwbw"))
    off = np.abs(misses(tiles, {n: TilePlace(s.dx_mm, s.dy_mm, s.turn_deg) for n, s in SHIFTS.items()}))
    assert np.median(off[:, :2]) < 0.3
    assert off[:, :2].max() < 0.8
    assert not doubts


def test_a_tower_of_another_set_is_measured_too() -> None:
    bare = simulated("oak_ceiling", "bwbbwwbw")
    tiles, doubts = measure_tower(replace(bare, tiles=lay_tiles(bare)[0]))
    low, high = tiles.tower_height_mm
    top = BOARD.tile.floor_z + BOARD.tower.foot + BOARD.tower.cones * FINITY_LOOKS["oak_ceiling"].cone_mm
    assert low <= top <= high
    assert not doubts


def test_without_a_tower_the_highest_one_is_reckoned_with() -> None:
    bare = simulated("oak_ceiling", "")
    tiles, (doubt,) = measure_tower(replace(bare, tiles=lay_tiles(bare)[0]))
    assert tiles.tower_height_mm == Tiles.as_in_file(BOARD, 2).tower_height_mm
    assert "tower was not found" in doubt


def test_a_tower_that_was_measured_by_hand_is_kept() -> None:
    bare = simulated("oak_ceiling", "bwbbwwbw")
    board = replace(BOARD, tower=replace(BOARD.tower, cone_height=(12.0, 12.0)))
    measured = Tiles.as_in_file(board, 2)
    assert measure_tower(replace(bare, board=board, tiles=measured)) == (measured, ())


def test_without_any_side_in_sight_tiles_stay_where_the_file_has_them() -> None:
    bare = simulated("oak_ceiling", "bwbbwwbw")
    blank = np.full_like(bare.view.picture, 128)
    tiles, (doubt,) = lay_tiles(replace(bare, view=replace(bare.view, picture=blank)))
    assert tiles == bare.tiles
    assert "board file" in doubt


def test_a_tile_that_is_covered_is_taken_to_lie_as_the_others_do() -> None:
    bare = simulated("oak_ceiling", "bwbbwwbw")
    picture = bare.view.picture.copy()
    x, y = bare.view.maps(np.array([(*BOARD.station_centres["E"], 8.0)]))[0]
    picture[int(y) - 110 : int(y) + 110, int(x) - 75 : int(x) + 110] = 200
    tiles, (doubt,) = lay_tiles(replace(bare, view=replace(bare.view, picture=picture)))
    assert doubt.startswith("the tile E ")
    assert np.hypot(tiles.places["E"].dx_mm - 1.5, tiles.places["E"].dy_mm + 1.2) < 0.6
