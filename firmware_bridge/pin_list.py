"""Which pins of a Raspberry Pi's header are claimed, and by whom: the kernel is asked, nothing is claimed for it."""

from __future__ import annotations

import fcntl
import os
import struct
from contextlib import suppress
from pathlib import Path

from calibration.sentences import Sentence

DEV = Path("/dev")

CHIPINFO = 0x8044B401
LINEINFO = 0xC100B405
"""GPIO_GET_CHIPINFO_IOCTL and GPIO_V2_GET_LINEINFO_IOCTL of linux/gpio.h."""

_CHIP = struct.Struct("32s32sI")
_LINE = struct.Struct("32s32sIIQ160s4I")
_USED = 1

HEADERS = ("pinctrl-bcm2", "pinctrl-rp1")
"""How the chips are labelled that have the header: of a Pi up to the 4, and of a Pi 5."""

HEADER_PINS = range(2, 28)

SHARED = {
    **dict.fromkeys((2, 3), "I2C"),
    **dict.fromkeys((7, 8, 9, 10, 11), "SPI"),
    **dict.fromkeys((14, 15), "the serial port"),
}
"""Pins that the system takes for itself where `raspi-config` has these interfaces switched on."""


def chips() -> tuple[str, ...]:
    """The machine's pin chips; empty where it has no pins."""
    return tuple(sorted(map(str, DEV.glob("gpiochip*"))))


def claimed() -> dict[str, str]:
    """Pins of the header that are in use, by name ("BCM17"), with who says to have them.

    Raises:
        OSError: if this user may not ask.
    """
    for chip in chips():
        handle = os.open(chip, os.O_RDONLY | os.O_CLOEXEC)
        try:
            label = _text(_CHIP.unpack(_asked(handle, CHIPINFO, bytes(_CHIP.size)))[1])
            if label.startswith(HEADERS):
                return {f"BCM{pin}": by for pin in HEADER_PINS if (by := _consumer(handle, pin)) is not None}
        finally:
            os.close(handle)
    return {}


def parse_line(info: bytes) -> str | None:
    """Who has a line, of what the kernel answers to LINEINFO; None for a free one."""
    _, consumer, _, _, flags, *_ = _LINE.unpack(info)
    return (_text(consumer) or Sentence("the system")) if flags & _USED else None


def line_request(pin: int) -> bytes:
    """What the kernel is asked with for LINEINFO."""
    return _LINE.pack(b"", b"", pin, 0, 0, b"", 0, 0, 0, 0)


def _consumer(handle: int, pin: int) -> str | None:
    with suppress(OSError):  # a chip with fewer lines than the header has pins
        return parse_line(_asked(handle, LINEINFO, line_request(pin)))
    return None


def _asked(handle: int, request: int, data: bytes) -> bytes:
    return bytes(fcntl.ioctl(handle, request, data))


def _text(data: bytes) -> str:
    return data.split(b"\x00", 1)[0].decode(errors="replace")
