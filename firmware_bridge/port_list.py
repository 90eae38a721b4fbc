"""The serial ports of this machine, by what stays the same when they are plugged in again. None is opened for it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

BY_ID = Path("/dev/serial/by-id")
BY_PATH = Path("/dev/serial/by-path")


@dataclass(frozen=True, slots=True)
class ListedPort:
    """A port.

    Attributes:
        device: where it is now, such as /dev/ttyACM0.
        name: what it says of itself.
        usb: vendor and product, such as "2341:0043"; None for a port that is not on USB.
        usb_serial: its USB serial number, where it has one.
        by_id, by_path: links that name it by itself, and by the socket that it is plugged into.
    """

    device: str
    name: str
    usb: str | None = None
    usb_serial: str | None = None
    by_id: str | None = None
    by_path: str | None = None


def listed_ports() -> tuple[ListedPort, ...]:
    """All ports that have something behind them, in the order of their names."""
    from serial.tools import list_ports

    ids, sockets = links(BY_ID), links(BY_PATH)
    return tuple(
        ListedPort(
            device=port.device,
            name=port.product or port.description or "",
            usb=None if port.vid is None else f"{port.vid:04x}:{port.pid:04x}",
            usb_serial=port.serial_number or None,
            by_id=ids.get(os.path.realpath(port.device)),
            by_path=sockets.get(os.path.realpath(port.device)),
        )
        for port in sorted(list_ports.comports())
    )


def links(folder: Path) -> dict[str, str]:
    """The links in a folder of udev's, by the device that they lead to."""
    try:
        return {os.path.realpath(link): str(link) for link in sorted(folder.iterdir(), reverse=True)}
    except OSError:
        return {}
