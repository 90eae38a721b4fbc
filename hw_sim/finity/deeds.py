"""What a move is to the hands that make it: a piece taken, laid, turned or carried from place to place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.finity.moves import (
    Add,
    MoveBlocker,
    MovePost,
    PlaceRing,
    Remove,
    Reverse,
    Teleport,
    Unblock,
    Unread,
)
from companion.games.finity.pieces import SIZES, Kind
from companion.games.finity.position import Position
from companion.games.finity.rules import Finity
from companion.games.finity.table import blocker_label, bridge_label, seat_place
from companion.games.finity.walks import kind_at
from hw_sim.finity.places import EMPTY, POST

Look = frozenset[tuple[str, str]]
"""Places with the labels that they show after a change."""


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that a hand does: from `source` (empty: from the supply) to `target` (empty: off the board).

    A bridge that is turned over where it lies has the same place for both. `label` is what the target shows then.
    """

    source: str
    target: str
    label: str = EMPTY

    @property
    def changes(self) -> Mapping[str, str]:
        """What it changes for the eye."""
        changed = {self.source: EMPTY} if self.source else {}
        return changed | ({self.target: self.label} if self.target else {})

    @property
    def look(self) -> Look:
        return frozenset(self.changes.items())


def deed_of(game: Finity, position: Position, move: str, seat: int | None = None) -> Deed:
    """What the hands of a player (the mover, where none is given) do to make a move, legal or not.

    Raises:
        ValueError: for a text that is no move, or one of a bridge that is not there.
    """
    terms = game.terms
    parsed = terms.notation.parse(move)
    seat = position.to_move if seat is None else seat
    if isinstance(parsed, Unread) or seat is None:
        raise ValueError(f"{move} is no move that hands can make here")
    player, slots = str(terms.players[seat]), terms.layout.slot_names
    match parsed:
        case Add(slot, kind):
            return Deed("", slots[slot], str(bridge_label(terms, slot, kind)))
        case Reverse(slot, _):
            lying = kind_at(position.bridges, slot)
            if lying is None:
                raise ValueError(f"{move}: no bridge lies there")
            return Deed(slots[slot], slots[slot], str(bridge_label(terms, slot, Kind(lying ^ 1))))
        case Remove(slot, _) | Unblock(slot):
            return Deed(slots[slot], "")
        case PlaceRing(station, size):
            return Deed("", f"{terms.layout.names[station]}.{SIZES[size]}", player)
        case MoveBlocker(source, target):
            if source is None:
                return Deed("", slots[target], str(blocker_label(player)))
            owner = next((p for p, held in enumerate(position.blockers) if held >> source & 1), seat)
            return Deed(slots[source], slots[target], str(blocker_label(terms.players[owner])))
        case MovePost(station) | Teleport(station):
            here, there = (str(seat_place(terms, place, POST)) for place in (position.posts[seat], station))
            return Deed(here, there, player)


def removal(place: str) -> Deed:
    """Taking what lies at a place off the board."""
    return Deed(place, "")


def spelt(game: Finity, move: str) -> str:
    """A move as the rules write it: a slot has two names. Text that is no move stays as it is."""
    parsed = game.terms.notation.parse(move)
    return move if isinstance(parsed, Unread) else game.terms.notation.text(parsed)
