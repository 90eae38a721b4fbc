"""The board's wires: beams at both ends of every channel, the knob's two contacts, a switch in every slot.

A line is named by what it senses ("entry1" to "entry4", "exit1" to "exit4", "knob_a", "knob_b", "slot2.3"); the
wiring says at which pin it ends. Levels are those that a pin would read: a beam stands at `beam_blocked_level` while
a marble is in it, a contact is 1 when closed, a slot's switch 1 when a marble lies on it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from firmware_bridge.wiring import Wiring
from hw_sim.faults import Faults
from hw_sim.timeline import Timeline

QUADRATURE = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Contacts (A, B) at each quarter step; clockwise runs to the right."""

CONTACTS = ("knob_a", "knob_b")
CHANNELS = (1, 2, 3, 4)
SLOTS = tuple((channel, slot) for channel in CHANNELS for slot in CHANNELS)


TABLE_WIRING = Wiring(
    knob_a="BCM17",
    knob_b="BCM18",
    entry=("BCM5", "BCM6", "BCM13", "BCM19"),
    exit=("BCM12", "BCM16", "BCM20", "BCM21"),
)
"""Pins of a simulated table where nothing else is asked for."""


def line_pins(wiring: Wiring) -> dict[str, str]:
    """Line to pin, for every line that ends at one (the slots' switches end in the firmware alone)."""
    knob = {line: pin for line, pin in (("knob_a", wiring.knob_a), ("knob_b", wiring.knob_b)) if pin is not None}
    return knob | {f"{'entry' if beam.entry else 'exit'}{beam.channel}": pin for pin, beam in wiring.beams.items()}


@dataclass(frozen=True, slots=True)
class Edge:
    """A line changed to `level` at `t_s`, as a pin would see it: a bouncing contact makes several."""

    t_s: float
    line: str
    level: int


class Wires:
    """The levels of all lines, and who listens to their changes.

    Attributes:
        levels: where every line stands once its chatter is over.
        raw: what a pin would read at this moment, chatter and all; it also knows of edges that nobody was told.
    """

    def __init__(self, timeline: Timeline, wiring: Wiring, faults: Faults, rng: random.Random) -> None:
        self.wiring = wiring
        self._timeline = timeline
        self._faults = faults
        self._rng = rng
        free = 1 - wiring.beam_blocked_level
        self.levels = {"knob_a": 0, "knob_b": 0}
        self.levels |= {f"{end}{channel}": free for end in ("entry", "exit") for channel in CHANNELS}
        self.levels |= {f"slot{channel}.{slot}": 0 for channel, slot in SLOTS}
        self.raw = dict(self.levels)
        self._unseen: set[str] = set()
        self._listeners: list[Callable[[Edge], None]] = []

    def listen(self, listener: Callable[[Edge], None]) -> None:
        """Call `listener` with every edge from now on, in time order."""
        self._listeners.append(listener)

    def beam(self, line: str, *, blocked: bool) -> None:
        """A marble comes into a beam or leaves it."""
        if blocked and self._rng.random() < self._faults.missed_beam:
            self._unseen.add(line)
        if line not in self._unseen:
            self._change(line, self.wiring.beam_blocked_level if blocked else 1 - self.wiring.beam_blocked_level)
        if not blocked:
            self._unseen.discard(line)

    def knob(self, quarter: int) -> None:
        """The knob comes to this quarter step, counted clockwise from `*`."""
        for line, level in zip(CONTACTS, QUADRATURE[quarter % 4], strict=True):
            if level != self.levels[line] and self._rng.random() < self._faults.lost_knob_edge:
                self.levels[line] = self.raw[line] = level
            self._change(line, level)

    def slot(self, channel: int, slot: int, *, occupied: bool) -> None:
        self._change(f"slot{channel}.{slot}", int(occupied))

    def _change(self, line: str, level: int) -> None:
        if self.levels[line] == level:
            return
        self.levels[line] = level
        self._tell(line, level)
        if self._faults.bounce_ms:
            self._bounce(line)

    def _bounce(self, line: str) -> None:
        """Plan when a contact that just changed leaves its level again and comes back, up to three times."""
        longest_s = self._faults.bounce_ms / 1000
        waits_s = sorted(self._rng.uniform(0.01, 1.0) * longest_s for _ in range(2 * self._rng.randint(0, 3)))
        for index, wait_s in enumerate(waits_s):
            self._timeline.after(wait_s, partial(self._chatter, line, 1 - index % 2))

    def _chatter(self, line: str, opposite: int) -> None:
        self._tell(line, self.levels[line] ^ opposite)

    def _tell(self, line: str, level: int) -> None:
        self.raw[line] = level
        edge = Edge(self._timeline.now_s, line, level)
        for listener in self._listeners:
            listener(edge)
