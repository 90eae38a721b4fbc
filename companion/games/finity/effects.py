"""What the legal moves change of what the table shows, for those who look for the move that was made."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from companion.games.finity.explaining import CANNOT_ORPHAN
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
    Unread,
)
from companion.games.finity.pieces import SIZES, Kind, stations_in
from companion.games.finity.position import Position
from companion.games.finity.table import EMPTY, POST, blocker_label, bridge_label, seat_place
from companion.games.finity.terms import Terms, all_rings
from companion.games.finity.turns import moved, pieces_of, swept
from companion.games.finity.walks import kind_at
from companion.games.finity.words import Orphan
from companion.games.game import Effect, Illegal, Label, Place

if TYPE_CHECKING:
    from companion.games.finity.rules import Finity

TELEPORT = "teleport "


def effects(game: Finity, position: Position, places: Collection[Place] | None) -> Iterator[Effect[Position]]:
    """See `TableGame.effects`. A teleport that a moved post could be as well is left out."""
    seat = position.to_move
    if seat is None:
        return
    terms = game.terms
    wanted = frozenset(places or ())
    anywhere = places is None or not wanted.isdisjoint(ringed(terms, position))
    overlooked = bool(swept(terms, pieces_of(position))[1])
    legal = game.legal_moves(position)
    posts = {text.partition(" ")[2] for text in legal if text.startswith("post ")}
    for text in legal:
        if text.startswith(TELEPORT) and text.removeprefix(TELEPORT) in posts:
            continue
        move = terms.notation.parse(text)
        assert not isinstance(move, Unread)
        touched = places_of(terms, position, seat, move)
        if not anywhere and wanted.isdisjoint(touched):
            continue
        orphans: tuple[Orphan, ...] = ()
        if overlooked or not text.startswith(CANNOT_ORPHAN):
            orphans = swept(terms, moved(pieces_of(position), seat, move))[1]
        lying = {ring_place(orphan): Label(orphan[0]) for orphan in orphans}
        if places is not None and wanted.isdisjoint(touched) and wanted.isdisjoint(lying):
            continue
        played = game.play(position, text)
        assert not isinstance(played, Illegal)
        own = hand_changes(terms, position, seat, move)
        yield Effect(played, {**own, **dict.fromkeys(lying, EMPTY)}, lying)


def ring_place(orphan: Orphan) -> Place:
    _, station, size = orphan
    return Place(f"{station}.{size}")


def ringed(terms: Terms, position: Position) -> Iterator[Place]:
    """The seats that have a ring: a ring that is gone may be an orphan of a move that touched another place."""
    for size, stations in enumerate(all_rings(position)):
        for station in stations_in(stations):
            yield seat_place(terms, station, SIZES[size])


def places_of(terms: Terms, position: Position, seat: int, move: Move) -> tuple[Place, ...]:
    """The places that the hands of a move touch."""
    names = terms.layout.slot_names
    match move:
        case Add(slot, _) | Reverse(slot, _) | Remove(slot, _) | Unblock(slot):
            return (Place(names[slot]),)
        case PlaceRing(station, size):
            return (seat_place(terms, station, SIZES[size]),)
        case MoveBlocker(source, target):
            return (Place(names[target]),) if source is None else (Place(names[source]), Place(names[target]))
        case MovePost(station) | Teleport(station):
            return (seat_place(terms, position.posts[seat], POST), seat_place(terms, station, POST))


def hand_changes(terms: Terms, position: Position, seat: int, move: Move) -> Mapping[Place, Label]:
    """What the hands of a move change, before orphans are removed; a ring put over another hides it."""
    player = Label(terms.players[seat])
    places = places_of(terms, position, seat, move)
    match move:
        case Add(slot, kind):
            labels = [bridge_label(terms, slot, kind)]
        case Reverse(slot, _):
            kind_now = kind_at(position.bridges, slot)
            assert kind_now is not None
            labels = [bridge_label(terms, slot, Kind(kind_now ^ 1))]
        case Remove() | Unblock():
            labels = [EMPTY]
        case PlaceRing():
            labels = [player]
        case MoveBlocker(source, _):
            labels = [blocker_label(player)] if source is None else [EMPTY, blocker_label(player)]
        case MovePost() | Teleport():
            labels = [EMPTY, player]
    return dict(zip(places, labels, strict=True))
