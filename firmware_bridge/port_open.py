"""Opening a serial port, and saying in words why it cannot be opened. pyserial is met here only."""

from __future__ import annotations

import errno
import os
import termios
from pathlib import Path
from typing import Protocol

from calibration.sentences import Sentence
from firmware_bridge.errors import PortUnavailable

BAUD = 115200
"""The fastest rate that an ATmega328P at 16 MHz hits well enough; USB boards take any."""

READ_TIMEOUT_S = 0.05
WRITE_TIMEOUT_S = 0.5
"""A command is 7 bytes, below 1 ms on the wire: a peer that does not take them in this time is stuck."""

BY_ID = Path("/dev/serial/by-id")

GONE = (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO)
"""Between a cable's being pulled and its path's going away, opening ends in one of these."""

PORT_FAULTS = (OSError, termios.error)
"""What a port that hung up raises: pyserial's SerialException and ioctl errors are OSErrors, termios.error is not."""


class Port(Protocol):
    """What is used of pyserial."""

    @property
    def in_waiting(self) -> int: ...
    def read(self, size: int = 1, /) -> bytes: ...
    def write(self, data: bytes, /) -> int | None: ...
    def close(self) -> None: ...


def find(spec: str) -> str | None:
    """Where the port is now: a URL or path for pyserial, or None while it is not there.

    Args:
        spec: a URL ("rfc2217://host:port"), a path ("/dev/serial/by-id/…", "/dev/ttyACM0", a pty), a name in
            /dev/serial/by-id, or a USB serial number. Numbers like ttyACM0 change when things are plugged in again;
            serial numbers and by-id names do not.
    """
    if "://" in spec:
        return spec
    if "/" in spec:
        return spec if os.path.exists(spec) else None
    if (BY_ID / spec).exists():
        return str(BY_ID / spec)
    from serial.tools import list_ports

    return next((port.device for port in list_ports.comports() if port.serial_number == spec), None)


def open_port(path: str) -> Port:
    """Open a port for this program alone.

    Raises:
        PortUnavailable: with the reason and what to do, in one line.
    """
    import serial

    try:
        if "://" in path:
            # the network protocol has neither locks nor write timeouts
            return serial.serial_for_url(path, BAUD, timeout=READ_TIMEOUT_S)
        port = serial.Serial(path, BAUD, timeout=READ_TIMEOUT_S, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
    except (*PORT_FAULTS, ValueError) as error:
        raise PortUnavailable(refusal(path, error), gone=getattr(error, "errno", None) in GONE) from error
    _keep_running_on_close(port.fileno())
    return port


def refusal(path: str, error: Exception) -> str:
    """Why a port could not be opened, for a person."""
    number = getattr(error, "errno", None)
    if number in (errno.EAGAIN, errno.EBUSY):
        return Sentence(
            "{port} is in use by another program (a second Companion, a serial monitor, "
            "ModemManager?): close that one first; `companion doctor` names it",
            port=path,
        )
    if number in (errno.EACCES, errno.EPERM):
        return Sentence(
            "{port} may not be opened by this user: run 'sudo usermod -aG dialout $USER' and log in again", port=path
        )
    if number in GONE:
        return Sentence("{port} went away while it was opened: is the cable loose?", port=path)
    if number == errno.ENOTTY or isinstance(error, ValueError):
        return Sentence("{port} is no serial port: check the port in the config", port=path)
    return Sentence("{port} cannot be opened: {error}", port=path, error=str(error))


def _keep_running_on_close(fd: int) -> None:
    """Leave the DTR line up when the port is closed: its next rise would reset an Uno, and the knob's place be lost."""
    try:
        attributes = termios.tcgetattr(fd)
        attributes[2] &= ~termios.HUPCL
        termios.tcsetattr(fd, termios.TCSANOW, attributes)
    except termios.error:
        pass
