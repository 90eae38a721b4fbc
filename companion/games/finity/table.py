"""What the table shows of a position: a label at every ring seat, post seat and slot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from companion.games.finity.moves import Add, MoveBlocker, MovePost, PlaceRing, Remove, Reverse, Teleport, Unblock
from companion.games.finity.pieces import COLOURS, SIZES, Kind, Slot, Station, bit_of, slots_in
from companion.games.finity.position import Position
from companion.games.finity.terms import Terms
from companion.games.finity.turns import Pieces, pieces_of
from companion.games.game import Label, Place

EMPTY: Final = Label(".")
POST: Final = "P"


def seat_place(terms: Terms, station: Station, what: str) -> Place:
    """The place of a ring of a size, or of a post (`P`), on a station."""
    return Place(f"{terms.layout.names[station]}.{what}")


def bridge_label(terms: Terms, slot: Slot, kind: Kind) -> Label:
    """The colour and the station of the tail, as cameras learn them (`calibration.finity.board`): "b N"."""
    tail, _ = terms.layout.tail_and_tip(slot, kind)
    return Label(f"{COLOURS[kind >> 1]} {terms.layout.names[tail]}")


def blocker_label(player: str) -> Label:
    return Label(f"blocker {player}")


def sight(terms: Terms, position: Position) -> dict[Place, Label]:
    return sight_of(terms, pieces_of(position))


def sight_of(terms: Terms, pieces: Pieces) -> dict[Place, Label]:
    """The label of every place; the centre has none, for what lies there never changes."""
    layout, players = terms.layout, terms.players
    shown: dict[Place, Label] = {}
    for station in map(Station, range(len(layout.names))):
        if station == layout.centre:
            continue
        for size, name in enumerate(SIZES):
            owners = [p for p, rings in zip(players, pieces.rings, strict=True) if rings[size] & bit_of(station)]
            shown[seat_place(terms, station, name)] = Label(owners[0]) if owners else EMPTY
        posts = [p for p, post in zip(players, pieces.posts, strict=True) if post == station]
        shown[seat_place(terms, station, POST)] = Label(posts[0]) if posts else EMPTY
    slots: dict[Slot, Label] = {}
    for kind, lying in enumerate(pieces.bridges):
        slots.update((slot, bridge_label(terms, slot, Kind(kind))) for slot in slots_in(lying))
    for player, lying in zip(players, pieces.blockers, strict=True):
        slots.update((slot, blocker_label(player)) for slot in slots_in(lying))
    for number, name in enumerate(layout.slot_names):
        shown[Place(name)] = slots.get(Slot(number), EMPTY)
    return shown


def taps(terms: Terms, position: Position, text: str) -> tuple[tuple[Place, ...], ...]:
    """See `Finity.taps`; none for text that is no move."""
    move, slots = terms.notation.parse(text), terms.layout.slot_names
    match move:
        case Add(slot) | Reverse(slot) | Remove(slot) | Unblock(slot):
            return ((Place(slots[slot]),),)
        case PlaceRing(station, size):
            return ((seat_place(terms, station, SIZES[size]),),)
        case MoveBlocker(None, target):
            return ((Place(slots[target]),),)
        case MoveBlocker(int(source), target):
            return (Place(slots[source]),), (Place(slots[target]),)
        case MovePost(station) | Teleport(station) if position.to_move is not None:
            stands = position.posts[position.to_move]
            return (seat_place(terms, stands, POST),), (seat_place(terms, station, POST),)
    return ()


def changes(before: Mapping[Place, Label], after: Mapping[Place, Label]) -> dict[Place, Label]:
    """The places whose label differs."""
    return {place: label for place, label in after.items() if before[place] != label}


def look(changed: Mapping[Place, Label] | Iterable[tuple[Place, Label]]) -> frozenset[tuple[Place, Label]]:
    return frozenset(changed.items() if isinstance(changed, Mapping) else changed)
