"""All pictures of Finity with truth: nothing sure and wrong, frames without a hand read, hidden places unsure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from calibration.camera import project
from tests.calibration.finity_scenes import (
    BOARD,
    SCENES,
    calibrated,
    hidden,
    labels,
    picture_of,
    scene,
    truth_of,
    truths,
    visible,
    wrong_places,
)
from tests.shared_material import shared
from vision.finity.recogniser import FinityRecogniser
from vision.reading import READABLE, Reading, Status

WELL_VISIBLE = 0.6
"""Share of a place in sight from which it is asked to be read."""


def check(reading: Reading, truth: dict[str, Any], where: str) -> None:
    assert reading.status in READABLE, where
    assert wrong_places(reading, truth) == {}, where
    assert [place for place in hidden(truth) if reading.places[place].sure] == [], where
    assert set(reading.places) == set(BOARD.places(truth["players"])), where
    if not truth["hand"]:
        assert reading.status in {Status.OK, Status.UNSURE}, where
        assert not reading.foreign, where
        assert set(reading.blind) <= hidden(truth) | {p for p in reading.blind if p.startswith("C>")}, where


@pytest.mark.parametrize("number", [0, 5])
def test_frames_of_a_scene(number: int) -> None:
    """A plain frame, one under a hand, one in other light and one after a bump."""
    folder = scene(number)
    for kind in ("plain", "hand", "drift", "bump"):
        truth = truth_of(folder, kind)
        reading = FinityRecogniser(calibrated(folder)[0]).look(picture_of(folder, truth))
        check(reading, truth, f"scene {number} {kind}")
        if kind != "hand":
            seen = visible(folder, truth["image"])
            assert [place for place in reading.unsure if seen[place] >= WELL_VISIBLE] == [], kind
            assert reading.confidence > 0.9


@pytest.mark.long
def test_every_frame_of_every_scene() -> None:
    perfect = plain = 0
    for number in SCENES:
        folder = scene(number)
        for truth in truths(folder):
            reading = FinityRecogniser(calibrated(folder)[0]).look(picture_of(folder, truth))
            check(reading, truth, f"scene {number} {truth['image']}")
            seen = visible(folder, truth["image"])
            if not truth["hand"]:
                plain += 1
                perfect += not [p for p in reading.unsure if seen[p] >= WELL_VISIBLE and p not in hidden(truth)]
    assert perfect >= 0.95 * plain


@pytest.mark.parametrize("number", [1, 4])
def test_places_under_a_hand_are_covered_and_most_others_are_read(number: int) -> None:
    """Scene 4 is dim and noisy."""
    folder = scene(number)
    truth = truth_of(folder, "hand")
    reading = FinityRecogniser(calibrated(folder)[0]).look(picture_of(folder, truth))
    seen = visible(folder, truth["image"])
    check(reading, truth, "hand")
    assert reading.status is Status.OCCLUDED
    assert reading.foreign
    under = [place for place in hidden(truth) if place not in reading.blind]
    assert under
    assert [place for place in under if not reading.places[place].covered] == []
    clear = [place for place, share in seen.items() if share > 0.99 and place in reading.places]
    assert sum(reading.places[place].sure for place in clear) >= 0.9 * len(clear)


def test_a_bump_is_followed() -> None:
    folder = scene(0)
    truth = truth_of(folder, "bump")
    recogniser = FinityRecogniser(calibrated(folder)[0])
    recogniser.look(picture_of(folder, truth_of(folder, "plain")))
    reading = recogniser.look(picture_of(folder, truth))
    check(reading, truth, "bump")
    assert reading.shift_px > 3
    assert recogniser.pose != recogniser.calibration.pose
    middle = np.array([[*BOARD.station_centres["C"], BOARD.tile.floor_z]])
    now = project(middle, recogniser.calibration.lens, recogniser.pose)[0]
    then = project(middle, recogniser.calibration.lens, recogniser.calibration.pose)[0]
    assert float(np.linalg.norm(now - then)) > 3


@pytest.mark.long
def test_a_whole_recorded_game_with_one_recogniser() -> None:
    """In its order: what is remembered from one picture must never stand for the next."""
    folder = shared("images", "finity", "recording")
    recogniser = FinityRecogniser(calibrated(folder)[0])
    for truth in truths(folder, "frames_truth.jsonl"):
        reading = recogniser.look(picture_of(folder, truth))
        check(reading, truth, truth["image"])
        if not truth["hand"]:
            assert reading.status is Status.OK, truth["image"]
            assert {place: seen.label for place, seen in reading.places.items()} == labels(truth)
