"""The eight light beams: a break is a marble, once, however often it rolls back and forth in the beam."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from firmware_bridge.debounce import Hold
from firmware_bridge.readings import MarbleEntered, MarbleLeft

LEAST_BREAK_S = 100e-6
"""A marble off the beam's centre line still breaks it for some 150 us; a spark or a fly does not reach this."""

CLEAR_S = 0.4
"""A beam is free for the next marble after this long without a break. A marble that rolls up and back breaks it again
within a third of a second; two marbles pushed into one channel by hand are further apart."""


class Beam(NamedTuple):
    """The beam at one end of a channel (1 to 4)."""

    entry: bool
    channel: int


BEAMS = tuple(Beam(entry, channel) for entry in (True, False) for channel in (1, 2, 3, 4))
"""In the order of the wire: entries 1 to 4, exits 1 to 4."""


def passage(t_s: float, device: str, beam: Beam, *, missed: bool = False) -> MarbleEntered | MarbleLeft:
    return (MarbleEntered if beam.entry else MarbleLeft)(t_s, device, beam.channel, missed)


@dataclass(frozen=True, slots=True)
class BeamCounts:
    """What to keep of a board's beams while the program is off: its counters (as `BEAMS`) and the start they are of."""

    boot_id: int
    passages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BeamTiming:
    """Seconds: the least break that is a marble, and how long a beam must be clear before the next one."""

    least_break_s: float = LEAST_BREAK_S
    clear_s: float = CLEAR_S


class Passages:
    """Levels of one beam (1 = broken) into moments at which a marble passed: for pins, and as the firmware does it."""

    def __init__(self, timing: BeamTiming | None = None, broken: int = 0) -> None:
        timing = timing or BeamTiming()
        self._hold = Hold(timing.least_break_s, timing.clear_s, broken)

    @property
    def weak(self) -> int:
        """Breaks too short to be a marble."""
        return self._hold.weak

    @property
    def due_s(self) -> float | None:
        return self._hold.due_s

    def feed(self, t_s: float, broken: int) -> list[float]:
        """Times of passages, each the moment its break began."""
        return [level.t_s for level in self._hold.feed(t_s, broken) if level.level]

    def tick(self, t_s: float) -> list[float]:
        return [level.t_s for level in self._hold.tick(t_s) if level.level]
