"""Moves in words for people."""

from __future__ import annotations

from companion.games.finity import words
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
from companion.games.finity.pieces import COLOURS, SIZES, Slot
from companion.games.finity.position import Position
from companion.games.finity.terms import Terms
from companion.games.finity.walks import kind_at


def describe(terms: Terms, position: Position, text: str) -> str:
    """A move of the side to move, e.g. "A adds the black bridge from N to NE (middle slot)"."""
    move = terms.notation.parse(text)
    if isinstance(move, Unread) or position.to_move is None:
        return words.no_move(text)
    player, layout = terms.players[position.to_move], terms.layout
    match move:
        case Add(slot, kind):
            return words.add(player, COLOURS[kind >> 1], layout.slot_from(slot, kind & 1))
        case Reverse(slot, turned):
            return words.reverse(player, _colour(position, slot), layout.slot_from(slot, turned))
        case Remove(slot, turned):
            return words.remove(player, _colour(position, slot), layout.slot_from(slot, turned))
        case PlaceRing(station, size):
            return words.ring(player, layout.names[station], SIZES[size])
        case MoveBlocker(source, target):
            names = layout.slot_names
            return words.blocker(player, None if source is None else names[source], names[target])
        case Unblock(slot):
            owners = [p for p, slots in zip(terms.players, position.blockers, strict=True) if slots >> slot & 1]
            return words.unblock(player, owners[0] if owners else None, layout.slot_names[slot])
        case MovePost(station):
            return words.post(player, layout.names[station])
        case Teleport(station):
            return words.teleport(player, layout.names[station])


def _colour(position: Position, slot: Slot) -> str | None:
    kind = kind_at(position.bridges, slot)
    return None if kind is None else COLOURS[kind >> 1]
