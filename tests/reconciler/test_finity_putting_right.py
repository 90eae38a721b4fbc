"""What is wrong is put right: by hands, piece by piece; by a person in the record; and what is said then holds then."""

from __future__ import annotations

import pytest

from tests.reconciler.sights import words
from tests.reconciler.test_finity_table import CHAIN, Watched, questions, reasons

TOWER = ("C>N M",)
"""What the tower hides."""


def test_what_stands_between_two_pieces_that_are_taken_back_is_no_move_while_a_hand_is_near() -> None:
    """B laid a bridge and placed a ring that it leads to. The bridge alone would be a move; both are taken back."""
    watched = Watched(CHAIN)
    watched.see(2.0)
    assert reasons(watched.lay({"S>SW M": "b S", "SW.S": "B"}, 4.0)) == ["two_moves"]
    watched.hand()
    watched.sight["SW.S"] = "."
    assert words(watched.see(4.0, beside=True)) == []
    assert words(watched.lay({"S>SW M": "."}, 3.0)) == ["illegal_cleared"]


def test_what_is_left_when_hands_are_gone_is_a_move() -> None:
    watched = Watched(CHAIN)
    watched.see(2.0)
    watched.lay({"S>SW M": "b S", "SW.S": "B"}, 4.0)
    assert words(watched.lay({"SW.S": "."}, 4.0)) == ["illegal_cleared", "add b S>SW M"]


def test_a_breach_elsewhere_than_a_correction_is_told_as_ever() -> None:
    watched = Watched(CHAIN)
    watched.see(2.0)
    assert words(watched.lay({"SW>NW M": "b SW"})) == ["add b SW>NW M"]
    watched.table.command("undo", {"ply": len(watched.table.referee.record.plies)}, watched.now_s)
    assert reasons(watched.lay({"SW>NW M": ".", "W.S": "B"}, 3.0)) == ["station_unreachable"]
    assert words(watched.lay({"W.S": "."})) == ["illegal_cleared"]
    assert words(watched.lay({"SW>NW M": "w SW"})) == ["add w SW>NW M"]


@pytest.mark.parametrize(
    "wrong", [{"W.S": "A", "W.M": "A"}, {"W.S": "A", "W.M": "A", "W.L": "B"}, {"E.S": "B", "W.S": "A"}]
)
def test_what_no_single_breach_explains_is_asked_about_and_closed_when_it_is_right(wrong: dict[str, str]) -> None:
    watched = Watched(CHAIN)
    watched.see(2.0)
    before = {place: watched.sight[place] for place in wrong}
    (asked,) = questions(watched.lay(wrong, 13.0))
    assert not watched.table.referee.illegal
    assert "small ring on W" in asked.text
    watched.lay(before, 3.0)
    assert watched.table.referee.question is None
    assert words(watched.lay({"SW>NW M": "b SW"})) == ["add b SW>NW M"]


def test_a_breach_after_a_hidden_move_gets_its_own_reason() -> None:
    """B lays a bridge behind the tower; then A places a ring where none of A's walks leads."""
    watched = Watched(CHAIN, blind=TOWER)
    watched.see(2.0)
    watched.hand()
    watched.see(2.0)
    (asked,) = questions(watched.lay({"W.S": "A"}, 3.0))
    hidden = next(choice for choice in asked.choices if choice.startswith("add"))
    told = watched.table.command("answer", {"question": asked.question, "choice": hidden}, watched.now_s)
    assert reasons([*told, *watched.see(3.0)]) == ["station_unreachable"]


def test_that_no_move_was_hidden_holds_for_the_time_before_it_was_said() -> None:
    """A's ring out of turn: B may have laid a bridge behind the tower. Nobody has; later somebody has."""
    watched = Watched(CHAIN, blind=TOWER)
    watched.see(2.0)
    for hidden in (False, True):
        watched.hand()
        watched.see(2.0)
        (asked,) = questions(watched.lay({"NE.M": "A"}, 3.0))
        told = next(choice for choice in asked.choices if choice.startswith("add")) if hidden else "none"
        records = watched.table.command("answer", {"question": asked.question, "choice": told}, watched.now_s)
        records += watched.see(3.0)
        assert reasons(records) == ([] if hidden else ["wrong_player"])
        if not hidden:
            assert "illegal_cleared" in words(watched.lay({"NE.M": "."}))
    assert watched.table.referee.record.moves == (told.split(", ")[0], "ring NE M")
