"""What goes wrong around a game without anybody's doing: guests' hands, things put down, bumps, changing light."""

from __future__ import annotations

import random
from collections.abc import Callable

from hw_sim.light import STEADY, stepped
from hw_sim.scene import ThingKind
from hw_sim.table import SimTable
from hw_sim.timeline import Act


def start_disturbances(table: SimTable, rng: random.Random) -> None:
    """Let everything happen that the table's faults ask for, for as long as time passes."""
    faults = table.faults
    for rate, act in (
        (faults.hands_rate, _rest),
        (faults.things_rate, _leave_thing),
        (faults.bump_rate, _bump),
        (faults.exposure_rate, _light_step),
    ):
        if rate:
            table.start(_now_and_then(table, rate, act, rng))


def _now_and_then(
    table: SimTable, rate: float, act: Callable[[SimTable, random.Random], Act[None]], rng: random.Random
) -> Act[None]:
    while True:
        yield rng.expovariate(rate / 60.0)
        yield from act(table, rng)


def _guest(table: SimTable) -> Act[None]:
    """Wait until the guest's one hand is free."""
    while table.person("guest").busy:
        yield 0.3


def _rest(table: SimTable, rng: random.Random) -> Act[None]:
    yield from _guest(table)
    yield from table.person("guest").rest_hand(rng.uniform(-50, 60), rng.uniform(-60, 90), rng.uniform(0.3, 3.0))


def _leave_thing(table: SimTable, rng: random.Random) -> Act[None]:
    guest = table.person("guest")
    yield from _guest(table)
    thing = yield from guest.put_thing(rng.choice(list(ThingKind)), rng.uniform(-60, 110), rng.uniform(-60, 100))
    yield rng.uniform(2.0, 8.0)
    yield from _guest(table)
    yield from guest.take_thing(thing)


def _bump(table: SimTable, rng: random.Random) -> Act[None]:
    yield from _guest(table)
    # Back towards where it lay, so that a long game does not push the board off the table.
    scene = table.scene()
    dx, dy = (rng.uniform(-5, 5) - lies / 2 for lies in scene.bump_mm)
    yield from table.person("guest").bump(dx, dy, rng.uniform(-2, 2) - scene.bump_deg / 2)


def _light_step(table: SimTable, rng: random.Random) -> Act[None]:
    table.light = stepped(rng)
    yield rng.uniform(2.0, 10.0)
    table.light = STEADY
