"""What the legal moves change of what the table shows, for those who look for the move that was made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.games.finity.explaining import CANNOT_ORPHAN
from companion.games.finity.hands import by_hand, hand_changes
from companion.games.finity.legality import fault_of
from companion.games.finity.moves import Move, MovePost, Teleport, Unread
from companion.games.finity.pieces import SIZES, stations_in
from companion.games.finity.position import Position
from companion.games.finity.table import EMPTY, seat_place
from companion.games.finity.terms import Terms, all_rings
from companion.games.finity.turns import moved, pieces_of, swept
from companion.games.finity.words import Orphan
from companion.games.game import Effect, Label, Place, Wanted

if TYPE_CHECKING:
    from companion.games.finity.rules import Finity


def effects(game: Finity, position: Position, wanted: Wanted | None) -> Iterator[Effect]:
    """See `TableGame.effects`. A teleport that a moved post could be as well is left out."""
    seat = position.to_move
    if seat is None:
        return
    terms = game.terms
    pieces = pieces_of(position)
    overlooked = bool(swept(terms, pieces)[1])
    moves = {terms.notation.text(move): move for move in _legal(game, position, seat, wanted)}
    for text, move in moves.items():
        orphans: tuple[Orphan, ...] = ()
        if overlooked or not text.startswith(CANNOT_ORPHAN):
            orphans = swept(terms, moved(pieces, seat, move))[1]
        lying = {ring_place(orphan): Label(orphan[0]) for orphan in orphans}
        changes = {**hand_changes(terms, position, seat, move), **dict.fromkeys(lying, EMPTY)}
        if wanted is None or any(label in wanted.get(place, ()) for place, label in changes.items()):
            yield Effect(text, changes, lying)


def ring_place(orphan: Orphan) -> Place:
    _, station, size = orphan
    return Place(f"{station}.{size}")


def _legal(game: Finity, position: Position, seat: int, wanted: Wanted | None) -> Iterator[Move]:
    """The legal moves, or of these those that could make one of the wanted places show what it should."""
    terms = game.terms
    if wanted is None:
        yield from _parsed(game, game.legal_moves(position))
        return
    for move in by_hand(terms, position, seat, wanted):
        if fault_of(terms, position, seat, move) is None:
            yield move
        elif isinstance(move, MovePost) and fault_of(terms, position, seat, Teleport(move.station)) is None:
            yield Teleport(move.station)
    if any(EMPTY in wanted.get(place, ()) for place in _ringed(terms, position)):
        yield from _parsed(game, [t for t in game.legal_moves(position) if not t.startswith(CANNOT_ORPHAN)])


def _parsed(game: Finity, texts: tuple[str, ...] | list[str]) -> Iterator[Move]:
    posts = {text.partition(" ")[2] for text in texts if text.startswith("post ")}
    for text in texts:
        move = game.terms.notation.parse(text)
        assert not isinstance(move, Unread)
        if not isinstance(move, Teleport) or game.terms.layout.names[move.station] not in posts:
            yield move


def _ringed(terms: Terms, position: Position) -> Iterator[Place]:
    """The seats that have a ring: a ring that is gone may be an orphan of a move that touched another place."""
    for size, stations in enumerate(all_rings(position)):
        for station in stations_in(stations):
            yield seat_place(terms, station, SIZES[size])
