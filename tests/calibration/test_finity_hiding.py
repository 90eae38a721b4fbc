"""What stands in the way of a camera's look at Finity's board."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.finity.hiding import (
    Solid,
    blind_places,
    hidden_by,
    hidden_by_tower,
    standing,
    visible_share,
)
from calibration.finity.tiles import Tiles
from tests.calibration.finity_scenes import BOARD, calibrated, scene, visible

EYE = np.array([0.0, -200.0, 500.0])
PILLAR = Solid(0.0, 0.0, 0.0, 100.0, 10.0)
PIPE = Solid(0.0, 0.0, 0.0, 100.0, 10.0, hole=8.0)


@pytest.mark.parametrize(
    ("point", "is_hidden"),
    [
        ((0.0, 15.0, 0.0), True),
        ((0.0, 65.0, 0.0), False),
        ((0.0, -15.0, 0.0), False),
        ((25.0, 15.0, 0.0), False),
        ((0.0, 0.0, 100.0), False),
        ((0.0, -10.5, 50.0), False),
        ((0.0, 10.5, 50.0), True),
        ((0.0, 15.0, 99.0), False),
    ],
)
def test_a_pillar_hides_what_lies_behind_it(point: tuple[float, float, float], is_hidden: bool) -> None:
    assert hidden_by([PILLAR], EYE, np.array([point])).tolist() == [is_hidden]


def test_one_looks_through_a_bore_but_not_through_its_wall() -> None:
    above = np.array([0.0, 0.0, 500.0])
    points = np.array([[0.0, 0.0, 1.0], [9.0, 0.0, 1.0], [5.0, 0.0, 99.0]])
    assert hidden_by([PIPE], above, points).tolist() == [False, True, False]
    assert hidden_by([PILLAR], above, points).tolist() == [True, True, True]


def test_points_keep_their_shape_and_may_have_eyes_of_their_own() -> None:
    points = np.full((4, 5, 3), (0.0, 15.0, 0.0))
    assert hidden_by([PILLAR], EYE, points).shape == (4, 5)
    eyes = np.broadcast_to(EYE, points.shape) * np.array([1.0, -1.0, 1.0])
    assert not hidden_by([PILLAR], eyes, points).any()


def test_a_higher_tower_hides_more() -> None:
    nominal = Tiles.as_in_file(BOARD, 4)
    y = np.arange(15.0, 200.0)
    points = np.stack([0 * y, y, 0 * y + BOARD.tile.floor_z], axis=1)
    low, high = (
        int(hidden_by_tower(BOARD, Tiles(nominal.places, (50.0, top)), EYE, points).sum()) for top in (90.0, 150.0)
    )
    assert 10 < low < high < len(y)


def test_a_post_hides_the_far_side_of_a_small_ring() -> None:
    tiles = Tiles.as_in_file(BOARD, 2)
    x, y = BOARD.station_centres["S"]
    z = BOARD.rings.seat_z["S"] + BOARD.rings.thickness
    points = np.array([(x, y + 7.0, z), (x, y - 7.0, z)])
    aslant = np.array([0.0, -400.0, 500.0])
    assert hidden_by([standing(BOARD, tiles, "S.P")], aslant, points).tolist() == [True, False]
    assert not hidden_by([standing(BOARD, tiles, "N.P")], aslant, points).any()
    assert standing(BOARD, tiles, "C>S L").top_z == BOARD.blocker.top_z


@pytest.mark.parametrize("number", [1, 3, 5])
def test_shares_in_sight_are_those_of_the_renderer(number: int) -> None:
    """Of seats within a tenth: the renderer counts other pieces and rounds, the tower is taken as a little higher."""
    calibration, report = calibrated(scene(number))
    look, pose = calibration.appearance, calibration.pose
    true = visible(scene(number), "empty.jpg")
    seats = [place for place in BOARD.places(look.players) if "." in place]
    shares = {place: visible_share(BOARD, look.tiles, calibration.lens, pose, place) for place in seats}
    assert all(abs(shares[place] - true[place]) < 0.12 for place in seats)
    assert report.blind == blind_places(BOARD, look.players, look.tiles, calibration.lens, pose)


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 5])
def test_whatever_can_never_be_asked_is_blind_and_little_more(number: int) -> None:
    _, report = calibrated(scene(number))
    true = visible(scene(number), "empty.jpg")
    assert {place for place, share in true.items() if share < 0.3 and not place.startswith("C.")} <= {*report.blind}
    assert all(true[place] < 0.6 for place in report.blind)
