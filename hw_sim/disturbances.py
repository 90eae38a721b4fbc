"""What goes wrong around a game without anybody's doing: guests' hands, things put down, bumps, changing light."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

from hw_sim.arms import Arm
from hw_sim.faults import Faults
from hw_sim.light import STEADY, stepped
from hw_sim.scene import Light, ThingKind
from hw_sim.timeline import Act, Doing, T


class DisturbedTable(Protocol):
    """What a table must have so that something can go wrong at it.

    Attributes:
        reach: least x, greatest x, least y and greatest y of the spots over which guests lay hands and things.
    """

    faults: Faults
    light: Light
    reach: tuple[float, float, float, float]

    def person(self, name: str) -> Arm: ...
    def start(self, act: Act[T]) -> Doing[T]: ...
    @property
    def lies(self) -> tuple[float, float, float]: ...


def start_disturbances(table: DisturbedTable, rng: random.Random) -> None:
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
    table: DisturbedTable, rate: float, act: Callable[[DisturbedTable, random.Random], Act[None]], rng: random.Random
) -> Act[None]:
    while True:
        yield rng.expovariate(rate / 60.0)
        yield from act(table, rng)


def _guest(table: DisturbedTable) -> Act[None]:
    """Wait until the guest's one hand is free."""
    while table.person("guest").busy:
        yield 0.3


def _rest(table: DisturbedTable, rng: random.Random) -> Act[None]:
    yield from _guest(table)
    yield from table.person("guest").rest_hand(*_spot(table, rng), rng.uniform(0.3, 3.0))


def _spot(table: DisturbedTable, rng: random.Random) -> tuple[float, float]:
    left, right, low, high = table.reach
    return rng.uniform(left, right), rng.uniform(low, high)


def _leave_thing(table: DisturbedTable, rng: random.Random) -> Act[None]:
    guest = table.person("guest")
    yield from _guest(table)
    thing = yield from guest.put_thing(rng.choice(list(ThingKind)), *_spot(table, rng))
    yield rng.uniform(2.0, 8.0)
    yield from _guest(table)
    yield from guest.take_thing(thing)


def _bump(table: DisturbedTable, rng: random.Random) -> Act[None]:
    yield from _guest(table)
    # Back towards where it lay, so that a long game does not push the board off the table.
    x, y, deg = table.lies
    dx, dy = (rng.uniform(-5, 5) - lies / 2 for lies in (x, y))
    yield from table.person("guest").bump(dx, dy, rng.uniform(-2, 2) - deg / 2)


def _light_step(table: DisturbedTable, rng: random.Random) -> Act[None]:
    table.light = stepped(rng)
    yield rng.uniform(2.0, 10.0)
    table.light = STEADY
