"""Levels of pins into readings, as in a recording; and the recorded game against its truth. G10, G12, X05."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.gpio import PinDecoder, Wiring
from firmware_bridge.readings import KnobAt, MarbleEntered, MarbleLeft, SensorReading
from tests.firmware_bridge.test_wiring import GOOD
from tests.shared_material import shared

Line = tuple[float, str, int]
WIRING = Wiring.parse(GOOD)
REST: list[Line] = [
    (0.0, "BCM17", 0),
    (0.0, "BCM18", 0),
    *((0.0, pin, 1) for pin in (*WIRING.entry, *WIRING.exit)),
]


def decode(lines: list[Line], decoder: PinDecoder | None = None) -> list[SensorReading]:
    decoder = decoder or PinDecoder(WIRING)
    readings = [reading for line in lines for reading in decoder.feed(*line)]
    return readings + decoder.tick(lines[-1][0] + 60)


def a_break(t_s: float, pin: str, length_s: float = 0.08) -> list[Line]:
    return [(t_s, pin, 0), (t_s + length_s, pin, 1)]


def a_click(t_s: float, step_s: float = 0.03) -> list[Line]:
    order = [("BCM17", 1), ("BCM18", 1), ("BCM17", 0), ("BCM18", 0)]
    return [(t_s + step_s * number, pin, level) for number, (pin, level) in enumerate(order)]


def test_the_levels_at_the_start_are_no_events() -> None:
    (told,) = decode(REST)
    assert told == KnobAt(0.0, "gpio", 0, 0, at_rest=True, verified=True)


def test_a_beam_that_is_broken_at_the_start_is_no_event() -> None:
    lines = [line if line[1] != "BCM5" else (0.0, "BCM5", 0) for line in REST]
    assert decode([*lines, (2.0, "BCM5", 1), *a_break(5.0, "BCM5")])[1:] == [MarbleEntered(5.0, "gpio", 1)]


def test_marbles_in_and_out() -> None:
    lines = [*REST, *a_break(2.0, "BCM13"), *a_break(2.1, "BCM20"), *a_break(9.0, "BCM13")]
    assert decode(lines)[1:] == [
        MarbleEntered(2.0, "gpio", 3),
        MarbleLeft(2.1, "gpio", 3),
        MarbleEntered(9.0, "gpio", 3),
    ]


def test_the_level_that_means_broken_is_wiring() -> None:
    wiring = Wiring.parse({**GOOD, "beam_blocked_level": 1})
    lines = [(t_s, pin, level if pin in ("BCM17", "BCM18") else 1 - level) for t_s, pin, level in REST]
    lines += [(2.0, "BCM5", 1), (2.1, "BCM5", 0)]
    assert decode(lines, PinDecoder(wiring))[1:] == [MarbleEntered(2.0, "gpio", 1)]


def test_a_click_of_the_knob() -> None:
    told = decode([*REST, *a_click(1.0)])[1:]
    assert [(reading.t_s, reading.detents, reading.at_rest) for reading in told if isinstance(reading, KnobAt)] == [
        (1.09, 1, False),
        (1.34, 1, True),
    ]


def test_a_knob_with_pull_ups_rests_at_ones_and_turns_the_same_way() -> None:
    rest = [(t_s, pin, 1) for t_s, pin, _ in REST]
    click = [(t_s, pin, 1 - level) for t_s, pin, level in a_click(1.0)]
    told = decode([*rest, *click])
    assert told[-1] == KnobAt(1.34, "gpio", 1, 1, at_rest=True, verified=True)


def test_a_pin_first_heard_of_later_has_changed_then() -> None:
    lines = [line for line in REST if line[1] != "BCM5"]
    assert decode([*lines, (3.0, "BCM5", 0)])[1:] == [MarbleEntered(3.0, "gpio", 1)]


def test_pins_that_are_not_wired_are_passed_over() -> None:
    assert len(decode([*REST, (1.0, "BCM26", 1)])) == 1


def test_a_level_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="BCM5"):
        PinDecoder(WIRING).feed(0.0, "BCM5", 2)


def test_g10_weak_pulses_are_counted_by_their_task() -> None:
    decoder = PinDecoder(WIRING)
    lines = [*REST, *a_break(1.0, "BCM6", 60e-6), *a_break(2.0, "BCM6", 150e-6), *a_break(3.0, "BCM6", 2e-3)]
    assert decode(lines, decoder)[1:] == [MarbleEntered(2.0, "gpio", 2), MarbleEntered(3.0, "gpio", 2)]
    assert decoder.weak == {"entry 2": 1}


def test_confirming_the_knob() -> None:
    decoder = PinDecoder(WIRING, stop=3, verified=False)
    assert decode(REST, decoder)[0] == KnobAt(0.0, "gpio", 3, 3, at_rest=True, verified=False)
    assert decoder.confirm_knob(99.0, -1) == [KnobAt(99.0, "gpio", -1, -1, at_rest=True, verified=True)]
    assert decoder.place.detents == -1


def test_a_wiring_without_a_knob_has_nothing_to_confirm() -> None:
    decoder = PinDecoder(Wiring.parse({"entry": GOOD["entry"]}))
    assert decoder.confirm_knob(1.0, 2) == []
    assert decoder.impossible_edges == 0


def bouncing(seed: int, edges: int, span_s: float) -> list[Line]:
    """Clicks, marbles and chatter over `span_s`, edges in all."""
    rng = random.Random(seed)
    lines = list(REST)
    t_s = 1.0
    while len(lines) < edges:
        part = a_click(t_s) if rng.random() < 0.5 else a_break(t_s, rng.choice((*WIRING.entry, *WIRING.exit)))
        for at_s, pin, level in part:
            lines.append((at_s, pin, level))
            for bounce in range(rng.randrange(3)):
                lines += [
                    (at_s + 3e-4 * (2 * bounce + 1), pin, 1 - level),
                    (at_s + 3e-4 * (2 * bounce + 2), pin, level),
                ]
        t_s += span_s * 10 / edges
    return lines


def test_x05_an_hour_of_ten_thousand_edges_is_quick_and_always_the_same() -> None:
    lines = bouncing(1, 10_000, 3600.0)
    begin_s = time.thread_time()
    first = decode(lines)
    assert time.thread_time() - begin_s < 1
    assert len(first) > 500
    assert all(decode(lines) == first for _ in range(2))


@pytest.mark.long
def test_x05_a_hundred_runs() -> None:
    lines = bouncing(2, 10_000, 3600.0)
    first = decode(lines)
    assert all(decode(lines) == first for _ in range(99))


@given(st.integers(0, 1000), st.lists(st.floats(0, 70), max_size=60))
def test_how_often_one_looks_changes_no_reading(seed: int, looks: list[float]) -> None:
    lines = bouncing(seed, 80, 60.0)
    decoder = PinDecoder(WIRING)
    readings: list[SensorReading] = []
    for t_s, pin, level in sorted([*lines, *((look, "", -1) for look in looks)], key=lambda line: line[0]):
        readings += decoder.tick(t_s) if level < 0 else decoder.feed(t_s, pin, level)
    readings += decoder.tick(1e4)
    assert sorted(readings, key=str) == sorted(decode(lines), key=str)


def test_time_never_runs_back() -> None:
    decoder = PinDecoder(WIRING)
    decode(REST, decoder)
    readings = [reading for line in a_break(1.0, "BCM5") for reading in decoder.feed(*line)]
    assert all(reading.t_s >= 60 for reading in readings), "what comes late counts from the time it came"


class Recorded:
    """A recorded game's pins and truth."""

    def __init__(self, folder: Path) -> None:
        meta = json.loads((folder / "meta.json").read_text())
        self.wiring = Wiring.parse(meta["wiring"])
        self.lines = [json.loads(line) for line in (folder / "gpio.jsonl").read_text().splitlines()]
        self.truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]

    def readings(self) -> list[SensorReading]:
        decoder = PinDecoder(self.wiring)
        found = [r for line in self.lines for r in decoder.feed(line["t"], line["pin"], line["level"])]
        return found + decoder.tick(self.lines[-1]["t"] + 10)


