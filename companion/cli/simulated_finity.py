"""A simulated table of Finity, which only a camera watches."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.plan import Parts, Plan, SimulatedGame
from companion.texts import text

if TYPE_CHECKING:
    from companion.games.game import Json

NAMES = {"A": "Ada", "B": "Ben", "C": "Cleo", "D": "Dan"}
PATTERN = "bwbbwbww"
"""The tower of a demo where nobody gave one."""


def build(plan: Plan, _folder: Path) -> Parts:
    """Set the table up."""
    from companion.cli.simulated import calibrated_finity_camera
    from hw_sim.faults import Faults
    from hw_sim.finity.breaches import FinityBreachKind
    from hw_sim.finity.game_run import FinityGame
    from hw_sim.finity.players import SensiblePlayer

    game = FinityGame(
        plan.seed,
        setup=plan.setup,
        options=plan.options,
        faults=Faults.all_on() if plan.faults else None,
        players=plan.people(SensiblePlayer(stop_after=0)),
        breaches=[FinityBreachKind(kind) for kind in plan.breaches],
        frame_s=0,
        sights=False,
    )
    look = plan.look or _looks()[0]
    camera = calibrated_finity_camera(look, plan.seed, game.table.scene()) if plan.camera else None
    return Parts(game, {}, camera)


def _looks() -> list[str]:
    from hw_sim.finity.camera.looks import FINITY_LOOKS

    return list(FINITY_LOOKS)


def _breaches() -> list[str]:
    from hw_sim.finity.breaches import FinityBreachKind

    return [kind.value for kind in FinityBreachKind]


def _right(state: Mapping[str, Json]) -> Json:
    return state.get("position")


def _agrees(game: Any, state: Mapping[str, Json]) -> bool:
    """Whether referee and truth have the same position; a list and a tuple are the same."""
    really = game.rules.position_json(game.truth().position)
    return bool(json.loads(json.dumps(state.get("position"))) == json.loads(json.dumps(really)))


def _standing(game: Any) -> str:
    return text("the game is not over")


FINITY = SimulatedGame(_looks, _breaches, build, _right, _agrees, _standing, sensors=False)
