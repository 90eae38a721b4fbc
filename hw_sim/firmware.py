"""The board's microcontroller: levels of the wires in, bytes of the wire protocol out. It owns no port and no clock.

A model of `firmware_bridge/firmware`, for games that are computed; `hw_sim.chip` runs that firmware itself, and tests
hold the two together.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TypeGuard

from firmware_bridge.beams import BEAMS, Passages
from firmware_bridge.link import Link, Received
from firmware_bridge.protocol import (
    END,
    Ack,
    Capability,
    Frame,
    FrameType,
    GetHello,
    Hello,
    Identify,
    Nack,
    NackReason,
    SetReporting,
    SetZero,
    State,
    UnknownFrame,
    type_of,
)
from firmware_bridge.wiring import Wiring
from hw_sim.knob_steps import KnobSteps
from hw_sim.wires import CONTACTS, SLOTS, Edge

LINES = tuple(f"{'entry' if beam.entry else 'exit'}{beam.channel}" for beam in BEAMS)
CHANGE_S = 0.005
"""A STATE follows the one before after this long at the earliest."""
SLOTS_S = 0.02
"""A slot's switch counts when it has stayed as it is for this long."""
REPORT_MS = (50, 1000)
"""What SET_REPORTING may ask for."""
CAPABILITIES = Capability.KNOB | Capability.ENTRY_BEAMS | Capability.EXIT_BEAMS | Capability.IDENTIFY


