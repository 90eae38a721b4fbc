"""What is remembered from the last picture of Finity must never hide a change, and spare all other work."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.sampling import Picture
from tests.calibration.finity_scenes import calibrated, labels, picture_of, scene, truths
from tests.shared_material import shared
from tests.vision.trouble import in_light
from vision.finity.recogniser import FinityRecogniser
from vision.pictures import read_picture
from vision.reading import Reading, Status


def told(reading: Reading) -> dict[str, str | None]:
    return {place: seen.label for place, seen in reading.places.items() if seen.sure}


def noisy(picture: Picture, seed: int, sigma: float = 2.0) -> Picture:
    noise = np.random.default_rng(seed).normal(0, sigma, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def frame(number: int, name: str) -> Picture:
    return read_picture(scene(number) / "frames" / f"{name}.jpg")


def same(with_memory: Reading, fresh: Reading) -> bool:
    """Nothing told otherwise; a place may be in doubt the one time only, where neighbours were looked at apart."""
    one, other = told(with_memory), told(fresh)
    differing = set(one) ^ set(other)
    return len(differing) <= 1 and all(one[place] == other[place] for place in set(one) & set(other))


def test_in_any_order_the_answer_is_that_of_a_fresh_look() -> None:
    """A hand that comes and goes, drift and a bump among them."""
    calibration = calibrated(scene(0))[0]
    recogniser = FinityRecogniser(calibration)
    order = ["f01", "f06", "f01", "f03", "f06", "f07", "f08", "f02"]
    fresh = {name: FinityRecogniser(calibration).look(frame(0, name)) for name in set(order)}
    for name in order:
        assert same(recogniser.look(frame(0, name)), fresh[name]), name


@pytest.mark.parametrize("number", [4, 5])
def test_the_same_picture_is_answered_from_memory(number: int) -> None:
    """Scene 4 is noisy already."""
    recogniser = FinityRecogniser(calibrated(scene(number))[0])
    first = recogniser.look(noisy(frame(number, "f01"), 0))
    for seed in range(1, 6):
        assert recogniser.look(noisy(frame(number, "f01"), seed)) is first


def test_a_board_taken_away_and_put_back_is_looked_at_anew() -> None:
    recogniser = FinityRecogniser(calibrated(scene(0))[0])
    first = recogniser.look(frame(0, "f01"))
    table = np.full_like(frame(0, "f01"), (60, 90, 120))
    assert recogniser.look(noisy(table, 1)).status is Status.NO_BOARD
    again = recogniser.look(frame(0, "f01"))
    assert again is not first
    assert told(again) == told(first)


def test_alternating_pieces_are_seen_every_time() -> None:
    calibration = calibrated(scene(0))[0]
    recogniser = FinityRecogniser(calibration)
    fresh = [FinityRecogniser(calibration).look(frame(0, name)) for name in ("f01", "f02")]
    for _ in range(2):
        for name, wanted in zip(("f01", "f02"), fresh, strict=True):
            assert same(recogniser.look(frame(0, name)), wanted)


def test_every_move_of_a_recording_is_noticed() -> None:
    """Every place that a move changed is told anew though all else is remembered."""
    folder = shared("images", "finity", "recording")
    recogniser = FinityRecogniser(calibrated(folder)[0])
    before: Reading | None = None
    for truth in truths(folder, "frames_truth.jsonl")[:16]:
        reading = recogniser.look(picture_of(folder, truth))
        if not truth["hand"]:
            assert reading.status is Status.OK
            assert {place: seen.label for place, seen in reading.places.items()} == labels(truth)
            before = before or reading
    assert before is not None
    assert told(reading) != told(before)


def test_a_slow_drift_of_the_light_is_not_lost() -> None:
    """Every step is smaller than what counts as a change; the sum is not."""
    recogniser = FinityRecogniser(calibrated(scene(0))[0])
    picture = frame(0, "f01")
    first = last = recogniser.look(picture)
    for step in range(1, 16):
        last = recogniser.look(in_light(picture, 1 - step * 0.012))
        assert told(last) == told(first), step
    assert last is not first
