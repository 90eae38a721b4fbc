"""The hypotheses of a game with hundreds of moves: only those that touch what looks otherwise than believed.

Of two moves, each must make the looks fit better, or the first must at least touch a place that looks different: the
place may have been touched twice. What no look shows is not thought of: it could not lead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import log

from companion.games.game import Effect, Illegal, Label, P, Place, TableGame, Wanted
from companion.reconciler.hypotheses import Hypothesis, Possible, left_lying
from companion.reconciler.looks import Table, change, fit_at
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
"""Beyond four moves at once a person had better say what was played."""

SHARE_OF_KIND = 4
"""Where not all breaches are listed, a kind is taken to have a quarter as many as there are legal moves."""


def possible(game: TableGame[P], position: P, rates: Rates, lying: Mapping[Place, Label], trail: Trail) -> Possible[P]:
    """The hypotheses from a position, listed as suits how many moves it has."""
    kind = Possible if len(game.legal_moves(position)) <= FEW else Touching
    return kind(game, position, rates, lying, trail)


@dataclass(frozen=True, slots=True)
class _Step:
    """A legal move that has not been played yet, on top of what is supposed to have happened."""

    effect: Effect
    changes: Mapping[Place, Label]
    lying: Mapping[Place, Label]


class Touching(Possible[P]):
    """The hypotheses from a position of many moves, each made by laying or taking single pieces."""

    piece_by_piece = True

    @cached_property
    def count(self) -> int:
        return max(1, len(self._game.legal_moves(self.position)))

    def usual(self, table: Table) -> tuple[Hypothesis[P], ...]:
        wanted = self._wanted(table, self.nothing)
        if not wanted:
            return (self.nothing,)
        ones = self._ones(table, wanted)
        return (self.nothing, *ones, *self._pairs(table, ones), *self._breaches_at(wanted))

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

    def longer(self, table: Table) -> Iterator[Hypothesis[P]]:
        """See `Possible.longer`; here a place may have been touched twice, as the looks on the way show."""
        passing = self._passing()
        kept = [self.nothing]
        for depth in range(1, MOST_MOVES_SEEN + 1):
            found = [after for each in kept for after in self._one_more(table, each, passing, depth)]
            kept = self._likely(table, found)
            yield from (each for each in kept if depth > 1 and self._shows(each, passing))

    def _one_more(
        self, table: Table, before: Hypothesis[P], passing: Mapping[Place, set[Label]], depth: int
    ) -> Iterator[Hypothesis[P]]:
        """One move more that makes the looks fit better, or that they showed on the way."""
        share = (*self._rates.moves, *(self._rates.more_moves,) * MOST_MOVES_SEEN)[depth - 1]
        prior = share - log(self.count) if depth <= len(self._rates.moves) else before.prior + share - log(self.count)
        prior -= log(self.count) if depth == len(self._rates.moves) else 0.0
        fits = change(table, self, before)
        wanted: dict[Place, set[Label]] = {place: set(labels) for place, labels in passing.items()}
        for place, labels in self._wanted(table, before).items():
            wanted.setdefault(place, set()).update(labels)
        for effect in self._game.effects(before.position, wanted):
            changes = self.differing({**before.changes, **effect.changes})
            better = change(table, self, _Step(effect, changes, left_lying(before, effect))) > fits + NOTICED
            shown = any(label in passing.get(place, ()) for place, label in effect.changes.items())
            if better or shown:
                yield self.going_on(before, effect, changes, prior=prior)

    def _likely(self, table: Table, found: list[Hypothesis[P]]) -> list[Hypothesis[P]]:
        """The sequences that explain best what was seen on the way and at last."""
        on_the_way = self._on_the_way(found)
        fits = [change(table, self, each) + fits for each, fits in zip(found, on_the_way, strict=True)]
        ranked = sorted(zip(fits, range(len(found)), strict=True), reverse=True)
        return [found[number] for _, number in ranked[:MOST_LONGER]]

    def _wanted(self, table: Table, after: Hypothesis[P]) -> dict[Place, tuple[Label, ...]]:
        """The places that look otherwise than believed (after a hypothesis), and what they may show, clearest first."""
        lost = {name: -fit_at(table[name], name, self, after) for name in table if name in self.sight}
        places = sorted((name for name in lost if lost[name] > NOTICED), key=lambda name: -lost[name])[:MOST_PLACES]
        return {
            name: tuple(Label(label) for label, logs in table[name].logs.items() if logs + lost[name] > NOTICED)
            for name in places
        }

    def _ones(self, table: Table, wanted: Wanted) -> tuple[Hypothesis[P], ...]:
        return tuple(self._moves(table, self.nothing, wanted, self._rates.moves[0]))

    def _moves(self, table: Table, before: Hypothesis[P], wanted: Wanted, share: float) -> Iterator[Hypothesis[P]]:
        """One move more that makes the looks fit better; `share` is what all moves there share."""
        if not wanted:
            return
        prior = before.prior * bool(before.moves[1:]) + share - log(self.count)
        fits = change(table, self, before)
        for effect in self._game.effects(before.position, wanted):
            changes = self.differing({**before.changes, **effect.changes})
            step = _Step(effect, changes, left_lying(before, effect))
            if change(table, self, step) > fits + NOTICED:
                yield self.going_on(before, effect, changes, prior=prior)

    def _pairs(self, table: Table, ones: Iterable[Hypothesis[P]]) -> Iterator[Hypothesis[P]]:
        share = self._rates.moves[1] - log(self.count)
        for first in self._worth_going_on(table, ones):
            least = max(0.0, change(table, self, first)) + WORTH_A_MOVE
            stays: dict[str, frozenset[Place]] = {}
            for before in (*self._overlooking(first), first):
                for moved in self._moves(table, before, self._wanted(table, before), share):
                    if moved.overlooked:
                        left = {*moved.lying, *moved.changes}
                        stays[moved.moves[1]] = frozenset(place for place in first.lying if place not in left)
                        if not stays[moved.moves[1]]:
                            continue
                    pair = moved if moved.overlooked else self._noticed(moved, stays.get(moved.moves[1], frozenset()))
                    if self._shows(pair, {}) and change(table, self, pair) > least:
                        yield pair

    def _noticed(self, pair: Hypothesis[P], stays: frozenset[Place]) -> Hypothesis[P]:
        """Two moves, where what the second connects again was taken off before it: lying there it would stay."""
        return replace(pair, lying={place: label for place, label in pair.lying.items() if place not in stays})

    def _shows(self, supposed: Hypothesis[P], passing: Mapping[Place, Collection[Label]]) -> bool:
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
