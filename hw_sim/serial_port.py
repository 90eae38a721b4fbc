"""A serial port that any program can open: a pty behind a path of its own, which can be pulled and put in again.

with SimSerialPort(folder / "board") as port:
    port.send(b"...")           # the device speaks
    serial.Serial(port.path)    # any program listens
    port.unplug()               # the program's port hangs up; the path is gone
"""

from __future__ import annotations

import os
import tty
from pathlib import Path
from types import TracebackType

from companion.errors import DeviceError, system_words
from companion.texts import text
from hw_sim.board_device import SimBoard
from hw_sim.table import SimTable
from hw_sim.timeline import Act

LOOK_S = 0.01
"""How often a port at a table looks for bytes from the host, in the table's time."""


class SimSerialPort:
    """The device's end. Plugged in from the start; nothing blocks: what nobody reads is lost, as on a real line.

    Args:
        path: a symbolic link is made there while the cable is in, like those of /dev/serial/by-id.

    Raises:
        DeviceError: if something else than an old link is at the path, or the link cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._device = -1
        self._host = -1
        self.plug()

    @property
    def plugged(self) -> bool:
        return self._device >= 0

    def plug(self) -> None:
        """Put the cable in: the path is there (again), with a new pty behind it."""
        if self.plugged:
            return
        if os.path.lexists(self.path) and not self.path.is_symlink():
            raise DeviceError(
                text("{path} is there already and is no simulated port; choose another path", path=str(self.path))
            )
        self._device, self._host = os.openpty()
        # No echo and no line editing; this end of the host's side stays open, so that a program may come and go.
        tty.setraw(self._host)
        os.set_blocking(self._device, False)
        try:
            self.path.unlink(missing_ok=True)
            self.path.symlink_to(os.ttyname(self._host))
        except OSError as error:
            self._close()
            raise DeviceError(
                text(
                    "{path}: {why}; a simulated port needs a folder to write to",
                    path=str(self.path),
                    why=system_words(error),
                )
            ) from error

    def unplug(self) -> None:
        """Pull the cable: whoever has the port open sees it hang up."""
        if self.plugged:
            self.path.unlink(missing_ok=True)
            self._close()

    close = unplug

    def send(self, data: bytes) -> int:
        """The device sends; how many bytes found room."""
        if not self.plugged:
            return 0
        try:
            return os.write(self._device, data)
        except BlockingIOError:
            return 0

    def receive(self) -> bytes:
        """What the host has sent since the last call."""
        if not self.plugged:
            return b""
        try:
            return os.read(self._device, 4096)
        except BlockingIOError:
            return b""

    def __enter__(self) -> SimSerialPort:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.unplug()

    def _close(self) -> None:
        for end in (self._device, self._host):
            os.close(end)
        self._device = self._host = -1


def board_at(table: SimTable, port: SimSerialPort, *, occupancy: bool = False) -> SimBoard:
    """Put a table's board behind a port. Bytes flow, and the cable is pulled, in the table's time."""

    def plugged(in_place: bool) -> None:
        if in_place:
            port.plug()
        else:
            port.unplug()

    def listen() -> Act[None]:
        while True:
            data = port.receive()
            if data:
                board.write(data)
            yield LOOK_S

    board = SimBoard(table, lambda data: _sent(port, data), plugged, occupancy=occupancy)
    table.start(listen())
    return board


def _sent(port: SimSerialPort, data: bytes) -> None:
    port.send(data)
