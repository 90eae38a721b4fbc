"""Pins, the model of the firmware and the firmware itself: one happening, the same readings, and the right ones."""

from __future__ import annotations

from itertools import pairwise

import pytest

from hw_sim.chip.build import ChipFiles
from tests.firmware_bridge.chip_stand import built_chip
from tests.firmware_bridge.same_readings import (
    Script,
    felt_by_chip,
    felt_by_model,
    felt_by_pins,
    script,
    told_by,
)


def play(seed: int, files: ChipFiles) -> None:
    played = script(seed)
    pins, model, chip = felt_by_pins(played), felt_by_model(played), felt_by_chip(played, files)
    for felt in (pins, model, chip):
        told_by(played, felt)
    assert pins.same_as(model), f"script {seed}: pins {pins}, model {model}"
    assert model.same_as(chip), f"script {seed}: model {model}, chip {chip}"


@pytest.mark.parametrize("seed", range(16))
def test_a_script_is_felt_the_same_by_pins_model_and_chip(seed: int) -> None:
    play(seed, built_chip())


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 1000, 50))
def test_a_thousand_scripts_are_felt_the_same(first: int) -> None:
    files = built_chip()
    for seed in range(first, first + 50):
        play(seed, files)


@pytest.mark.parametrize("seed", range(200))
def test_pins_and_model_alone_agree_on_many_more(seed: int) -> None:
    played = script(1000 + seed)
    pins, model = felt_by_pins(played), felt_by_model(played)
    told_by(played, pins)
    assert pins.same_as(model)


def knob_steps_s(played: Script) -> list[float]:
    """Times between edges of different contacts."""
    edges = [edge for edge in played.edges if edge.line.startswith("knob")]
    return [b.t_s - a.t_s for a, b in pairwise(edges) if a.line != b.line]


def test_the_scripts_hold_what_they_promise() -> None:
    scripts = [script(seed) for seed in range(100)]
    steps_s = [step_s for played in scripts for step_s in knob_steps_s(played)]
    assert min(steps_s) < 1 / 2000
    assert max(steps_s) > 0.9
    chatter_s = [
        b.t_s - a.t_s
        for played in scripts
        for a, b in pairwise([edge for edge in played.edges if edge.line == "entry1"])
        if b.t_s - a.t_s < 0.002
    ]
    assert max(chatter_s) > 0.0015
    assert {played.wiring.edges_per_detent for played in scripts} == {1, 2, 4}
    assert {played.wiring.beam_blocked_level for played in scripts} == {0, 1}
    assert sum(len(played.rests) for played in scripts) > 100
    assert sum(sum(played.marbles) for played in scripts) > 500
