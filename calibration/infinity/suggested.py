"""Positions to lay for calibrating Infinity."""

from __future__ import annotations

from typing import Any

from calibration.infinity.board import InfinityBoard

SHOTS = ((("BY", "K", "YB", "W"), 3), (("W", "YB", "K", "BY"), -2))
"""The marbles of four channels from the entry end, and the knob's stop.

Twice six marbles, every kind on both sides of the board. On 16 simulated tables they read 1,024 slots of other
positions with none wrong and none unsure, as ten marbles did; one picture of four left 1 slot and 6 of 64 knobs unsure,
one of eight 3 knobs: a pointer learnt at a single stop is hard to tell from a lamp's mirror image.
"""


def suggested_for_infinity(board: InfinityBoard) -> tuple[dict[str, Any], ...]:
    """Reference states for this board; its marbles go into as many channels and slots as there are."""
    return tuple({"board": _position(board, marbles), "knob_stop": stop} for marbles, stop in SHOTS)


def _position(board: InfinityBoard, channels: tuple[str, ...]) -> str:
    """The channels spread over the board's; what finds no room in a short or missing channel goes into the next."""
    count, length = board.channels.count, board.slots.count
    laid = ["" for _ in range(count)]
    for index, marbles in enumerate(channels):
        for marble in marbles:
            wanted = index * count // len(channels)
            order = sorted(range(count), key=lambda at: (len(laid[at]) >= length, abs(at - wanted)))
            if len(laid[order[0]]) < length:
                laid[order[0]] += marble
    return "|".join(channel.ljust(length, ".") for channel in laid)
