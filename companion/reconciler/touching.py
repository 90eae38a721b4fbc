"""The hypotheses of a game with hundreds of moves: only those that touch what looks otherwise than believed.

Of two moves, each must make the looks fit better, or the first must at least touch a place that looks different: the
place may have been touched twice. What no look shows is not thought of: it could not lead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import log
from typing import Generic

from companion.games.game import Effect, Illegal, Label, P, Place, TableGame, Wanted
from companion.reconciler.hypotheses import MOST_MOVES, Hypothesis, Possible, by_hand, left_lying, swept
from companion.reconciler.looks import MOST_INDEPENDENT, Table, change, fit_at
from companion.reconciler.orphans import EMPTY
from companion.reconciler.rates import Rates
from companion.reconciler.trail import Trail

FEW = 24
"""Legal moves up to which all sequences of two are listed, some hundred at most."""

NOTICED = log(2)
"""A place looks otherwise when another label is twice as likely there: a change that leads has more in its favour."""

MOST_PLACES = 12
"""Two quick moves and their orphans change some ten places; the others of a noisy look differ less than these."""

WORTH_A_MOVE = log(10)
"""A second move must explain this much more; its prior costs far more than that."""

MOST_FIRST = 24
"""First moves that are gone on with: three places that changed are touched by some eight moves each."""

MOST_LONGER = 12
"""Sequences that are gone on with beyond two moves: each place that differs has one move that makes it so."""

MOST_MOVES_SEEN = 4
"""Moves in a row that are thought of, unless hands had the time for more: each one more takes ten milliseconds."""

SHARE_OF_KIND = 4
"""Where not all breaches are listed, a kind is taken to have a quarter as many as there are legal moves."""


def possible(game: TableGame[P], position: P, rates: Rates, lying: Mapping[Place, Label], trail: Trail) -> Possible[P]:
    """The hypotheses from a position, listed as suits how many moves it has."""
    kind = Possible if len(game.legal_moves(position)) <= FEW else Touching
    return kind(game, position, rates, lying, trail)


def _first(pair: tuple[float, object]) -> float:
    return pair[0]


@dataclass(frozen=True, slots=True)
class _Step(Generic[P]):
    """A legal move that has not been played yet, on top of what is supposed to have happened: playing costs most."""

    before: Hypothesis[P]
    effect: Effect
    changes: Mapping[Place, Label]
    taken_off: frozenset[Place] = frozenset()

    @property
    def lying(self) -> Mapping[Place, Label]:
        lying = left_lying(self.before, self.effect)
        return {place: label for place, label in lying.items() if place not in self.taken_off}

    @property
    def steps(self) -> tuple[Mapping[Place, Label], ...]:
        return (*self.before.steps, by_hand(self.effect))

    @property
    def sweeps(self) -> tuple[Mapping[Place, Label], ...]:
        return (*self.before.sweeps, swept(self.effect))


class Touching(Possible[P]):
    """The hypotheses from a position of many moves, each made by laying or taking single pieces."""

    piece_by_piece = True
    _known: tuple[Table | None, Mapping[Place, Label], tuple[Hypothesis[P], ...]] = (None, {}, ())

    @cached_property
    def count(self) -> int:
        return max(1, len(self._game.legal_moves(self.position)))

    def usual(self, table: Table) -> tuple[Hypothesis[P], ...]:
        if self._known[0] is not table or self._known[1] != self.lying:
            self._known = (table, dict(self.lying), tuple(self._usual_of(table)))
        return self._known[2]

    def _usual_of(self, table: Table) -> Iterator[Hypothesis[P]]:
        yield self.nothing
        wanted = self._wanted(table, self.nothing)
        if wanted and not self._beyond(table, 2):
            ones = self._ones(table, wanted)
            yield from ones
            yield from self._pairs(table, ones)
            yield from self._breaches_at(wanted)

    def _beyond(self, table: Table, moves: int) -> bool:
        """Whether so many happenings leave more unexplained than any reading may: each lays one piece at most."""
        fits = [
            max(place.of(Label(EMPTY)), fit_at(place, name, self, self.nothing))
            for name, place in table.items()
            if name in self.sight
        ]
        return sum(sorted(fits)[moves:]) < self._rates.allowed(self._rates.misfit * MOST_INDEPENDENT, len(self.sight))

    def touched_twice(self, table: Table) -> bool:
        wanted = self._wanted(table, self.nothing)
        return any(not labels <= set(wanted.get(place, ())) for place, labels in self._passing().items())

    def _passing(self) -> dict[Place, set[Label]]:
        """What places showed on the way, now or for a while."""
        return {} if self._trail is None else self._trail.shown(self.sight)

    def unseen(self, places: Collection[Place]) -> Iterator[Hypothesis[P]]:
        for effect in self._game.effects(self.position):
            if effect.changes.keys() <= set(places):
                yield self.going_on(self.nothing, effect, self.differing(effect.changes))

    def move_then_breach(self, table: Table) -> Iterator[Hypothesis[P]]:
        for first in self._worth_going_on(table, self._ones(table, self._wanted(table, self.nothing))):
            after = Touching(self._game, first.position, self._rates, {**self.lying, **first.lying})
            for breach in after._breaches_at(self._wanted(table, first)):
                if first.changes.keys().isdisjoint(breach.changes):  # else hands did less, and that is listed alone
                    yield self.on_top(first, breach)

    def most_moves(self, room: int) -> int:
        return min(max(MOST_MOVES_SEEN, room + 2), MOST_MOVES)  # one more than there was time for: hands are quick

    def longer(self, table: Table, room: int) -> Iterator[Hypothesis[P]]:
        """See `Possible.longer`; here a place may have been touched twice, as the looks on the way show."""
        most = self.most_moves(room)
        if self._beyond(table, most):
            return
        passing = self._passing()
        kept = [self.nothing]
        for depth in range(1, most + 1):
            found = [after for each in kept for after in self._one_more(table, each, passing)]
            kept = [self._played(each, depth) for each in self._likely(table, found)]
            yield from (each for each in kept if depth > 1 and self._shows(each, passing))

    def _one_more(self, table: Table, before: Hypothesis[P], passing: Mapping[Place, set[Label]]) -> Iterator[_Step[P]]:
        """One move more that makes the looks fit better, or that they showed on the way."""
        fits = change(table, self, before)
        wanted: dict[Place, set[Label]] = {place: set(labels) for place, labels in passing.items()}
        for place, labels in self._wanted(table, before).items():
            wanted.setdefault(place, set()).update(labels)
        for effect in self._game.effects(before.position, wanted):
            changes = self.differing({**before.changes, **effect.changes})
            step = _Step(before, effect, changes)
            shown = any(label in passing.get(place, ()) for place, label in effect.changes.items())
            if shown or change(table, self, step) > fits + NOTICED:
                yield step

    def _likely(self, table: Table, found: list[_Step[P]]) -> list[_Step[P]]:
        """The sequences that explain best what was seen on the way and at last, best first.

        Of those that end alike only two: that is enough to see that their order is open. The looks on the way only take
        from what the last ones say: once enough are kept, those that fit the last ones worse need no look.
        """
        alike: dict[Hashable, list[tuple[float, _Step[P]]]] = {}
        for step in found:
            alike.setdefault(frozenset(step.changes.items()), []).append((change(table, self, step), step))
        groups = sorted(alike.values(), key=lambda same: -max(fits for fits, _ in same))
        on_the_way = self._on_the_way([step for same in groups for _, step in same])
        kept: list[tuple[float, _Step[P]]] = []
        for same in groups:
            if len(kept) == MOST_LONGER and max(fits for fits, _ in same) < kept[-1][0]:
                break
            scored = [(fits + next(on_the_way), step) for fits, step in same]
            kept += sorted(scored, key=_first, reverse=True)[:2]
            kept = sorted(kept, key=_first, reverse=True)[:MOST_LONGER]
        return [step for _, step in kept]

    def _wanted(self, table: Table, after: Hypothesis[P]) -> dict[Place, tuple[Label, ...]]:
        """The places that look otherwise than believed (after a hypothesis), and what they may show, clearest first."""
        lost = {name: -fit_at(table[name], name, self, after) for name in table if name in self.sight}
        places = sorted((name for name in lost if lost[name] > NOTICED), key=lambda name: -lost[name])[:MOST_PLACES]
        return {
            name: tuple(Label(label) for label, logs in table[name].logs.items() if logs + lost[name] > NOTICED)
            for name in places
        }

    def _ones(self, table: Table, wanted: Wanted) -> tuple[Hypothesis[P], ...]:
        return tuple(self._played(step, 1) for step in self._better(table, self.nothing, wanted))

    def _better(self, table: Table, before: Hypothesis[P], wanted: Wanted) -> Iterator[_Step[P]]:
        """One move more that makes the looks fit better."""
        if not wanted:
            return
        least = change(table, self, before) + NOTICED
        for effect in self._game.effects(before.position, wanted):
            step = _Step(before, effect, self.differing({**before.changes, **effect.changes}))
            if change(table, self, step) > least:
                yield step

    def _played(self, step: _Step[P], depth: int) -> Hypothesis[P]:
        """A sequence of so many moves with its last one played."""
        share = self._rates.moves[:depth][-1] + self._rates.more_moves * max(0, depth - len(self._rates.moves))
        prior = share - depth * log(self.count)
        played = self.going_on(step.before, step.effect, step.changes, prior=prior)
        return replace(played, lying=step.lying) if step.taken_off else played

    def _pairs(self, table: Table, ones: Iterable[Hypothesis[P]]) -> Iterator[Hypothesis[P]]:
        for first in self._worth_going_on(table, ones):
            least = max(0.0, change(table, self, first)) + WORTH_A_MOVE
            for step in self._seconds(table, first):
                if self._shows(step, {}) and change(table, self, step) > least:
                    yield self._played(step, 2)

    def _seconds(self, table: Table, first: Hypothesis[P]) -> Iterator[_Step[P]]:
        """Second moves, and those where nobody noticed what the first asked to be taken off and they connect again.

        The same second move where that was noticed finds it taken off: lying there it would stay.
        """
        stays: dict[str, frozenset[Place]] = {}
        for before in self._overlooking(first):
            for step in self._better(table, before, self._wanted(table, before)):
                stays[step.effect.move] = frozenset(first.lying.keys() - step.lying.keys() - step.changes.keys())
                if stays[step.effect.move]:
                    yield step
        for step in self._better(table, first, self._wanted(table, first)):
            yield replace(step, taken_off=stays.get(step.effect.move, frozenset()))

    def _shows(self, supposed: Hypothesis[P] | _Step[P], passing: Mapping[Place, Collection[Label]]) -> bool:
        """Whether everything that hands are supposed to have done shows, at last or on the way."""
        return all(
            place in supposed.changes or label == self.sight[place] or label in passing.get(place, ())
            for step in supposed.steps
            for place, label in step.items()
        )

    def _worth_going_on(self, table: Table, ones: Iterable[Hypothesis[P]]) -> list[Hypothesis[P]]:
        """First moves after which enough is left to explain, the best first."""
        most = -sum(fit_at(table[name], name, self, self.nothing) for name in self._wanted(table, self.nothing))
        scored = sorted(((change(table, self, one), -number, one) for number, one in enumerate(ones)), reverse=True)
        return [one for fits, _, one in scored if most - fits > WORTH_A_MOVE][:MOST_FIRST]

    def _overlooking(self, first: Hypothesis[P]) -> Iterator[Hypothesis[P]]:
        """The same move where nobody noticed what should have left the board."""
        if not first.lying:
            return
        played = self._game.play_overlooking_orphans(self.position, first.moves[0])
        if isinstance(played, Illegal):
            raise TypeError(f"{self._game.name} calls {first.moves[0]} legal and refuses it: {played.detail}")
        changes = {place: label for place, label in first.changes.items() if place not in first.lying}
        yield replace(first, position=played.after, changes=changes, lying={}, overlooked=frozenset({0}))

    def _breaches_at(self, wanted: Wanted) -> tuple[Hypothesis[P], ...]:
        if not wanted:
            return ()
        found = [breach for breach in self._game.breaches(self.position, wanted) if breach.changes]
        kinds = Counter(breach.reason for breach in found)
        least = self.count // SHARE_OF_KIND
        return tuple(self._breach(each, max(kinds[each.reason], least)) for each in found)
