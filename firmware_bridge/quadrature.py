"""Two contacts of a knob read into quarter steps, with edges that were lost on the way.

Contact pairs (A, B) go 00, 10, 11, 01, 00 clockwise: phase 0 to 3. One edge can be arrived at from two sides only,
turning clockwise or back; where the knob would have to skip steps for it, edges were lost, and the reading that needs
the fewest unlikely things wins. Both readings are kept until the next edges tell which was right, so that an edge lost
at a reversal or at the end of a turn does no harm either. The costs are minus the logarithms of how likely each is.
"""

from __future__ import annotations

from enum import IntEnum

LOST = 4.6
"""One edge in a hundred never arrives."""

REVERSED = 3.0
"""One edge in twenty is the first after a change of direction in the middle of a turn: less than a lost edge, so that
wobble around a detent is read as wobble."""

REPEATED = LOST + REVERSED
"""A level told twice with nothing between: a glitch whose way back was lost."""

HELD = {1: 0.0, 2: 6.0, 4: 1.5}
"""At rest off a detent, by edges per detent. Fingers can hold a fine knob between detents, also one that was turned
back there (together less than a lost edge); where one edge is half the way to the next detent, the spring hardly lets
it stay."""

_BEAM = 3 * LOST
"""Readings that are this much less likely than the best are given up."""

_PHASE = {(0, 0): 0, (1, 0): 1, (1, 1): 2, (0, 1): 3}

_ARRIVALS = {(0, 1): (1, 2), (1, 1): (2, 3), (0, 0): (3, 0), (1, 0): (0, 1)}
"""(contact, level) to the phase after that edge: turning clockwise, turning back."""


class Contact(IntEnum):
    A = 0
    B = 1


class Quadrature:
    """Quarter steps since the start, clockwise positive. The knob starts on a detent.

    Attributes:
        edges: edges and pairs taken.
        impossible: of these, how many could only be explained by edges lost before them.
    """

    def __init__(self, a: int, b: int, edges_per_detent: int = 4) -> None:
        if edges_per_detent not in HELD:
            raise ValueError(f"a knob has 1, 2 or 4 edges a detent, not {edges_per_detent}")
        self.edges_per_detent = edges_per_detent
        self.edges = 0
        self.impossible = 0
        self._start = _PHASE[a, b]
        # (quarter steps, direction of the last step: 1, -1, or 0 at rest) -> cost of the likeliest way there
        self._ways: dict[tuple[int, int], float] = {(0, 0): 0.0}
        self._best = 0

    @property
    def quarters(self) -> int:
        """The likeliest place, in quarter steps from the start."""
        return self._best

    def edge(self, contact: Contact, level: int) -> int:
        """One contact changed to `level`; the other is as it was last told. Answers `quarters`."""
        clockwise, back = _ARRIVALS[contact, level]
        return self._arrive(clockwise, back, here={clockwise, (clockwise + 1) % 4}, stay_cost=REPEATED)

    def pair(self, a: int, b: int) -> int:
        """Both contacts were read together. Answers `quarters`."""
        phase = _PHASE[a, b]
        return self._arrive(phase, phase, here={phase}, stay_cost=0.0)

    def rest(self) -> int:
        """The knob has come to rest: it stands on a detent, unless fingers hold it between two."""
        edges = self.edges_per_detent
        ways: dict[tuple[int, int], float] = {}
        for (place, heading), cost in self._ways.items():
            off = place % edges
            if off == 0:
                _keep(ways, (place, 0), cost)
                continue
            _keep(ways, (place, 0), cost + HELD[edges])
            _keep(ways, (place - off, 0), cost + off * LOST + _turn(heading, -1))
            _keep(ways, (place - off + edges, 0), cost + (edges - off) * LOST + _turn(heading, 1))
        return self._choose(ways)

    def _arrive(self, clockwise: int, back: int, here: set[int], stay_cost: float) -> int:
        self.edges += 1
        before = min(self._ways.values())
        ways: dict[tuple[int, int], float] = {}
        for (place, heading), cost in self._ways.items():
            phase = (self._start + place) % 4
            if phase in here:
                _keep(ways, (place, heading), cost + stay_cost)
            for direction, target in ((1, clockwise), (-1, back)):
                steps = (direction * (target - phase) - 1) % 4 + 1
                _keep(
                    ways, (place + direction * steps, direction), cost + (steps - 1) * LOST + _turn(heading, direction)
                )
        if min(ways.values()) - before >= LOST:
            self.impossible += 1
        return self._choose(ways)

    def _choose(self, ways: dict[tuple[int, int], float]) -> int:
        least = min(ways.values())
        self._ways = {way: cost - least for way, cost in ways.items() if cost - least <= _BEAM}
        # between equals the place nearest to the one told before: no jump without a reason
        self._best = min(self._ways, key=lambda way: (self._ways[way], abs(way[0] - self._best), way))[0]
        return self._best


def _turn(heading: int, direction: int) -> float:
    return REVERSED if heading == -direction else 0.0


def _keep(ways: dict[tuple[int, int], float], way: tuple[int, int], cost: float) -> None:
    if cost < ways.get(way, float("inf")):
        ways[way] = cost
