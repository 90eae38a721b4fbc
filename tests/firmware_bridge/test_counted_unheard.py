"""Marbles that passed while no program listened, told from the counters that an earlier one has kept."""

from __future__ import annotations

from firmware_bridge.beams import BeamCounts
from firmware_bridge.board_sensors import BoardSensors
from firmware_bridge.knob import Knob
from firmware_bridge.protocol import State
from firmware_bridge.readings import BeamsCounted, MarbleEntered, MarbleLeft, SensorReading

KEPT = BeamCounts(7, (3, 0, 255, 0, 1, 0, 0, 0))


def at_first(beams: BeamCounts | None, *, boot_id: int = 7, passages: tuple[int, ...]) -> list[SensorReading]:
    sensors = BoardSensors("board", Knob("board"), None, beams, counts=True)
    told = sensors.from_state(State(boot_id=boot_id, uptime_ms=0, knob=0, passages=passages), 0.5)
    return [each for each in told if isinstance(each, MarbleEntered | MarbleLeft | BeamsCounted)]


def test_every_marble_since_then_is_told_as_missed_also_over_the_wrap() -> None:
    now = (4, 0, 1, 0, 2, 0, 0, 0)
    assert at_first(KEPT, passages=now) == [
        MarbleEntered(0.5, "board", 1, missed=True),
        MarbleEntered(0.5, "board", 3, missed=True),
        MarbleEntered(0.5, "board", 3, missed=True),
        MarbleLeft(0.5, "board", 1, missed=True),
        BeamsCounted(0.5, "board", 7, now, watched=True),
    ]


def test_a_board_that_has_started_anew_or_was_never_heard_tells_of_none() -> None:
    now = (4, 0, 1, 0, 2, 0, 0, 0)
    assert at_first(KEPT, boot_id=8, passages=now) == [BeamsCounted(0.5, "board", 8, now)]
    assert at_first(None, passages=now) == [BeamsCounted(0.5, "board", 7, now)]


def test_of_a_board_that_never_counted_nobody_knows_whether_it_has_beams() -> None:
    none = (0,) * 8
    assert at_first(BeamCounts(7, none), passages=none) == [BeamsCounted(0.5, "board", 7, none)]


def test_counters_are_told_after_their_marbles_and_only_where_they_changed() -> None:
    sensors = BoardSensors("board", Knob("board"), counts=True)
    frame = State(boot_id=7, uptime_ms=0, knob=0, passages=(0,) * 8)
    more = State(boot_id=7, uptime_ms=9, knob=0, passages=(0, 1, 0, 0, 0, 0, 0, 0))
    told = [sensors.from_state(each, 1.0)[:2] for each in (frame, frame, more)]
    assert told[1] == []
    assert told[2] == [MarbleEntered(1.0, "board", 2), BeamsCounted(1.0, "board", 7, more.passages)]
