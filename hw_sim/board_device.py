"""The board as a USB device at a simulated table: wires to firmware to a bad line, with resets, silence and unplugging.

Bytes and plugging are told to listeners on the table's timeline; `hw_sim.serial_port` puts them behind a real port.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from functools import partial

from hw_sim.faults import stream
from hw_sim.firmware import SimFirmware
from hw_sim.serial_line import SerialLine
from hw_sim.table import SimTable
from hw_sim.timeline import Act
from hw_sim.wires import Edge

COMMAND_S = 0.002
"""How long a command is on its way."""


class SimBoard:
    """A board plugged into the host from the start.

    Args:
        table: whose wires it feels and in whose time it lives.
        on_bytes: gets what arrives at the host.
        on_plugged: gets whether the cable is in, when that changes.
        occupancy: whether switches are fitted in the slots.
    """

    def __init__(
        self,
        table: SimTable,
        on_bytes: Callable[[bytes], None],
        on_plugged: Callable[[bool], None] = lambda plugged: None,
        *,
        occupancy: bool = False,
    ) -> None:
        self._table = table
        self._on_bytes = on_bytes
        self._on_plugged = on_plugged
        rng = stream(table.seed, "serial")
        self.firmware = SimFirmware(table.wires.wiring, rng, occupancy=occupancy)
        self.plugged = True
        self._silent_until_s = 0.0
        self._line = SerialLine(table.faults, rng)
        self._arriving: deque[tuple[float, bytes]] = deque()
        self._ticking_for_s = float("inf")
        self.reset()
        table.listen(self._edge)
        self._start_faults(rng)

    def write(self, data: bytes) -> None:
        """The host sends bytes."""
        self._table.timeline.after(COMMAND_S, partial(self._command, data))

    def reset(self) -> None:
        """The chip starts anew: another boot id, all counters at 0."""
        self.firmware.boot(self._table.now_s, self._table.wires.raw)
        self._send(self.firmware.tick(self._table.now_s))

    def unplug(self) -> None:
        """Pull the cable: nothing arrives any more, and what was on its way is lost."""
        if self.plugged:
            self.plugged = False
            self._arriving.clear()
            self._on_plugged(False)

    def plug(self) -> None:
        """Put the cable in again: the board starts anew."""
        if not self.plugged:
            self.plugged = True
            self._on_plugged(True)
            self.reset()

    def silence(self, seconds: float) -> None:
        """The firmware hangs: it says nothing for a while."""
        self._silent_until_s = self._table.now_s + seconds

    def _edge(self, edge: Edge) -> None:
        if self.plugged:
            raw = self._table.wires.raw
            self._send(self.firmware.edge(edge, (raw["knob_a"], raw["knob_b"])))

    def _command(self, data: bytes) -> None:
        if self.plugged:
            self._send(self.firmware.receive_bytes(self._table.now_s, data))

    def _tick(self, due_s: float) -> None:
        if due_s != self._ticking_for_s:
            return  # something that was due earlier came in between, and planned the next look itself
        self._ticking_for_s = float("inf")
        if self.plugged:
            self._send(self.firmware.tick(self._table.now_s))

    def _send(self, data: bytes) -> None:
        now_s = self._table.now_s
        if now_s >= self._silent_until_s:
            for chunk in self._line.carry(data):
                self._arrive_at(now_s + chunk.after_s, chunk.data)
        due_s = max(self.firmware.due_s, now_s)
        if due_s < self._ticking_for_s:
            self._ticking_for_s = due_s
            self._table.timeline.at(due_s, partial(self._tick, due_s))

    def _arrive_at(self, t_s: float, data: bytes) -> None:
        """Bytes keep their order: nothing overtakes bytes that trickle."""
        if self._arriving:
            t_s = max(t_s, self._arriving[-1][0])
        self._arriving.append((t_s, data))
        if t_s <= self._table.now_s:
            self._arrive()
        else:
            self._table.timeline.at(t_s, self._arrive)

    def _arrive(self) -> None:
        while self._arriving and self._arriving[0][0] <= self._table.now_s:
            self._on_bytes(self._arriving.popleft()[1])

    def _start_faults(self, rng: random.Random) -> None:
        faults = self._table.faults
        for rate, act in (
            (faults.reset_rate, self._reset_by_itself),
            (faults.silence_rate, self._hang),
            (faults.unplug_rate, self._lose_cable),
        ):
            if rate:
                self._table.start(now_and_then(rate, act, rng))

    def _reset_by_itself(self, rng: random.Random) -> Act[None]:
        if self.plugged:
            self.reset()
        yield 0.0

    def _hang(self, rng: random.Random) -> Act[None]:
        self.silence(rng.uniform(1.2, 4.0))
        yield 4.0

    def _lose_cable(self, rng: random.Random) -> Act[None]:
        self.unplug()
        yield rng.uniform(1.0, 5.0)
        self.plug()


def now_and_then(rate: float, act: Callable[[random.Random], Act[None]], rng: random.Random) -> Act[None]:
    """Something that happens `rate` times a minute, by chance."""
    while True:
        yield rng.expovariate(rate / 60.0)
        yield from act(rng)
