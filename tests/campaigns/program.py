"""The whole program at a simulated table that outlives it: `python -m tests.campaigns.program <orders.json>`.

Real are the station with its journal, page and MQTT, and the serial board; what the camera would read comes as lines
from a socket. The clock begins at 0 at every start, as that of `companion referee`.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.config import Config
from companion.devices import Stand
from companion.evidence import DeviceChanged, DeviceState, Evidence, Sight
from companion.station import Station
from vision.reading import PlaceReading, Reading, Status

CAMERA = "camera"


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


if __name__ == "__main__":
    main(Path(sys.argv[1]))
