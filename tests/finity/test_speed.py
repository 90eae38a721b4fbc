"""Searches end soon, even where bridges lead round and round; and what a move and a list may cost."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from companion.cli.judge_speed import judge_speed, simulated_cases
from companion.games.finity import Finity, Position
from companion.games.finity.walks import Walks
from tests.finity.play import game_of

SEARCH_S = 0.05
"""A referee at a live table asks many questions a second; one search may take a twentieth of one."""


def test_two_stations_joined_both_ways() -> None:
    """Three rings on each of two stations, a pattern of changing colours: seven crossings, and the search is over."""
    bridges = ["b N>NE M", "w NE>N R", "b NE>SE M"]
    game = game_of({"pattern": "bwbwbwbw"})
    rings = {"N": {"S": "A", "M": "A", "L": "A"}, "NE": {"S": "A", "M": "A", "L": "A"}}
    began = time.thread_time()
    position = game.parse_position({"to_move": "A", "bridges": bridges, "rings": rings})
    told: Any = game.explain(position)
    assert time.thread_time() - began < SEARCH_S * 4  # some forty searches, with each bridge taken out once
    assert told["partial_paths"]["A"]["length"] == 7


def crowded(pattern: str) -> tuple[Finity, Position]:
    """Four players' board full of bridges, and three rings of A everywhere: as many walks as there can be."""
    options: dict[str, Any] = {"enforce_supply": False, "pattern_length": len(pattern)}
    game = Finity.of({"players": 4, "pattern": pattern}, options)
    names = [name for name in game.terms.layout.names if name != "C"]
    data: dict[str, Any] = {
        "to_move": "A",
        "bridges": [],
        "rings": {name: dict.fromkeys("SML", "A") for name in names},
        "blockers": {},
        "ply": 9,
    }
    rng = random.Random(1)
    position = game.parse_position(data)
    while adds := [move for move in game.legal_moves(position) if move.startswith("add b") and "C" not in move]:
        data["bridges"].append(rng.choice(adds).removeprefix("add "))
        position = game.parse_position(data)
    return game, position


def test_the_worst_board_is_searched_soon_enough() -> None:
    game, position = crowded("bbbbbbbb")
    assert position.bridge_count() > 30
    walks = Walks(game.terms.layout, "bbbbbbbb")
    small, medium, large = position.rings[0]
    began = time.thread_time()
    reach = walks.reach(position.bridges, position.posts[0], small + medium + large)
    assert time.thread_time() - began < SEARCH_S
    assert reach.longest == 8


@pytest.mark.long
def test_moves_and_lists_are_fast() -> None:
    """5,000 moves a second, a list in 0.3 ms at the median and 5 ms at the worst position, on one core."""
    told = judge_speed(1.0, simulated_cases("finity", seed=1))
    assert told["moves_per_s"] > 5_000
    assert told["list_median_us"] < 300
    assert told["list_max_us"] < 5_000


def test_moves_and_lists_are_not_slow() -> None:
    """A fifth of that speed even on a machine that does other things meanwhile: a lost table of masks costs more."""
    told = judge_speed(0.1, simulated_cases("finity", seed=2))
    assert told["moves_per_s"] > 1_000
    assert told["list_median_us"] < 1_500
