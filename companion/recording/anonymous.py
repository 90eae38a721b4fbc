"""What a board sends, without what tells whose it is: its serial number.

A recording holds no names, hosts, tokens or paths in the first place (`companion.recording.recorder` says what it is
made of). What is left is what a board says of itself, and text in damaged frames, which may be a piece of that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from firmware_bridge.protocol import Garbled, Hello, UnknownFrame, decode, encode

LONGEST_BLOCK: Final = 128
"""Bytes without a zero after which no frame can begin there any more (firmware_bridge/PROTOCOL.md)."""
DOT: Final = ord(".")


class AnonymousBytes:
    """The bytes of one port, cut anywhere, with sound frames kept and everything else blotted out."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> bytes:
        """Take bytes as they were read; returns those that are whole by now. The end of a frame comes with its zero."""
        *blocks, self._rest = (self._rest + data).split(b"\0")
        clean = b"".join(_clean(block) for block in blocks)
        while len(self._rest) > LONGEST_BLOCK:
            clean += _blotted(self._rest[:LONGEST_BLOCK])
            self._rest = self._rest[LONGEST_BLOCK:]
        return clean


def _clean(block: bytes) -> bytes:
    frame = decode(block) if block else Garbled("empty", block)
    if isinstance(frame, Hello):
        return encode(replace(frame, serial_number=""))
    if isinstance(frame, UnknownFrame):
        return encode(replace(frame, payload=bytes(len(frame.payload))))
    if isinstance(frame, Garbled):
        return _blotted(block) + b"\0"
    return block + b"\0"


def _blotted(block: bytes) -> bytes:
    """A block of the same length that is no frame either, and says nothing."""
    return bytes(DOT if 32 <= byte < 127 else byte for byte in block)
