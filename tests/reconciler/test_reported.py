"""What people reported of programs that watch boards: labels that swing, pieces that are out of sight for a moment."""

from __future__ import annotations

from companion.events import Record
from tests.reconciler.sights import EMPTY, a_table, hand, shown, sight, words
from tests.table.test_doubts import doubtful, look

BOARD = "B...|....|....|...."


def test_a_still_place_whose_label_swings_is_one_doubt_and_no_move() -> None:
    """Sixty pictures of a marble that is blue in one and black in the next, by a hair's breadth."""
    table = a_table(first="blue")
    shown(table, EMPTY, 0.0, 1.0)
    table.take(hand(1.1))
    assert words(shown(table, BOARD, 1.2, 4.0)) == ["B1"]
    told: list[Record] = []
    seen = set()
    for step in range(60):
        swinging = {"B": 1.0, "K": 0.98} if step % 2 else {"B": 0.98, "K": 1.0}
        told += table.take(look(4.1 + step / 10, BOARD, s1_1={**swinging, ".": 0.001, "Y": 0.001, "W": 0.001}))
        if step > 40:  # a doubt is shown after some seconds
            seen.add(tuple(place for place, _, _ in doubtful(table)))
    assert words(told) == []
    assert seen == {("1.1",)}


def test_a_marble_out_of_sight_for_a_moment_has_not_gone() -> None:
    """Hidden for eight pictures, and there again: nothing. Hidden, and then one more beside it: one move."""
    table = a_table(first="blue")
    shown(table, EMPTY, 0.0, 1.0)
    table.take(hand(1.1))
    shown(table, BOARD, 1.2, 4.0)
    told = [record for step in range(8) for record in table.take(sight(4.1 + step / 10, BOARD, covered=("1.1",)))]
    told += shown(table, BOARD, 5.0, 8.0)
    assert words(told) == []
    told = [record for step in range(8) for record in table.take(sight(8.1 + step / 10, BOARD, covered=("1.1",)))]
    told += shown(table, "B...|Y...|....|....", 9.0, 12.0)
    assert words(told) == ["Y2"]


def test_pieces_that_blink_out_for_some_pictures_are_no_move() -> None:
    """Read as bare, surely, for eight pictures: less than a settled scene needs."""
    table = a_table(first="blue")
    shown(table, EMPTY, 0.0, 1.0)
    table.take(hand(1.1))
    shown(table, BOARD, 1.2, 4.0)
    told = shown(table, EMPTY, 4.1, 4.8)
    told += shown(table, BOARD, 4.9, 8.0)
    assert words(told) == []
