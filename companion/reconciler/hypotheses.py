"""What could have happened since a position: nothing, legal moves, and what hands can do against the rules.

A game of few moves has all its hypotheses listed once. In a game of some hundred moves (`touching.py`) only those
are listed that change a place which looks otherwise than believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import fsum, log
from typing import Generic, Protocol

from companion.games.game import Breach, Effect, Illegal, Label, P, Place, TableGame, Trace
from companion.reconciler.looks import Table, change
from companion.reconciler.rates import Rates
from companion.reconciler.trail import Labels, Steps, Trail

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
        lying: pieces that its moves ask to be taken off, as they show while they still lie there.
        overlooked: the numbers of the moves after which such pieces stay, for nobody noticed before the next move.
        steps: what each of its happenings changes by hand, in order.
        sweeps: what each of them asks to be taken off later, as its places show then.
        first: a move by itself, where this is a breach on top of it.
    """

    moves: tuple[str, ...]
    players: tuple[str, ...]
    position: P
    changes: Mapping[Place, Label]
    traces: tuple[Trace, ...]
    prior: float
    breach: Breach | None = None
    lying: Mapping[Place, Label] = field(default_factory=dict)
    overlooked: frozenset[int] = frozenset()
    steps: tuple[Mapping[Place, Label], ...] = ()
    sweeps: tuple[Mapping[Place, Label], ...] = ()
    first: Hypothesis[P] | None = None

    @property
    def is_nothing(self) -> bool:
        return not self.moves and self.breach is None

    @property
    def in_any_order(self) -> bool:
        """Whether it is pushes of one hand, of which the looks may show either first."""
        return self.breach is not None and len(self.breach.moves) > 1

    @property
    def name(self) -> Hashable:
        """The same for the same happening, in whatever listing."""
        breach = self.breach
        return self.moves, self.overlooked, breach and (breach.reason, frozenset(breach.changes.items()), breach.traces)


class Happened(Protocol):
    """What hands are supposed to have done, in order."""

    @property
    def steps(self) -> tuple[Mapping[Place, Label], ...]: ...
    @property
    def sweeps(self) -> tuple[Mapping[Place, Label], ...]: ...


