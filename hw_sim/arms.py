"""A hand at any simulated table: it comes from its owner's side, goes from place to place in human time, and leaves.

What hands do with a game's pieces is told by the game's own person: `hw_sim.hands`, `hw_sim.finity.hands`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Protocol

from hw_sim.motion import Point, Track
from hw_sim.scene import Hand, Thing, ThingKind
from hw_sim.timeline import Act, T

Side = tuple[float, float]
"""Where somebody sits: the direction from the table's middle (degrees, counter-clockwise from +x), and how far beside
that line the hand rests (mm)."""
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


class Space(Protocol):
    """What hands must know of a table.

    Attributes:
        away_mm: distance from the middle at which a hand is out of the picture.
        over_mm: height of the fingertip while a hand travels over the board; what it holds hangs there.
        edge_mm: half of the board's width, where it can be knocked against.
        lying_mm: height at which a thing lies on the pieces.
    """

    away_mm: float
    over_mm: float
    edge_mm: float
    lying_mm: float
    hands: dict[str, SimHand]
    things: list[Thing]

    @property
    def now_s(self) -> float: ...

    def bump(self, dx_mm: float, dy_mm: float, turn_deg: float) -> None: ...


class Arm:
    """One person's one hand, which does one thing at a time.

    Every act is a generator for the table's `perform` or `start`: it brings the hand, does the thing and takes the
    hand away again.
    """

    def __init__(self, space: Space, name: str, side: Side, rng: random.Random) -> None:
        self.name = name
        self._space = space
        self._side = side
        self._rng = rng
        self._skin = rng.choice(SKINS)
        self._busy = False

    @property
    def busy(self) -> bool:
        """Whether the hand is at something."""
        return self._busy

    def rest_hand(self, x_mm: float, y_mm: float, seconds: float) -> Act[None]:
        """Lay the hand over a spot of the board for a while."""

        def rest() -> Act[None]:
            yield from self._travel((x_mm, y_mm, self._space.over_mm))
            yield seconds

        return self._with_hand(rest())

    def bump(self, dx_mm: float, dy_mm: float, turn_deg: float) -> Act[None]:
        """Knock against the board with the hand."""

        def knock() -> Act[None]:
            x = math.copysign(self._space.edge_mm + 15.0, -dx_mm)
            yield from self._travel((x, self._rng.uniform(-80.0, 80.0), 5.0))
            self._space.bump(dx_mm, dy_mm, turn_deg)
            yield 0.2

        return self._with_hand(knock())

    def put_thing(self, kind: ThingKind, x_mm: float, y_mm: float) -> Act[Thing]:
        """Lay an object over the pieces of the board, or beside it; `take_thing` takes it away again."""
        colour = tuple(self._rng.uniform(0.03, 0.7) for _ in range(3))
        turn_deg = self._rng.uniform(0.0, 360.0)
        thing = Thing(kind, x_mm, y_mm, self._space.lying_mm, turn_deg, (colour[0], colour[1], colour[2]))

        def put() -> Act[Thing]:
            yield from self._travel((x_mm, y_mm, self._space.over_mm))
            self._space.things.append(thing)
            return thing

        return self._with_hand(put())

    def take_thing(self, thing: Thing) -> Act[None]:
        def take() -> Act[None]:
            yield from self._travel((thing.x_mm, thing.y_mm, self._space.over_mm))
            self._space.things.remove(thing)

        return self._with_hand(take())

    def _with_hand(self, act: Act[T], done: Callable[[], None] | None = None) -> Act[T]:
        """The act, then the hand goes away.

        Args:
            done: called when the hand has left.

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
        if done is not None:
            done()
        return result

    @property
    def _hand(self) -> SimHand:
        return self._space.hands[self.name]

    def _travel(self, to: Point) -> Act[None]:
        """Move the fingertip to a point, 450 to 900 mm a second; the hand comes first where it is not there."""
        self._come()
        now_s = self._space.now_s
        here = self._hand.tip(now_s)
        takes_s = max(0.12, math.dist(here, to) / self._rng.uniform(450.0, 900.0))
        self._hand.track = Track((now_s, here), (now_s + takes_s, to))
        yield takes_s

    def _come(self) -> None:
        """The hand appears at the person's side of the table."""
        if self.name not in self._space.hands:
            arm_deg = self._side[0] + self._rng.uniform(-12.0, 12.0)
            self._space.hands[self.name] = SimHand(Track((self._space.now_s, self._home(arm_deg))), arm_deg, self._skin)

    def _home(self, arm_deg: float) -> Point:
        turn, (sits_deg, beside) = math.radians(arm_deg), self._side
        across = math.radians(sits_deg + 90)
        away = self._space.away_mm
        x, y = beside * math.cos(across), beside * math.sin(across)
        return (x + away * math.cos(turn), y + away * math.sin(turn), self._space.over_mm)

    def _leave(self) -> Act[None]:
        if self.name in self._space.hands:
            yield from self._travel(self._home(self._hand.arm_deg))
            del self._space.hands[self.name]
