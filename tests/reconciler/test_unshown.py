"""A push that leaves the board looking the same, felt by a board that was ill, is neither lost nor made up."""

from __future__ import annotations

import pytest

from companion.events import IllegalSeen, Record
from companion.evidence import DeviceChanged, DeviceState
from companion.games.game import Illegal
from companion.record import GameRecord
from companion.table import Table
from firmware_bridge.readings import MarbleEntered
from tests.reconciler.sights import a_table, hand, infinity, shown
from tests.reconciler.test_told_late import comes_back, moves_told, questions

FULL = {"board": "YBB.|BWK.|BB..|YYYY", "score": 0, "to_move": "yellow"}
"""Yellow may push into channel 4: nothing of it shows."""
FILLING = {"board": "YBB.|BWK.|BB..|BYYY", "score": 0, "to_move": "yellow"}
"""The same move shows here, and leads to nearly the same board."""


def board_after(start: dict[str, object], *moves: str) -> str:
    game = infinity()
    record = GameRecord(game, game.parse_position(start)).play_all(moves)
    assert not isinstance(record, Illegal)
    return str(game.position_json(record.position)["board"])


def ill_board(start: dict[str, object]) -> Table:
    table = a_table(position=start)
    shown(table, str(start["board"]), 0.1, 3.0)
    table.take(DeviceChanged(3.0, "board", DeviceState.STALE))
    return table


def pushed_unshown() -> tuple[Table, list[Record]]:
    table = ill_board(FULL)
    table.take(hand(4.0, str(FULL["board"])))
    shown(table, str(FULL["board"]), 4.5, 6.0)
    return table, comes_back(table, 6.0, [4])


def test_a_push_that_cannot_show_makes_the_next_player_no_offender() -> None:
    table, told = pushed_unshown()
    told += shown(table, str(FULL["board"]), 6.1, 8.5, knob=-1)
    told += table.take(hand(9.0, str(FULL["board"])))
    told += table.take(MarbleEntered(9.05, "board", 1))
    told += shown(table, board_after(FULL, "Y4", "B1"), 9.5, 15.0, knob=-1)
    assert not [record for record in told if isinstance(record.event, IllegalSeen)]
    assert table.referee.record.moves == ("Y4", "B1")


@pytest.mark.parametrize(("choice", "made"), [("Y4", ("Y4",)), ("none", ())], ids=["it was made", "it was not"])
def test_a_person_says_whether_a_push_that_cannot_show_was_made(choice: str, made: tuple[str, ...]) -> None:
    table, told = pushed_unshown()
    told += shown(table, str(FULL["board"]), 6.1, 20.0)
    asked = questions(told)
    assert [each.choices for each in asked] == [("Y4", "none")]
    table.command("answer", {"question": asked[0].question, "choice": choice}, 20.1)
    assert table.referee.record.moves == made


def test_a_push_that_was_seen_while_the_board_was_ill_is_not_felt_again() -> None:
    table = ill_board(FILLING)
    told = shown(table, board_after(FILLING, "Y4"), 3.5, 7.0)
    told += shown(table, board_after(FILLING, "Y4", "B1"), 7.5, 11.0)
    assert [event.move for event in moves_told(told)] == ["Y4", "B1"]
    told = comes_back(table, 11.0, [4, 1])
    told += shown(table, board_after(FILLING, "Y4", "B1"), 11.1, 30.0)
    assert not moves_told(told)
    assert not questions(told)
