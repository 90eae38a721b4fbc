"""A simulated table with devices to open, as the demo and `record --simulated` use it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calibration.file import Calibration
    from companion.config import Config
    from companion.devices import Stand
    from hw_sim.game_run import SimGame
    from hw_sim.live import LiveTable

PICTURES_PER_S = 10
"""Of real time, whatever the speed: drawing one takes a good part of a core of a small machine."""


class Sensors(StrEnum):
    """How the board's beams and knob reach the program."""

    SERIAL = "serial"
    PINS = "pins"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Simulation:
    """A game that passes by itself once `table.start` was called.

    Attributes:
        config: what a person would write to referee it, without MQTT and journal.
        stand: its devices.
        calibration: its camera's; None without one.
    """

    game: SimGame
    table: LiveTable
    config: Config
    stand: Stand
    calibration: Calibration | None


@contextmanager
def simulation(
    *,
    seed: int = 1,
    speed: float = 4.0,
    sensors: Sensors = Sensors.SERIAL,
    camera: bool = True,
    look: str = "slate_window",
    faults: bool = False,
    breaches: Sequence[str] = (),
) -> Iterator[Simulation]:
    """Set a table up; whatever still goes on there ends with the block."""
    from companion.cli.simulated import calibrated_camera
    from companion.config import Config
    from companion.devices import Stand
    from hw_sim.breaches import BreachKind
    from hw_sim.camera.feed import SimCameraDevice
    from hw_sim.faults import Faults
    from hw_sim.game_run import SimGame
    from hw_sim.live import LiveTable
    from hw_sim.pins import SimPins
    from hw_sim.players import HeuristicPlayer
    from hw_sim.recording import wiring_json
    from hw_sim.serial_port import SimSerialPort

    sim_camera = calibrated_camera(look, seed) if camera else None
    game = SimGame(
        seed,
        faults=Faults.all_on() if faults else None,
        players=HeuristicPlayer(),
        breaches=[BreachKind(kind) for kind in breaches],
        frame_s=0,
        sights=False,
        serial=sensors is Sensors.SERIAL,
    )
    sections: dict[str, Any] = {"players": {"blue": "Ada", "yellow": "Ben"}, "table": {"name": "demo", "node": "demo"}}
    factory = None
    with tempfile.TemporaryDirectory() as folder:
        port = None
        if sensors is Sensors.SERIAL:
            port = SimSerialPort(Path(folder) / "board")
            sections["serial"] = {"port": str(port.path)}
        elif sensors is Sensors.PINS:
            factory = SimPins(game.table).factory
            sections["gpio"] = wiring_json(game.table.wires.wiring)
        table = LiveTable(game, speed=speed, port=port)

        def clock() -> float:
            return table.clock()  # which is another one from the moment when the game begins

        if sim_camera is not None:
            sections["camera"] = {"device": "simulated", "calibration": "unused"}
            sim_camera.camera.picture(game.table.scene(), game.table.light)  # the first picture takes a second
        device = (
            None
            if sim_camera is None
            else SimCameraDevice(
                sim_camera.camera,
                table.see,
                frames_per_s=PICTURES_PER_S / speed,
                seed=seed,
                clock=clock,
                sleep=lambda seconds: time.sleep(seconds / speed),
            )
        )
        stand = Stand(
            clock,
            None if device is None else partial(_open, device),
            factory,
            knob_verified=True,
            patience=max(1.0, speed),
        )
        calibration = None if sim_camera is None else sim_camera.calibration
        try:
            yield Simulation(game, table, Config.model_validate(sections), stand, calibration)
        finally:
            table.stop()


def _open(device: Any, _settings: object) -> Any:
    """A capture of the simulated camera, or the error that a real one gives.

    Raises:
        CameraError: while the simulated cable is pulled.
    """
    from vision.errors import CameraError

    feed = device.open()
    if not feed.isOpened():
        raise CameraError("the simulated camera is unplugged")
    return feed
