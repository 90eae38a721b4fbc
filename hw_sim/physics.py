"""What marbles do when hands let go of them: push each other along a channel, fall over its end, roll in the well."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import takewhile

from calibration.infinity.board import InfinityBoard
from hw_sim.faults import Faults
from hw_sim.marbles import Marbles, SimMarble, Slot, Whereabouts
from hw_sim.motion import Point, Track, between
from hw_sim.timeline import Act, Timeline
from hw_sim.wires import CHANNELS, Wires

BEAM_INSET_MM = 5.0
"""How far a beam stands inside the channel from its entry, and beyond its far end."""
BEAM_SHARE = 0.9
"""A marble blocks a beam while its centre is nearer than this share of its radius."""
UNDER_MM = -30.0
"""Height of a marble that rolls back under the board; below `HIDDEN_MM` no camera sees it."""
HIDDEN_MM = -8.0


@dataclass(frozen=True, slots=True)
class Pushed:
    """A marble was pushed in: when it touched the beam's place, and which marble fell over at the other end."""

    t_s: float
    over: SimMarble | None


class Physics:
    """Moves marbles about and tells the wires. Every change keeps all 18 marbles in exactly one place each."""

    def __init__(
        self,
        board: InfinityBoard,
        timeline: Timeline,
        wires: Wires,
        marbles: Marbles,
        faults: Faults,
        rng: random.Random,
    ) -> None:
        self._board = board
        self._timeline = timeline
        self._wires = wires
        self._marbles = marbles
        self._faults = faults
        self._rng = rng
        self._busy: set[int] = set()
        self.seats: dict[Slot, Point] = {
            (int(name[0]), int(name[2])): point for name, point in board.slot_centres().items()
        }
        for marble, point in zip(marbles.well, board.well_centres(len(marbles.well)), strict=True):
            marble.track = Track((timeline.now_s, point))

    @property
    def moving(self) -> bool:
        """Whether a marble is on its way or held."""
        now_s = self._timeline.now_s
        return any(
            m.where in (Whereabouts.HELD, Whereabouts.ROLLING) or (m.track is not None and m.track.end_s > now_s)
            for m in self._marbles.all
        )

    def at(self, marble: SimMarble) -> Point:
        """Where a marble is that no hand holds."""
        if marble.track is None:
            raise LookupError(f"marble {marble.number} is held by {marble.holder}")
        return marble.track.at(self._timeline.now_s)

    def mouth(self, channel: int, *, far: bool = False) -> Point:
        """Where a marble lies just outside a channel's entry (or its far end)."""
        x, _, z = self.seats[channel, 1]
        channels = self._board.channels
        return (x, channels.end_y + 15.0 if far else channels.entry_y - 9.0, z)

    def lift(self, marble: SimMarble, holder: str) -> None:
        """A hand takes a marble out of its slot or the well."""
        self._take_out(marble)
        marble.where, marble.track, marble.holder = Whereabouts.HELD, None, holder

    def put_aside(self, marble: SimMarble) -> None:
        """Somebody keeps a marble, out of sight."""
        marble.where, marble.holder = Whereabouts.ASIDE, ""

    def seat(self, marble: SimMarble, slot: Slot, start: Point) -> None:
        """A hand lays a marble into an empty slot.

        Raises:
            ValueError: if another marble lies there.
        """
        if slot in self._marbles.slots:
            raise ValueError(f"slot {slot[0]}.{slot[1]} is taken ({self._marbles.board()})")
        marble.holder = ""
        self._lies_in(marble, slot)
        marble.track = Track((self._timeline.now_s, start), (self._timeline.now_s + 0.05, self.seats[slot]))

    def drop_in_well(self, marble: SimMarble, start: Point) -> None:
        """A hand lets go of a marble over the well: it comes to lie at the nearer end of the row."""
        marble.holder = ""
        marble.track = Track((self._timeline.now_s, start))
        self._joins_row(marble, left=start[0] < self._board.groove.cx)

    def push(self, marble: SimMarble, channel: int, *, far: bool = False) -> Act[Pushed]:
        """Push a held marble into a channel; the marbles there move up one slot, and the last may fall over.

        A push takes 50 to 240 ms; one in six stops half way for up to 300 ms. From the far end it goes the same way
        round: marbles move down, and one may fall out at the entry.
        """
        while channel in self._busy:
            yield 0.05
        self._busy.add(channel)
        begun_s = self._timeline.now_s
        shares = list(self._shares(begun_s))
        order = tuple((channel, slot) for slot in (reversed(CHANNELS) if far else CHANNELS))
        chain = self._chain(order)
        rest = self._far_seat(order) if far and not chain else order[0]
        ways = [*order[1:], None][: len(chain)]
        self._goes(marble, _slide(shares, self.mouth(channel, far=far), self.seats[rest]), channel, far=far)
        for moved, start, end in zip(chain, order, ways, strict=False):
            moved.track = _slide(
                shares, self.seats[start], self.seats[end] if end else self.mouth(channel, far=not far)
            )
        over = chain[-1] if len(chain) == len(order) else None
        if over:
            self._fall(over, channel, far=not far)
        yield shares[-1][0] - begun_s
        for slot in order[: len(chain)]:
            del self._marbles.slots[slot]
        for moved, end in ((marble, rest), *zip(chain, ways, strict=True)):
            if end:
                self._lies_in(moved, end)
        self._busy.discard(channel)
        return Pushed(begun_s, over)

    def _shares(self, begun_s: float) -> Iterator[tuple[float, float]]:
        """Key moments of a push: (seconds, share of the way)."""
        takes_s = self._rng.uniform(0.05, 0.24)
        halt_s = self._rng.uniform(0.1, 0.3) if self._rng.random() < 1 / 6 else 0.0
        yield begun_s, 0.0
        yield begun_s + takes_s / 2, 0.5
        yield begun_s + takes_s / 2 + halt_s, 0.5
        yield begun_s + takes_s + halt_s, 1.0

    def _chain(self, order: tuple[Slot, ...]) -> list[SimMarble]:
        """The marbles that a push moves: those that lie one behind the other from its end on."""
        slots = self._marbles.slots
        return [slots[slot] for slot in takewhile(slots.__contains__, order)]

    def _far_seat(self, order: tuple[Slot, ...]) -> Slot:
        """Where a marble comes to rest that was put in at the far end: in its seat there, or rolled down."""
        free = list(takewhile(lambda slot: slot not in self._marbles.slots, order))
        return self._rng.choice((free[0], free[-1]))

    def _fall(self, marble: SimMarble, channel: int, *, far: bool) -> None:
        """The marble goes on beyond the end: over the edge into the hole behind it, or down from the entry."""
        track = marble.track or Track((self._timeline.now_s, self.mouth(channel, far=far)))
        end_s, (x, y, z) = track.end_s, track.end
        onward = 8.0 if far else -8.0
        gone_s = end_s + self._rng.uniform(0.02, 0.06)
        gone = (x, y + onward, UNDER_MM)
        self._goes(marble, track.then((gone_s, (x, y + onward, z)), (gone_s + 0.1, gone)), channel, far=far)
        marble.where = Whereabouts.ROLLING
        left = self._rng.random() < 0.5
        self._timeline.at(gone_s + self._rng.uniform(0.3, 0.7), partial(self._emerge, marble, left))

    def _emerge(self, marble: SimMarble, left: bool) -> None:
        groove = self._board.groove
        end = self._board.groove_point(groove.start_deg if left else groove.end_deg)
        marble.track = Track((self._timeline.now_s, end))
        self._joins_row(marble, left=left)

    def _joins_row(self, marble: SimMarble, *, left: bool) -> None:
        marble.where = Whereabouts.WELL
        self._marbles.well.insert(0 if left else len(self._marbles.well), marble)
        self._close_row()

    def _close_row(self) -> None:
        """Let the row in the well roll together round its lowest point."""
        now_s = self._timeline.now_s
        targets = self._board.well_centres(len(self._marbles.well))
        for marble, target in zip(self._marbles.well, targets, strict=True):
            here = self.at(marble)
            start_deg, end_deg = self._groove_deg(here), self._groove_deg(target)
            way = [self._board.groove_point(deg) for deg in _steps(start_deg, end_deg)]
            # Marbles roll about 250 degrees a second when the row closes, and take a moment to start.
            takes_s = 0.1 + abs(end_deg - start_deg) / 250.0
            points = [here, *way, target]
            keys = ((now_s + takes_s * i / (len(points) - 1), point) for i, point in enumerate(points))
            marble.track = Track(*keys)

    def _groove_deg(self, point: Point) -> float:
        groove = self._board.groove
        # The groove runs from 146 through 270 to 394 degrees: count from 90 so that it has no seam.
        return (math.degrees(math.atan2(point[1] - groove.cy, point[0] - groove.cx)) - 90.0) % 360.0 + 90.0

    def _take_out(self, marble: SimMarble) -> None:
        if marble in self._marbles.well:
            self._marbles.well.remove(marble)
            self._close_row()
        for slot, lying in self._marbles.slots.items():
            if lying is marble:
                del self._marbles.slots[slot]
                self._wires.slot(*slot, occupied=False)
                break

    def _lies_in(self, marble: SimMarble, slot: Slot) -> None:
        marble.where = Whereabouts.SLOT
        self._marbles.slots[slot] = marble
        self._wires.slot(*slot, occupied=True)

    def _goes(self, marble: SimMarble, track: Track, channel: int, *, far: bool) -> None:
        """The marble goes along a track through the beam at one end of a channel: plan the beam's edges."""
        marble.holder, marble.track = "", track
        channels = self._board.channels
        beam_y = channels.end_y + BEAM_INSET_MM if far else channels.entry_y + BEAM_INSET_MM
        reach = self._board.marble.d / 2 * BEAM_SHARE
        passing = sorted(t_s for y in (beam_y - reach, beam_y + reach) for t_s, _ in track.crossings(y, axis=1))
        if self._rng.random() < self._faults.rolls_back:
            back_s = passing[-1] + self._rng.uniform(0.05, 0.25)
            passing += [back_s, back_s + self._rng.uniform(0.02, 0.08)]
        line = f"{'exit' if far else 'entry'}{channel}"
        for index, t_s in enumerate(passing):
            self._timeline.at(t_s, partial(self._wires.beam, line, blocked=index % 2 == 0))


def _slide(shares: list[tuple[float, float]], start: Point, end: Point) -> Track:
    return Track(*((t_s, between(start, end, k)) for t_s, k in shares))


def _steps(start_deg: float, end_deg: float) -> Iterator[float]:
    """Angles on the way, at most 15 degrees apart, without both ends."""
    count = int(abs(end_deg - start_deg) // 15)
    for index in range(1, count + 1):
        yield start_deg + (end_deg - start_deg) * index / (count + 1)
