"""Bytes of the board into readings: the same code for a live port and for a recording's serial.jsonl.

Pure: time comes in with the bytes. What is to be sent waits in `bytes_to_send`; a recording just never fetches it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from calibration.sentences import Sentence
from firmware_bridge.beams import BeamCounts
from firmware_bridge.board_sensors import BoardSensors
from firmware_bridge.knob import Knob, KnobCalibration, KnobPlace
from firmware_bridge.link import Link, Received, VersionMismatch
from firmware_bridge.protocol import (
    Ack,
    Command,
    Garbled,
    GetHello,
    Hello,
    Nack,
    NackReason,
    State,
    type_of,
)
from firmware_bridge.readings import BridgeReading, DeviceChanged, DeviceState, KnobAt

log = logging.getLogger(__name__)

STALE_S = 1.0
"""Four reports (each 250 ms) in a row that did not come."""

HELLO_AGAIN_S = 1.0
"""The board may still be starting when it is asked: an Uno's boot loader takes about this long."""

BOOT_S = 3.0
"""How long a board that was plugged in again may be silent: its boot loader listens for up to two seconds."""

RESTARTED = Sentence("the board has started anew: confirm where the knob stands")
DEAF = Sentence("the board takes no commands, though it reports: plug it in again")

ANSWER_S = 0.5
"""A command without an answer for this long is sent again, at most `TRIES` times in all."""

TRIES = 3


@dataclass(slots=True)
class _Sent:
    command: Command
    at_s: float
    tries: int


