"""People who see the referee's record wait for it, and not for ever."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hw_sim.finity.game_run import FinityGame
from hw_sim.game_run import SimGame
from hw_sim.players import Habits
from hw_sim.waiting import FOLLOWS_S

Game = SimGame | FinityGame
SURE_S = 30.0
"""Within this people have thought and moved, whoever it is."""


def infinity() -> SimGame:
    return SimGame(1, frame_s=0, sights=False, habits=Habits(quick_reply=0.0))


def finity() -> FinityGame:
    return FinityGame(1, setup={"players": 2, "pattern": "bwbbwbww"}, frame_s=0, sights=False)


def let_pass(game: Game, seconds: float) -> int:
    """Let time pass; how many moves are made then."""
    ends_s = game.table.now_s + seconds
    while game.next_s is not None and game.next_s <= ends_s:
        game.step()
    return len(game.script.moves)


def until_moves(game: Game, count: int) -> None:
    while len(game.script.moves) < count:
        game.step()


@pytest.mark.parametrize("make", [infinity, finity])
def test_nobody_plays_on_before_the_referee_has_followed(make: Callable[[], Game]) -> None:
    game = make()
    game.follow(0)
    until_moves(game, 1)
    made = let_pass(game, FOLLOWS_S / 2)
    assert made <= 2  # a quick reply, that nobody thinks about, comes all the same
    game.follow(made)
    assert let_pass(game, SURE_S) > made


@pytest.mark.parametrize("make", [infinity, finity])
def test_people_wait_for_a_referee_who_says_nothing_but_not_for_ever(make: Callable[[], Game]) -> None:
    game = make()
    game.follow(0)
    until_moves(game, 1)
    made = let_pass(game, FOLLOWS_S / 2)
    assert let_pass(game, FOLLOWS_S / 2 + SURE_S) > made


@pytest.mark.parametrize("make", [infinity, finity])
def test_where_nobody_shows_a_record_nobody_waits(make: Callable[[], Game]) -> None:
    game = make()
    until_moves(game, 1)
    assert let_pass(game, FOLLOWS_S / 2) > 2
