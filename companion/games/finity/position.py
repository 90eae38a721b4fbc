"""A position of Finity: what lies on the board, whose turn it is, and what of the past the rules still ask for."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.finity.pieces import NO_BRIDGES, Bridges, Rings, SlotSet, Station, StationSet
from companion.games.game import Outcome


@dataclass(frozen=True, slots=True)
class Position:
    """The rules' truth after a complete move; players are seats, 0 for A.

    Attributes:
        to_move: None when the game is over.
        bridges: the slots of each kind of bridge.
        rings: each player's, by size; the large ones that lie on the centre from the start are not among them.
        posts: each player's station.
        blockers: each player's slots.
        in_hand: each player's blockers that were not placed yet.
        ply: moves played since the start.
        ringless: consecutive moves without a ring added or removed.
        barred: moves that would undo the last one, as texts.
        places: seats that have a full path, in order, while the others play on.
        outcome: how the game ended. With `to_move` set: how it was won while the others play on for places, or, with
            no places, a position that was given with a full path in it and a player to move, who may.
        seen: the positions so far, kept only where repetition counts.
    """

    to_move: int | None
    bridges: Bridges = NO_BRIDGES
    rings: tuple[Rings, ...] = ()
    posts: tuple[Station, ...] = ()
    blockers: tuple[SlotSet, ...] = ()
    in_hand: tuple[int, ...] = ()
    ply: int = 0
    ringless: int = 0
    barred: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    outcome: Outcome | None = None
    seen: tuple[str, ...] = ()

    @property
    def bridge_slots(self) -> SlotSet:
        a, b, c, d = self.bridges
        return a | b | c | d

    @property
    def blocker_slots(self) -> SlotSet:
        slots = 0
        for each in self.blockers:
            slots |= each
        return slots

    def bridge_count(self) -> int:
        return self.bridge_slots.bit_count()


def counts_of(rings: Rings) -> int:
    """A player's ring counts, two bits a station."""
    small, medium, large = rings
    return small + medium + large


def stations_of(rings: Rings) -> StationSet:
    small, medium, large = rings
    return small | medium | large
