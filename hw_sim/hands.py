"""What people do at the table, each in human, seeded time.

Every act is a generator for `SimTable.perform` or `SimTable.start`: it brings the person's hand, does the thing and
takes the hand away again. A person has one hand and does one thing at a time.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from hw_sim.marbles import SimMarble, Slot, Whereabouts, board_slots
from hw_sim.motion import Point, Track
from hw_sim.physics import Pushed
from hw_sim.scene import Hand, Thing, ThingKind
from hw_sim.timeline import Act, T

if TYPE_CHECKING:
    from hw_sim.table import SimTable

SIDES = {"blue": (-50.0, -105.0), "yellow": (50.0, -75.0)}
"""Where people sit: x of the hand at rest, and the direction from the fingertip to the elbow. Others sit beside."""
BESIDE = (150.0, -20.0)
AWAY_MM = 290.0
"""Distance from the board's centre at which a hand is out of the picture."""
OVER_MM = 24.0
"""Height of the fingertip while a hand travels over the board; a held marble hangs there."""
SKINS = ((0.55, 0.33, 0.22), (0.62, 0.42, 0.31), (0.36, 0.20, 0.12), (0.22, 0.12, 0.075))


class SimHand:
    """A hand in sight: the way of its fingertip."""

    def __init__(self, track: Track, arm_deg: float, skin: tuple[float, float, float]) -> None:
        self.track = track
        self.arm_deg = arm_deg
        self.skin = skin

    def tip(self, t_s: float) -> Point:
        return self.track.at(t_s)

    def at(self, t_s: float, *, pinching: bool) -> Hand:
        x, y, z = self.track.at(t_s)
        return Hand(x, y, z, self.arm_deg, self.skin, pinching)


class Person:
    """Somebody at the table; made by `SimTable.person`."""

    def __init__(self, table: SimTable, name: str, rng: random.Random) -> None:
        self.name = name
        self._table = table
        self._rng = rng
        self._skin = rng.choice(SKINS)
        self._busy = False

    @property
    def busy(self) -> bool:
        """Whether the hand is at something."""
        return self._busy

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

    def rest_hand(self, x_mm: float, y_mm: float, seconds: float) -> Act[None]:
        """Lay the hand over a spot of the board for a while."""

        def rest() -> Act[None]:
            yield from self._travel((x_mm, y_mm, OVER_MM))
            yield seconds

        return self._with_hand(rest())

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

    def bump(self, dx_mm: float, dy_mm: float, turn_deg: float) -> Act[None]:
        """Knock against the board with the hand."""

        def knock() -> Act[None]:
            half = self._table.geometry.board.w / 2
            yield from self._travel((math.copysign(half + 15.0, -dx_mm), self._rng.uniform(-80.0, 80.0), 5.0))
            self._table.bump(dx_mm, dy_mm, turn_deg)
            yield 0.2

        return self._with_hand(knock())

    def put_thing(self, kind: ThingKind, x_mm: float, y_mm: float) -> Act[Thing]:
        """Lay an object over the marbles of the board, or beside it; `take_thing` takes it away again."""
        colour = tuple(self._rng.uniform(0.03, 0.7) for _ in range(3))
        size = self._table.geometry.marble
        lying_mm = size.centre_z_in_seat + size.d / 2 + 0.2
        thing = Thing(kind, x_mm, y_mm, lying_mm, self._rng.uniform(0.0, 360.0), (colour[0], colour[1], colour[2]))

        def put() -> Act[Thing]:
            yield from self._travel((x_mm, y_mm, OVER_MM))
            self._table.things.append(thing)
            return thing

        return self._with_hand(put())

    def take_thing(self, thing: Thing) -> Act[None]:
        def take() -> Act[None]:
            yield from self._travel((thing.x_mm, thing.y_mm, OVER_MM))
            self._table.things.remove(thing)

        return self._with_hand(take())

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

    def _with_hand(self, act: Act[T]) -> Act[T]:
        """The act, then the hand goes away.

        Raises:
            RuntimeError: if the hand is still at something else.
        """
        if self._busy:
            raise RuntimeError(f"the hand of {self.name} is still busy with something else")
        self._busy = True
        try:
            result = yield from act
            yield from self._leave()
        finally:
            self._busy = False
        return result

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
        yield from self._travel((x, y, OVER_MM))
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

    @property
    def _hand(self) -> SimHand:
        return self._table.hands[self.name]

    def _travel(self, to: Point) -> Act[None]:
        """Move the fingertip to a point, 450 to 900 mm a second; the hand comes first where it is not there."""
        self._come()
        now_s = self._table.now_s
        here = self._hand.tip(now_s)
        takes_s = max(0.12, math.dist(here, to) / self._rng.uniform(450.0, 900.0))
        self._hand.track = Track((now_s, here), (now_s + takes_s, to))
        yield takes_s

    def _come(self) -> None:
        """The hand appears at the person's side of the table."""
        if self.name not in self._table.hands:
            x, arm_deg = SIDES.get(self.name, BESIDE)
            arm_deg += self._rng.uniform(-12.0, 12.0)
            track = Track((self._table.now_s, self._home(x, arm_deg)))
            self._table.hands[self.name] = SimHand(track, arm_deg, self._skin)

    def _home(self, x: float, arm_deg: float) -> Point:
        angle = math.radians(arm_deg)
        return (x + AWAY_MM * math.cos(angle), AWAY_MM * math.sin(angle), OVER_MM)

    def _leave(self) -> Act[None]:
        if self.name in self._table.hands:
            x, _ = SIDES.get(self.name, BESIDE)
            yield from self._travel(self._home(x, self._hand.arm_deg))
            del self._table.hands[self.name]
