"""A simulated table of Rubik's Infinity: camera, and a board with beams and a knob at a port or at pins."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.plan import Parts, Plan, Sensors, SimulatedGame
from companion.texts import text

if TYPE_CHECKING:
    from companion.games.game import Json

USUAL_LOOK = "slate_window"
NAMES = {"blue": "Ada", "yellow": "Ben"}


def build(plan: Plan, folder: Path) -> Parts:
    """Set the table up; its port is made in `folder`."""
    from companion.cli.simulated import calibrated_camera
    from hw_sim.breaches import BreachKind
    from hw_sim.faults import Faults
    from hw_sim.game_run import SimGame
    from hw_sim.pins import SimPins
    from hw_sim.players import HeuristicPlayer
    from hw_sim.recording import wiring_json
    from hw_sim.serial_port import SimSerialPort

    camera = calibrated_camera(plan.look or USUAL_LOOK, plan.seed) if plan.camera else None
    game = SimGame(
        plan.seed,
        faults=Faults.all_on() if plan.faults else None,
        players=plan.people(HeuristicPlayer()),
        breaches=[BreachKind(kind) for kind in plan.breaches],
        options=plan.options,
        frame_s=0,
        sights=False,
        serial=plan.sensors is Sensors.SERIAL,
    )
    if plan.sensors is Sensors.SERIAL:
        port = SimSerialPort(folder / "board")
        return Parts(game, {"serial": {"port": str(port.path)}}, camera, port)
    if plan.sensors is Sensors.CHIP:
        from hw_sim.chip.at_table import chip_at
        from hw_sim.chip.sim_chip import BoardSettings, SimChip

        chip = SimChip(folder / "board", settings=BoardSettings("demo"))
        chip_at(game.table, chip)
        return Parts(game, {"serial": {"port": str(chip.path)}}, camera, close=chip.close)
    if plan.sensors is Sensors.PINS:
        factory = SimPins(game.table).factory
        return Parts(game, {"gpio": wiring_json(game.table.wires.wiring)}, camera, pin_factory=factory)
    return Parts(game, {}, camera)


def _looks() -> list[str]:
    from hw_sim.camera.presets import PRESETS

    return list(PRESETS)


def _breaches() -> list[str]:
    from hw_sim.breaches import BreachKind

    return [kind.value for kind in BreachKind]


def _right(state: Mapping[str, Json]) -> str | None:
    position = state.get("position")
    board = position.get("board") if isinstance(position, Mapping) else None
    return board if isinstance(board, str) else None


def _agrees(game: Any, state: Mapping[str, Json]) -> bool:
    return bool(state.get("score") == game.truth().score)


def _standing(game: Any) -> str:
    return text("the score is {score}", score=game.truth().score)


INFINITY = SimulatedGame(_looks, _breaches, build, _right, _agrees, _standing, sensors=True)
