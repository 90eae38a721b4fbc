"""What people have reported of other programs that keep the rules of such games, asked of Finity's rules."""

from __future__ import annotations

import time
from typing import Any

import pytest

from companion.games.game import Played
from tests.finity.play import game_of
from tests.finity.test_worked_positions import at, orphans, played, reached, reason

HELD = "b N>NE M, w NE>E M"
"""A walk of A from the post over one ring on NE to one on E."""


@pytest.mark.parametrize(
    ("to_move", "move", "lost"),
    [
        ("B", "reverse N>NE M", {"A NE": 1, "A E": 1}),
        ("B", "reverse NE>E M", {"A E": 1}),
        ("A", "reverse N>NE M", {"A NE": 1, "A E": 1}),
        ("A", "remove NE>E M", {"A E": 1}),
        ("A", "post E", {"A NE": 1}),
        ("B", "blocker C>S L to S>SW L", {}),
    ],
)
def test_rings_go_in_the_same_turn_whatever_cuts_them_off(to_move: str, move: str, lost: dict[str, int]) -> None:
    """R03: a bridge of anybody, or the own post; what cuts nothing takes nothing."""
    game = game_of({"pattern": "bwbwbbww"})
    position = at(game, HELD, to_move, rings={"A": "NE1 E1"})
    assert orphans(played(game, position, move)) == lost


@pytest.mark.parametrize(("rings", "further"), [("NE1", False), ("NE2", True)])
def test_a_station_is_passed_as_often_as_own_rings_lie_there(rings: str, further: bool) -> None:
    """R04: the black bridge to SE can only be crossed as the fourth, when NE is passed the second time."""
    game = game_of({"pattern": "bwbbbbww"})
    position = at(game, "b N>NE M, w NE>E M, b E>NE R, b NE>SE M", rings={"A": f"{rings} E1"})
    assert ("SE" in reached(game, position)) is further


def test_no_walk_goes_on_behind_the_centre() -> None:
    """R04"""
    game = game_of({"pattern": "bwbwbbww"})
    assert reached(game, at(game, "b N>C M, w C>SE M")).isdisjoint({"SE"})


def test_bridges_crossed_again_and_again_end_in_an_answer() -> None:
    """R05: two stations joined both ways; three rings on each."""
    game = game_of({"pattern": "bwbwbwbw"})
    position = at(game, "b N>NE M, w NE>N R", rings={"A": "NE3 N3"})
    began = time.thread_time()
    told: Any = game.explain(position)
    assert time.thread_time() - began < 0.05
    assert told["partial_paths"]["A"]["length"] == 7
    assert reached(game, position) >= {"N", "NE"}


def test_no_move_takes_more_pieces_than_the_box_holds() -> None:
    """R08: the second large ring of a player on one station; a piece of which none is left is in test_reasons."""
    game = game_of({})
    laid = game.parse_position({"to_move": "A", "bridges": ["b N>NE M"], "rings": {"NE": {"L": "A"}}})
    assert reason(game, laid, "ring NE L") == "size_taken"
    assert isinstance(game.play(laid, "ring NE M"), Played)
