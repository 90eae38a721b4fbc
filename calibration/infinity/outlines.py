"""Infinity's places as lines."""

from __future__ import annotations

import math

from calibration.board import Point
from calibration.infinity.board import InfinityBoard
from calibration.outlines import Outline, arc, circle, squares


def infinity_outlines(board: InfinityBoard) -> list[Outline]:
    """The board's edge, channels, slots, well, knob and grey patches; markers are the same for every board."""
    w, h, corner = board.board.w / 2, board.board.h / 2, board.board.corner_r
    edge = (
        *arc(w - corner, h - corner, 0, corner, 0, 90),
        *arc(corner - w, h - corner, 0, corner, 90, 180),
        *arc(corner - w, corner - h, 0, corner, 180, 270),
        *arc(w - corner, corner - h, 0, corner, 270, 360),
    )
    seats = board.slot_centres()
    strip = board.grey_strip
    return [
        Outline("board", "board", edge),
        *(channel_outline(board, number) for number in range(1, board.channels.count + 1)),
        *(Outline(name, "slot", circle(x, y, z, board.marble.d / 2)) for name, (x, y, z) in seats.items()),
        Outline("well", "well", well_points(board)),
        Outline("knob", "knob", circle(board.knob.cx, board.knob.cy, board.knob.pointer_z, board.knob.r)),
        *squares("patch", ((f"grey{i}", at) for i, at in enumerate(strip.centres, 1)), strip.patch, strip.z),
    ]


def channel_outline(board: InfinityBoard, number: int) -> Outline:
    """A channel, from the left 1; open at its entry end."""
    channels = board.channels
    x = (number - (channels.count + 1) / 2) * channels.pitch
    half, end = channels.profile_r, channels.end_y
    points: tuple[Point, ...] = ((x - half, channels.entry_y, 0.0), (x - half, end, 0.0))
    points += ((x + half, end, 0.0), (x + half, channels.entry_y, 0.0))
    return Outline(str(number), "channel", points, closed=False)


def well_points(board: InfinityBoard) -> tuple[Point, ...]:
    """The groove's band, with the round ends that a marble at rest there needs."""
    groove, half = board.groove, board.groove.profile_r
    ends = [math.radians(angle) for angle in (groove.start_deg, groove.end_deg)]
    middles = [(groove.cx + groove.r * math.cos(a), groove.cy + groove.r * math.sin(a)) for a in ends]
    return (
        *arc(groove.cx, groove.cy, 0, groove.r + half, groove.start_deg, groove.end_deg),
        *arc(*middles[1], 0, half, groove.end_deg, groove.end_deg + 180),
        *arc(groove.cx, groove.cy, 0, groove.r - half, groove.end_deg, groove.start_deg),
        *arc(*middles[0], 0, half, groove.start_deg + 180, groove.start_deg + 360),
    )