class SerialDecoder:
    """Readings from the bytes of one board.

    The device is OK with its first sound frame, STALE after a second without one, BACK with the next; a board that
    started anew is BACK, too.

    Args:
        knob: how the knob is built and wired.
        stop, verified: where the knob stands at the start, and whether that is known; a recorded game starts at 0.
        saved: its place as kept from the last run (`place`); goes before `stop` and `verified`.
        beams, counts: see `BoardSensors`.
        stale_s: silence after which the board is STALE; longer only where the clock runs faster than the wire.

    Attributes:
        hello: what the board said of itself, once it did.
        link: the wire, with its counts of garbled and lost frames.
        impossible_edges: edges that the board's knob decoder could not follow, since its start.
    """

    def __init__(
        self,
        device: str = "board",
        knob: KnobCalibration | None = None,
        *,
        stop: int = 0,
        verified: bool = False,
        saved: KnobPlace | None = None,
        stale_s: float = STALE_S,
        beams: BeamCounts | None = None,
        counts: bool = False,
    ) -> None:
        self.device = device
        self._stale_s = stale_s
        self.link = Link()
        self.hello: Hello | None = None
        self.impossible_edges = 0
        place = saved or KnobPlace(stop, verified)
        self._knob = Knob(device, knob, place)
        self._sensors = BoardSensors(device, self._knob, saved, beams, counts=counts)
        self._state: DeviceState | None = None
        self._heard_s: float | None = None
        self._asked_s: float | None = None
        self._boot_id: int | None = None
        self._sent: dict[int, _Sent] = {}
        self._lost_for = ""
        self._foreign = False
        self._opened_s: float | None = None
        self._garbled_before = 0
        self._hears = True
        self._knob_doubted = False

    @property
    def place(self) -> KnobPlace:
        """The knob's place, to be kept for the next start."""
        return self._sensors.place()

    def opened(self, t_s: float) -> None:
        """The port is open (again): half a frame from before is void, and the board is asked who it is."""
        self.link.reset()
        self._sent.clear()
        self.hello = None
        self._heard_s = self._opened_s = t_s
        self._foreign = False
        self._hears = True
        self._garbled_before = self.link.garbled
        self._ask(t_s)

    def feed(self, t_s: float, data: bytes) -> list[BridgeReading]:
        """Bytes as they came at `t_s`, cut anywhere."""
        readings = self.tick(t_s)
        for item in self.link.receive_bytes(data):
            readings += self._received(item, t_s)
        return readings

    def tick(self, t_s: float) -> list[BridgeReading]:
        """Time has come to `t_s`."""
        if self._heard_s is None:
            self._heard_s = t_s
        readings: list[BridgeReading] = [*self._knob.tick(t_s)]
        grace_s = max(BOOT_S, self._stale_s) if self._state is DeviceState.LOST else self._stale_s
        stale_s = self._heard_s + grace_s
        if t_s >= stale_s and self._may_be_stale:
            readings.append(self._now(stale_s, DeviceState.STALE, self._why_stale()))
        if self.hello is None and self._asked_s is not None and t_s >= self._asked_s + HELLO_AGAIN_S:
            self._ask(t_s)
        self._send_again(t_s)
        return readings

    def lost(self, t_s: float, detail: str, *, gone: bool = True) -> list[BridgeReading]:
        """The port is `gone`, or cannot be used for another reason. Told once, and again with another reason."""
        reason = "" if gone else detail
        self._opened_s = None
        if self._state is DeviceState.LOST and reason == self._lost_for:
            return []
        self._lost_for = reason
        return [*self._knob.tick(t_s), self._now(t_s, DeviceState.LOST, detail)]

    def hears(self, t_s: float, hears: bool) -> list[BridgeReading]:
        """Whether the board takes commands. One that does not is told of, and still listened to."""
        self._hears = hears
        well = self._state in (DeviceState.OK, DeviceState.BACK)
        return [self._now(t_s, DeviceState.OK)] if well else []

    def send(self, t_s: float, command: Command) -> None:
        """Queue a command; it is repeated until the board answers, or given up."""
        self._sent[self.link.send(command)] = _Sent(command, t_s, 1)

    def bytes_to_send(self) -> bytes:
        return self.link.bytes_to_send()

    def confirm_knob(self, t_s: float, stop: int) -> list[BridgeReading]:
        """A person or the camera says at which stop the knob stands."""
        return [*self._knob.confirm(t_s, stop)]

    @property
    def _may_be_stale(self) -> bool:
        if self._state is DeviceState.LOST:
            return self._opened_s is not None and not self._foreign
        return self._state is not DeviceState.STALE

    def _received(self, item: Received, t_s: float) -> list[BridgeReading]:
        match item:
            case Garbled():
                log.debug("%s: %s (%s)", self.device, item.reason, item.data.hex())
                return []
            case VersionMismatch():
                self._heard_s, self._foreign = t_s, True
                return self.lost(t_s, item.detail, gone=False)
            case Hello():
                self.hello = item
                self._knob.set_edges(item.edges_per_detent)
            case Ack():
                self._sent.pop(item.of_seq, None)
            case Nack():
                self._refused(item)
        restarted = isinstance(item, State | Hello) and self._restarted(item.boot_id)
        readings = self._alive(t_s, restarted)
        if not isinstance(item, State):
            return readings
        if restarted and self._asked_s is not None:
            self._ask(t_s)
        return readings + self._sense(item, t_s)

    def _restarted(self, boot_id: int) -> bool:
        before, self._boot_id = self._boot_id, boot_id
        return before not in (None, boot_id)

    def _sense(self, state: State, t_s: float) -> list[BridgeReading]:
        self.impossible_edges = state.impossible
        readings: list[BridgeReading] = [*self._sensors.from_state(state, t_s)]
        if self._knob_doubted and not any(isinstance(reading, KnobAt) for reading in readings):
            readings += self._knob.again(t_s)
        self._knob_doubted = False
        return readings

    def _alive(self, t_s: float, restarted: bool) -> list[BridgeReading]:
        self._heard_s = t_s
        self._foreign = False
        self._garbled_before = self.link.garbled
        if self._state in (DeviceState.OK, DeviceState.BACK) and not restarted:
            return []
        # whoever follows the knob doubts it while the board was not heard of; its counter says whether it was turned
        self._knob_doubted = self._state is not None
        state = DeviceState.OK if self._state is None else DeviceState.BACK
        return [self._now(t_s, state, RESTARTED if restarted else "")]

    def _now(self, t_s: float, state: DeviceState, detail: str = "") -> DeviceChanged:
        self._state = state
        if not (detail or self._hears):
            detail = DEAF
        return DeviceChanged(t_s, self.device, state, detail)

    def _why_stale(self) -> str:
        if self.link.garbled > self._garbled_before:
            return Sentence(
                "bytes come, but none that this program understands: is it the board's port, with its firmware?"
            )
        return Sentence(
            "nothing was heard for {seconds:g} s: press the board's reset button, or plug it in again",
            seconds=self._stale_s,
        )

    def _ask(self, t_s: float) -> None:
        self._asked_s = t_s
        self.link.send(GetHello())

    def _refused(self, nack: Nack) -> None:
        sent = self._sent.pop(nack.of_seq, None)
        known = nack.reason in NackReason.__members__.values()
        reason = NackReason(nack.reason).name.lower().replace("_", " ") if known else f"reason {nack.reason}"
        log.warning("%s refused %s: %s", self.device, sent.command if sent else f"command {nack.of_type:#x}", reason)

    def _send_again(self, t_s: float) -> None:
        for seq, sent in list(self._sent.items()):
            if t_s < sent.at_s + ANSWER_S:
                continue
            del self._sent[seq]
            if sent.tries < TRIES:
                self._sent[self.link.send(sent.command)] = _Sent(sent.command, t_s, sent.tries + 1)
            else:
                log.warning("%s does not answer command %#x; given up", self.device, type_of(sent.command))
