"""Every move that hands can do, legal or not, and which of them touch the places that somebody asks about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from companion.games.finity.effects import places_of
from companion.games.finity.moves import Add, Move, MoveBlocker, MovePost, PlaceRing, Remove, Reverse, Unblock
from companion.games.finity.pieces import SIZES, Kind, Station, bit_of, slots_in
from companion.games.finity.position import Position
from companion.games.finity.table import seat_place
from companion.games.finity.terms import Terms
from companion.games.game import Place

Wanted = Callable[[Collection[Place]], bool]
"""Whether changes at these places are asked for."""


def wanted_here(places: Collection[Place] | None) -> Wanted:
    """Whether one of some places is among `places`; all are where that is None."""
    if places is None:
        return lambda _: True
    chosen = frozenset(places)
    return lambda touched: not chosen.isdisjoint(touched)


def moves_of_bridges(terms: Terms, position: Position, wanted: Wanted) -> Iterator[Move]:
    """Bridges added, reversed and removed: they are everybody's."""
    names = terms.layout.slot_names
    for slot in slots_in(terms.layout.all_slots & ~position.bridge_slots & ~position.blocker_slots):
        if wanted((Place(names[slot]),)):
            yield from (Add(slot, Kind(kind)) for kind in range(4))
    for kind, lying in enumerate(position.bridges):
        for slot in slots_in(lying):
            if wanted((Place(names[slot]),)):
                yield from (Reverse(slot, kind & 1), Remove(slot, kind & 1))


def moves_of_opponents_blockers(terms: Terms, position: Position, seat: int, wanted: Wanted) -> Iterator[Move]:
    for owner, slots in enumerate(position.blockers):
        for slot in slots_in(slots) if owner != seat else ():
            if wanted((Place(terms.layout.slot_names[slot]),)):
                yield Unblock(slot)


def moves_of_own_pieces(terms: Terms, position: Position, seat: int, wanted: Wanted) -> Iterator[Move]:
    """A player's blockers moved, rings put where none of theirs of that size lies, the post put where none stands.

    A ring put over another player's of the same size hides it, or is held to be the one that is seen there.
    """
    empty = slots_in(terms.layout.all_slots & ~position.bridge_slots & ~position.blocker_slots)
    for source in slots_in(position.blockers[seat]):
        for target in empty:
            move = MoveBlocker(source, target)
            if wanted(places_of(terms, position, seat, move)):
                yield move
    for station in map(Station, range(len(terms.layout.names))):
        if station == terms.layout.centre:
            continue
        for size, own in enumerate(position.rings[seat]):
            if not own & bit_of(station) and wanted((seat_place(terms, station, SIZES[size]),)):
                yield PlaceRing(station, size)
        post = MovePost(station)
        if station not in position.posts and wanted(places_of(terms, position, seat, post)):
            yield post
