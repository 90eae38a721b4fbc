"""The looks at the board since it was last disturbed, combined into one table of log likelihoods.

Looks close in time share their noise, so a place's weight grows with the time that was looked, not with the number of
frames; one place has a cap, so that a seat that is misread all the time cannot outvote what hands can do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import exp, fsum, log
from typing import Protocol

from companion.evidence import Sight
from companion.games.game import Label, Place
from companion.reconciler.rates import Rates, Times
from vision.reading import PlaceReading

MOST_INDEPENDENT = 4.0
"""What a row of looks is worth at most: glare and shadows stay."""


@dataclass(frozen=True, slots=True)
class PlaceLogs:
    """One look at one place: log likelihood by label; labels that are not named have `floor`."""

    logs: Mapping[str, float]
    floor: float


@dataclass(frozen=True, slots=True)
class Look:
    """A look in logarithms; places that say nothing are not in it."""

    t_s: float
    places: Mapping[str, PlaceLogs]
    clear: bool
    """Every place is sure and nothing is near the board."""
    foreign: bool
    covered: frozenset[str]
    blind: frozenset[str]
    """Places that this camera never sees."""
    well: Mapping[str, int] | None

    @classmethod
    def of(cls, sight: Sight, rates: Rates) -> Look:
        reading = sight.reading
        logs = {name: _place_logs(place, rates) for name, place in reading.places.items()}
        blind = frozenset(reading.blind)
        covered = frozenset(name for name, place in reading.places.items() if place.covered) - blind
        return cls(
            t_s=sight.t_s,
            places={name: place for name, place in logs.items() if place is not None},
            clear=not (reading.foreign or covered or reading.unsure),
            foreign=reading.foreign or bool(covered),
            covered=covered,
            blind=blind,
            well=None if reading.foreign else reading.well,
        )


def _place_logs(place: PlaceReading, rates: Rates) -> PlaceLogs | None:
    if place.covered or not place.likelihoods:
        return None
    floor = rates.sure_floor if place.sure else rates.unsure_floor
    least = exp(floor)
    return PlaceLogs({label: log(max(value, least)) for label, value in place.likelihoods.items()}, floor)


@dataclass(slots=True)
class PlaceTally:
    """Sums over the looks at one place."""

    count: int = 0
    floors: float = 0.0
    sums: dict[str, float] | None = None

    def add(self, look: PlaceLogs, sign: int = 1) -> None:
        sums = self.sums
        if not sums and not self.floors and sign > 0:
            self.sums = dict(look.logs)
        elif sums is not None and sums.keys() == look.logs.keys():
            for label, value in look.logs.items():
                sums[label] += sign * value
        else:
            self.sums = sums = sums or {}
            for label in sums.keys() | look.logs.keys():
                sums[label] = sums.get(label, self.floors) + sign * look.logs.get(label, look.floor)
        self.count += sign
        self.floors += sign * look.floor


class LookWindow:
    """A row of looks without a disturbance between them.

    Args:
        lone_worth: how many independent looks a single clear one is worth. In a recording of a few pictures a turn it
            was taken because the table had come to rest, and says as much as the two that others take for it.
    """

    def __init__(self, rates: Rates, times: Times, lone_worth: float = 1.0) -> None:
        self._rates = rates
        self._times = times
        self._lone_worth = lone_worth
        self._looks: deque[Look] = deque()
        self._tallies: dict[str, PlaceTally] = {}
        self._table: Table | None = None

    def __len__(self) -> int:
        return len(self._looks)

    def __iter__(self) -> Iterator[Look]:
        return iter(self._looks)

    @property
    def last(self) -> Look | None:
        return self._looks[-1] if self._looks else None

    @property
    def span_s(self) -> float:
        return self._looks[-1].t_s - self._looks[0].t_s if self._looks else 0.0

    @property
    def independent(self) -> float:
        """How many independent looks these are worth."""
        if not self._looks:
            return 0.0
        if len(self._looks) == 1 and self._looks[0].clear:
            return self._lone_worth
        return min(float(len(self._looks)), 1.0 + self.span_s / self._times.independent_s, MOST_INDEPENDENT)

    def add(self, look: Look) -> None:
        self._table = None
        self._looks.append(look)
        for name, place in look.places.items():
            self._tallies.setdefault(name, PlaceTally()).add(place)
        while self.span_s > self._times.window_s:
            self._drop()

    def clear(self) -> None:
        self._table = None
        self._looks.clear()
        self._tallies.clear()

    def start_at(self, t_s: float) -> None:
        """Forget the looks before `t_s`."""
        while self._looks and self._looks[0].t_s < t_s:
            self._drop()

    def tail(self) -> LookWindow:
        """The newest looks: the last two, or all of the last moment."""
        tail = LookWindow(self._rates, self._times, self._lone_worth)
        looks = list(self._looks)
        since_s = looks[-1].t_s - self._times.tail_s if looks else 0.0
        for look in [*looks[:-2][-8:], *looks[-2:]]:
            if look.t_s >= since_s or look in looks[-2:]:
                tail.add(look)
        return tail

    def table(self) -> Table:
        """What all looks together say of every place; the same object until the looks are others."""
        if self._table is None:
            worth = self.independent
            cap = self._rates.place_cap
            self._table = {
                Place(name): _combined(tally, worth, len(self._looks), cap)
                for name, tally in self._tallies.items()
                if tally.count
            }
        return self._table

    def _drop(self) -> None:
        self._table = None
        look = self._looks.popleft()
        for name, place in look.places.items():
            self._tallies[name].add(place, -1)
            if not self._tallies[name].count:
                del self._tallies[name]


@dataclass(frozen=True, slots=True)
class PlaceTable:
    """Log likelihoods of the labels at one place, the best one 0."""

    logs: Mapping[str, float]
    floor: float
    best: str

    def of(self, label: Label) -> float:
        return self.logs.get(label, self.floor)


Table = Mapping[Place, PlaceTable]


def _combined(tally: PlaceTally, worth: float, looks: int, cap: float) -> PlaceTable:
    sums = tally.sums or {}
    scale = worth / looks  # a place that was covered in some looks says as much less
    best = max(sums, key=sums.__getitem__)
    top = sums[best]
    logs = {label: max(cap, (value - top) * scale) for label, value in sums.items()}
    return PlaceTable(logs, max(cap, (tally.floors - top) * scale), best)


class Before(Protocol):
    """What was believed before: the sight, and pieces that must leave the board and may still show."""

    @property
    def sight(self) -> Mapping[Place, Label]: ...
    @property
    def lying(self) -> Mapping[Place, Label]: ...


@dataclass(frozen=True, slots=True)
class AsItLay:
    """A board as it was before, with nothing to be taken off."""

    sight: Mapping[Place, Label]
    lying: Mapping[Place, Label] = field(default_factory=dict)


class Changed(Protocol):
    """What is supposed to have happened since."""

    @property
    def changes(self) -> Mapping[Place, Label]: ...
    @property
    def lying(self) -> Mapping[Place, Label]: ...


def fit(table: Table, before: Before) -> float:
    """Log likelihood of a whole sight."""
    return sum(
        _at(place, before.sight[name], before.lying.get(name)) for name, place in table.items() if name in before.sight
    )


def change(table: Table, before: Before, supposed: Changed) -> float:
    """How much better the looks fit with these changes: only the places that differ are looked at.

    The same to the last bit in whatever order they come, so that the same looks always lead to the same belief.
    """
    differ = supposed.changes.keys() | supposed.lying.keys() if supposed.lying else supposed.changes
    return fsum(
        fit_at(table[name], name, before, supposed) - _at(table[name], before.sight[name], before.lying.get(name))
        for name in differ
        if name in table
    )


def fit_at(place: PlaceTable, name: Place, before: Before, supposed: Changed) -> float:
    """Log likelihood of what a place shows after what is supposed to have happened; 0 where it fits best."""
    label = supposed.changes.get(name)
    if label is None:
        lying = supposed.lying.get(name) or before.lying.get(name)
        return _at(place, before.sight[name], lying)
    return _at(place, label, supposed.lying.get(name))


def _at(place: PlaceTable, label: Label, lying: Label | None) -> float:
    fits = place.of(label)
    return fits if lying is None else max(fits, place.of(lying))
