"""What lay on the board meanwhile: moves that are hidden again, or undone, before anything is told."""

from __future__ import annotations

from tests.reconciler.sights import words
from tests.reconciler.test_finity_table import CHAIN, Watched, questions, reasons

THREE = {"players": 3, "pattern": "bwbbwbww"}
TOWER = ("C>N L", "C>N M", "C>N R")
"""What the tower hides."""


def busy(watched: Watched, seconds: float) -> None:
    """Hands that never rest, over two parts of the board by turns."""
    for _ in range(round(seconds / 0.4)):
        watched.see(0.2, covered=("C>S M", "C>S L"))
        watched.see(0.2, covered=("C>SE M", "C>SE R"))


def test_a_move_that_is_covered_at_once_comes_before_one_that_lies_open() -> None:
    """B's bridge is seen for a moment, a thing is laid over it, and A's bridge lies open."""
    watched = Watched(CHAIN)
    watched.see(2.0)
    watched.sight["SW>NW M"] = "b SW"
    told = watched.see(1.6, covered=("C>N M",))
    watched.sight["S>SW L"] = "w S"
    told += watched.see(9.0, covered=("SW>NW M", "SW>NW L"))
    told += watched.see(2.0)
    assert words(told) == ["add b SW>NW M", "add w S>SW L"]


def test_a_ring_that_was_placed_and_cut_off_again_is_told_with_both_moves() -> None:
    position = {**CHAIN, "to_move": "A"}
    watched = Watched(position)
    watched.see(2.0)
    watched.sight["SE.M"] = "A"
    told = watched.see(2.4, covered=("C>N M",))
    watched.sight["NE>E M"] = "w E"
    told += watched.see(0.6, covered=("C>N M", "C>S M"))
    watched.sight |= {"SE.M": ".", "SE.S": ".", "E.S": "."}
    told += watched.see(0.6, covered=("C>N M",)) + watched.see(3.0)
    assert [word for word in words(told) if not word.startswith("orphans")] == ["ring SE M", "reverse NE>E M"]


def test_two_moves_whose_order_nobody_saw_are_asked_about_at_once() -> None:
    watched = Watched(CHAIN)
    watched.see(2.0)
    (asked,) = questions(watched.lay({"SW>NW M": "b SW", "S>SW L": "w S"}, 1.2))
    assert set(asked.choices) == {"add b SW>NW M, add w S>SW L", "add w S>SW L, add b SW>NW M"}


def test_what_lay_there_while_a_breach_was_open_says_nothing_of_later_moves() -> None:
    watched = Watched(CHAIN)
    watched.see(2.0)
    assert reasons(watched.lay({"W.S": "A"}, 8.0)) == ["wrong_player"]
    assert words(watched.lay({"W.S": "."})) == ["illegal_cleared"]
    assert words(watched.lay({"NE>E M": "w E"})) == ["reverse NE>E M", "orphans"]


def test_the_last_move_is_told_though_the_evidence_ends_before_the_board_has_settled() -> None:
    watched = Watched(CHAIN)
    watched.see(2.0)
    assert words(watched.lay({"SW>NW M": "b SW"}, 0.6)) == []
    assert words(watched.table.finish(watched.now_s)) == ["add b SW>NW M"]


def test_moves_that_would_be_legal_only_in_another_order_than_they_were_seen_in_are_asked_about() -> None:
    """A's bridge behind the tower is not seen: B's is taken for it, and then C's ring would come before its turn."""
    position = {"to_move": "A", "bridges": ["b S>SW M", "w NW>SW M", "b E>SE M"], "rings": {}}
    watched = Watched(position, setup=THREE, blind=TOWER)
    watched.see(2.0)
    for changes in ({}, {"N>FNW M": "w N"}, {"SW.S": "C"}, {"SW>NW M": "w SW"}):
        busy(watched, 2.0)
        watched.sight.update(changes)
        busy(watched, 1.2)
    watched.see(14.0)
    asked = questions(watched.records)[-1]
    assert "add b C>N M, add w N>FNW M, ring SW S, reverse NW>SW M" in asked.choices
    assert all(choice == "none" or choice.endswith("ring SW S, reverse NW>SW M") for choice in asked.choices)
    assert watched.table.referee.record.moves == ()
