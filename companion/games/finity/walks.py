"""Legal walks: which stations they reach, how long they get, and whether one is a full path.

A walk is searched step by step. After each step the search knows, for every station a walk may go on from, which
ring counts may be left: passing a station through uses up one of the own rings there, for this walk alone. Walks that
meet with the same rings left are one from there on, so crossing bridges many times costs nothing (a board on which
two stations are joined both ways has two stations to think of, however long the pattern).

What a player reaches depends only on the bridges that lead away from the own post and rings. `Walks.reach` remembers
its answers by these, which makes most moves cost one search or none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from companion.games.finity.layout import Layout
from companion.games.finity.pieces import COLOURS, Bridges, Kind, Slot, SlotSet, Station, StationSet, bit_of

REMEMBERED = 1 << 12
"""Searches that are remembered, each of half a kilobyte: more than twice what a long game asks for. A longer memory
would grow over the games of many evenings and answer hardly more often."""


class Reach(NamedTuple):
    """What a player's walks come to: the stations on them, the most crossings, and whether one is a full path."""

    stations: StationSet
    longest: int
    full: bool


@dataclass(frozen=True, slots=True)
class Walk:
    """One walk: stations from the post on, and the slots of the bridges between them."""

    stations: tuple[Station, ...]
    slots: tuple[Slot, ...]


class Walks:
    """Searches walks on a layout under a pattern of `b` and `w`."""

    def __init__(self, layout: Layout, pattern: str) -> None:
        self._layout = layout
        self._colours = tuple(COLOURS.index(letter) for letter in pattern)
        self._search = lru_cache(maxsize=REMEMBERED)(self._searched)
        self._leaving = lru_cache(maxsize=REMEMBERED)(self._slots_leaving)

    def reach(self, bridges: Bridges, post: Station, counts: int) -> Reach:
        """Search all walks of a player.

        Args:
            post: the player's post's station.
            counts: the player's rings, two bits a station.
        """
        forward, back = self._leaving(post, (counts | counts >> 1) & self._layout.all_stations)
        b0, b1, w0, w1 = bridges
        return self._search(b0 & forward, b1 & back, w0 & forward, w1 & back, post, counts)

    def _slots_leaving(self, post: Station, ringed: StationSet) -> tuple[SlotSet, SlotSet]:
        """The slots through which forward and turned bridges leave the post and the stations with rings."""
        slots = [0, 0]
        for station, ways in enumerate(self._layout.ways):
            if station == post or ringed & bit_of(Station(station)):
                for way in ways:
                    slots[way.turned] |= way.slots
        return slots[0], slots[1]

    def _searched(self, b0: SlotSet, b1: SlotSet, w0: SlotSet, w1: SlotSet, post: Station, counts: int) -> Reach:
        ways, centre = self._layout.ways, self._layout.centre
        bridges = ((b0, b1), (w0, w1))
        last = len(self._colours)
        reached = bit_of(post)
        crossings = 0
        level: dict[Station, set[int]] = {post: {counts}}
        for step, colour in enumerate(self._colours, 1):
            lying = bridges[colour]
            landed = 0
            following: dict[Station, set[int]] = {}
            for station, lefts in level.items():
                for target, bit, slots, turned in ways[station]:
                    if not lying[turned] & slots or (target == centre and step < last):
                        continue
                    landed |= bit
                    seat = 3 * bit
                    if counts & seat and step < last:
                        on = {left - bit for left in lefts if left & seat}
                        if on:
                            known = following.get(target)
                            if known is None:
                                following[target] = on
                            else:
                                known |= on
            if not landed:
                break
            crossings = step
            reached |= landed
            level = following
        return Reach(reached, crossings, bool(reached & bit_of(centre)))

    # Walks themselves, for people

    def walk_to(self, bridges: Bridges, post: Station, counts: int, target: Station) -> Walk | None:
        """The shortest walk to a station, the first in the board's order; None where there is none."""
        if target == post:
            return Walk((post,), ())
        steps = _Steps(self._layout, self._colours, bridges, post, counts)
        for step in steps.forward():
            for arrival in step:
                if arrival.target == target:
                    return steps.walk(arrival)
        return None

    def longest(self, bridges: Bridges, post: Station, counts: int) -> Walk:
        """The walk of most crossings; of several the one of most stations, then the first in the board's order."""
        steps = _Steps(self._layout, self._colours, bridges, post, counts)
        last: list[_Arrival] = []
        for step in steps.forward():
            last = step
        return max(map(steps.walk, last), key=_distinct, default=Walk((post,), ()))

    def full_path(self, bridges: Bridges, post: Station, counts: int) -> Walk | None:
        """The full path that passes most stations, the first in the board's order; None where there is none."""
        steps = _Steps(self._layout, self._colours, bridges, post, counts)
        last: list[_Arrival] = []
        for step in steps.forward():
            last = step
        ends = [arrival for arrival in last if arrival.target == self._layout.centre]
        return max(map(steps.walk, ends), key=_distinct, default=None)


def _distinct(walk: Walk) -> int:
    return len(set(walk.stations))


class _Arrival(NamedTuple):
    """A step that a walk can take: from a state (index into the step's states) over a slot to a station."""

    step: int
    origin: int
    slot: Slot
    target: Station


class _Steps:
    """All states of all walks, kept, so that walks can be traced back. Slower than `Walks.reach`, and rarely asked."""

    def __init__(self, layout: Layout, colours: tuple[int, ...], bridges: Bridges, post: Station, counts: int) -> None:
        self._layout = layout
        self._colours = colours
        self._bridges = bridges
        self._states: list[list[tuple[Station, int]]] = [[(post, counts)]]
        self._origins: list[list[_Arrival | None]] = [[None]]

    def forward(self) -> Iterator[list[_Arrival]]:
        """Each step's arrivals, while there are any."""
        for step, colour in enumerate(self._colours):
            arrivals = list(self._arrivals(step, colour))
            if not arrivals:
                return
            yield arrivals
            self._go_on(step, arrivals)

    def _arrivals(self, step: int, colour: int) -> Iterator[_Arrival]:
        last = step == len(self._colours) - 1
        for origin, (station, _) in enumerate(self._states[step]):
            for way in self._layout.ways[station]:
                lying = self._bridges[2 * colour + way.turned] & way.slots
                if lying and (last or way.target != self._layout.centre):
                    yield _Arrival(step, origin, Slot(lying.bit_length() - 1), way.target)

    def _go_on(self, step: int, arrivals: list[_Arrival]) -> None:
        found: dict[tuple[Station, int], _Arrival] = {}
        for arrival in arrivals:
            left = self._states[step][arrival.origin][1]
            bit = bit_of(arrival.target)
            if left & 3 * bit:
                found.setdefault((arrival.target, left - bit), arrival)
        self._states.append(list(found))
        self._origins.append(list(found.values()))

    def walk(self, arrival: _Arrival) -> Walk:
        stations, slots = [arrival.target], []
        back: _Arrival | None = arrival
        while back is not None:
            station, _ = self._states[back.step][back.origin]
            stations.append(station)
            slots.append(back.slot)
            back = self._origins[back.step][back.origin]
        return Walk(tuple(stations[::-1]), tuple(slots[::-1]))


def kind_at(bridges: Bridges, slot: Slot) -> Kind | None:
    """The bridge in a slot, None where there is none."""
    for kind, slots in enumerate(bridges):
        if slots >> slot & 1:
            return Kind(kind)
    return None
