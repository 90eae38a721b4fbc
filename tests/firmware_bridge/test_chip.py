"""The firmware itself, on a simulated chip: what it says, obeys and survives."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_bridge.protocol import Hello, State
from hw_sim.chip.sim_chip import BoardSettings, SimChip
from tests.firmware_bridge.chip_stand import built_chip, frames


@pytest.fixture
def chip() -> Iterator[SimChip]:
    with SimChip(settings=BoardSettings(), files=built_chip()) as made:
        yield made


def test_it_says_who_it_is_and_counts_a_turn_of_the_knob(chip: SimChip) -> None:
    for number, (line, level) in enumerate((("knob_a", 1), ("knob_b", 1), ("knob_a", 0), ("knob_b", 0))):
        chip.drive(0.1 + 0.01 * number, line, level)
    hello, *states = frames(chip.run_until(0.5))
    assert isinstance(hello, Hello)
    assert (hello.serial_number, hello.edges_per_detent, hello.report_ms) == ("CHIP001", 4, 250)
    assert [state.knob for state in states if isinstance(state, State)] == [0, 1, 2, 3, 4, 4]
