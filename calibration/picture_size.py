"""How large a picture file says that it is, read before anything is made of it: some bytes may claim gigabytes."""

from __future__ import annotations

import struct

PNG_START = b"\x89PNG\r\n\x1a\n"
JPEG_START = b"\xff\xd8"
FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The segments of a JPEG that tell its size; the three within are tables (ITU-T T.81, B.1.1.3)."""
BARE_MARKERS = frozenset({0x01, *range(0xD0, 0xDA)})
"""Markers without a length behind them."""
LARGEST_PX = 64_000_000
"""Pixels of a picture that is decoded: more than a phone's camera gives, and 200 MB once it is."""


def stated_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels of a JPEG or PNG; None where it is neither, or does not say so."""
    if data.startswith(PNG_START) and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    return _of_jpeg(data) if data.startswith(JPEG_START) else None


def _of_jpeg(data: bytes) -> tuple[int, int] | None:
    at = len(JPEG_START)
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF or marker in BARE_MARKERS:  # 0xFF may fill up before a marker
            at += 1 if marker == 0xFF else 2
        elif marker in FRAME_MARKERS:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        else:
            at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    return None
