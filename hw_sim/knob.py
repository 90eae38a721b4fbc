"""The scoring knob: a hand turns it past its detents, it overshoots, and the detent pulls it in."""

from __future__ import annotations

import random
from collections.abc import Iterator

from hw_sim.motion import Track

DETENT_DEG = 36.0
STOPS = 10
REST_SPREAD_DEG = 3.0
"""How far from its stop the knob may rest (the play of a detent)."""


def stop_of(detents: int) -> int:
    """The stop (-4 to 5, 5 is infinity) at which so many detents clockwise from `*` come out."""
    return (detents + 4) % STOPS - 4


class SimKnob:
    """The knob's angle over time, clockwise positive from `*`, without wrap."""

    def __init__(self, edges_per_detent: int, rng: random.Random) -> None:
        self._quarter_deg = DETENT_DEG / edges_per_detent
        self._rng = rng
        self.detents = 0
        self.track = Track((0.0, (self._rest_deg(0), 0.0, 0.0)))

    def angle_deg(self, t_s: float) -> float:
        return self.track.at(t_s)[0]

    def turning(self, t_s: float) -> bool:
        return t_s < self.track.end_s

    def detents_to(self, stop: int) -> int:
        """The detents at `stop`, the shorter way round (where both are as long, counter-clockwise)."""
        return self.detents + (stop - stop_of(self.detents) + 5) % STOPS - 5

    def turn(self, t_s: float, detents: int) -> Iterator[tuple[float, int]]:
        """Turn to `detents` from `t_s` on, as fast as a person does (0.1 to 0.3 s a detent).

        Returns:
            (seconds, quarter step) of every quarter step that the knob comes to, in time order.
        """
        keys = [(t_s, self.angle_deg(t_s))]
        sign = 1 if detents > self.detents else -1
        for detent in range(self.detents + sign, detents + sign, sign):
            # The hand stops a little before or behind the last detent; in between it passes the detents.
            miss_deg = self._rng.uniform(-3.0, 8.0) if detent == detents else 0.0
            t_s += self._rng.uniform(0.1, 0.3)
            keys.append((t_s, detent * DETENT_DEG + sign * miss_deg))
        keys.append((t_s + self._rng.uniform(0.04, 0.1), self._rest_deg(detents)))
        self.detents = detents
        self.track = Track(*((t, (deg, 0.0, 0.0)) for t, deg in keys))
        return iter(sorted(self._quarters([deg for _, deg in keys])))

    def _quarters(self, angles: list[float]) -> Iterator[tuple[float, int]]:
        first, last = (int(angle // self._quarter_deg) for angle in (min(angles), max(angles)))
        for quarter in range(first, last + 2):
            for t_s, sign in self.track.crossings((quarter - 0.5) * self._quarter_deg):
                yield t_s, quarter if sign > 0 else quarter - 1

    def _rest_deg(self, detents: int) -> float:
        spread = max(-1.0, min(1.0, self._rng.gauss(0.0, 0.4)))
        return detents * DETENT_DEG + REST_SPREAD_DEG * spread
