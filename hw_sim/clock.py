"""Clocks that are callables giving seconds: one that a test moves, and one that lets simulated time pass for real."""

from __future__ import annotations

import time
from collections.abc import Callable


class ManualClock:
    """Time that passes only when it is told to.

    >>> clock = ManualClock()
    >>> clock.advance(1.5)
    >>> clock()
    1.5
    """

    def __init__(self, start_s: float = 0.0) -> None:
        self._now_s = start_s

    def __call__(self) -> float:
        return self._now_s

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass.

        Raises:
            ValueError: if time would run backwards.
        """
        if seconds < 0:
            raise ValueError(f"a clock cannot run backwards by {-seconds} s")
        self._now_s += seconds

    def advance_to(self, t_s: float) -> None:
        """Let time pass until `t_s`; a moment that is past already leaves the clock as it is."""
        self._now_s = max(self._now_s, t_s)


class PacedClock:
    """Simulated seconds since the clock was made, `speed` of them in a real second.

    Args:
        speed: 1 is real time; 10 plays ten times as fast.
        monotonic, sleep: the real clock; given by tests of the pacing itself.
    """

    def __init__(
        self,
        speed: float = 1.0,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if speed <= 0:
            raise ValueError(f"the speed must be above 0, not {speed}")
        self.speed = speed
        self._monotonic = monotonic
        self._sleep = sleep
        self._started_s = monotonic()

    def __call__(self) -> float:
        return (self._monotonic() - self._started_s) * self.speed

    def wait_until(self, t_s: float) -> None:
        """Sleep until the simulated moment `t_s`; at once where it is past."""
        left_s = (t_s - self()) / self.speed
        if left_s > 0:
            self._sleep(left_s)
