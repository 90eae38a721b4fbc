"""The wire protocol's frames and their bytes, as PROTOCOL.md has them. Both directions, both ways.

A frame is type, sequence number, a fixed payload and a CRC-16, stuffed with COBS and closed by a zero byte.
All numbers are little-endian. `encode` writes a whole frame; `decode` reads one block (the bytes before the zero)
and answers with a frame or with `Garbled`: noise is a value.
"""

from __future__ import annotations

import struct
from binascii import crc_hqx
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import IntEnum, IntFlag
from typing import Any

from cobs import cobs

from calibration.sentences import Sentence
from firmware_bridge.errors import BridgeError

PROTOCOL_MAJOR = 1
PROTOCOL_MINOR = 0
END = b"\x00"
CHANNELS = 4
SLOTS = 4


class FrameType(IntEnum):
    HELLO = 0x01
    STATE = 0x02
    ACK = 0x03
    NACK = 0x04
    COLOUR = 0x05
    GET_HELLO = 0x81
    SET_ZERO = 0x82
    SET_REPORTING = 0x83
    IDENTIFY = 0x84


class Capability(IntFlag):
    KNOB = 1
    ENTRY_BEAMS = 2
    EXIT_BEAMS = 4
    OCCUPANCY = 8
    COLOUR = 16
    IDENTIFY = 32


class NackReason(IntEnum):
    UNKNOWN_COMMAND = 1
    BAD_VALUE = 2
    NOT_NOW = 3


@dataclass(frozen=True, slots=True)
class Hello:
    """Who the board is.

    Attributes:
        detents_per_turn: of the knob; 0 when the firmware does not know.
        edges_per_detent: quarter steps of the counter from detent to detent: 1, 2 or 4.
        report_ms: the longest time between two STATE frames.
        serial_number: up to 16 ASCII characters.
    """

    boot_id: int
    serial_number: str
    firmware: tuple[int, int, int]
    capabilities: Capability
    detents_per_turn: int = 10
    edges_per_detent: int = 4
    report_ms: int = 250
    major: int = PROTOCOL_MAJOR
    minor: int = PROTOCOL_MINOR
    seq: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the sensors say, absolute: any STATE frame makes up for all that were lost before it.

    Attributes:
        boot_id: changes with every start of the firmware, and all counters start at 0 then.
        uptime_ms: since that start.
        knob: quarter steps clockwise since the start or the last SET_ZERO.
        impossible: edges that skipped a quarter step, wraps at 65536.
        zeroings: SET_ZERO commands obeyed since the start, wraps at 256.
        beams: bit n set while the beam of entry n+1 is broken, bit 4+n for exit n+1.
        passages: marbles through the beams of entry 1 to 4 and exit 1 to 4 since the start; each wraps at 256.
        occupancy: bit 4*(channel-1) + (slot-1) set where a marble lies.
        occupancy_valid: the same bits, set where a sensor is fitted and sure.
    """

    boot_id: int
    uptime_ms: int
    knob: int
    impossible: int = 0
    zeroings: int = 0
    beams: int = 0
    passages: tuple[int, ...] = (0,) * 8
    occupancy: int = 0
    occupancy_valid: int = 0
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Ack:
    """A command was obeyed: its type and sequence number."""

    of_type: int
    of_seq: int
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Nack:
    """A command was not obeyed, and why (`NackReason`, or a number of a later version)."""

    of_type: int
    of_seq: int
    reason: int
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour sensor's raw counts for the marble that last passed a beam (0 to 3 entries, 4 to 7 exits)."""

    beam: int
    passage: int
    red: int
    green: int
    blue: int
    clear: int
    seq: int = 0


@dataclass(frozen=True, slots=True)
class GetHello:
    seq: int = 0


@dataclass(frozen=True, slots=True)
class SetZero:
    """Make the knob's place of this moment count 0."""

    seq: int = 0


@dataclass(frozen=True, slots=True)
class SetReporting:
    """Send STATE at least every `report_ms` (50 to 1000), besides every change."""

    report_ms: int
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Identify:
    """Blink the board's lamp for `seconds` (0 stops it)."""

    seconds: int
    seq: int = 0


@dataclass(frozen=True, slots=True)
class UnknownFrame:
    """A sound frame of a type that this version does not know: a later minor version speaks."""

    type: int
    payload: bytes
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Garbled:
    """Bytes that are no frame, and why."""

    reason: str
    data: bytes


Report = Hello | State | Ack | Nack | Colour
Command = GetHello | SetZero | SetReporting | Identify
Frame = Report | Command | UnknownFrame


def _plain_values(frame: Frame) -> tuple[Any, ...]:
    return tuple(getattr(frame, item.name) for item in fields(frame)[:-1])