class Possible(Generic[P]):
    """The hypotheses from one position, each depth made when it is first asked for.

    Args:
        lying: pieces that must leave the board and may still lie there, as they show.
        trail: the looks since the position was believed, which tell the order of several moves.

    Attributes:
        piece_by_piece: whether a hand that has laid a piece has moved; a pushed marble moves others after it.
    """

    piece_by_piece = False

    def __init__(
        self,
        game: TableGame[P],
        position: P,
        rates: Rates,
        lying: Mapping[Place, Label] | None = None,
        trail: Trail | None = None,
    ) -> None:
        self._game = game
        self._rates = rates
        self.position = position
        self.sight = game.sight(position)
        self.lying = lying or {}
        self._lay = dict(self.lying)
        self._trail = trail

    @cached_property
    def nothing(self) -> Hypothesis[P]:
        return Hypothesis((), (), self.position, {}, (), self._rates.nothing)

    @cached_property
    def empty(self) -> Mapping[Place, Label]:
        """What the places show with nothing in them: as at the start of a game."""
        return self._game.sight(self._game.start())

    def usual(self, table: Table) -> tuple[Hypothesis[P], ...]:
        """What nearly always happens: nothing, a move, two, or a breach.

        Args:
            table: what the looks say, where there are too many hypotheses to list them all.
        """
        return self._usual

    @cached_property
    def _usual(self) -> tuple[Hypothesis[P], ...]:
        return (self.nothing, *self.one_move, *self.two_moves, *self.breaches)

    @cached_property
    def breaches(self) -> tuple[Hypothesis[P], ...]:
        found = [breach for breach in self._game.breaches(self.position) if breach.changes]
        kinds = Counter(breach.reason for breach in found)
        return tuple(self._breach(each, kinds[each.reason]) for each in found)

    def _breach(self, breach: Breach, among: int) -> Hypothesis[P]:
        """A breach that is one among so many of its kind."""
        prior = self._rates.breach + (self._rates.played if breach.moves else 0.0) - log(among)
        prior += self._rates.strange if breach.strange else 0.0
        done = Hypothesis((), (), self.position, breach.changes, breach.traces, prior, breach)
        return replace(done, steps=(breach.changes,), sweeps=({},))

    @cached_property
    def one_move(self) -> tuple[Hypothesis[P], ...]:
        """The legal moves that can be seen or felt."""
        return self._shared((self.nothing,), 1)

    @cached_property
    def two_moves(self) -> tuple[Hypothesis[P], ...]:
        """The sequences of two legal moves."""
        return self._shared(self.one_move, 2)

    def move_then_breach(self, table: Table) -> Iterator[Hypothesis[P]]:
        """A legal move that no look has shown alone yet, and a breach on top of it."""
        return iter(self._moves_then_breaches)

    @cached_property
    def _moves_then_breaches(self) -> tuple[Hypothesis[P], ...]:
        return tuple(
            both
            for first in self.one_move
            for after in Possible(self._game, first.position, self._rates).breaches
            if _both_show(first, both := self.on_top(first, after))
        )

    def on_top(self, first: Hypothesis[P], then: Hypothesis[P]) -> Hypothesis[P]:
        """A move with a breach of the position after it."""
        changes = self.differing({**first.changes, **then.changes})
        lying = {place: label for place, label in first.lying.items() if place not in then.changes}
        traces = (*first.traces, *then.traces)
        prior = first.prior + then.prior
        steps, sweeps = (*first.steps, *then.steps), (*first.sweeps, *then.sweeps)
        return replace(
            first,
            changes=changes,
            traces=traces,
            prior=prior,
            breach=then.breach,
            lying=lying,
            steps=steps,
            sweeps=sweeps,
            first=first,
        )

    def differing(self, labels: Mapping[Place, Label]) -> dict[Place, Label]:
        """Those of some labels that are not what this position shows."""
        return {place: label for place, label in labels.items() if self.sight[place] != label}

    def most_moves(self, room: int) -> int:
        """How many moves in a row are thought of, where hands had the time for so many more than one."""
        return MOST_MOVES

    def longer(self, table: Table, room: int) -> Iterator[Hypothesis[P]]:
        """Sequences of three moves and more, made while a hand or a thing hid the board: those that the looks favour.

        Args:
            table: what the looks say, to choose which sequences are worth going on with.
            room: for how many moves more than one hands had the time.
        """
        kept = self.favoured(self.two_moves, table, WIDTH)
        for depth in range(3, MOST_MOVES + 1):
            found = [after for each in kept for after in self._after(each)]
            prior = self._rates.more_moves * (depth - 2) + self._rates.moves[-1] - depth * log(len(self.one_move) or 1)
            kept = self.favoured([replace(each, prior=prior) for each in found], table, WIDTH)
            yield from kept

    def reordered(self, supposed: Hypothesis[P]) -> Iterator[Hypothesis[P]]:
        """The same moves in every other order in which they are legal and leave the same board.

        `longer` goes on with few of all beginnings, and so may find but one of these.
        """
        for each in self._arranged(self.nothing, supposed.moves):
            if each.moves != supposed.moves and each.changes == supposed.changes:
                yield replace(each, prior=supposed.prior)

    def _arranged(self, before: Hypothesis[P], left: Sequence[str]) -> Iterator[Hypothesis[P]]:
        if not left:
            yield before
            return
        for after in self._after(before, left):
            at = left.index(after.moves[-1])
            yield from self._arranged(after, (*left[:at], *left[at + 1 :]))

    def in_order(self, alike: Sequence[Hypothesis[P]]) -> list[float]:
        """How much worse than the best of them each fits the looks on the way, of hypotheses that end alike."""
        if self._trail is None or len(alike) < 2:
            return [0.0] * len(alike)
        fits = [*self._on_the_way(alike)]
        return [0.0 if each.in_any_order else fit - max(fits) for each, fit in zip(alike, fits, strict=True)]

    def _on_the_way(self, found: Sequence[Happened]) -> Iterator[float]:
        """How badly each fits the looks on the way, at all places that one of them touches: 0 at best."""
        trail = self._trail
        if trail is None:
            yield from (0.0 for _ in found)
            return
        touched = {place for each in found for step in (*each.steps, *each.sweeps) for place in step}
        still = {place: sum(trail.losses(place, self.at_first[place])) for place in touched & self.at_first.keys()}
        for each in found:
            steps = self.steps(each)
            yield trail.order(steps) + fsum(still[place] for place in still.keys() - steps.places)

    def out_of_order(self, supposed: Happened) -> float:
        """How badly the looks on the way fit the order of several happenings: 0 where each came in its turn."""
        if self._trail is None or len(supposed.steps) < 2:
            return 0.0
        steps = self.steps(supposed)
        alone = (Steps(self.at_first, _only(p, supposed.steps), _only(p, supposed.sweeps)) for p in steps.places)
        return self._trail.order(steps) - fsum(map(self._trail.order, alone))

    def as_seen(self, supposed: Hypothesis[P]) -> tuple[str, ...]:
        """The moves of it in the order in which the looks show them."""
        trail, first = self._trail, self.at_first
        if trail is None:
            return supposed.moves
        changes = [{place: label for place, label in step.items() if place in first} for step in supposed.steps]
        at = [max((trail.changed(p, first[p], label) for p, label in each.items()), default=0) for each in changes]
        return tuple(move for _, move in sorted(zip(at, supposed.moves, strict=True), key=lambda pair: pair[0]))

    def steps(self, supposed: Happened) -> Steps:
        return Steps(self.at_first, supposed.steps, supposed.sweeps)

    @cached_property
    def at_first(self) -> Mapping[Place, Labels]:
        """What each place may show before anything happens: pieces that must leave the board may have lain there."""
        lay = self._lay
        return {place: (label, lay[place]) if place in lay else (label,) for place, label in self.sight.items()}

    def favoured(self, found: Iterable[Hypothesis[P]], table: Table, most: int) -> list[Hypothesis[P]]:
        """The best by sight; of those that end alike only two, which is enough to see that their order is open."""
        alike: dict[P, list[Hypothesis[P]]] = {}
        for each in found:
            alike.setdefault(each.position, []).append(each)
        kept: list[tuple[float, Hypothesis[P]]] = []
        for same in alike.values():
            fits = self.in_order(same)
            ranked = sorted(zip(fits, same, strict=True), key=lambda pair: -pair[0])[:2]
            kept += [(fit + change(table, self, each), each) for fit, each in ranked]
        return [each for _, each in sorted(kept, key=lambda pair: -pair[0])[:most]]

    def touched_twice(self, table: Table) -> bool:
        """Whether a place that shows another piece was seen empty on the way; all pairs of moves are listed anyway."""
        return False

    def unseen(self, places: Collection[Place]) -> Iterator[Hypothesis[P]]:
        """The legal moves that change none but these places, which nobody sees."""
        return (each for each in self.one_move if each.changes.keys() <= set(places))

    def _shared(self, before: tuple[Hypothesis[P], ...], depth: int) -> tuple[Hypothesis[P], ...]:
        found = [after for each in before for after in self._after(each)]
        prior = self._rates.moves[depth - 1] - log(max(1, len(found)))
        return tuple(replace(h, prior=prior) for h in found)

    def _after(self, before: Hypothesis[P], moves: Collection[str] | None = None) -> Iterator[Hypothesis[P]]:
        """One legal move more, of these where some are named."""
        for effect in self._game.effects(before.position):
            if moves is not None and effect.move not in moves:
                continue
            changes = self.differing({**before.changes, **effect.changes})
            traces = self._game.traces(before.position, effect.move)
            if changes or traces:
                yield self.going_on(before, effect, changes, traces)

    def going_on(
        self,
        before: Hypothesis[P],
        effect: Effect,
        changes: Mapping[Place, Label],
        traces: tuple[Trace, ...] = (),
        prior: float = 0.0,
    ) -> Hypothesis[P]:
        """What was supposed to have happened, and one more move; `changes` are those of all together."""
        played = self._game.play(before.position, effect.move)
        if isinstance(played, Illegal):
            raise TypeError(f"{self._game.name} calls {effect.move} legal and refuses it: {played.detail}")
        return Hypothesis(
            moves=(*before.moves, effect.move),
            players=(*before.players, str(played.by)),
            position=after_forced(self._game, played.after),
            changes=changes,
            traces=(*before.traces, *traces),
            prior=prior,
            lying=left_lying(before, effect),
            overlooked=before.overlooked,
            steps=(*before.steps, by_hand(effect)),
            sweeps=(*before.sweeps, swept(effect)),
        )


