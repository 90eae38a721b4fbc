"""What the table shows of a position: the seats, the beams that a push breaks, and the knob."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.games.game import Label, Place, Trace
from companion.games.infinity.marbles import CHANNELS, EMPTY, INFINITY, SEATS, SLOTS, Channel
from companion.games.infinity.options import Options
from companion.games.infinity.position import Channels

ENTERED: Final = tuple(Trace("entered", channel + 1) for channel in CHANNELS)
"""The beam at the entry end, by channel."""
LEFT: Final = tuple(Trace("left", channel + 1) for channel in CHANNELS)
"""The beam at the far end, by channel."""


def seats(channels: Channels) -> tuple[str, ...]:
    """The channels with their empty slots, four letters each."""
    return tuple(channel.ljust(SLOTS, EMPTY) for channel in channels)


def sight(channels: Channels) -> dict[Place, Label]:
    return {
        place: Label(label)
        for places, labels in zip(SEATS, seats(channels), strict=True)
        for place, label in zip(places, labels, strict=True)
    }


def changes(before: Sequence[str], after: Sequence[str]) -> dict[Place, Label]:
    """The places whose label differs between two boards of four letters a channel."""
    return {
        place: Label(new)
        for places, olds, news in zip(SEATS, before, after, strict=True)
        if olds != news
        for place, old, new in zip(places, olds, news, strict=True)
        if old != new
    }


def push_traces(channels: Channels, channel: Channel) -> tuple[Trace, ...]:
    """A pushed marble breaks the entry beam; from a full channel the one at the far end breaks the exit beam."""
    return (ENTERED[channel], LEFT[channel]) if len(channels[channel]) == SLOTS else (ENTERED[channel],)


def knob_stop(score: int, options: Options) -> int:
    """The stop for a score, clockwise from `*`; both players share the one at infinity, which is 5 and never -5."""
    if abs(score) == INFINITY:
        return INFINITY
    return score if options.blue_knob == "cw" else -score