def _hello_values(f: Hello) -> tuple[Any, ...]:
    name = f.serial_number.encode("ascii")
    if len(name) > 16:
        raise BridgeError(
            Sentence(
                "a serial number has at most 16 characters, not {count}: {serial}",
                count=len(name),
                serial=repr(f.serial_number),
            )
        )
    knob = (f.detents_per_turn, f.edges_per_detent)
    return (f.major, f.minor, f.boot_id, *knob, int(f.capabilities), f.report_ms, *f.firmware, name)


def _hello(*v: Any) -> Hello:
    return Hello(
        major=v[0],
        minor=v[1],
        boot_id=v[2],
        detents_per_turn=v[3],
        edges_per_detent=v[4],
        capabilities=Capability(v[5]),
        report_ms=v[6],
        firmware=(v[7], v[8], v[9]),
        serial_number=v[10].rstrip(b"\x00").decode("ascii", "replace"),
        seq=v[11],
    )


def _state_values(f: State) -> tuple[Any, ...]:
    counters = (f.boot_id, f.uptime_ms, f.knob, f.impossible, f.zeroings, f.beams)
    return (*counters, *f.passages, f.occupancy, f.occupancy_valid)


def _state(*v: Any) -> State:
    return State(v[0], v[1], v[2], v[3], v[4], v[5], tuple(v[6:14]), v[14], v[15], v[16])


@dataclass(frozen=True, slots=True)
class _Layout:
    """How one type's payload is packed, and how a frame is made of its values and the sequence number."""

    frame: type[Frame]
    packing: struct.Struct
    build: Callable[..., Frame]
    values: Callable[[Any], tuple[Any, ...]] = _plain_values


LAYOUTS: dict[int, _Layout] = {
    FrameType.HELLO: _Layout(Hello, struct.Struct("<BBHBBHH3B16s"), _hello, _hello_values),
    FrameType.STATE: _Layout(State, struct.Struct("<HIiHBB8BHH"), _state, _state_values),
    FrameType.ACK: _Layout(Ack, struct.Struct("<BB"), Ack),
    FrameType.NACK: _Layout(Nack, struct.Struct("<BBB"), Nack),
    FrameType.COLOUR: _Layout(Colour, struct.Struct("<BBHHHH"), Colour),
    FrameType.GET_HELLO: _Layout(GetHello, struct.Struct("<"), GetHello),
    FrameType.SET_ZERO: _Layout(SetZero, struct.Struct("<"), SetZero),
    FrameType.SET_REPORTING: _Layout(SetReporting, struct.Struct("<H"), SetReporting),
    FrameType.IDENTIFY: _Layout(Identify, struct.Struct("<B"), Identify),
}
_TYPES: dict[type[Frame], int] = {layout.frame: kind for kind, layout in LAYOUTS.items()}

OVERHEAD = 4
"""Type, sequence number and CRC, in bytes."""

BLOCK_BYTES: dict[int, int] = {kind: layout.packing.size + OVERHEAD + 1 for kind, layout in LAYOUTS.items()}
"""Length of each type's block (without the closing zero): COBS adds one byte to anything under 255."""


def type_of(frame: Frame) -> int:
    return frame.type if isinstance(frame, UnknownFrame) else _TYPES[type(frame)]


def encode(frame: Frame) -> bytes:
    """The bytes of a frame on the wire, closing zero and all.

    Raises:
        BridgeError: if a field does not fit its place.
    """
    kind = type_of(frame)
    if isinstance(frame, UnknownFrame):
        payload = frame.payload
    else:
        layout = LAYOUTS[kind]
        try:
            payload = layout.packing.pack(*layout.values(frame))
        except (struct.error, UnicodeEncodeError) as error:
            raise BridgeError(
                Sentence("this frame cannot be put on the wire: {frame} ({why})", frame=repr(frame), why=str(error))
            ) from error
    body = bytes((kind, frame.seq & 0xFF)) + payload
    return bytes(cobs.encode(body + struct.pack("<H", crc_hqx(body, 0xFFFF)))) + END


def decode(block: bytes) -> Frame | Garbled:
    """Read the bytes between two zeros.

    A payload longer than this version knows is a later minor version's: its tail is ignored.
    """
    try:
        raw = bytes(cobs.decode(block))
    except cobs.DecodeError:
        return Garbled("bad byte stuffing", block)
    if len(raw) < OVERHEAD:
        return Garbled("too short for a frame", block)
    body, (crc,) = raw[:-2], struct.unpack("<H", raw[-2:])
    if crc_hqx(body, 0xFFFF) != crc:
        return Garbled("wrong checksum", block)
    kind, seq, payload = body[0], body[1], body[2:]
    layout = LAYOUTS.get(kind)
    if layout is None:
        return UnknownFrame(kind, payload, seq)
    if len(payload) < layout.packing.size:
        return Garbled(f"payload of {len(payload)} bytes is too short for its type", block)
    return layout.build(*layout.packing.unpack(payload[: layout.packing.size]), seq)
