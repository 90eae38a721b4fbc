"""One end of the wire, without a port: bytes in, frames out; frames to send in, bytes out.

Takes bytes cut anywhere, holds at most `MAX_BLOCK` of them, and finds its way again after anything: a frame's end
is a zero byte that can stand nowhere else, and a sound frame behind a cut one is dug out of the same block.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from calibration.sentences import Sentence
from firmware_bridge.protocol import (
    BLOCK_BYTES,
    PROTOCOL_MAJOR,
    Frame,
    Garbled,
    Hello,
    Report,
    State,
    UnknownFrame,
    decode,
    encode,
    type_of,
)

MAX_BLOCK = 128
"""Bytes without an end that are waited for: over three times the longest frame, so later minor versions may grow."""

_LONGEST = max(BLOCK_BYTES.values())


@dataclass(frozen=True, slots=True)
class VersionMismatch:
    """The other end speaks another major version: nothing else that it says can be trusted."""

    hello: Hello
    detail: str


Received = Frame | Garbled | VersionMismatch


class Link:
    """Counts what goes wrong: `garbled` blocks, and `lost` frames by the gaps of their sequence numbers."""

    def __init__(self) -> None:
        self.garbled = 0
        self.lost = 0
        self._pending = bytearray()
        self._outgoing = bytearray()
        self._next_seq = 0
        self._last_seq: int | None = None
        self._foreign = False

    def reset(self) -> None:
        """Forget half a frame and what was still to be sent: the port was opened anew."""
        self._pending.clear()
        self._outgoing.clear()
        self._last_seq = None
        self._foreign = False

    def receive_bytes(self, data: bytes) -> list[Received]:
        """Everything that these bytes complete, in order. No bytes or half a frame give nothing yet."""
        received: list[Received] = []
        *blocks, rest = data.split(b"\x00")
        for block in blocks:
            self._take(block, received)
            if self._pending:
                received += self._read(bytes(self._pending))
                self._pending.clear()
        self._take(rest, received)
        return [self._note(item) for item in received if self._wanted(item)]

    def send(self, frame: Frame) -> int:
        """Queue a frame under the next sequence number, and answer that number: ACK and NACK name it."""
        seq = self._next_seq
        self._next_seq = (seq + 1) % 256
        self._outgoing += encode(replace(frame, seq=seq))
        return seq

    def bytes_to_send(self) -> bytes:
        """What is queued, once."""
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def _take(self, data: bytes, received: list[Received]) -> None:
        self._pending += data
        if len(self._pending) > MAX_BLOCK:
            # the newest bytes may be a sound frame that only lacks its end
            dropped, tail = bytes(self._pending[:-_LONGEST]), self._pending[-_LONGEST:]
            self._pending = tail
            received.append(Garbled(f"no end within {MAX_BLOCK} bytes", dropped))

    def _read(self, block: bytes) -> list[Received]:
        frame = decode(block)
        if not isinstance(frame, Garbled):
            return [frame]
        dug_out = _frame_at_the_end(block)
        return [frame] if dug_out is None else [frame, dug_out]

    def _wanted(self, item: Received) -> bool:
        if isinstance(item, Hello):
            self._foreign = item.major != PROTOCOL_MAJOR
        return not (self._foreign and isinstance(item, Report | UnknownFrame) and not isinstance(item, Hello))

    def _note(self, item: Received) -> Received:
        if isinstance(item, Garbled):
            self.garbled += 1
            return item
        if isinstance(item, State | Hello):
            if self._last_seq is not None:
                self.lost += (item.seq - self._last_seq - 1) % 256
            self._last_seq = item.seq
        if isinstance(item, Hello) and item.major != PROTOCOL_MAJOR:
            return VersionMismatch(item, _mismatch(item))
        return item


def _frame_at_the_end(block: bytes) -> Frame | None:
    """A sound frame behind the rest of a cut one whose end was lost.

    Only frames of a known type at exactly their length count, so that noise passes for one about once in ten million.
    """
    for kind, size in BLOCK_BYTES.items():
        if size < len(block):
            frame = decode(block[-size:])
            if not isinstance(frame, Garbled) and type_of(frame) == kind:
                return frame
    return None


def _mismatch(hello: Hello) -> Sentence:
    theirs = f"{hello.major}.{hello.minor}"
    if hello.major > PROTOCOL_MAJOR:
        return Sentence(
            "the board speaks protocol {theirs}, this program {ours}: update the program",
            theirs=theirs,
            ours=PROTOCOL_MAJOR,
        )
    return Sentence(
        "the board speaks protocol {theirs}, this program {ours}: update the board firmware",
        theirs=theirs,
        ours=PROTOCOL_MAJOR,
    )