def _both_show(first: Hypothesis[P], both: Hypothesis[P]) -> bool:
    """Whether a breach leaves something of the move before it to see; else hands did less, and that is listed alone."""
    return not first.changes or not first.changes.keys().isdisjoint(both.changes)


def _only(place: Place, changes: Sequence[Mapping[Place, Label]]) -> list[dict[Place, Label]]:
    """What happenings do at one place."""
    return [{place: each[place]} if place in each else {} for each in changes]


def by_hand(effect: Effect) -> dict[Place, Label]:
    """What the hand changes that makes a move."""
    return {place: label for place, label in effect.changes.items() if place not in effect.lying}


def swept(effect: Effect) -> dict[Place, Label]:
    """What a move asks to be taken off later, as its places show then."""
    return {place: label for place, label in effect.changes.items() if place in effect.lying}


def left_lying(before: Hypothesis[P], effect: Effect) -> dict[Place, Label]:
    """What must leave the board after what was supposed to have happened and one more move."""
    lying = {place: label for place, label in before.lying.items() if place not in effect.changes}
    return {**lying, **effect.lying}


def after_forced(game: TableGame[P], position: P) -> P:
    """The position after the turns that the referee plays by itself."""
    while (forced := game.forced(position)) is not None:
        position = forced.after
    return position


def could_follow(game: TableGame[P], position: P, moves: Sequence[str]) -> bool:
    """Whether these moves are legal one after the other."""
    for move in moves:
        played = game.play(position, move)
        if isinstance(played, Illegal):
            return False
        position = after_forced(game, played.after)
    return True