@pytest.fixture(scope="module")
def recorded() -> Recorded:
    return Recorded(shared("images", "infinity", "recording"))


def test_the_recorded_games_entries_are_its_moves(recorded: Recorded) -> None:
    entered = [reading for reading in recorded.readings() if isinstance(reading, MarbleEntered)]
    assert [reading.channel for reading in entered] == [int(turn["move"][1]) for turn in recorded.truth]
    for reading, turn in zip(entered, recorded.truth, strict=True):
        assert abs(reading.t_s - turn["t_push"]) < 0.01


def test_the_recorded_games_exits_are_the_marbles_pushed_over(recorded: Recorded) -> None:
    left = [reading for reading in recorded.readings() if isinstance(reading, MarbleLeft)]
    pushed = [turn for turn in recorded.truth if turn["pushed_over"]]
    assert [reading.channel for reading in left] == [int(turn["move"][1]) for turn in pushed]


def test_the_recorded_games_knob_shows_every_score(recorded: Recorded) -> None:
    knob = [reading for reading in recorded.readings() if isinstance(reading, KnobAt)]
    for turn in recorded.truth:
        last = [reading for reading in knob if reading.t_s <= turn["t_settled"]][-1]
        assert (last.stop, last.at_rest, last.verified) == (turn["knob_stop"], True, True)
