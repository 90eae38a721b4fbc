"""Several moves that no look has shown one by one: what leaves the same board in another order is asked about."""

from __future__ import annotations

import pytest

from companion.events import MovePlayed, QuestionAsked, Record
from companion.games.game import Illegal
from companion.record import GameRecord
from companion.table import Table
from firmware_bridge.readings import MarbleEntered
from tests.reconciler.sights import a_table, hand, infinity, shown

UNSEEN = (
    ("W1", "B3", "Y3", "K4", "Y1"),
    ("Y1", "B2", "Y3", "B4", "Y1", "B1"),
    ("Y1", "B2", "Y3", "B4"),
)


def board_after(moves: tuple[str, ...]) -> str:
    game = infinity()
    record = GameRecord(game, game.start()).play_all(moves)
    assert not isinstance(record, Illegal)
    return str(game.position_json(record.position)["board"])


def played(told: list[Record]) -> list[str]:
    return [record.event.move for record in told if isinstance(record.event, MovePlayed)]


@pytest.mark.parametrize("moves", UNSEEN, ids=" ".join)
def test_no_order_is_told_that_nothing_has_shown(moves: tuple[str, ...]) -> None:
    """As after a restart of the program, when people have played on."""
    table = a_table()
    told = shown(table, board_after(moves), 0.1, 6.0)
    assert played(told) == []
    questions = [record.event for record in told if isinstance(record.event, QuestionAsked)]
    assert len(questions) == 1
    assert len(questions[0].choices) > 1


@pytest.mark.parametrize("moves", UNSEEN, ids=" ".join)
def test_beams_tell_the_order(moves: tuple[str, ...]) -> None:
    table = a_table()
    told = shown(table, board_after(()), 0.1, 2.0)
    told += pushed_under_a_hand(table, moves, 2.5)
    told += shown(table, board_after(moves), 20.0, 26.0)
    assert played(told) == list(moves)


def pushed_under_a_hand(table: Table, moves: tuple[str, ...], t_s: float) -> list[Record]:
    """Moves of which the beams tell, while something lies over the whole board."""
    every = [f"{channel}.{slot}" for channel in range(1, 5) for slot in range(1, 5)]
    told: list[Record] = []
    for number, move in enumerate(moves):
        told += table.take(hand(t_s + 2.5 * number, covered=every))
        told += table.take(MarbleEntered(t_s + 2.5 * number + 0.5, "board", int(move[1])))
    return told
