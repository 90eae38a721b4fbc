"""Marbles pushed while the program was dead: the board counted them, and the next start knows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.beam_memory import COUNTED, counted
from companion.devices import Stand
from companion.events import QuestionAsked, Record
from companion.evidence import Sight
from companion.games.game import Json
from companion.station import Station
from companion.table import Table
from firmware_bridge.beams import BeamCounts
from firmware_bridge.readings import MarbleEntered
from hw_sim.board_device import SimBoard
from hw_sim.serial_port import SimSerialPort, board_at
from hw_sim.table import SimTable
from tests.reconciler.sights import a_table, shown, sight
from tests.station.material import config, moves_of
from vision.reading import Reading, Status

LIMIT_S = 10.0


class Evening:
    """A table with a serial board at which people push marbles, and the program that comes and goes."""

    def __init__(self, folder: Path, table: SimTable, port: SimSerialPort) -> None:
        self.board: SimBoard = board_at(table, port)
        self.table = table
        self.journal = folder / "journal.sqlite"
        self.config = config(folder, serial={"port": str(port.path)}, page={"enabled": False})
        self._looked_s = 0.0
        self._stand = Stand()

    @contextmanager
    def program(self) -> Iterator[Station]:
        self._stand, self._looked_s = Stand(), 0.0
        with Station(self.config, [], stand=self._stand) as station:
            running = threading.Thread(target=station.run)
            running.start()
            try:
                yield station
            finally:
                station.loop.stop()
                running.join(LIMIT_S)
                assert not running.is_alive()

    def push(self, *moves: str) -> None:
        for move in moves:
            name = "blue" if move[0] in "BK" else "yellow"
            self.table.perform(self.table.person(name).push(move[0], int(move[1])))
            self.table.advance(1.0)

    def until(self, happened: Callable[[], object], station: Station | None = None) -> bool:
        """Let the table's time pass until it is so; a camera looks on where there is a station to look for."""
        end_s = time.monotonic() + LIMIT_S
        while not happened():
            if time.monotonic() > end_s:
                return False
            self.table.advance(0.02)
            now_s = self._stand.clock()
            if station is not None and now_s - self._looked_s > 0.2:
                self._looked_s = now_s
                station.loop.put(sight(now_s, self.table.truth().board, knob=None))
            time.sleep(0.002)
        return True

    def plays(self, station: Station, move: str) -> None:
        before = told(station)
        self.push(move)
        assert self.until(lambda: told(station) == [*before, move], station), station.loop.state()


def told(station: Station) -> list[str]:
    return moves_of(station.loop.state())


def question(station: Station) -> Any:
    return station.loop.state()["question"]


@pytest.fixture
def evening(tmp_path: Path, sim_table: SimTable) -> Iterator[Evening]:
    with SimSerialPort(tmp_path / "board") as port:
        yield Evening(tmp_path, sim_table, port)


FULL = ("B1", "Y1", "B1", "Y1")
"""After these the channel is full, and a push of either player's in turn leaves it as it was two pushes before."""


def test_moves_that_leave_no_trace_on_the_board_are_not_lost(evening: Evening) -> None:
    with evening.program() as station:
        for move in FULL:
            evening.plays(station, move)
    board = evening.table.truth().board
    evening.push("B1", "Y1")
    assert evening.table.truth().board == board, "nobody can see that these were played"
    with evening.program() as station:
        assert evening.until(lambda: told(station) == [*FULL, "B1", "Y1"] or question(station), station)
        assert told(station) == [*FULL, "B1", "Y1"], question(station)


def test_what_was_told_is_not_felt_again(evening: Evening) -> None:
    for round_ in range(2):
        with evening.program() as station:
            assert told(station) == list(FULL[: 2 * round_])
            for move in FULL[2 * round_ : 2 * round_ + 2]:
                evening.plays(station, move)
    with evening.program() as station:
        evening.plays(station, "B2")
        assert told(station) == [*FULL, "B2"]


