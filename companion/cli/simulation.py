"""A simulated table with devices to open, as the demo and `record --simulated` use it, whatever the game."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli import simulated_finity, simulated_infinity
from companion.cli.plan import Parts, Plan, Sensors, SimulatedGame
from companion.errors import UsageError
from companion.games.registry import game_named
from companion.texts import text

if TYPE_CHECKING:
    from calibration.file import Calibration
    from companion.cli.simulated import CalibratedCamera
    from companion.config import Config
    from companion.devices import Stand
    from hw_sim.live import LiveTable

PICTURES_PER_S = 10
"""Of real time, whatever the speed: drawing one takes a good part of a core of a small machine."""

SIMULATED: Mapping[str, SimulatedGame] = {
    "infinity": simulated_infinity.INFINITY,
    "finity": simulated_finity.FINITY,
}
NAMES: Mapping[str, Mapping[str, str]] = {"infinity": simulated_infinity.NAMES, "finity": simulated_finity.NAMES}


@dataclass(frozen=True, slots=True)
class Simulation:
    """A game that passes by itself once `table.start` was called.

    Attributes:
        config: what a person would write to referee it, without MQTT and journal.
        stand: its devices.
        calibration: its camera's; None without one.
    """

    kind: SimulatedGame
    game: Any
    table: LiveTable
    config: Config
    stand: Stand
    calibration: Calibration | None


def checked(plan: Plan) -> Plan:
    """A plan that can be simulated.

    Raises:
        InputError: for a set-up or options that the rules do not know.
        UsageError: for what cannot, with what can.
    """
    if plan.game not in SIMULATED:
        raise UsageError(
            text("there is no simulated table of {game}; known: {known}", game=plan.game, known=", ".join(SIMULATED))
        )
    kind = SIMULATED[plan.game]
    for breach in plan.breaches:
        if breach not in kind.breaches():
            known = ", ".join(kind.breaches())
            raise UsageError(text("there is no breach {breach}; known: {known}", breach=breach, known=known))
    if plan.look and plan.look not in kind.looks():
        raise UsageError(text("there is no look {look}; known: {known}", look=plan.look, known=", ".join(kind.looks())))
    game_named(plan.game, plan.options, plan.setup)  # what cannot be played is told before anything is set up
    if not plan.camera and not kind.sensors:
        raise UsageError(text("only a camera sees a game of {game}; leave it on", game=plan.game))
    if not plan.camera and plan.sensors is Sensors.NONE:
        raise UsageError(text("without a camera and sensors nothing sees the game; leave one of them"))
    return plan


@contextmanager
def simulation(plan: Plan, camera: CalibratedCamera | None = None) -> Iterator[Simulation]:
    """Set a table up; whatever still goes on there ends with the block.

    Args:
        camera: one that was calibrated before; else one is set up here, where the plan has one.
    """
    from companion.config import Config
    from hw_sim.live import LiveTable

    kind = SIMULATED[plan.game]
    with tempfile.TemporaryDirectory() as folder:
        parts = kind.build(plan if camera is None else replace(plan, camera=False), Path(folder))
        parts = parts if camera is None else replace(parts, camera=camera)
        table = LiveTable(parts.game, speed=plan.speed, port=parts.port)
        calibration = None if parts.camera is None else parts.camera.calibration
        try:
            config = Config.model_validate(_sections(plan, parts))
            yield Simulation(kind, parts.game, table, config, _stand(plan, parts, table), calibration)
        finally:
            table.stop()
            parts.close()


def _sections(plan: Plan, parts: Parts) -> dict[str, Any]:
    usual = NAMES[plan.game]
    names = {**{player: usual[player] for player in parts.game.rules.players}, **plan.names}
    camera = {} if parts.camera is None else {"camera": {"device": "simulated", "calibration": "unused"}}
    return {
        "table": {"game": plan.game, "name": "demo", "node": "demo", **plan.setup},
        "players": names,
        "rules": dict(plan.options),
        **parts.sections,
        **camera,
    }


def _stand(plan: Plan, parts: Parts, table: LiveTable) -> Stand:
    from companion.devices import Stand

    def clock() -> float:
        return table.clock()  # which is another one from the moment when the game begins

    open_capture = None if parts.camera is None else _capture(plan, parts, table, clock)
    return Stand(clock, open_capture, parts.pin_factory, knob_verified=True, patience=max(1.0, plan.speed))


def _capture(plan: Plan, parts: Parts, table: LiveTable, clock: Callable[[], float]) -> Any:
    """What opens the simulated camera."""
    from hw_sim.camera.feed import SimCameraDevice

    assert parts.camera is not None
    camera, scene = parts.camera.camera, parts.game.table
    camera.picture(scene.scene(), scene.light)  # the first picture takes a second
    device = SimCameraDevice(
        camera,
        table.see,
        frames_per_s=PICTURES_PER_S / plan.speed,
        seed=plan.seed,
        clock=clock,
        sleep=lambda seconds: time.sleep(seconds / plan.speed),
    )
    return partial(opened, device)


def opened(device: Any, _settings: object) -> Any:
    """A capture of a simulated camera, or the error that a real one gives.

    Raises:
        CameraError: while the simulated cable is pulled.
    """
    from vision.errors import CameraError

    feed = device.open()
    if not feed.isOpened():
        raise CameraError(text("the simulated camera is unplugged"))
    return feed
