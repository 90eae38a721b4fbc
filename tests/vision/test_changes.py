"""What is remembered from the last picture must never hide a change."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.sampling import Picture
from tests.calibration.scenes import BOARD, calibrated, frame, labels, scene, truths
from tests.vision.trouble import in_light, with_marble
from vision.infinity.recogniser import InfinityRecogniser
from vision.reading import Reading


def same(one: Reading, other: Reading) -> bool:
    def words(reading: Reading) -> list[object]:
        places = [(name, place.label, place.sure) for name, place in reading.places.items()]
        knob = reading.knob and (reading.knob.label, reading.knob.sure)
        return [reading.status, places, knob, reading.well]

    return words(one) == words(other)


@pytest.mark.parametrize("number", [1, 4])
def test_in_any_order_the_answer_is_that_of_a_fresh_look(number: int) -> None:
    """Frames with a hand, drift and bump among them; scene 4 is dim and noisy, scene 1 a dark board."""
    calibration = calibrated(scene(number))[0]
    look = InfinityRecogniser(calibration)
    order = np.random.default_rng(number).integers(1, 9, 24)
    fresh = {k: InfinityRecogniser(calibration).look(frame(scene(number), f"f0{k}")) for k in set(order.tolist())}
    for k in order.tolist():
        seen = look.look(frame(scene(number), f"f0{k}"))
        assert [p.label for p in seen.places.values() if p.sure] == [
            p.label for n, p in fresh[k].places.items() if seen.places[n].sure
        ]
        assert abs(len(seen.unsure) - len(fresh[k].unsure)) <= 1


def test_the_same_picture_is_answered_from_memory() -> None:
    look = InfinityRecogniser(calibrated(scene(1))[0])
    picture = frame(scene(1), "f01")
    first = look.look(picture)
    noise = np.random.default_rng(1).normal(0, 2, picture.shape)
    assert look.look(np.clip(picture + noise, 0, 255).astype(np.uint8)) is first


@pytest.mark.parametrize("number", [1, 4, 6])
def test_every_single_marble_that_comes_is_seen(number: int) -> None:
    """Also a black one into the seats of a dark board, and a blue one into those of a blue board."""
    calibration = calibrated(scene(number))[0]
    name, true = next(
        (t["image"][7:10], labels(t)) for t in truths(scene(number)) if not t["hand"] and set("BKY.") <= set(t["board"])
    )
    picture = frame(scene(number), name)
    for place, label in true.items():
        if label != ".":
            continue
        for kind in "KB":
            look = InfinityRecogniser(calibration)
            before = look.look(picture)
            source = next(p for p, k in true.items() if k == kind)
            after = look.look(with_marble(picture, calibration, source, *BOARD.slot_centres()[place]))
            assert after is not before, (place, kind)
            assert after.places[place].label == kind, (place, kind)


def test_a_slow_drift_of_the_light_is_not_lost() -> None:
    """Every step is smaller than what counts as a change; the sum is not."""
    look = InfinityRecogniser(calibrated(scene(1))[0])
    picture = frame(scene(1), "f01")
    first = last = look.look(picture)
    for step in range(1, 60):
        last = look.look(in_light(picture, 1 - step * 0.008))
        assert [p.label for p in last.places.values()] == [p.label for p in first.places.values()]
    assert last is not first


def test_a_turned_knob_is_seen() -> None:
    folder = scene(3)
    look = InfinityRecogniser(calibrated(folder)[0])
    for truth in truths(folder):
        if truth["hand"] or truth["kind"] == "bump":
            continue
        picture: Picture = frame(folder, truth["image"][7:10])
        knob = look.look(picture).knob
        assert knob is not None
        assert knob.label == str(truth["knob_stop"])
