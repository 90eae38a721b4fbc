"""The whole program at a simulated table that outlives it: `python -m tests.campaigns.program`, a start for each line.

Real are the station with its journal, page and MQTT, and the serial board; what the camera would read comes as lines
from a socket. The clock begins at 0 at every start, as that of `companion referee`.

Modules are read once and each program is forked from there: reading them takes most of the time of a start, and
hundreds of starts would say more of the machine than of the program.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.config import Config
from companion.devices import Stand
from companion.evidence import DeviceChanged, DeviceState, Evidence, Sight
from companion.station import Station
from vision.reading import PlaceReading, Reading, Status

CAMERA = "camera"
READ_LATE = (
    "calibration.board",
    "companion.mqtt.desk",
    "companion.mqtt.node",
    "companion.page.layout",
    "companion.page.pages",
    "companion.page.server",
    "firmware_bridge.port",
    "paho.mqtt.client",
    "uvicorn",
)
"""What a station with page, MQTT and a serial board reads when it is made."""


def reading_of(line: dict[str, Any]) -> Reading:
    """A reading from `dataclasses.asdict` of what simulated eyes saw."""
    places = {name: PlaceReading(**place) for name, place in line["places"].items()}
    knob = PlaceReading(**line["knob"]) if line["knob"] else None
    return Reading(**{**line, "status": Status(line["status"]), "places": places, "knob": knob})


class SightLine:
    """A camera whose pictures come read, a line each, from a socket; they are stamped as they arrive."""

    def __init__(self, path: Path, put: Callable[[Evidence], None], clock: Callable[[], float]) -> None:
        self._put = put
        self._clock = clock
        self._socket = socket.socket(socket.AF_UNIX)
        self._path = path
        self._thread = threading.Thread(target=self._look, name="looking", daemon=True)

    def start(self) -> None:
        self._socket.connect(str(self._path))
        self._thread.start()

    def stop(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(3)
        self._socket.close()

    def _look(self) -> None:
        self._put(DeviceChanged(self._clock(), CAMERA, DeviceState.OK, ""))
        for line in self._socket.makefile():
            self._put(Sight(self._clock(), CAMERA, reading_of(json.loads(line))))


def main(path: Path) -> None:
    orders = json.loads(path.read_text())
    speed: float = orders["speed"]
    began_s = time.monotonic()

    def clock() -> float:
        return (time.monotonic() - began_s) * speed

    config = Config.model_validate(orders["config"])
    with Station(config, [], stand=Stand(clock, patience=speed), tell=lambda line: print(line, flush=True)) as station:
        station.loop.watch(SightLine(Path(orders["sights"]), station.loop.put, clock))
        station.run()


def forked(orders: Path, out: Path) -> int:
    """Start the program as a process of its own, which writes to `out`; returns its number."""
    number = os.fork()
    if number:
        return number
    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        with out.open("ab") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        main(orders)
        status = 0
    finally:
        if status:
            traceback.print_exc()
        sys.stderr.flush()
        os._exit(status)


def serve() -> None:
    """Say that all is read; then for each line with two paths start a program, and tell its number."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # who ends is gone at once
    for module in READ_LATE:
        importlib.import_module(module)
    print("ready", flush=True)
    for line in sys.stdin:
        orders, out = json.loads(line)
        print(forked(Path(orders), Path(out)), flush=True)


if __name__ == "__main__":
    serve()
