"""Games of Finity that players without a plan play: random, but of all kinds of moves, so that rings come and go."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.finity import Finity, Position
from companion.games.game import Played

PATTERNS = {6: ("bwbbww", "bbwbww"), 8: ("bwbbwbww", "bwbwbwbw", "wwbbwbwb", "bbbbbbbb", "bwwbbwbw")}

EAGERNESS = {"ring": 8, "add": 8, "reverse": 3, "remove": 2, "post": 2, "blocker": 1, "unblock": 1, "teleport": 6}
"""How often each kind of move is chosen where there is one: so that paths get long enough to be cut and completed."""


def random_game(rng: random.Random, players: int | None = None, **options: Any) -> Finity:
    """A game with a random pattern, mostly of eight cones, in which colours mix or hardly do."""
    length = options.setdefault("pattern_length", rng.choice([8, 8, 8, 6]))
    pattern = rng.choice([*PATTERNS.get(length, ()), "".join(rng.choice("bw") for _ in range(length))])
    return Finity.of({"players": players or rng.choice([2, 3, 4]), "pattern": pattern}, options)


def choose(game: Finity, position: Position, rng: random.Random) -> str:
    """A legal move: first its kind, then one of the kind."""
    by_kind: dict[str, list[str]] = {}
    for move in game.legal_moves(position):
        by_kind.setdefault(move.partition(" ")[0], []).append(move)
    kind = rng.choices(list(by_kind), [EAGERNESS[kind] for kind in by_kind])[0]
    return rng.choice(by_kind[kind])


def plies(game: Finity, rng: random.Random, most: int = 400) -> Iterator[tuple[Position, Played[Position]]]:
    """Play a game to its end, or as far as `most` plies: each position, and the move played from it."""
    position = game.start()
    for _ in range(most):
        if position.to_move is None:
            return
        played = game.play(position, choose(game, position, rng))
        assert isinstance(played, Played), played
        yield position, played
        position = played.after


def game_of(setup: Mapping[str, Any], **options: Any) -> Finity:
    """A game of a set-up; two players and a pattern where it says nothing else."""
    return Finity.of({"players": 2, "pattern": "bwbbwbww", **setup}, options)
