"""What the wires say, in words of the board: the seam to the reconciler. Times are seconds of a monotonic clock."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class DeviceState(StrEnum):
    OK = "ok"
    STALE = "stale"
    LOST = "lost"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class KnobAt:
    """The scoring knob.

    Attributes:
        detents: signed detents clockwise from `*` since the knob's place was last confirmed, without wrap.
        stop: the stop it stands at, -4 to 5 clockwise from `*` (5 is infinity); detents wrapped into the dial.
        at_rest: False while it turns; a stop counts only at rest.
        verified: False after power-up, until a person or the camera confirms the knob's place.
    """

    t_s: float
    device: str
    detents: int
    stop: int
    at_rest: bool
    verified: bool


@dataclass(frozen=True, slots=True)
class MarbleEntered:
    """A marble went in at the entry end of a channel (1 to 4, from the left).

    Attributes:
        missed: whether it did while no program listened: `t_s` is when that became known, and says nothing of order.
    """

    t_s: float
    device: str
    channel: int
    missed: bool = False


@dataclass(frozen=True, slots=True)
class MarbleLeft:
    """A marble fell out at the far end of a channel; `missed` as in `MarbleEntered`."""

    t_s: float
    device: str
    channel: int
    missed: bool = False


@dataclass(frozen=True, slots=True)
class BeamsCounted:
    """How many marbles a board has counted, told after the marbles themselves and at the start.

    Attributes:
        boot_id: the board's start since which it counts.
        passages: entry of channel 1 to 4, exit of channel 1 to 4; each wraps at 256.
        watched: whether every marble since an earlier program's last count is known: none passed untold.
    """

    t_s: float
    device: str
    boot_id: int
    passages: tuple[int, ...]
    watched: bool = False


@dataclass(frozen=True, slots=True)
class SlotsOccupied:
    """Which slots hold a marble, where occupancy sensors are fitted: (channel, slot) pairs, both from 1."""

    t_s: float
    device: str
    occupied: frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class DeviceChanged:
    """A device is well, silent, gone or back; `detail` says to a person what happened and what to do."""

    t_s: float
    device: str
    state: DeviceState
    detail: str = ""


SensorReading = KnobAt | MarbleEntered | MarbleLeft | BeamsCounted | SlotsOccupied
BridgeReading = SensorReading | DeviceChanged
