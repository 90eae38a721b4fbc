"""The firmware's own C, the parts without pins, built for this machine: the very lines that the chip runs."""

from __future__ import annotations

import ctypes
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from hw_sim.chip.build import FIRMWARE, run_tool
from tests.shared_material import absent

FRAME_MAX = 35
BLOCK_MAX = 128


class FrameFound(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_uint8),
        ("seq", ctypes.c_uint8),
        ("size", ctypes.c_uint8),
        ("payload", ctypes.POINTER(ctypes.c_uint8)),
    )


class Block(ctypes.Structure):
    _fields_ = (
        ("bytes", ctypes.c_uint8 * BLOCK_MAX),
        ("size", ctypes.c_uint8),
        ("raw", ctypes.c_uint8 * BLOCK_MAX),
    )


class NativeKnob(ctypes.Structure):
    _fields_ = (
        ("steps", ctypes.c_int32),
        ("impossible", ctypes.c_uint16),
        ("phase", ctypes.c_uint8),
        ("quiet_ms", ctypes.c_uint8),
        ("heading", ctypes.c_int8),
        ("doubt", ctypes.c_uint8),
    )


class NativeBeams(ctypes.Structure):
    _fields_ = (
        ("broken", ctypes.c_uint8),
        ("young", ctypes.c_uint8),
        ("marble", ctypes.c_uint8),
        ("passages", ctypes.c_uint8 * 8),
        ("since", ctypes.c_uint16 * 8),
        ("clear_ms", ctypes.c_uint16 * 8),
    )


@cache
def library() -> ctypes.CDLL:
    """Skips the calling test where there is no compiler, and fails it in CI."""
    if shutil.which("gcc") is None:
        absent("the program gcc is not installed")
    folder = Path(mkdtemp(prefix="firmware-native-"))
    sources = [FIRMWARE / name for name in ("wire.c", "knob.c", "beams.c")]
    out = folder / "firmware.so"
    warnings = ("-Wall", "-Wextra", "-Werror")
    checks = ("-fsanitize=undefined", "-fno-sanitize-recover")
    run_tool("gcc", "-O1", "-std=gnu99", "-shared", "-fPIC", *warnings, *checks, *sources, "-o", out)
    made = ctypes.CDLL(str(out))
    shutil.rmtree(folder)
    return made


def encoded(kind: int, seq: int, payload: bytes) -> bytes:
    wire = (ctypes.c_uint8 * FRAME_MAX)()
    size = library().wire_encode(wire, kind, seq, payload, len(payload))
    return bytes(wire[:size])


def decoded(block: bytes) -> tuple[int, int, bytes] | None:
    """(type, sequence number, payload) of a block without its zero, None where it is no frame."""
    raw, found = (ctypes.c_uint8 * max(1, len(block)))(), FrameFound()
    if not library().wire_decode(block, len(block), raw, ctypes.byref(found)):
        return None
    return found.type, found.seq, bytes(found.payload[: found.size])


class NativeLink:
    """The firmware's ear."""

    def __init__(self) -> None:
        self._block = Block()

    def receive_bytes(self, data: bytes) -> list[tuple[int, int, bytes]]:
        return [heard for byte in data for heard in self._take(byte)]

    def _take(self, byte: int) -> list[tuple[int, int, bytes]]:
        found = FrameFound()
        if not library().wire_take(ctypes.byref(self._block), byte, ctypes.byref(found)):
            return []
        return [(found.type, found.seq, bytes(found.payload[: found.size]))]
