"""One suite for every way in which the wires of a table are read: model, chip, pins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from firmware_bridge.pin_board import PinBoard
from firmware_bridge.readings import BridgeReading, DeviceChanged, DeviceState, KnobAt, MarbleEntered, MarbleLeft
from firmware_bridge.serial_decoder import SerialDecoder
from hw_sim.board_device import SimBoard
from hw_sim.chip.at_table import chip_at
from hw_sim.chip.sim_chip import BoardSettings, SimChip
from hw_sim.faults import Faults
from hw_sim.pins import SimPins
from hw_sim.table import SimTable
from tests.firmware_bridge.chip_stand import built_chip

SETTLED_S = 1.0

Reader = Callable[[], list[BridgeReading]]
"""Everything that was read so far."""


def read_by_model(table: SimTable) -> Iterator[Reader]:
    decoder, readings = SerialDecoder(verified=True), []

    def take(data: bytes) -> None:
        readings.extend(decoder.feed(table.now_s, data))

    SimBoard(table, take)
    yield lambda: [*readings, *decoder.tick(table.now_s)]


def read_by_chip(table: SimTable) -> Iterator[Reader]:
    decoder: SerialDecoder = SerialDecoder(verified=True)
    readings: list[BridgeReading] = []
    with SimChip(settings=BoardSettings(), files=built_chip()) as chip:
        chip_at(table, chip)

        def read() -> list[BridgeReading]:
            for sent in chip.run_until(table.now_s):
                readings.extend(decoder.feed(sent.t_s, sent.data))
            return [*readings, *decoder.tick(table.now_s)]

        yield read


def read_by_pins(table: SimTable) -> Iterator[Reader]:
    pins = SimPins(table)
    readings: list[BridgeReading] = []
    board = PinBoard(
        table.wires.wiring,
        readings.append,
        pin_factory=pins.factory,
        clock=table.timeline.clock,
        verified=True,
        threaded=False,
    )
    assert board.start()

    def read() -> list[BridgeReading]:
        board.look()
        return readings

    yield read
    board.stop()
    pins.close()


WAYS = {"model": read_by_model, "chip": read_by_chip, "pins": read_by_pins}


class Bench:
    def __init__(self, table: SimTable, read: Reader) -> None:
        self.table = table
        self._read = read

    def readings(self) -> list[BridgeReading]:
        self.table.advance(SETTLED_S)
        return self._read()

    def entered(self) -> list[int]:
        return [each.channel for each in self.readings() if isinstance(each, MarbleEntered)]

    def left(self) -> list[int]:
        return [each.channel for each in self.readings() if isinstance(each, MarbleLeft)]

    def rests(self) -> list[int]:
        return [each.stop for each in self.readings() if isinstance(each, KnobAt) and each.at_rest]

    def push(self, kinds: str, channel: int) -> None:
        for kind in kinds:
            self.table.perform(self.table.person("blue").push(kind, channel))
            self.table.advance(1.0)

    def turn(self, *stops: int) -> None:
        for stop in stops:
            self.table.perform(self.table.person("blue").turn_knob(stop))
            self.table.advance(1.0)

    def contacts(self, *quarters: int, every_s: float = 0.01) -> None:
        """The knob's contacts come to these quarter steps, one after the other."""
        for number, quarter in enumerate(quarters):
            self.table.timeline.after(every_s * number, partial(self.table.wires.knob, quarter))
        self.table.advance(every_s * len(quarters))


@pytest.fixture(params=WAYS)
def bench(request: pytest.FixtureRequest) -> Iterator[Callable[..., Bench]]:
    ways = []

    def make(seed: int = 4, **faults: float) -> Bench:
        table = SimTable(seed=seed, faults=Faults(**faults))
        way = WAYS[request.param](table)
        ways.append(way)
        made = Bench(table, next(way))
        table.advance(0.3)
        return made

    yield make
    for way in ways:
        assert next(way, None) is None


def test_it_begins_well_at_the_mark(bench: Callable[..., Bench]) -> None:
    made = bench()
    states = [each.state for each in made.readings() if isinstance(each, DeviceChanged)]
    assert states == [DeviceState.OK]
    assert made.rests() == [0]


def test_marbles_go_in_and_the_fifth_pushes_one_out(bench: Callable[..., Bench]) -> None:
    made = bench()
    made.push("BBBB", 2)
    made.push("K", 2)
    assert made.entered() == [2] * 5
    assert made.left() == [2]


@pytest.mark.parametrize("seed", range(3))
def test_chatter_and_rolling_back_count_once(bench: Callable[..., Bench], seed: int) -> None:
    made = bench(seed, bounce_ms=2.0, rolls_back=0.5)
    made.push("BYBYK", 3)
    made.push("BYB", 1)
    made.turn(2, -1, 4)
    assert made.entered() == [3] * 5 + [1] * 3
    assert made.left() == [3]
    assert made.rests() == [0, 2, -1, 4]


def test_the_knob_is_followed_round_the_dial(bench: Callable[..., Bench]) -> None:
    made = bench()
    stops = [3, 5, -3, -1, -4, 4, 0]
    made.turn(*stops)
    assert made.rests() == [0, *stops]


def test_a_wobble_on_a_detent_and_a_turn_taken_back_are_no_turn(bench: Callable[..., Bench]) -> None:
    made = bench()
    made.contacts(1, 0, -1, 0, 1, 2, 1, 0, -1, -2, -3, -2, -1, 0)
    assert {each.detents for each in made.readings() if isinstance(each, KnobAt)} == {0}


def test_a_click_is_one_stop_at_any_speed(bench: Callable[..., Bench]) -> None:
    made = bench()
    for click, every_s in enumerate((0.1, 0.01, 0.002, 0.0005)):
        made.contacts(*range(4 * click + 1, 4 * click + 5), every_s=every_s)
        made.table.advance(SETTLED_S)
    assert made.rests() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("seed", range(3))
def test_an_edge_lost_now_and_then_turns_no_stop_wrong(bench: Callable[..., Bench], seed: int) -> None:
    made = bench(seed, lost_knob_edge=0.01)
    stops = [2, -1, 3, 1, -2, 0, 4, 2]
    made.turn(*stops)
    assert made.rests()[-1] == stops[-1]
