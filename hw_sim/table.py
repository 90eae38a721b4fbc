"""The simulated table: marbles, knob, hands and things in time, and the wires that feel them.

from hw_sim.table import SimTable

table = SimTable(seed=7)
blue = table.person("blue")
table.perform(blue.push("B", 3))       # time passes as for a person; the wires' edges come out on the way
table.truth().board                    # "....|....|B...|...."
table.scene()                          # what a camera would see at this moment
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from calibration.infinity.board import InfinityBoard, reference_board
from firmware_bridge.wiring import Wiring
from hw_sim.arms import SimHand
from hw_sim.clock import ManualClock
from hw_sim.faults import Faults, stream
from hw_sim.hands import Person
from hw_sim.knob import SimKnob, stop_of
from hw_sim.light import STEADY
from hw_sim.marbles import FULL_SET, Marbles, Whereabouts
from hw_sim.motion import Track
from hw_sim.physics import HIDDEN_MM, Physics
from hw_sim.scene import Light, Marble, Scene, Thing
from hw_sim.timeline import Act, Doing, T, Timeline
from hw_sim.wires import TABLE_WIRING, Edge, Wires

AWAY_MM = 290.0
OVER_MM = 24.0
"""See `hw_sim.arms.Space`."""
REACH = (-60.0, 90.0, -60.0, 95.0)
"""See `hw_sim.disturbances.DisturbedTable`."""


@dataclass(frozen=True, slots=True)
class TableTruth:
    """How things really are.

    Attributes:
        board: in the contract's words; a marble on its way stands where it lay before.
        well: the row of marbles in the well, left to right.
        knob_stop: -4 to 5; where the knob is being turned to while it turns.
        settled: whether nothing moves and no hand holds a marble.
    """

    board: str
    well: str
    knob_stop: int
    settled: bool


class SimTable:
    """A table for one game of Infinity, all marbles in the well in a seeded order, the knob at `*`.

    Args:
        board: its measures; the built-in reference board by default.
        seed: everything that chance decides (times, angles, the order in the well, faults) follows from it.
        clock: the time at the table; only the table may move it.
        faults: what goes wrong; nothing by default.
        wiring: pins and knob.
        well: the order of the marbles in the well, left to right, instead of a seeded one.
    """

    def __init__(
        self,
        board: InfinityBoard | None = None,
        *,
        seed: int | str = 0,
        clock: ManualClock | None = None,
        faults: Faults | None = None,
        wiring: Wiring | None = None,
        well: str | None = None,
    ) -> None:
        self.geometry = board or reference_board()
        self.seed = seed
        self.faults = faults or Faults()
        self.timeline = Timeline(clock)
        self.wires = Wires(self.timeline, wiring or TABLE_WIRING, self.faults, stream(seed, "wires"))
        self.knob = SimKnob(self.wires.wiring.edges_per_detent, stream(seed, "knob"))
        order = stream(seed, "well").sample(FULL_SET, len(FULL_SET))
        self.marbles = Marbles.in_well(well or order)
        self.physics = Physics(
            self.geometry, self.timeline, self.wires, self.marbles, self.faults, stream(seed, "physics")
        )
        self.light: Light = STEADY
        self.hands: dict[str, SimHand] = {}
        self.things: list[Thing] = []
        self.board_present = True
        self.away_mm, self.over_mm = AWAY_MM, OVER_MM
        self.reach = REACH
        self.edge_mm = self.geometry.board.w / 2
        size = self.geometry.marble
        self.lying_mm = size.centre_z_in_seat + size.d / 2 + 0.2
        self._place = Track((self.now_s, (0.0, 0.0, 0.0)))
        self._people: dict[str, Person] = {}

    @property
    def now_s(self) -> float:
        return self.timeline.now_s

    def person(self, name: str) -> Person:
        """Somebody at the table, with one hand; always the same person for a name ("blue", "yellow", "guest")."""
        if name not in self._people:
            self._people[name] = Person(self, name, stream(self.seed, f"person {name}"))
        return self._people[name]

    def perform(self, act: Act[T]) -> T:
        """Let somebody do something, and time pass until it is done."""
        return self.timeline.perform(act)

    def start(self, act: Act[T]) -> Doing[T]:
        """Let somebody begin to do something; `advance` lets it go on."""
        return self.timeline.start(act)

    def advance(self, seconds: float) -> None:
        """Let time pass; all edges up to then have been told when this returns."""
        self.timeline.run_until(self.now_s + seconds)

    def listen(self, listener: Callable[[Edge], None]) -> None:
        """Call `listener` with every edge of every line, in time order."""
        self.wires.listen(listener)

    def turn_knob(self, stop: int) -> float:
        """Turn the knob from now on.

        Returns:
            How long it takes until it rests, in seconds.
        """
        for t_s, quarter in self.knob.turn(self.now_s, self.knob.detents_to(stop)):
            self.timeline.at(t_s, partial(self.wires.knob, quarter))
        return self.knob.track.end_s - self.now_s

    def bump(self, dx_mm: float, dy_mm: float, turn_deg: float) -> None:
        """Shove the board from where it lies; it slides for a fifth of a second."""
        x, y, deg = here = self._place.at(self.now_s)
        self._place = Track((self.now_s, here), (self.now_s + 0.2, (x + dx_mm, y + dy_mm, deg + turn_deg)))

    @property
    def sliding(self) -> bool:
        """Whether the board is on its way after a bump."""
        return self.now_s < self._place.end_s

    @property
    def lies(self) -> tuple[float, float, float]:
        """How the board lies against where it lay at the start: x, y in mm and degrees."""
        return self._place.at(self.now_s)

    def scene(self) -> Scene:
        """Everything that a camera could see now."""
        now_s = self.now_s
        holding = {marble.holder for marble in self.marbles.all}
        x, y, deg = self.lies
        return Scene(
            marbles=tuple(self._marbles_in_sight(now_s)),
            knob_deg=self.knob.angle_deg(now_s),
            hands=tuple(hand.at(now_s, pinching=name in holding) for name, hand in self.hands.items()),
            things=tuple(self.things),
            bump_mm=(x, y),
            bump_deg=deg,
            board_present=self.board_present,
        )

    def _marbles_in_sight(self, now_s: float) -> Iterator[Marble]:
        for marble in self.marbles.all:
            if marble.where is Whereabouts.ASIDE:
                continue
            x, y, z = marble.track.at(now_s) if marble.track else self.hands[marble.holder].tip(now_s)
            if z > HIDDEN_MM:
                yield Marble(marble.kind, x, y, z)

    def truth(self) -> TableTruth:
        return TableTruth(
            board=self.marbles.board(),
            well=self.marbles.well_row(),
            knob_stop=stop_of(self.knob.detents),
            settled=not self.physics.moving and not self.knob.turning(self.now_s) and not self.sliding,
        )
