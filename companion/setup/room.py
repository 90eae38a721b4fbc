"""What there is around a set-up: devices, time, people. The simulator gives its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.setup import found
from companion.setup.draft import Draft
from companion.setup.positions import State

if TYPE_CHECKING:
    from companion.devices import Stand
    from vision.camera import OpenCapture


@dataclass(frozen=True, slots=True)
class Asked:
    """What people at the table are asked to lay; `name` None where all pictures are taken, and a game may begin."""

    draft: Draft
    name: str | None
    state: State | None


def own_stand() -> Stand:
    """The machine's own devices."""
    from companion.devices import Stand

    return Stand()


@dataclass(frozen=True, slots=True)
class Room:
    """The devices, and who lays what is asked.

    Attributes:
        cameras, ports: find devices.
        open_capture: opens a camera; None for the machine's own.
        stand: what stands in for the machine's own sensors.
        clock: seconds, monotonic.
        asked: told what is to be laid, whenever that changes, and when a picture is taken; returns at once.
        turn_knob: told when somebody is asked to turn the knob one click towards Blue; returns at once.
        draft: what a set-up begins with where nothing was chosen before.
        patience: how many times longer than a real camera this one may take; drawing is slow on a busy machine.
    """

    cameras: found.Finder = found.cameras
    ports: found.Finder = found.ports
    open_capture: OpenCapture | None = None
    stand: Callable[[], Stand] = own_stand
    clock: Callable[[], float] = time.monotonic
    asked: Callable[[Asked], object] = lambda asked: None
    turn_knob: Callable[[], object] = lambda: None
    draft: Draft = field(default_factory=Draft)
    patience: float = 1.0
    simulated: bool = False