def test_the_order_of_moves_that_nobody_heard_is_asked_for(evening: Evening) -> None:
    with evening.program() as station:
        evening.plays(station, "B1")
    unheard = ("Y2", "B3", "Y4")
    evening.push(*unheard)
    with evening.program() as station:
        assert evening.until(lambda: question(station), station)
        assert told(station) == ["B1"]
        assert ", ".join(unheard) in question(station)["choices"]
        assert all(sorted(choice.split(", ")) == sorted(unheard) for choice in question(station)["choices"])


def without_a_camera(*channels: int) -> Table:
    """A table at which so many marbles were pushed while the program was off, and no camera ever looks."""
    table = a_table(first="blue")
    for channel in channels:
        table.take(MarbleEntered(0.3, "board", channel, missed=True))
    for tenth in range(150):
        table.tick(0.3 + tenth / 10)
    return table


def test_without_a_camera_what_was_counted_is_told_or_asked_for() -> None:
    one = without_a_camera(2)
    assert [ply.move for ply in one.referee.record.plies] == ["B2"]
    assert choices(one) == ("B2", "K2"), "which marble it was no beam can tell"
    two = without_a_camera(2, 3)
    first = two.referee.record.plies[0]
    assert {"B2", "B3"} <= {first.move, *first.others}, "who pushed which is open"
    assert choices(two)
    many = without_a_camera(1, 2, 3, 4, 1)
    assert many.referee.record.plies == ()
    assert choices(many) == ("none",), "people are asked to look"


def test_a_camera_that_shows_no_board_at_first_is_waited_for() -> None:
    """Its first pictures show a sleeve: what was counted is not asked about while it may soon show what was pushed."""
    table = a_table(first="blue")
    table.take(MarbleEntered(0.3, "board", 2, missed=True))
    no_board = Reading(Status.NO_BOARD, detail="no marker of the board is in the picture")
    told: list[Record] = []
    for tenth in range(20):
        told += table.take(Sight(0.4 + tenth / 10, "camera", no_board))
    told += shown(table, "....|K...|....|....", 2.5, 5.0)
    assert [ply.move for ply in table.referee.record.plies] == ["K2"]
    assert not any(isinstance(record.event, QuestionAsked) for record in told)


def choices(table: Table) -> tuple[str, ...]:
    assert table.referee.question is not None
    return table.referee.question.asked.choices


def test_a_board_that_was_without_power_has_nothing_to_say(evening: Evening) -> None:
    with evening.program() as station:
        evening.plays(station, "B1")
    evening.push("Y2")
    evening.board.reset()
    with evening.program() as station:
        assert evening.until(lambda: told(station) == ["B1", "Y2"], station), "it lies there all the same"


def test_counters_are_kept_with_the_state_and_damaged_ones_left_out() -> None:
    kept: dict[str, Json] = {"boot_id": 7, "passages": [1, 0, 0, 255, 0, 0, 0, 0]}
    assert counted({COUNTED: {"board": kept}}) == {"board": BeamCounts(7, (1, 0, 0, 255, 0, 0, 0, 0))}
    damages: tuple[Json, ...] = (None, {}, {"boot_id": "7"}, {**kept, "passages": [1]}, {**kept, "passages": [256] * 8})
    for damaged in damages:
        assert counted({COUNTED: {"board": damaged}}) == {}
    assert counted(None) == counted({}) == counted({COUNTED: [1]}) == {}


def test_a_game_that_goes_on_fast_is_asked_about_where_no_camera_opens() -> None:
    """Pushes that never pause for long must not keep the table from saying anything."""
    table = a_table(first="blue")
    for channel in (2, 4, 3, 4, 2):
        table.take(MarbleEntered(0.3, "board", channel, missed=True))
    told: list[Record] = []
    for tenth in range(1, 130):
        if tenth % 15 == 0:
            told += table.take(MarbleEntered(0.3 + tenth / 10, "board", 1 + tenth // 15 % 4))
        told += table.tick(0.3 + tenth / 10)
    asked = [record.event.choices for record in told if isinstance(record.event, QuestionAsked)]
    assert asked[0] == ("none",), "people are asked to look"
