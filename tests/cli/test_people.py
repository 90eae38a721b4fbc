"""The simulated people of a demo: a question that none of its choices answers does not stop them."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import pytest

from companion.cli.people import FORFEIT, People
from companion.cli.plan import Plan
from companion.cli.simulation import Simulation, simulation
from companion.games.registry import game_named
from companion.live import TableLoop
from companion.table import Table
from tests.reconciler.sights import shown

UNEXPLAINED = "KWKW|BYBY|WKWK|YBYB"
ASKED_S = 14.0
PATIENCE_S = 20.0


def played(sim: Simulation, least: int) -> list[str]:
    """What people have played when there are so many moves, with nobody who saw it."""
    while len(sim.game.truth().moves) < least:
        sim.game.step()
    return [move for move in sim.game.truth().moves if move != FORFEIT]


def wrong_last(truth: Sequence[str]) -> list[str]:
    return [*truth[:-1], f"{truth[-1][0]}{int(truth[-1][1]) % 4 + 1}"]


@pytest.mark.parametrize("wrong", [False, True], ids=["nothing was told", "the last move is another"])
def test_the_record_is_put_right_where_no_choice_is_true(wrong: bool) -> None:
    with simulation(Plan(speed=500.0, camera=False)) as sim:
        truth = played(sim, 4)
        table = Table(game_named("infinity", {}, {}))
        table.start(0.0)
        for move in wrong_last(truth) if wrong else []:
            table.command("play", {"move": move}, 0.0)
        asked = shown(table, UNEXPLAINED, 0.1, ASKED_S)
        assert table.referee.question is not None
        assert table.referee.question.asked.choices == ("none",)
        people = People(sim)
        loop = TableLoop(table, [people], clock=sim.table.clock)
        people.loop = loop
        running = threading.Thread(target=loop.run)
        running.start()
        people.publish(asked, table.state_json())
        until_s = time.monotonic() + PATIENCE_S
        while list(table.referee.record.moves) != truth and time.monotonic() < until_s:
            time.sleep(0.02)
        loop.stop()
        running.join(10.0)
        assert list(table.referee.record.moves) == truth
