"""What the looks before the present ones say: a reading must explain what lay on the board meanwhile, too.

A piece that was laid and taken again, or lies under a hand now, does not show in the present looks; that it was there
did show. What comes and goes at one place for a moment is no move: a piece that was lifted and put back, a misreading.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import fsum
from typing import Generic

from companion.games.game import P, Place
from companion.reconciler.hypotheses import Hypothesis, Possible
from companion.reconciler.looks import LookWindow
from companion.reconciler.rates import Rates
from companion.reconciler.trail import Trail
from companion.reconciler.weighing import Scored, score_of

WORTH_ORDERING = 20.0
"""Two looks on the way can outweigh that one move is so much likelier than two that look the same."""

FAR = 10.0
"""Readings that trail the best by so much change nothing: twenty thousand to one."""


class Past(Generic[P]):
    """Weighs readings from one position by the looks before the present ones.

    Args:
        window: the present looks.
        room: for how many moves more than one hands had the time.
    """

    def __init__(self, possible: Possible[P], trail: Trail, window: LookWindow, rates: Rates, room: int) -> None:
        self._possible = possible
        self._trail = trail
        self._rates = rates
        self._room = room
        self._looks = trail.before(next(iter(window)).t_s) if len(window) else 0
        self._open = {name for look in window for name in look.places}
        self._passing = trail.shown(possible.sight)
        self._still: dict[Place, float] = {}

    def weighed(self, scored: Iterable[Scored[P]]) -> list[Scored[P]]:
        """The readings, best first, with what the past takes from each that could lead."""
        alike: dict[Hashable, list[Scored[P]]] = {}
        for each in sorted(scored, key=score_of, reverse=True):
            alike.setdefault(self._ending(each.hypothesis), []).append(each)
        touched = {place for same in alike.values() for each in same for place in self._touched(each.hypothesis)}
        whole = fsum(self._unmoved(place) for place in touched.union(self._passing))
        weighed: list[Scored[P]] = []
        lead = float("-inf")
        for same in alike.values():
            ordered = list(self._in_order(same, whole)) if same[0].score > lead - FAR else same
            lead = max(lead, *map(score_of, ordered))
            weighed += ordered
        return sorted(weighed, key=score_of, reverse=True)

    def leaves_open(self, supposed: Hypothesis[P]) -> bool:
        """Whether something was there for a while that a reading does not explain."""
        touched = self._touched(supposed)
        return any(self._unmoved(place) < self._rates.place_misfit for place in self._passing if place not in touched)

    def _ending(self, supposed: Hypothesis[P]) -> Hashable:
        """The same for sequences of moves that leave the same board."""
        if supposed.breach is not None:
            return supposed.name
        return frozenset(supposed.changes.items())

    def _in_order(self, same: Sequence[Scored[P]], whole: float) -> Iterator[Scored[P]]:
        """Readings that leave the same board: by what lay there before, and by the order in which it came."""
        near = [each for each in same if each.score > same[0].score - WORTH_ORDERING]
        fits = [self._fit(each.hypothesis) for each in near]
        order = self._possible.in_order([each.hypothesis for each in near])
        for each, fit, behind in zip(near, fits, order, strict=True):
            past = whole + max(fits) + behind if len(near) > 1 else whole + fit
            yield replace(each, score=each.score + past + self._in_a_row(each.hypothesis))
        for each in same[len(near) :]:
            yield replace(each, score=each.score + whole + max(fits))

    def _in_a_row(self, supposed: Hypothesis[P]) -> float:
        """How likely so many moves are in the time that hands were about, and in answer to each other."""
        more = len(supposed.moves) - 1
        if more < 1:
            return 0.0
        answers = sum(not one.keys().isdisjoint(other) for one, other in pairwise(supposed.steps))
        return answers * self._rates.same_piece + (self._rates.had_time if more <= self._room else self._rates.no_time)

    def _touched(self, supposed: Hypothesis[P]) -> set[Place]:
        places = {place for each in (*supposed.steps, *supposed.sweeps) for place in each}
        if supposed.breach is not None:
            places |= supposed.breach.changes.keys()
        return places & self._possible.sight.keys()

    def _fit(self, supposed: Hypothesis[P]) -> float:
        """How well the past fits what is supposed, against that nothing changed at the places of it."""
        before = fsum(self._unmoved(place) for place in self._touched(supposed))
        if supposed.breach is None:
            return self._trail.order(self._possible.steps(supposed), self._looks) - before
        first = self._possible.at_first
        changes = {**{p: label for step in supposed.steps for p, label in step.items()}, **supposed.breach.changes}
        anyhow = [self._trail.anyhow(p, first[p], label, self._looks) for p, label in changes.items() if p in first]
        swept = {p for each in supposed.sweeps for p in each if p in first and p not in changes}
        return fsum(anyhow) + fsum(self._unmoved(place) for place in swept) - before

    def _unmoved(self, place: Place) -> float:
        """How badly the past fits that nothing was done at a place."""
        if place not in self._still:
            labels, put_back = self._possible.at_first[place], place in self._open
            self._still[place] = self._trail.unexplained(place, labels, self._looks, put_back=put_back)
        return self._still[place]
