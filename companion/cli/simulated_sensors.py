"""The simulated board's sensors before a game: nobody plays, and somebody turns the knob who is asked to."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.plan import Sensors

if TYPE_CHECKING:
    from companion.devices import Stand

BEAT_S = 0.02
"""How often the table's time is moved: a click of the knob takes ten times as long."""
STAYS_S = 3.0
"""How long the knob stays where it was turned to, before it is turned back to the star."""


class IdleBoard:
    """A table at which time passes as everywhere, and its sensors at a port, or at pins.

    Args:
        sensors: how they are read.
        path: of the port.
    """

    def __init__(self, sensors: Sensors, path: Path, seed: int) -> None:
        from hw_sim.table import SimTable

        self._table = SimTable(seed=seed)
        self._pin_factory, self._close = _read_by(sensors, self._table, path)
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._began_s = time.monotonic()
        self._thread = threading.Thread(target=self._pass, name="simulated sensors", daemon=True)
        self._thread.start()

    def stand(self, patience: float) -> Stand:
        """The devices, for who listens."""
        from companion.devices import Stand

        return Stand(time.monotonic, pin_factory=self._pin_factory, patience=patience)

    def turn_knob(self) -> None:
        """One click towards Blue, and back to the star after a while."""
        with self._lock:
            turning_s = self._table.turn_knob(1)
            self._table.timeline.after(turning_s + STAYS_S, self._back)

    def stop(self) -> None:
        """Take the board away."""
        self._stopping.set()
        self._thread.join(2)
        self._close()

    def _back(self) -> None:
        self._table.turn_knob(0)

    def _pass(self) -> None:
        while not self._stopping.wait(BEAT_S):
            with self._lock:
                self._table.advance(time.monotonic() - self._began_s - self._table.now_s)


def _read_by(sensors: Sensors, table: Any, path: Path) -> tuple[Any, Callable[[], object]]:
    """A pin factory where pins are read, and what ends it all."""
    if sensors is Sensors.PINS:
        from hw_sim.pins import SimPins

        pins = SimPins(table)
        return pins.factory, pins.close
    if sensors is Sensors.CHIP:
        from hw_sim.chip.at_table import chip_at
        from hw_sim.chip.sim_chip import SimChip

        chip = SimChip(path)
        chip_at(table, chip)
        return None, chip.close
    if sensors is Sensors.SERIAL:
        from hw_sim.serial_port import SimSerialPort, board_at

        port = SimSerialPort(path)
        board_at(table, port)
        return None, port.close
    return None, lambda: None
