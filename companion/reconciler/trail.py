"""The looks since the last belief, settled or not: they tell what was on the board meanwhile, and in which order.

A scene settles when hands are gone, and quick players make two moves until then. The looks in between, some with a
hand beside the board, still show which of the moves was made first, and what lies now under a hand or a thing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate, pairwise, takewhile
from math import log

from companion.games.game import Label, Place
from companion.reconciler.looks import Look, PlaceTable
from companion.reconciler.rates import Rates, Times

MOST_LOOKS = 60
"""Half a minute of looks: as long as a thing may hide the board."""

INCIDENT_LOOKS = 6
"""A piece that is lifted and put back, held over a place or knocked over shows so for two or three seconds."""

EDGE = 4
"""Looks at each end of a row that shows the same: as many as a settled board counts for."""

SAME_DOUBT = 0.5
"""Looks that doubt a place doubt it for the same reason, glare or a shade: two of them say as much as one."""

INCIDENT = log(0.01)
"""What it costs that such a thing, which is no move, happened at one place since the last belief."""

Changes = Mapping[Place, Label]

Labels = tuple[Label, ...]
"""What a place may show."""


class Steps:
    """Several happenings in order, as their places show meanwhile.

    Args:
        first: what the places may show before.
        changes: what each of the happenings changes by hand.
        sweeps: pieces that may be taken off at any time after each of them: their places, as they show then.
    """

    def __init__(self, first: Mapping[Place, Labels], changes: Sequence[Changes], sweeps: Sequence[Changes]) -> None:
        self.places = sorted({place for each in (*changes, *sweeps) for place in each if place in first})
        states = [{place: first[place] for place in self.places}]
        for step, swept in zip(changes, sweeps, strict=True):
            state = {**states[-1], **{place: (label,) for place, label in step.items()}}
            state |= {place: (*state[place], gone) for place, gone in swept.items()}
            states.append(state)
        self.states = states


class Trail:
    """Looks that do not share their noise, oldest first."""

    def __init__(self, rates: Rates, times: Times) -> None:
        self._rates = rates
        self._apart_s = times.independent_s
        self._looks: deque[Look] = deque(maxlen=MOST_LOOKS)
        self._best: deque[dict[Place, Label]] = deque(maxlen=MOST_LOOKS)
        self._forget()

    def _forget(self) -> None:
        """What was worked out of the looks is so no more."""
        self._known: dict[tuple[Place, Labels], list[float]] = {}
        self._rows: dict[Place, list[list[int]]] = {}
        self._shown: tuple[Changes, dict[Place, set[Label]]] | None = None

    def add(self, look: Look) -> None:
        if not self._looks or look.t_s - self._looks[-1].t_s >= self._apart_s:
            self._looks.append(look)
            self._best.append(_best_of(look))
            self._forget()

    def clear(self) -> None:
        self._looks.clear()
        self._best.clear()
        self._forget()

    def before(self, t_s: float) -> int:
        """How many of the looks are older."""
        return sum(1 for _ in takewhile(lambda look: look.t_s < t_s, self._looks))

    def shown(self, sight: Changes) -> dict[Place, set[Label]]:
        """What places showed on the way that they do not show in `sight`.

        In two looks in a row; one is enough where the place went on to something else yet, for misreadings go back.
        """
        if self._shown is None or self._shown[0] is not sight:
            still = sight.items()
            others = {place for best in self._best for place, _ in best.items() - still if place in sight}
            found = {place: labels for place in sorted(others) if (labels := self._new_at(place, sight[place]))}
            self._shown = (sight, found)
        return self._shown[1]

    def _new_at(self, place: Place, before: Label) -> set[Label]:
        rows = self._runs(place)
        labels = [self._best[row[0]][place] for row in rows]
        goes_on = [*(after not in (before, label) for label, after in pairwise(labels)), False]
        return {
            label
            for label, row, on in zip(labels, rows, goes_on, strict=True)
            if label != before and (len(row) > 1 or on)
        }

    def remembered(self, sight: Changes, but: Collection[Place]) -> dict[Place, PlaceTable]:
        """Places that are out of sight now, and showed something new in the last two looks that saw them."""
        found = {}
        for place in sight.keys() - set(but):
            row = (self._runs(place) or [[]])[-1]
            label = self._best[row[-1]][place] if row else sight[place]
            if len(row) > 1 and label != sight[place]:
                last = [self._looks[number].places[place] for number in row[-2:]]
                labels = {*last[0].logs, *last[1].logs}
                sums = {each: sum(seen.logs.get(each, seen.floor) for seen in last) for each in labels}
                cap, floor = self._rates.place_cap, sum(seen.floor for seen in last)
                logs = {each: max(cap, value - sums[label]) for each, value in sums.items()}
                found[place] = PlaceTable(logs, max(cap, floor - sums[label]), label)
        return found

    def order(self, steps: Steps, looks: int | None = None) -> float:
        """How badly the looks at the places of some happenings fit them in this order: 0 where nothing fits better.

        Each happening may have been at any time after the one before it: the best times are taken.

        Args:
            looks: how many of them, the oldest first; all by default.
        """
        best = [0.0] + [float("-inf")] * (len(steps.states) - 1)
        each = [
            [sum(column) for column in zip(*(self.losses(p, state[p])[:looks] for p in steps.places), strict=True)]
            for state in steps.states
        ]
        for fits in zip(*each, strict=True):
            reached = float("-inf")
            for number, fit in enumerate(fits):
                reached = max(reached, best[number])
                best[number] = reached + fit
        return max(best)

    def unexplained(self, place: Place, labels: Labels, looks: int = MOST_LOOKS, *, put_back: bool = True) -> float:
        """How badly the oldest looks fit a place that has shown one of these labels all the time.

        Args:
            looks: how many of them; all by default.
            put_back: whether a piece that was lifted, or held over the place, could be back by now.
        """
        losses, total = self.losses(place, labels), 0.0
        for run in self._runs(place):
            lost = sum(losses[number] for number in run if number < looks)
            total += max(lost, INCIDENT) if put_back and len(run) <= INCIDENT_LOOKS else lost
        return total

    def anyhow(self, place: Place, before: Labels, after: Label, looks: int) -> float:
        """How badly the oldest looks fit a place that changed at the best of times, or has not yet."""
        old, new = self.losses(place, before)[:looks], self.losses(place, (after,))[:looks]
        best = total = sum(new)
        for was, now in zip(old, new, strict=True):
            total += was - now
            best = max(best, total)
        return best

    def changed(self, place: Place, before: Labels, after: Label) -> int:
        """How many looks, the oldest first, still show what was there before, when it changed at the best of times."""
        old, new = self.losses(place, before), self.losses(place, (after,))
        fits = accumulate((was - now for was, now in zip(old, new, strict=True)), initial=0.0)
        return max(enumerate(fits), key=_second)[0]

    def losses(self, place: Place, labels: Labels) -> list[float]:
        """For every look, how much less likely it is where the place shows one of the labels than at best.

        What shows the same for long says little more each time: only the first and the last looks of a row count.
        """
        key = (place, labels)
        if key not in self._known:
            losses = [0.0] * len(self._looks)
            looks = list(self._looks)
            for run in self._runs(place):
                for number in (*run[:EDGE], *run[EDGE:][-EDGE:]):
                    seen = looks[number].places[place]
                    lost = max(seen.logs.get(label, seen.floor) for label in labels) - max(seen.logs.values())
                    losses[number] = lost if seen.floor <= self._rates.sure_floor else lost * SAME_DOUBT
            self._known[key] = losses
        return self._known[key]

    def _runs(self, place: Place) -> list[list[int]]:
        """The looks that saw a place, in rows that show the same there."""
        if place not in self._rows:
            rows: list[list[int]] = []
            before: Label | None = None
            for number, best in enumerate(self._best):
                label = best.get(place)
                if label is None:
                    continue
                if label != before:
                    rows.append([])
                rows[-1].append(number)
                before = label
            self._rows[place] = rows
        return self._rows[place]


def _second(pair: tuple[int, float]) -> float:
    return pair[1]


def _best_of(look: Look) -> dict[Place, Label]:
    """What each place that the look saw shows most likely."""
    places = look.places.items()
    return {Place(name): Label(max(seen.logs, key=seen.logs.__getitem__)) for name, seen in places if seen.logs}
