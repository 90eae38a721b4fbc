"""The start with the players seated otherwise, for a table where they sat down in another order than was told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING

from companion.games.finity import words
from companion.games.finity.position import Position
from companion.games.game import OtherStart

if TYPE_CHECKING:
    from companion.games.finity.rules import Finity


def other_starts(game: Finity) -> Iterator[OtherStart[Position]]:
    """Every other order of the base stations in use, with the blockers that belong to each."""
    start = game.start()
    for seats in permutations(range(len(game.players))):
        if seats == tuple(range(len(seats))):
            continue
        posts = tuple(start.posts[seat] for seat in seats)
        blockers = tuple(start.blockers[seat] for seat in seats)
        pairs = [(str(player), game.terms.layout.names[post]) for player, post in zip(game.players, posts, strict=True)]
        name = "posts " + " ".join(f"{player}={station}" for player, station in pairs)
        yield OtherStart(name, words.seated(pairs), replace(start, posts=posts, blockers=blockers))
