"""The knob's counter as the firmware keeps it (`firmware_bridge/firmware/knob.c`): both contacts, as they are, at every
change.

Chatter goes back and forth and ends where it should. Where both contacts changed at once, a step was lost: a knob in
motion goes on as it went, and one at rest may have started either way, which its next step tells.
"""

from __future__ import annotations

REST_S = 0.05
"""Without an edge for this long the knob rests: a hand that turns makes one every 5 to 40 ms."""


class KnobSteps:
    """Quarter steps since the start, clockwise positive.

    Attributes:
        quarters: the count.
        impossible: edges that skipped a step.
    """

    def __init__(self, a: int, b: int) -> None:
        self.quarters = 0
        self.impossible = 0
        self._phase = _phase(a, b)
        self._heading = 1
        self._doubt = False
        self._edge_s = float("-inf")

    def see(self, t_s: float, a: int, b: int) -> None:
        """Both contacts at `t_s`."""
        phase = _phase(a, b)
        turn = (phase - self._phase) % 4
        if turn == 0:
            return
        if turn == 2:
            self.impossible += 1
            self.quarters += 2 * self._heading
            self._doubt = t_s >= self._edge_s + REST_S
        else:
            heading = 1 if turn == 1 else -1
            if self._doubt and heading != self._heading:
                self.quarters += 4 * heading
            self._doubt = False
            self._heading = heading
            self.quarters += heading
        self._phase = phase
        self._edge_s = t_s


def _phase(a: int, b: int) -> int:
    """Contacts go 00, 10, 11, 01 clockwise (A first)."""
    return 3 - a if b else a
