"""The game before taken up again, at a table and over a restart of the whole program; and who commanded what."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.config import Config
from companion.errors import UsageError
from companion.events import GameStarted, record_json
from companion.games.game import Json
from companion.page.table import CommandResult, Request
from companion.referee import Referee
from companion.station import Station
from companion.table import Table
from tests.reconciler.sights import a_table, infinity, words
from tests.table.boards import told_moves

NEXT_TO_THE_END: dict[str, Json] = {"board": "BB..|BB..|BB..|B...", "score": 0, "to_move": "blue"}


def over() -> Table:
    """A game that has just been won."""
    table = a_table(first="blue")
    table.command("new_game", {"position": NEXT_TO_THE_END}, 1.0, "Ada")
    table.command("play", {"move": "B4"}, 2.0, "Ada")
    assert table.finished
    return table


def test_a_new_game_by_mistake_is_left_for_the_one_before() -> None:
    table = over()
    assert table.state_json()["last_game"] is None, "it is the game on the table"
    table.command("new_game", {}, 3.0, "Bo")
    assert table.state_json()["last_game"] == {"words": "Blue wins (two rows)", "plies": 1}
    told = table.command("take_up", {}, 4.0, "Ada")
    assert words(told, without=()) == ["game_started", "correction", "game_over"]
    assert told_moves(table) == ["B4"]
    assert table.finished
    table.command("undo", {"ply": 1}, 5.0, "Ada")
    assert table.state_json()["outcome"] is None
    assert table.state_json()["position"] == NEXT_TO_THE_END


def test_what_was_taken_up_says_which_game_it_is_however_often() -> None:
    table = over()
    first = table.referee.begun_by
    for _ in range(2):
        table.command("new_game", {}, 3.0)
        told = table.command("take_up", {}, 4.0, "Ada")
        begun = told[0].event
        assert isinstance(begun, GameStarted)
        assert (begun.takes_up, begun.by) == (first, "Ada")


def test_nothing_is_taken_up_where_a_game_is_under_way_or_none_was_before() -> None:
    table = a_table(first="blue")
    with pytest.raises(UsageError, match="no last game"):
        table.command("take_up", {}, 1.0)
    table.command("play", {"move": "B1"}, 1.0)
    table.command("new_game", {}, 2.0)
    table.command("play", {"move": "B2"}, 3.0)
    assert table.state_json()["last_game"] is None
    with pytest.raises(UsageError, match="under way"):
        table.command("take_up", {}, 4.0)
    assert told_moves(table) == ["B2"]


def test_a_taken_up_game_is_restored_from_its_records() -> None:
    table = over()
    table.command("new_game", {}, 3.0)
    told = [*table.command("take_up", {}, 4.0, "Ada"), *table.command("pause", {}, 5.0, "Bo")]
    again = Referee.restore(infinity(first="blue"), "x", told)
    assert again.state_json() == table.referee.state_json()
    assert again.begun_by == table.referee.begun_by
    assert again.paused


def test_who_began_paused_went_on_and_confirmed_stays_in_the_record() -> None:
    table = a_table(first="blue")
    told = []
    for number, name in enumerate(("pause", "pause", "resume", "resume", "confirm_knob", "new_game")):
        told += table.command(name, {}, float(number), "Ada")
    lines = [record_json(record) for record in told]
    assert [line["event"] for line in lines] == ["paused", "resumed", "knob_confirmed", "game_started"]
    assert {line["by"] for line in lines} == {"Ada"}
    assert "by" not in record_json(Table(infinity()).start(0.0)[0]), "the program began it"


class Evening:
    """A table at which moves are entered by hand, and the program that is started and ended at it."""

    def __init__(self, folder: Path, **rules: Any) -> None:
        self.config = Config.model_validate(
            {
                "rules": {"first": "blue", **rules},
                "page": {"port": 0, "token_file": folder / "token"},
                "journal": {"path": folder / "games.sqlite"},
            }
        )
        self.notices: list[str] = []
        self._sent = 0

    @contextmanager
    def program(self, *, new_game: bool = False) -> Iterator[Station]:
        begun = threading.Event()
        with Station(self.config, [], new_game=new_game, tell=self.notices.append) as station:
            station.loop.subscribe(begun.set)
            running = threading.Thread(target=station.run)
            running.start()
            try:
                assert station.resumed or begun.wait(10.0)
                yield station
            finally:
                station.loop.stop()
                running.join(10.0)
                assert not running.is_alive()

    def command(self, station: Station, name: str, **args: Any) -> CommandResult:
        self._sent += 1
        seq = station.loop.state()["seq"]
        assert isinstance(seq, int)
        return station.loop.command(Request(name, seq, f"t{self._sent}", args, "Ada"))

    def win(self, station: Station) -> None:
        assert self.command(station, "new_game", position=NEXT_TO_THE_END).ok
        assert self.command(station, "play", move="B4").ok
        assert station.loop.state()["outcome"] is not None


def played(station: Station) -> list[str]:
    moves = station.loop.state()["moves"]
    assert isinstance(moves, list)
    return [str(move["move"]) for move in moves]


def test_an_end_by_mistake_is_undone_after_a_restart(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    with evening.program() as station:
        evening.win(station)
    with evening.program() as station:
        state = station.loop.state()
        assert not station.resumed
        assert (state["moves"], state["outcome"]) == ([], None), "a new game has begun, as ever"
        assert state["last_game"] == {"words": "Blue wins (two rows)", "plies": 1}
        assert evening.command(station, "take_up").ok
        assert station.loop.state()["outcome"] is not None
        assert evening.command(station, "undo", ply=1).ok
        assert station.loop.state()["position"] == NEXT_TO_THE_END
    with evening.program() as station:
        assert station.resumed, "its end was taken back, so it goes on"
        assert station.loop.state()["position"] == NEXT_TO_THE_END
        seqs = [record.seq for record in station.journal.records()]
        assert seqs == list(range(1, len(seqs) + 1))
    assert evening.notices == []


def test_the_last_game_is_offered_over_several_restarts_and_new_games(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    with evening.program() as station:
        evening.win(station)
    for new_game in (False, False, True):
        with evening.program(new_game=new_game) as station:
            assert evening.command(station, "new_game").ok
    with evening.program() as station:
        assert evening.command(station, "take_up").ok
        assert played(station) == ["B4"]


def test_a_game_that_was_left_for_a_new_one_is_taken_up_after_a_restart(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    with evening.program() as station:
        assert evening.command(station, "play", move="B1").ok
    with evening.program(new_game=True) as station:
        assert station.loop.state()["last_game"] == {"words": "It was not over yet", "plies": 1}
        assert evening.command(station, "take_up").ok
        assert played(station) == ["B1"]
        assert evening.command(station, "play", move="Y2").ok
        stale = station.loop.command(Request("take_up", 1, "late", {}, "Bo"))
        assert (stale.ok, stale.reason) == (False, "stale")


def test_a_last_game_of_other_rules_is_not_offered(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    with evening.program() as station:
        evening.win(station)
    with Evening(tmp_path, first="yellow").program() as station:
        assert station.loop.state()["last_game"] is None
        assert not evening.command(station, "take_up").ok
