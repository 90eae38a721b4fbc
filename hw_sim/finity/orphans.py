"""How people take orphaned rings off: told by the referee or by themselves, at once or late, singly or together."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from hw_sim.finity.happenings import Ring, RingsRemoved
from hw_sim.finity.players import FinityHabits
from hw_sim.finity.table import SimFinityTable
from hw_sim.timeline import Act
from hw_sim.waiting import LOOK_S, free_hand, wait

FORGOTTEN_S = 90.0
"""Somebody sees rings that all have forgotten at last, where nobody reminds them."""


def places_of(rings: Iterable[Ring]) -> tuple[str, ...]:
    """The seats of rings."""
    return tuple(f"{station}.{size}" for _, station, size in rings)


class OrphanCare:
    """What becomes of the orphans of each move.

    Attributes:
        lying: the orphans that people know of and that lie on the board.
        pointed_out, reminded: whether the referee has named them, and named them again.
    """

    def __init__(
        self,
        table: SimFinityTable,
        habits: FinityHabits,
        tell: Callable[[RingsRemoved], None],
        rng: random.Random,
    ) -> None:
        self.lying: tuple[Ring, ...] = ()
        self.pointed_out = False
        self.reminded = False
        self._table = table
        self._habits = habits
        self._tell = tell
        self._rng = rng
        self._ply = 0

    def cut_off(self, rings: tuple[Ring, ...], ply: int) -> None:
        """A move has cut rings off."""
        self.lying, self._ply = rings, ply
        self.pointed_out = self.reminded = False

    def point_out(self, rings: Iterable[Ring]) -> None:
        """The referee names rings; people heed those that are orphans."""
        if set(map(tuple, rings)) & set(self.lying):
            self.pointed_out = True

    def remind(self, rings: Iterable[Ring]) -> None:
        if set(map(tuple, rings)) & set(self.lying):
            self.pointed_out = self.reminded = True

    def see_to(self) -> Act[None]:
        """Take the orphans off, when and as these people do."""
        yield from self.hear()
        yield from self.remove()

    def hear(self) -> Act[None]:
        """Wait until somebody is about to reach for the rings."""
        habits, chance = self._habits, self._rng.random()
        if chance < habits.notices_orphans:
            yield self._rng.uniform(0.2, 1.5)
            return
        if chance < habits.notices_orphans + habits.forgets_orphans:
            yield from self._wait(lambda: self.reminded, FORGOTTEN_S)
        else:
            yield from self.wait_to_be_named()
            if self._rng.random() < habits.late_orphans:
                yield from self._wait(lambda: self.reminded, self._rng.uniform(*habits.late_s))
        yield self._rng.uniform(*habits.reaction_s)

    def wait_to_be_named(self) -> Act[None]:
        """Until the referee has named the rings, or people are tired of waiting."""
        yield from self._wait(lambda: self.pointed_out, self._habits.patience_s)

    def remove(self) -> Act[None]:
        """Everybody takes their own orphans off."""
        rings = self.lying
        owners = sorted({player for player, _, _ in rings})
        doings = [self._table.start(self._clear(owner, rings)) for owner in owners]
        while not all(doing.done for doing in doings):
            yield LOOK_S
        self.gone()

    def gone(self) -> None:
        """The orphans are off the board, by whatever hand."""
        if self.lying:
            rings, self.lying = self.lying, ()
            self._tell(RingsRemoved(self._table.now_s, self._ply, rings))

    def _clear(self, owner: str, rings: tuple[Ring, ...]) -> Act[None]:
        person = self._table.person(owner)
        yield from free_hand(person)
        places = places_of(ring for ring in rings if ring[0] == owner)
        if self._rng.random() < self._habits.together:
            yield from person.take_off(places)
            return
        for place in places:
            yield from person.take_off((place,))
            yield self._rng.uniform(0.2, 1.0)

    def _wait(self, until: Callable[[], bool], seconds: float) -> Act[None]:
        yield from wait(self._table.timeline.clock, until, seconds)
