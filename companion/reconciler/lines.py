"""Lines: histories that could all be true, carried along until later evidence or a person tells them apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import Generic

from companion.games.game import P
from companion.reconciler.hypotheses import Hypothesis
from companion.reconciler.rates import Rates
from companion.reconciler.verdicts import FoundMove

MOST_LINES = 128
"""Who began, and when each player's Joker went in, make about a hundred lines in twelve turns without a camera."""

FORGET = 8.0
"""A line that is e^8 times less likely than the best does not come back."""


@dataclass(frozen=True, slots=True)
class Line(Generic[P]):
    """A history since the last certain position.

    Attributes:
        moves: what was played, and `players`, by whom.
        merged: for every move, the moves of other histories at this turn that led to the very same
            position, so that nothing can tell them apart any more.
        weight: log weight.
    """

    position: P
    weight: float = 0.0
    moves: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    merged: tuple[frozenset[str], ...] = ()
    before: P | None = None

    def after(self, hypothesis: Hypothesis[P], weight: float) -> Line[P]:
        """This history with what is supposed to have happened then."""
        merged = (*self.merged, *(frozenset[str]() for _ in hypothesis.moves))
        moves, players = (*self.moves, *hypothesis.moves), (*self.players, *hypothesis.players)
        before = self.position if hypothesis.moves else self.before
        return Line(hypothesis.position, weight, moves, players, merged, before)


def pruned(lines: Iterable[Line[P]]) -> tuple[Line[P], ...]:
    """The lines worth keeping, best first, their weights adding up to 1; equal positions become one line."""
    merged: dict[tuple[P, int], Line[P]] = {}
    for line in sorted(lines, key=lambda line: -line.weight):
        key = (line.position, len(line.moves))
        merged[key] = _merge(merged[key], line) if key in merged else line
    kept = sorted(merged.values(), key=lambda line: -line.weight)[:MOST_LINES]
    kept = [line for line in kept if line.weight > kept[0].weight - FORGET]
    total = kept[0].weight + log(sum(exp(line.weight - kept[0].weight) for line in kept))
    return tuple(replace(line, weight=line.weight - total) for line in kept)


def _merge(best: Line[P], other: Line[P]) -> Line[P]:
    """The better line, remembering where the other differed, unless that was hardly likely."""
    weight = best.weight + log(1 + exp(other.weight - best.weight))
    merged = best.merged
    if other.weight > best.weight - 4.0:  # the same one in fifty at which a doubt is none
        merged = tuple(
            mine | theirs | ({move} if move != kept else frozenset())
            for kept, move, mine, theirs in zip(best.moves, other.moves, best.merged, other.merged, strict=True)
        )
    return replace(best, weight=weight, merged=merged)


def found_moves(lines: Sequence[Line[P]], told: Sequence[str], rates: Rates) -> tuple[FoundMove, ...]:
    """The likeliest history that agrees with what was told, as far as that is still likely, with its doubts."""
    agreeing = [line for line in lines if line.moves[: len(told)] == tuple(told)]
    likely = bool(agreeing) and sum(exp(line.weight) for line in agreeing) > exp(rates.doubt)
    best = agreeing[0] if likely else lines[0]
    return tuple(_found(lines, best, turn, rates) for turn in range(len(best.moves)))


def _found(lines: Sequence[Line[P]], best: Line[P], turn: int, rates: Rates) -> FoundMove:
    """The move of the best line at this turn, with the others that are likely enough there."""
    weights: dict[str, float] = {}
    players: dict[str, str] = {}
    for line in lines:
        if turn < len(line.moves):
            share = exp(line.weight)
            weights[line.moves[turn]] = weights.get(line.moves[turn], 0.0) + share
            players[line.moves[turn]] = line.players[turn]
            for move in line.merged[turn]:
                weights[move] = max(weights.get(move, 0.0), share / 2)
                players.setdefault(move, line.players[turn])
    mine = best.moves[turn]
    others = [move for move, share in weights.items() if move != mine and share > exp(rates.doubt)]
    others.sort(key=lambda move: (-weights[move], move))
    theirs = sum(weights[move] for move in others if players[move] != players[mine])
    return FoundMove(mine, tuple(others), theirs > exp(rates.player_open))
