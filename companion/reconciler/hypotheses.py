"""What could have happened since a position: nothing, legal moves, and what hands can do against the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import log
from typing import Generic

from companion.games.game import Breach, Illegal, Label, P, Place, TableGame, Trace
from companion.reconciler.looks import Table, change
from companion.reconciler.rates import Rates

MOST_MOVES = 6
"""Quick players make two moves before a look settles; six take the half minute that a mug stands over the board."""

WIDTH = 40
"""How many sequences are gone on with at each length; eight moves each make some hundred to look at."""


@dataclass(frozen=True, slots=True)
class Hypothesis(Generic[P]):
    """One thing that could have happened.

    Attributes:
        moves: the legal moves of it, in order, and `players`, whose they are; empty for nothing and for a breach.
        position: the belief after it; a breach leaves the position where it was.
        changes: the places that look different.
        traces: the beams that it breaks, in order.
        prior: log probability before any evidence.
    """

    moves: tuple[str, ...]
    players: tuple[str, ...]
    position: P
    changes: Mapping[Place, Label]
    traces: tuple[Trace, ...]
    prior: float
    breach: Breach | None = None

    @property
    def is_nothing(self) -> bool:
        return not self.moves and self.breach is None


class Possible(Generic[P]):
    """The hypotheses from one position, each depth made when it is first asked for."""

    def __init__(self, game: TableGame[P], position: P, rates: Rates) -> None:
        self._game = game
        self._rates = rates
        self.position = position
        self.sight = game.sight(position)

    @cached_property
    def nothing(self) -> Hypothesis[P]:
        return Hypothesis((), (), self.position, {}, (), self._rates.nothing)

    @cached_property
    def empty(self) -> Mapping[Place, Label]:
        """What the places show with nothing in them: as at the start of a game."""
        return self._game.sight(self._game.start())

    @cached_property
    def usual(self) -> tuple[Hypothesis[P], ...]:
        """What nearly always happens: nothing, a move, two, or a breach."""
        return (self.nothing, *self.one_move, *self.two_moves, *self.breaches)

    @cached_property
    def breaches(self) -> tuple[Hypothesis[P], ...]:
        found = [breach for breach in self._game.breaches(self.position) if breach.changes]
        kinds = Counter(breach.reason for breach in found)
        return tuple(
            Hypothesis((), (), self.position, each.changes, each.traces, self._breach_prior(each, kinds), each)
            for each in found
        )

    def _breach_prior(self, breach: Breach, kinds: Counter[str]) -> float:
        return self._rates.breach + (self._rates.played if breach.moves else 0.0) - log(kinds[breach.reason])

    @cached_property
    def one_move(self) -> tuple[Hypothesis[P], ...]:
        """The legal moves that can be seen or felt."""
        return self._shared((self.nothing,), 1)

    @cached_property
    def two_moves(self) -> tuple[Hypothesis[P], ...]:
        """The sequences of two legal moves."""
        return self._shared(self.one_move, 2)

    @cached_property
    def move_then_breach(self) -> tuple[Hypothesis[P], ...]:
        """A legal move that no look has shown alone yet, and a breach on top of it."""
        return tuple(self._on_top(first, after) for first in self.one_move for after in self._breaches_after(first))

    def _breaches_after(self, first: Hypothesis[P]) -> tuple[Hypothesis[P], ...]:
        return Possible(self._game, first.position, self._rates).breaches

    def _on_top(self, first: Hypothesis[P], then: Hypothesis[P]) -> Hypothesis[P]:
        sight = {**first.changes, **then.changes}
        changes = {place: label for place, label in sight.items() if self.sight[place] != label}
        traces = (*first.traces, *then.traces)
        return replace(first, changes=changes, traces=traces, prior=first.prior + then.prior, breach=then.breach)

    def longer(self, table: Table) -> Iterator[Hypothesis[P]]:
        """Sequences of three moves and more, made while a hand or a thing hid the board: those that the looks favour.

        Args:
            table: what the looks say, to choose which sequences are worth going on with.
        """
        kept = self._favoured(self.two_moves, table)
        for depth in range(3, MOST_MOVES + 1):
            found = [after for each in kept for after in self._after(each)]
            prior = self._rates.more_moves * (depth - 2) + self._rates.moves[-1] - depth * log(len(self.one_move) or 1)
            kept = self._favoured([replace(each, prior=prior) for each in found], table)
            yield from kept

    def _favoured(self, found: Iterable[Hypothesis[P]], table: Table) -> list[Hypothesis[P]]:
        """The best by sight; of those that end alike only two, which is enough to see that their order is open."""
        ranked = sorted(found, key=lambda each: -change(table, self.sight, each.changes))
        alike: Counter[P] = Counter()
        kept = []
        for each in ranked:
            alike[each.position] += 1
            if alike[each.position] <= 2:
                kept.append(each)
        return kept[:WIDTH]

    def _shared(self, before: tuple[Hypothesis[P], ...], depth: int) -> tuple[Hypothesis[P], ...]:
        found = [after for each in before for after in self._after(each)]
        prior = self._rates.moves[depth - 1] - log(max(1, len(found)))
        return tuple(replace(h, prior=prior) for h in found)

    def _after(self, before: Hypothesis[P]) -> Iterator[Hypothesis[P]]:
        for move in self._game.legal_moves(before.position):
            played = self._game.play(before.position, move)
            if isinstance(played, Illegal):
                raise TypeError(f"{self._game.name} calls {move} legal and refuses it: {played.detail}")
            position = after_forced(self._game, played.after)
            sight = self._game.sight(position)
            changes = {place: label for place, label in sight.items() if self.sight[place] != label}
            traces = (*before.traces, *self._game.traces(before.position, move))
            if changes or len(traces) > len(before.traces):
                yield Hypothesis(
                    (*before.moves, move), (*before.players, str(played.by)), position, changes, traces, 0.0
                )


def after_forced(game: TableGame[P], position: P) -> P:
    """The position after the turns that the referee plays by itself."""
    while (forced := game.forced(position)) is not None:
        position = forced.after
    return position
