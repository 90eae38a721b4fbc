"""Hands, sleeves, cards and telephones over Finity's board; shade, and pieces that lie beside it."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from calibration.camera import Floats, project
from calibration.finity.appearance import FinityCalibration
from calibration.sampling import Picture
from tests.calibration.finity_scenes import calibrated, labels, picture_of, scene, truth_of
from tests.vision.trouble import in_light, with_thing
from vision.finity.coarse import coarse_board
from vision.finity.recogniser import FinityRecogniser
from vision.reading import Reading, Status

THINGS: dict[str, tuple[tuple[float, float, float, float, float], tuple[int, int, int]]] = {
    # middle x, y, width, height in mm, turned by degrees; BGR
    "a telephone on the tiles": ((60, -25, 72, 146, 20), (26, 24, 24)),
    "a white card on the tiles": ((-50, 30, 57, 87, 10), (235, 238, 240)),
    "a grey card like the tiles": ((40, -60, 57, 87, -30), (90, 90, 90)),
    "skin over the tiles only": ((0, -60, 40, 60, 0), (120, 150, 200)),
    "a black sleeve": ((-150, 40, 220, 70, 0), (18, 18, 18)),
    "a blue sleeve": ((-150, -40, 220, 60, 0), (120, 60, 30)),
    "a pale wrist": ((150, -40, 220, 45, 0), (190, 200, 225)),
}


def px(calibration: FinityCalibration, area: tuple[float, float, float, float, float], z_mm: float = 14.0) -> Floats:
    """(4, 2) image pixels of a turned rectangle's corners."""
    x, y, wide, high, degrees = area
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    corners = [(a * wide / 2, b * high / 2) for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
    points = np.array([(x + cos * a - sin * b, y + sin * a + cos * b, z_mm) for a, b in corners])
    return project(points, calibration.lens, calibration.pose)


def shares(calibration: FinityCalibration, outline_px: Floats) -> dict[str, float]:
    """Share of each place that lies under an outline."""
    mask = np.zeros((calibration.lens.height, calibration.lens.width), np.uint8)
    cv2.fillPoly(mask, [np.rint(outline_px).astype(np.int32)], 1)
    coarse = coarse_board(calibration, calibration.pose)
    small = cv2.resize(mask, coarse.shape[::-1], interpolation=cv2.INTER_NEAREST).ravel()
    return {place: float(small[cells].mean()) for place, cells in coarse.cells.items()}


def start(number: int) -> tuple[FinityCalibration, Picture, dict[str, str]]:
    truth = truth_of(scene(number), "plain")
    return calibrated(scene(number))[0], picture_of(scene(number), truth), labels(truth)


def sure(reading: Reading) -> set[str]:
    return {place for place, seen in reading.places.items() if seen.sure}


@pytest.mark.parametrize("what", THINGS)
def test_what_lies_under_a_thing_is_not_told_and_the_rest_is(what: str) -> None:
    calibration, picture, true = start(0)
    area, colour = THINGS[what]
    outline = px(calibration, area)
    under = shares(calibration, outline)
    reading = FinityRecogniser(calibration).look(with_thing(picture, outline, colour))
    assert reading.status is Status.OCCLUDED
    assert reading.foreign
    # a flat grey card shows nothing that is wrong for a tile but that its rims are gone: not all of its rim is found
    deep = 0.99 if "grey" in what else 0.6
    told = {place for place in sure(reading) if under[place] >= deep}
    assert len(told) <= (2 if "grey" in what else 0), told
    assert [p for p in sure(reading) if under[p] < 0.6 and reading.places[p].label != true[p]] == []
    clear = [place for place, share in under.items() if share == 0]
    assert len(sure(reading) & set(clear)) >= 0.9 * len(clear)


@pytest.mark.parametrize("number", [0, 5])
def test_shade_and_coloured_light_are_no_hand(number: int) -> None:
    """Somebody leans over half of the board; a cloud and a lamp change the light of all of it."""
    calibration, picture, true = start(number)
    columns = np.arange(picture.shape[1])
    half = 1 - 0.4 / (1 + np.exp(-(columns - 640) / 25.0))
    for lit in (in_light(picture, half[None, :, None]), in_light(picture, np.array([0.64, 0.8, 0.96]))):
        reading = FinityRecogniser(calibration).look(lit)
        assert not reading.foreign
        assert reading.status in {Status.OK, Status.UNSURE}
        assert [place for place in sure(reading) if reading.places[place].label != true[place]] == []


def test_a_pile_of_rings_beside_the_tiles_is_none_of_the_boards_business() -> None:
    calibration, picture, _ = start(0)
    before = FinityRecogniser(calibration).look(picture)
    beside = picture
    for x, y, colour in ((-150, 100, (30, 30, 190)), (-120, 110, (30, 190, 220)), (-140, -110, (30, 30, 30))):
        turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        disc = np.stack([x + 20 * np.cos(turn), y + 20 * np.sin(turn), np.full_like(turn, 6.0)], axis=1)
        beside = with_thing(beside, project(disc, calibration.lens, calibration.pose), colour)
    reading = FinityRecogniser(calibration).look(beside)
    assert reading.status is before.status
    assert not reading.foreign
    assert sure(reading) == sure(before)


def test_an_arm_over_the_mats_edge_is_near_but_covers_nothing() -> None:
    calibration, picture, _ = start(0)
    outline = px(calibration, (-210, 100, 60, 70, 0), 5.0)
    reading = FinityRecogniser(calibration).look(with_thing(picture, outline, (120, 150, 200)))
    assert reading.foreign
    assert reading.status in {Status.OK, Status.UNSURE}


@pytest.mark.parametrize(("number", "noise"), [(0, 5.0), (0, 7.0), (3, 4.0)])
def test_a_pale_finger_is_followed_over_the_tiles_in_a_dim_and_noisy_picture(number: int, noise: float) -> None:
    calibration, picture, _ = start(number)
    outline = px(calibration, (100, -40, 220, 18, 0))
    bright = with_thing(picture, outline, (125, 140, 165))
    grain = np.random.default_rng(3).normal(0, noise, picture.shape)
    dim = np.clip(np.rint(bright * 0.5 + grain), 0, 255).astype(np.uint8)
    under = {place for place, share in shares(calibration, outline).items() if share > 0.3}
    assert under
    reading = FinityRecogniser(calibration).look(dim)
    assert all(reading.places[place].covered for place in under)
