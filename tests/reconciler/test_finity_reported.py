"""What people have reported of other programs that watch a board, done at a table of Finity."""

from __future__ import annotations

from companion.events import MovePlayed, QuestionAsked
from tests.reconciler.sights import words
from tests.reconciler.test_finity_table import CHAIN, Watched, reasons


def moves(watched: Watched) -> list[str]:
    return [record.event.move for record in watched.records if isinstance(record.event, MovePlayed)]


def test_a_ring_without_support_is_told_with_the_reason_and_cleared_when_it_is_off() -> None:
    """R17"""
    watched = Watched()
    watched.see(2.0)
    before = watched.table.referee.record.position
    told = watched.lay({"SE.S": "A"}, 3.0)
    assert reasons(told) == ["station_unreachable"]
    assert watched.table.referee.record.position == before
    assert watched.table.state_json()["illegal"]
    watched.lay({"SE.S": "."})
    assert watched.table.state_json()["illegal"] is None
    watched.lay({"N>NE M": "b N"})
    assert moves(watched) == ["add b N>NE M"]


def test_a_quick_reply_is_recorded_behind_the_move_that_it_answers() -> None:
    """R10: one look at both; whose turn it was says which came first."""
    watched = Watched()
    watched.see(2.0)
    watched.lay({"N>NE M": "b N", "S>SW M": "w S"}, 4.0)
    assert moves(watched) == ["add b N>NE M", "add w S>SW M"]


def test_two_moves_that_either_player_may_have_made_are_asked_for() -> None:
    """R10: whose bridge is whose nobody knows; people are asked, with both orders, and nothing is recorded before."""
    watched = Watched(CHAIN)
    watched.see(2.0)
    watched.lay({"S>SW M": "w S", "N>NW M": "b N"}, 6.0)
    [asked] = [record.event for record in watched.records if isinstance(record.event, QuestionAsked)]
    assert set(asked.choices) == {"add b N>NW M, add w S>SW M", "add w S>SW M, add b N>NW M"}
    assert moves(watched) == []
    watched.table.command("answer", {"question": asked.question, "choice": asked.choices[1]}, watched.now_s)
    assert [str(move) for move in watched.table.referee.record.moves] == ["add w S>SW M", "add b N>NW M"]


def test_a_bridge_slid_over_a_neighbouring_slot_is_one_move() -> None:
    """R09: 0.4 s in the left slot, then in the middle one for good."""
    watched = Watched()
    watched.see(2.0)
    watched.hand()
    watched.sight["N>NE L"] = "b N"
    watched.see(0.4)
    watched.sight |= {"N>NE L": ".", "N>NE M": "b N"}
    watched.see(3.0)
    assert moves(watched) == ["add b N>NE M"]
    assert not [line for line in words(watched.records) if "question" in line]
