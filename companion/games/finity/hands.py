"""What hands can do with pieces, legal or not: all of it, or only what would make chosen places show chosen labels."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from companion.games.finity.moves import (
    Add,
    Move,
    MoveBlocker,
    MovePost,
    PlaceRing,
    Remove,
    Reverse,
    Teleport,
    Unblock,
)
from companion.games.finity.pieces import COLOURS, SIZES, Kind, Slot, Station, bit_of, slots_in
from companion.games.finity.position import Position
from companion.games.finity.table import EMPTY, POST, blocker_label, bridge_label, seat_place
from companion.games.finity.terms import Terms
from companion.games.finity.walks import kind_at
from companion.games.game import Label, Place, Wanted


def hand_changes(terms: Terms, position: Position, seat: int, move: Move) -> dict[Place, Label]:
    """What the hands of a move change, before orphans are removed; a ring put over another hides it."""
    names, player = terms.layout.slot_names, Label(terms.players[seat])
    match move:
        case Add(slot, kind):
            return {Place(names[slot]): bridge_label(terms, slot, kind)}
        case Reverse(slot, _):
            lying = kind_at(position.bridges, slot)
            assert lying is not None
            return {Place(names[slot]): bridge_label(terms, slot, Kind(lying ^ 1))}
        case Remove(slot, _) | Unblock(slot):
            return {Place(names[slot]): EMPTY}
        case PlaceRing(station, size):
            return {seat_place(terms, station, SIZES[size]): player}
        case MoveBlocker(source, target):
            put = {Place(names[target]): blocker_label(player)}
            return put if source is None else {Place(names[source]): EMPTY, **put}
        case MovePost(station) | Teleport(station):
            stood = seat_place(terms, position.posts[seat], POST)
            return {stood: EMPTY, seat_place(terms, station, POST): player}


def by_hand(terms: Terms, position: Position, seat: int, wanted: Wanted | None) -> Iterator[Move]:
    """Every move of bridges, of opponents' blockers and of a player's own pieces, legal or not.

    Args:
        wanted: only moves that make one of these places show one of its labels; all where None.
    """
    return chain(
        moves_of_bridges(terms, position, wanted),
        moves_of_own_pieces(terms, position, seat, wanted),
        _opponents_blockers(terms, position, seat, wanted),
    )


def moves_of_bridges(terms: Terms, position: Position, wanted: Wanted | None) -> Iterator[Move]:
    """Bridges added, reversed and removed: they are everybody's."""
    for slot in _slots(terms, wanted):
        lying = kind_at(position.bridges, slot)
        if lying is not None:
            label = bridge_label(terms, slot, Kind(lying ^ 1))
            yield from (Reverse(slot, lying & 1),) if _asked(terms, wanted, slot, label) else ()
            yield from (Remove(slot, lying & 1),) if _asked(terms, wanted, slot, EMPTY) else ()
        elif not position.blocker_slots >> slot & 1:
            for kind in map(Kind, range(2 * len(COLOURS))):
                yield from (Add(slot, kind),) if _asked(terms, wanted, slot, bridge_label(terms, slot, kind)) else ()


def moves_of_own_pieces(terms: Terms, position: Position, seat: int, wanted: Wanted | None) -> Iterator[Move]:
    """A player's blockers moved, rings put where none of theirs of that size lies, the post put where none stands.

    A ring put over another player's of the same size hides it, or is held to be the one that is seen there.
    """
    yield from _own_blockers(terms, position, seat, wanted)
    player = Label(terms.players[seat])
    posts = []
    for station in map(Station, range(len(terms.layout.names))):
        if station == terms.layout.centre:
            continue
        for size, own in enumerate(position.rings[seat]):
            place = seat_place(terms, station, SIZES[size])
            if not own & bit_of(station) and (wanted is None or player in wanted.get(place, ())):
                yield PlaceRing(station, size)
        place = seat_place(terms, station, POST)
        if station not in position.posts and (wanted is None or player in wanted.get(place, ())):
            posts.append(station)
    lifted = wanted is not None and EMPTY in wanted.get(seat_place(terms, position.posts[seat], POST), ())
    if lifted and not posts:  # it was put where no look shows it
        stations = map(Station, range(len(terms.layout.names)))
        posts = [s for s in stations if s != terms.layout.centre and s not in position.posts]
    yield from map(MovePost, posts)


def _own_blockers(terms: Terms, position: Position, seat: int, wanted: Wanted | None) -> Iterator[Move]:
    empty = slots_in(terms.layout.all_slots & ~position.bridge_slots & ~position.blocker_slots)
    label = blocker_label(terms.players[seat])
    targets = [slot for slot in empty if _asked(terms, wanted, slot, label)]
    if position.in_hand[seat]:
        yield from (MoveBlocker(None, target) for target in targets)
    for source in slots_in(position.blockers[seat]):
        lifted = wanted is not None and not targets and _asked(terms, wanted, source, EMPTY)
        yield from (MoveBlocker(source, target) for target in (empty if lifted else targets))


def _opponents_blockers(terms: Terms, position: Position, seat: int, wanted: Wanted | None) -> Iterator[Move]:
    for owner, slots in enumerate(position.blockers):
        for slot in slots_in(slots) if owner != seat else ():
            yield from (Unblock(slot),) if _asked(terms, wanted, slot, EMPTY) else ()


def _slots(terms: Terms, wanted: Wanted | None) -> list[Slot]:
    layout = terms.layout
    if wanted is None:
        return slots_in(layout.all_slots)
    return [layout.slot_named[place][0] for place in wanted if place in layout.slot_named]


def _asked(terms: Terms, wanted: Wanted | None, slot: Slot, label: Label) -> bool:
    return wanted is None or label in wanted.get(Place(terms.layout.slot_names[slot]), ())
