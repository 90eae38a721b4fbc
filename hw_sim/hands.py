"""What people do at the table of Infinity, each in human, seeded time.

Every act is a generator for `SimTable.perform` or `SimTable.start`, as `hw_sim.arms` says.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from hw_sim.arms import Arm
from hw_sim.marbles import SimMarble, Slot, Whereabouts, board_slots
from hw_sim.motion import Point, Track
from hw_sim.physics import Pushed
from hw_sim.timeline import Act

if TYPE_CHECKING:
    from hw_sim.table import SimTable

SIDES = {"blue": (-105.0, -50.0), "yellow": (-75.0, 50.0)}
"""Where people sit, as `hw_sim.arms.Side`. Others sit beside."""
BESIDE = (-20.0, 0.0)


class Person(Arm):
    """Somebody at the table; made by `SimTable.person`."""

    def __init__(self, table: SimTable, name: str, rng: random.Random) -> None:
        super().__init__(table, name, SIDES.get(name, BESIDE), rng)
        self._table = table

    def push(self, kind: str, channel: int, *, begun: Callable[[], None] | None = None) -> Act[Pushed]:
        """Take a marble of a kind from the well and push it into a channel at the entry end.

        Args:
            begun: called when the marble begins to go in.
        """
        return self._with_hand(self._push(kind, channel, begun=begun))

    def push_two(self, first: tuple[str, int], second: tuple[str, int]) -> Act[tuple[Pushed, Pushed]]:
        """Push two marbles, (kind, channel) each, without taking the hand away between them."""

        def both() -> Act[tuple[Pushed, Pushed]]:
            one = yield from self._push(*first)
            two = yield from self._push(*second)
            return one, two

        return self._with_hand(both())

    def put_from_far_end(self, kind: str, channel: int) -> Act[Pushed]:
        """Push a marble of a kind from the well into a channel at its far end."""
        return self._with_hand(self._push(kind, channel, far=True))

    def push_again(self, slot: Slot, channel: int) -> Act[Pushed]:
        """Take a marble out of its slot and push it into a channel at the entry end."""

        def again() -> Act[Pushed]:
            marble = yield from self._lift_from(slot)
            return (yield from self._push_held(marble, channel))

        return self._with_hand(again())

    def move_marble(self, slot: Slot, to: Slot) -> Act[None]:
        """Take a marble out of its slot and lay it into an empty one."""

        def move() -> Act[None]:
            marble = yield from self._lift_from(slot)
            yield from self._lay(marble, to)

        return self._with_hand(move())

    def take_away(self, slot: Slot, *, into_well: bool = True) -> Act[None]:
        """Take a marble out of its slot: into the well, or off the table."""

        def take() -> Act[None]:
            marble = yield from self._lift_from(slot)
            if into_well:
                yield from self._drop(marble)
            else:
                yield from self._leave()
                self._table.physics.put_aside(marble)

        return self._with_hand(take())

    def lift_and_put_back(self, slot: Slot) -> Act[None]:
        """Take a marble out of its slot, look at it, and lay it back."""

        def look() -> Act[None]:
            marble = yield from self._lift_from(slot)
            yield self._rng.uniform(0.5, 2.0)
            yield from self._lay(marble, slot)

        return self._with_hand(look())

    def hold_over_seat(self, kind: str, slot: Slot) -> Act[None]:
        """Take a marble from the well, hold it over a seat for 0.5 to 2 s, and put it back into the well."""

        def ponder() -> Act[None]:
            marble = yield from self._fetch(kind)
            x, y, z = self._table.physics.seats[slot]
            yield from self._travel((x, y, z + self._rng.uniform(10.0, 20.0)))
            yield self._rng.uniform(0.5, 2.0)
            yield from self._drop(marble)

        return self._with_hand(ponder())

    def turn_knob(self, stop: int) -> Act[None]:
        """Turn the knob to a stop, the shorter way round."""

        def turn() -> Act[None]:
            yield from self._to_knob()
            yield self._table.turn_knob(stop)

        return self._with_hand(turn())

    def touch_knob(self) -> Act[None]:
        """Lay the hand on the knob and take it away without turning it."""

        def touch() -> Act[None]:
            yield from self._to_knob()
            yield self._rng.uniform(0.2, 0.8)

        return self._with_hand(touch())

    def arrange(self, board: str) -> Act[None]:
        """Put marbles by hand until the board is as it should be, as people do who put a mistake right.

        Marbles that somebody had put aside come back to the well first.
        """
        return self._with_hand(self._arrange(board))

    def _arrange(self, board: str) -> Act[None]:
        wanted = board_slots(board)
        marbles = self._table.marbles
        for marble in [m for m in marbles.all if m.where is Whereabouts.ASIDE]:
            self._come()
            self._table.physics.lift(marble, self.name)
            yield from self._drop(marble)
        while (lying := {slot: str(m.kind) for slot, m in marbles.slots.items()}) != wanted:
            wrong = [slot for slot, kind in lying.items() if wanted.get(slot) != kind]
            gaps = [slot for slot in wanted if slot not in lying]
            moves = [(slot, gap) for gap in gaps for slot in wrong if lying[slot] == wanted[gap]]
            if moves:
                marble = yield from self._lift_from(moves[0][0])
                yield from self._lay(marble, moves[0][1])
            elif wrong:
                marble = yield from self._lift_from(wrong[-1])
                yield from self._drop(marble)
            else:
                marble = yield from self._fetch(wanted[gaps[0]])
                yield from self._lay(marble, gaps[0])

    def _push(
        self, kind: str, channel: int, *, far: bool = False, begun: Callable[[], None] | None = None
    ) -> Act[Pushed]:
        marble = yield from self._fetch(kind)
        return (yield from self._push_held(marble, channel, far=far, begun=begun))

    def _push_held(
        self, marble: SimMarble, channel: int, *, far: bool = False, begun: Callable[[], None] | None = None
    ) -> Act[Pushed]:
        physics = self._table.physics
        mouth = physics.mouth(channel, far=far)
        yield from self._travel(mouth)
        if begun:
            begun()
        pushed = yield from self._follow(physics.push(marble, channel, far=far), mouth)
        yield self._rng.uniform(0.05, 0.2)
        return pushed

    def _follow(self, push: Act[Pushed], mouth: Point) -> Act[Pushed]:
        """The finger goes in behind the marble."""
        now_s = self._table.now_s
        x, y, z = mouth
        inwards = math.copysign(10.0, -y if y > 0 else 1.0)
        self._hand.track = Track((now_s, mouth), (now_s + 0.15, (x, y + inwards, z + 6.0)))
        return (yield from push)

    def _fetch(self, kind: str) -> Act[SimMarble]:
        """Take a marble of a kind from the well, whichever lies there when the hand arrives.

        One that just fell over a channel's end is waited for.
        """
        physics, marbles = self._table.physics, self._table.marbles
        while kind not in marbles.well_row() and any(
            m.kind == kind and m.where is Whereabouts.ROLLING for m in marbles.all
        ):
            yield 0.1
        marble = self._rng.choice(marbles.in_well_of(kind))
        x, y, z = physics.at(marble)
        yield from self._travel((x, y, z + 2.0))
        if marble not in marbles.well:
            marble = marbles.in_well_of(kind)[0]
        physics.lift(marble, self.name)
        yield self._rng.uniform(0.08, 0.2)
        return marble

    def _lift_from(self, slot: Slot) -> Act[SimMarble]:
        physics = self._table.physics
        self._table.marbles.at(slot)
        x, y, z = physics.seats[slot]
        yield from self._travel((x, y, z + 2.0))
        marble = self._table.marbles.at(slot)
        physics.lift(marble, self.name)
        yield from self._travel((x, y, self._table.over_mm))
        return marble

    def _lay(self, marble: SimMarble, slot: Slot) -> Act[None]:
        x, y, z = self._table.physics.seats[slot]
        yield from self._travel((x, y, z + 6.0))
        self._table.physics.seat(marble, slot, (x, y, z + 6.0))
        yield self._rng.uniform(0.05, 0.15)

    def _drop(self, marble: SimMarble) -> Act[None]:
        groove = self._table.geometry.groove
        deg = 200.0 if self._rng.random() < 0.5 else 340.0
        x, y, z = self._table.geometry.groove_point(min(max(deg, groove.start_deg), groove.end_deg))
        yield from self._travel((x, y, z + 8.0))
        self._table.physics.drop_in_well(marble, (x, y, z + 8.0))
        yield self._rng.uniform(0.05, 0.15)

    def _to_knob(self) -> Act[None]:
        knob = self._table.geometry.knob
        yield from self._travel((knob.cx, knob.cy, knob.h + 8.0))