class SimFirmware:
    """Twin of the board's firmware.

    Args:
        wiring: which level is a blocked beam, and how many edges the knob has.
        rng: gives the boot ids.
        occupancy: whether switches are fitted in the slots.
        serial_number: what HELLO says of the board.
    """

    def __init__(
        self, wiring: Wiring, rng: random.Random, *, occupancy: bool = False, serial_number: str = "SIM0001"
    ) -> None:
        self._wiring = wiring
        self._rng = rng
        self._occupancy = occupancy
        self._serial_number = serial_number
        self._levels: dict[str, int] = {}
        self._link = Link()
        self.boot_id = 0
        self.boot(0.0, {})

    def boot(self, t_s: float, levels: Mapping[str, int]) -> None:
        """Start anew at `t_s`: all counters at 0, another boot id, the lines as they are."""
        free = 1 - self._wiring.beam_blocked_level
        self._levels = dict.fromkeys(LINES, free) | {"knob_a": 0, "knob_b": 0} | dict(levels)
        # never the same twice in a row, as on a board that counts its starts
        self.boot_id = (self.boot_id + self._rng.randint(1, 65535)) % 65536
        self.lamp_until_s = t_s
        self._booted_s = t_s
        self._link = Link()
        self._report_s = 0.25
        self._reported_s = t_s
        self._zero = 0
        self._zeroings = 0
        self._knob = KnobSteps(self._levels["knob_a"], self._levels["knob_b"])
        self._lying = 0
        self._slots_due_s: float | None = t_s + SLOTS_S
        self._beams = [Passages(broken=int(self._blocked(line))) for line in LINES]
        self._passages = [0] * len(LINES)
        self._told: State | None = None
        self._news = False
        self._first = END  # so that a boot loader's chatter is a block of its own
        self._link.send(self._hello())

    @property
    def due_s(self) -> float:
        """When `tick` has something to do next, if no edge comes before."""
        waits = [self._reported_s + (CHANGE_S if self._news else self._report_s)]
        waits += [beam.due_s for beam in self._beams if beam.due_s is not None]
        if self._slots_due_s is not None:
            waits.append(self._slots_due_s)
        return min(waits)

    def edge(self, edge: Edge, contacts: tuple[int, int] | None = None) -> bytes:
        """A line changes; what the firmware sends at once.

        Args:
            contacts: the knob's two, as they are now; None where each change of theirs is an edge.
        """
        self._settle(edge.t_s)
        self._levels[edge.line] = edge.level
        if edge.line in LINES:
            index = LINES.index(edge.line)
            self._passages[index] += len(self._beams[index].feed(edge.t_s, int(self._blocked(edge.line))))
        elif edge.line in CONTACTS:
            self._knob.see(edge.t_s, *(contacts or (self._levels["knob_a"], self._levels["knob_b"])))
        else:
            self._slots_due_s = edge.t_s + SLOTS_S
        return self._report(edge.t_s)

    def tick(self, t_s: float) -> bytes:
        """Time has passed; what the firmware sends."""
        self._settle(t_s)
        return self._report(t_s)

    def receive_bytes(self, t_s: float, data: bytes) -> bytes:
        """Commands come in, cut anywhere; the answers."""
        for item in self._link.receive_bytes(data):
            if isinstance(item, GetHello):
                self._link.send(self._hello())
                self._told = None
            elif isinstance(item, SetZero | SetReporting | Identify) or _is_unknown_command(item):
                self._link.send(self._obey(t_s, item))
        return self._report(t_s)

    def _obey(self, t_s: float, command: SetZero | SetReporting | Identify | UnknownFrame) -> Frame:
        kind, seq = int(type_of(command)), command.seq
        match command:
            case SetZero():
                self._zero = self._knob.quarters
                self._zeroings += 1
            case SetReporting(report_ms=asked_ms) if REPORT_MS[0] <= asked_ms <= REPORT_MS[1]:
                self._report_s = asked_ms / 1000
            case SetReporting():
                return Nack(kind, seq, NackReason.BAD_VALUE)
            case Identify():
                self.lamp_until_s = t_s + command.seconds
            case UnknownFrame():
                return Nack(kind, seq, NackReason.UNKNOWN_COMMAND)
        return Ack(kind, seq)

    def _settle(self, t_s: float) -> None:
        """Everything that time alone decides, up to `t_s`."""
        for index, beam in enumerate(self._beams):
            self._passages[index] += len(beam.tick(t_s))
        if self._slots_due_s is not None and t_s >= self._slots_due_s:
            self._slots_due_s = None
            self._lying = sum(1 << i for i, (c, s) in enumerate(SLOTS) if self._levels.get(f"slot{c}.{s}"))

    def _report(self, t_s: float) -> bytes:
        """STATE when something changed, or when it is due; and whatever else is queued."""
        state = self._state(t_s)
        self._news = self._told is not None and _senses(state) != _senses(self._told)
        if self._told is None or t_s >= self._reported_s + (CHANGE_S if self._news else self._report_s):
            self._told = state
            self._news = False
            self._reported_s = t_s
            self._link.send(state)
        first, self._first = self._first, b""
        return first + self._link.bytes_to_send()

    def _state(self, t_s: float) -> State:
        return State(
            boot_id=self.boot_id,
            uptime_ms=int((t_s - self._booted_s) * 1000) & 0xFFFFFFFF,
            knob=self._knob.quarters - self._zero,
            impossible=self._knob.impossible & 0xFFFF,
            zeroings=self._zeroings & 0xFF,
            beams=sum(1 << index for index, line in enumerate(LINES) if self._blocked(line)),
            passages=tuple(count & 0xFF for count in self._passages),
            occupancy=self._lying if self._occupancy else 0,
            occupancy_valid=0xFFFF if self._occupancy else 0,
        )

    def _hello(self) -> Hello:
        return Hello(
            boot_id=self.boot_id,
            serial_number=self._serial_number,
            firmware=(1, 0, 0),
            capabilities=CAPABILITIES | (Capability.OCCUPANCY if self._occupancy else Capability(0)),
            edges_per_detent=self._wiring.edges_per_detent,
            report_ms=round(self._report_s * 1000),
        )

    def _blocked(self, line: str) -> bool:
        return self._levels[line] == self._wiring.beam_blocked_level


def _is_unknown_command(item: Received) -> TypeGuard[UnknownFrame]:
    """Types below 80 are a device's."""
    return isinstance(item, UnknownFrame) and item.type >= FrameType.GET_HELLO


def _senses(state: State) -> tuple[object, ...]:
    """What a STATE says beside the time."""
    return (state.knob, state.zeroings, state.beams, state.passages, state.occupancy)
