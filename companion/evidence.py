"""Everything that devices report, as the reconciler takes it."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.readings import (
    BeamsCounted,
    BridgeReading,
    DeviceChanged,
    DeviceState,
    KnobAt,
    MarbleEntered,
    MarbleLeft,
    SlotsOccupied,
)
from vision.reading import Reading

__all__ = [
    "BeamsCounted",
    "BridgeReading",
    "DeviceChanged",
    "DeviceState",
    "Evidence",
    "KnobAt",
    "MarbleEntered",
    "MarbleLeft",
    "Sight",
    "SlotsOccupied",
]


@dataclass(frozen=True, slots=True)
class Sight:
    """A picture taken at `t_s` by `camera`, as vision read it."""

    t_s: float
    camera: str
    reading: Reading


Evidence = Sight | BridgeReading
