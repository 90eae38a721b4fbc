"""gpiozero's mock pins at a table, read by the same code that reads real ones."""

from __future__ import annotations

from typing import Any

import gpiozero

from firmware_bridge.pin_board import PinBoard
from firmware_bridge.readings import BridgeReading, KnobAt, MarbleEntered, MarbleLeft
from hw_sim.faults import Faults
from hw_sim.pins import SimPins
from hw_sim.table import SimTable
from hw_sim.wires import TABLE_WIRING


def read_by_program(faults: Faults) -> list[BridgeReading]:
    table = SimTable(seed=4, faults=faults)
    pins = SimPins(table)
    readings: list[BridgeReading] = []
    board = PinBoard(
        TABLE_WIRING,
        readings.append,
        pin_factory=pins.factory,
        clock=table.timeline.clock,
        verified=True,
        threaded=False,
    )
    assert board.start()
    for kind in "BBBBK":
        table.perform(table.person("blue").push(kind, 3))
        table.advance(1.0)
        board.look()
    for stop in (2, -1):
        table.perform(table.person("blue").turn_knob(stop))
        table.advance(1.0)
        board.look()
    board.stop()
    pins.close()
    return readings


def check(readings: list[BridgeReading]) -> None:
    assert [r.channel for r in readings if isinstance(r, MarbleEntered)] == [3] * 5
    assert [r.channel for r in readings if isinstance(r, MarbleLeft)] == [3]
    rests = [r.stop for r in readings if isinstance(r, KnobAt) and r.at_rest]
    assert rests[-1] == -1
    assert 2 in rests


def test_clean_pins_are_read_right() -> None:
    check(read_by_program(Faults()))


def test_bouncing_pins_are_read_right() -> None:
    check(read_by_program(Faults(bounce_ms=2.0, rolls_back=0.3)))


def test_pins_bounce_where_contacts_do() -> None:
    def levels(faults: Faults) -> int:
        table = SimTable(seed=4, faults=faults)
        pins = SimPins(table)
        changes: list[Any] = []
        pin = pins.factory.pin("BCM5")
        pin.function = "input"
        handler = lambda ticks, state: changes.append(state)  # noqa: E731 - the pin keeps only a weak reference
        pin.when_changed = handler
        for _ in range(4):
            table.perform(table.person("blue").push("B", 1))
        pins.close()
        return len(changes)

    assert levels(Faults()) == 8
    assert levels(Faults(bounce_ms=2.0)) > 12


def test_the_table_drives_a_pin_whatever_pull_a_program_gives_it() -> None:
    table = SimTable(seed=4)
    pins = SimPins(table)
    device = gpiozero.DigitalInputDevice("BCM17", pull_up=True, pin_factory=pins.factory)
    assert device.pin.state == 0
    device.close()
    beam = gpiozero.DigitalInputDevice("BCM5", pull_up=False, pin_factory=pins.factory)
    assert beam.pin.state == 1
    beam.close()
    pins.close()


def test_a_long_run_keeps_no_history() -> None:
    table = SimTable(seed=4, faults=Faults(bounce_ms=2.0))
    pins = SimPins(table)
    for turn in range(60):
        table.perform(table.person("blue").turn_knob(turn % 5))
    assert all(len(pins.factory.pin(name).states) <= 1 for name in TABLE_WIRING.tasks)
    pins.close()
