"""All pictures with truth: nothing sure and wrong, every frame without a hand perfect, covered places unsure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.camera import project
from calibration.infinity.appearance import InfinityCalibration
from tests.calibration.scenes import calibrated, geometry, labels, scene, truths
from tests.shared_material import shared
from vision.infinity.recogniser import InfinityRecogniser
from vision.pictures import read_picture
from vision.reading import READABLE, Reading, Status


def wrong_places(reading: Reading, truth: dict[str, Any]) -> list[str]:
    assert reading.status in READABLE
    return [
        place
        for place, label in labels(truth).items()
        if place not in truth["hidden"] and reading.places[place].sure and reading.places[place].label != label
    ]


def check(reading: Reading, truth: dict[str, Any]) -> None:
    where = truth["image"]
    assert wrong_places(reading, truth) == [], where
    if reading.knob is not None and reading.knob.sure and truth["knob_stop"] is not None:
        assert reading.knob.label == str(truth["knob_stop"]), where
    if reading.well is not None:
        assert dict(reading.well) == truth["well_counts"], where
    covered = [place for place in truth["hidden"] if place in reading.places]
    assert all(not reading.places[place].sure for place in covered), where
    if not truth["hand"]:
        assert reading.unsure == (), where
        assert reading.status is Status.OK, where
        assert reading.knob is not None, where
        assert reading.knob.sure, where
        assert reading.well is not None, where
        assert reading.confidence > 0.98, where


def check_scene(number: int, *references: str) -> None:
    folder = scene(number)
    calibration = calibrated(folder, *references)[0]
    for truth in truths(folder):
        check(InfinityRecogniser(calibration).look(read_picture(folder / truth["image"])), truth)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6])
def test_every_frame_of_a_scene(number: int) -> None:
    check_scene(number)


@pytest.mark.parametrize("number", [1, 5])
@pytest.mark.parametrize("reference", ["ref1", "ref2"])
def test_one_reference_is_enough(number: int, reference: str) -> None:
    """Nothing wrong, and of the places without a hand one in a hundred unsure at most."""
    folder = scene(number)
    calibration = calibrated(folder, reference)[0]
    unsure = 0
    for truth in truths(folder):
        reading = InfinityRecogniser(calibration).look(read_picture(folder / truth["image"]))
        assert wrong_places(reading, truth) == [], truth["image"]
        unsure += 0 if truth["hand"] else len(reading.unsure)
    assert unsure <= 1


@pytest.mark.parametrize("number", [2, 4])
def test_places_under_a_hand_are_covered_and_most_others_are_read(number: int) -> None:
    folder = scene(number)
    truth = next(truth for truth in truths(folder) if truth["hand"])
    reading = InfinityRecogniser(calibrated(folder)[0]).look(read_picture(folder / truth["image"]))
    assert reading.status is Status.OCCLUDED
    assert reading.foreign
    assert all(reading.places[place].covered for place in truth["hidden"] if place in reading.places)
    seen = geometry(folder)[truth["image"]]["slots"]
    clear = [place for place, what in seen.items() if what["vis"] > 0.99]
    assert sum(reading.places[place].sure for place in clear) >= 0.8 * len(clear)


@pytest.mark.parametrize("number", [1, 3, 6])
def test_a_bump_is_followed(number: int) -> None:
    folder = scene(number)
    truth = next(truth for truth in truths(folder) if truth["kind"] == "bump")
    recogniser = InfinityRecogniser(calibrated(folder)[0])
    recogniser.look(read_picture(folder / "frames" / "f01.jpg"))
    reading = recogniser.look(read_picture(folder / truth["image"]))
    check(reading, truth)
    assert reading.shift_px > 3
    px = geometry(folder)[truth["image"]]["slots"]["1.1"]["px"]
    assert recogniser.pose != recogniser.calibration.pose
    centre = recogniser.calibration.board.slot_centres()["1.1"]
    seen = project(np.array([centre]), recogniser.calibration.lens, recogniser.pose)[0]
    # marbles lie up to 0.7 mm beside their seats' middles
    assert float(np.linalg.norm(seen - px)) < 2.5


def recording() -> tuple[Path, InfinityCalibration]:
    folder = shared("images", "infinity", "recording")
    return folder, calibrated(folder)[0]


def test_a_whole_recorded_game_with_one_recogniser() -> None:
    """In its order: what is remembered from one picture must never stand for the next."""
    folder, calibration = recording()
    recogniser = InfinityRecogniser(calibration)
    for truth in truths(folder, "frames_truth.jsonl"):
        check(recogniser.look(read_picture(folder / truth["image"])), truth)
