"""Who plays Finity, and how people behave at its table; a list of moves: `hw_sim.players.ScriptedPlayers`."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.finity.position import counts_of
from companion.games.game import Outcome, Played, TableGame
from hw_sim.players import Span

WEIGHTS: Mapping[str, float] = {
    "add": 5.0,
    "ring": 4.0,
    "reverse": 1.0,
    "remove": 0.6,
    "post": 0.7,
    "blocker": 0.7,
    "unblock": 0.3,
    "teleport": 0.3,
}
"""How likely each kind of move is where it is possible: about as in recorded games of people."""


class RandomFinityPlayer:
    """Chance, bent towards games as people play them: bridges that lead on, rings that stand, some spite.

    Args:
        stop_after: plies after which the players agree to stop; 0 plays to the end.
        spite: share of turns in which a move that orphans rings is looked for.
    """

    def __init__(self, stop_after: int = 60, spite: float = 0.2) -> None:
        self._stop_after = stop_after
        self._spite = spite

    def choose(self, game: TableGame[Any], position: Any, rng: random.Random) -> str | None:
        if self._stop_after and position.ply >= self._stop_after:
            return None
        moves = game.legal_moves(position)
        if rng.random() < self._spite and (orphaning := orphaning_moves(game, position, moves)):
            return rng.choice(orphaning)
        move = random_move(moves, rng)
        if not move.startswith("add "):
            return move
        # of some bridges the one that leads the mover on: bridges at random connect nothing
        adds = [each for each in moves if each.startswith("add ")]
        return max(rng.sample(adds, min(5, len(adds))), key=lambda each: _reached(game, position, each))


def random_move(moves: Sequence[str], rng: random.Random) -> str:
    """Any of some moves, the kind first: there are a hundred ways to lay a bridge and a few to place a ring."""
    kinds = defaultdict(list)
    for move in moves:
        kinds[move.partition(" ")[0]].append(move)
    weights = [WEIGHTS[kind] for kind in kinds]
    return rng.choice(rng.choices(list(kinds.values()), weights)[0])


def orphaning_moves(game: TableGame[Any], position: Any, moves: Sequence[str]) -> list[str]:
    """The moves after which rings must leave the board."""
    found = []
    for move in moves:
        if move.startswith(("reverse ", "remove ", "post ")):
            played = game.play(position, move)
            if isinstance(played, Played) and played.facts.get("orphans"):
                found.append(move)
    return found


def _reached(game: Any, position: Any, move: str) -> int:
    """How many stations the mover reaches after a move."""
    played = game.play(position, move)
    if not isinstance(played, Played):
        return -1
    seat = game.players.index(played.by)
    after = played.after
    reach = game.terms.walks.reach(after.bridges, after.posts[seat], counts_of(after.rings[seat]))
    return int(reach.stations.bit_count())


class SensiblePlayer(RandomFinityPlayer):
    """Looks one move ahead at some moves: wins where it can, lengthens the own walks and shortens those of others.

    Args:
        looks_at: how many random moves are weighed beside all those of rings.
    """

    def __init__(self, stop_after: int = 120, looks_at: int = 24) -> None:
        super().__init__(stop_after)
        self._looks_at = looks_at

    def choose(self, game: TableGame[Any], position: Any, rng: random.Random) -> str | None:
        if self._stop_after and position.ply >= self._stop_after:
            return None
        legal = game.legal_moves(position)
        rings = [move for move in legal if move.startswith("ring ")]
        moves = sorted({*rings, *(random_move(legal, rng) for _ in range(self._looks_at))})
        rng.shuffle(moves)
        return max(moves, key=lambda move: self._worth(game, position, move))

    def _worth(self, game: Any, position: Any, move: str) -> float:
        played = game.play(position, move)
        if not isinstance(played, Played):
            raise ValueError(f"{move} is not legal here: {played.detail}")
        outcome = game.outcome(played.after)
        if outcome is not None:
            return _won(outcome, played.by)
        worth = 0.0
        for seat, player in enumerate(game.players):
            rings = counts_of(played.after.rings[seat])
            reach = game.terms.walks.reach(played.after.bridges, played.after.posts[seat], rings)
            standing = reach.longest + 0.3 * reach.stations.bit_count() + 0.25 * rings.bit_count()
            worth += standing if player == played.by else -0.6 * standing
        return worth


def _won(outcome: Outcome, player: str) -> float:
    if outcome.winner is None:
        return 0.0
    return 1000.0 if outcome.winner == player else -1000.0


@dataclass(frozen=True, slots=True)
class FinityHabits:
    """How people behave. Times in seconds, shares from 0 to 1.

    Attributes:
        think_s: before a move.
        quick_reply: share of moves that follow as soon as the other hand has left; never two in a row.
        reaction_s: from what the referee says to the hand that does it.
        patience_s: how long people wait for the referee before they see for themselves what is wrong.
        notices_orphans: share of orphaning moves where the owner takes the rings off without being told.
        late_orphans, late_s: share of orphaning moves where it takes so much longer after the referee named the rings.
        forgets_orphans: share of orphaning moves where nobody does anything until the referee reminds them.
        together: share of owners who take several rings off with one grip.
        wrong_orphan, leaves_orphans: share of orphaning moves where people take another ring off, or play on; each is
            a breach of the rules.
    """

    think_s: Span = (1.5, 4.5)
    quick_reply: float = 0.1
    reaction_s: Span = (0.6, 2.0)
    patience_s: float = 20.0
    notices_orphans: float = 0.25
    late_orphans: float = 0.15
    late_s: Span = (3.0, 9.0)
    forgets_orphans: float = 0.1
    together: float = 0.6
    wrong_orphan: float = 0.0
    leaves_orphans: float = 0.0
