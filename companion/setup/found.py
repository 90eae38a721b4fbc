"""Cameras and serial ports that are there, in words; none is opened for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.texts import joined, text


@dataclass(frozen=True, slots=True)
class Found:
    """A device that can be chosen.

    Attributes:
        device: by what it stays the same when it is plugged in again, as far as there is something like that.
        words: what it is, and what is in the way of using it.
        serial: of a port, what the config says.
    """

    device: str
    words: str
    serial: Mapping[str, str] | None = None


Finder = Callable[[], "tuple[Found, ...]"]


def cameras() -> tuple[Found, ...]:
    """The cameras of this machine; one that another program has says so."""
    from companion.doctor.cameras import listed_cameras, video_nodes
    from firmware_bridge.held import holders

    found = []
    for camera in listed_cameras(holders(video_nodes())):
        others = [str(holder) for holder in camera.node.holders if holder.pid != os.getpid()]
        name = camera.name or camera.node.path
        hints = [text("in use by {program}", program=", ".join(others))] if others else []
        hints += [] if camera.node.usable else [text("you may not use it: add yourself to the group video")]
        words = text("{name} ({hints})", name=name, hints=joined(hints, "; ")) if hints else name
        found.append(Found(camera.lasting or camera.node.path.removeprefix("/dev/video"), words))
    return tuple(found)


def ports() -> tuple[Found, ...]:
    """The serial ports on USB; others are the machine's own, and seldom a board."""
    from firmware_bridge.port_list import listed_ports

    found = []
    for port in listed_ports():
        if port.usb is None:
            continue
        device = port.by_id or port.device
        serial = {"usb_serial": port.usb_serial} if port.usb_serial else {"port": device}
        found.append(Found(device, port.name or device, serial))
    return tuple(found)
