"""Sets from the simulated camera on other boards and tables: hands, things, bumps and half pushed marbles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hw_sim.camera.render_set import KINDS, render_set
from tests.calibration.scenes import calibrated, labels
from vision.infinity.recogniser import InfinityRecogniser
from vision.pictures import read_picture
from vision.reading import Reading, Status

VISIBLE = 0.4
"""Share of a place that must be in sight for anything to be asked of it."""


def check(reading: Reading, truth: dict[str, Any]) -> None:
    where = f"{truth['image']} {truth['kind']} {truth.get('note', '')}"
    if truth["board"] is None:
        assert reading.status is Status.NO_BOARD, where
        return
    seen = {**dict.fromkeys(reading.places, 1.0), **truth["visible"]}
    true = labels(truth)
    wrong = [p for p, place in reading.places.items() if place.sure and seen[p] >= VISIBLE and place.label != true[p]]
    assert wrong == [], where
    assert [p for p in truth["hidden"] if p in reading.places and reading.places[p].sure] == [], where
    if reading.knob is not None and reading.knob.sure and seen.get("knob", 1.0) >= VISIBLE:
        assert reading.knob.label == str(truth["knob_stop"]), where
    if set(truth["hidden"]) - {"knob"}:
        assert reading.status is Status.OCCLUDED, where
    if truth["kind"] in {"plain", "drift", "bump"}:
        assert reading.unsure == (), where
        assert reading.status in {Status.OK, Status.UNSURE}, where


def check_set(folder: Path, seed: int, kinds: tuple[str, ...]) -> None:
    render_set(folder, seed, kinds=kinds)
    calibration = calibrated(folder)[0]
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        truth = json.loads(line)
        check(InfinityRecogniser(calibration).look(read_picture(folder / truth["image"])), truth)


@pytest.mark.parametrize("seed", [207, 406])
def test_a_simulated_set(tmp_path: Path, seed: int) -> None:
    check_set(tmp_path, seed, ("plain", "drift", "bump", "thing", "half", "hand_bump", "no_board"))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(400, 424))
def test_many_simulated_sets(tmp_path: Path, seed: int) -> None:
    check_set(tmp_path, seed, KINDS)
