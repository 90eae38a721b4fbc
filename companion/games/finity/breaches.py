"""What hands can do at the table that is no legal move: what it changes, and why it is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from companion.games.finity import words
from companion.games.finity.describing import describe
from companion.games.finity.moves import Add, Move, MoveBlocker, MovePost, PlaceRing, Remove, Reverse, Unblock, Unread
from companion.games.finity.pieces import SIZES, Kind, Slot, Station, bit_of, slots_in, stations_in
from companion.games.finity.position import Position, stations_of
from companion.games.finity.table import EMPTY, POST, changes, look, seat_place, sight, sight_of
from companion.games.finity.turns import moved, pieces_of
from companion.games.game import Breach, Illegal, Label, Place

if TYPE_CHECKING:
    from companion.games.finity.rules import Finity

Sight = dict[Place, Label]


def breaches(game: Finity, position: Position) -> Iterator[Breach]:
    """See `Finity.breaches`. After the end only pieces put down are breaches, for taking them away is clearing up."""
    before = sight(game.terms, position)
    if position.to_move is None:
        yield from _told_apart(_after_the_end(game, position, before), set())
        return
    legal = set(game.legal_moves(position))
    looks = {look(_change(game, position, position.to_move, text, before)) for text in legal}
    looks |= {look(changes(before, dict(game.sight(_after(game, position, text))))) for text in legal}
    found = chain(
        _illegal(game, position, position.to_move, legal, before),
        _out_of_turn(game, position, before),
        _taken(game, position),
    )
    yield from _told_apart(found, looks)
    yield Breach("no_move", words.nothing_played(game.players[position.to_move]), {})


def _told_apart(found: Iterator[Breach], legal: set[frozenset[tuple[Place, Label]]]) -> Iterator[Breach]:
    """Without those that look like a legal move (its orphans still lying, or gone), and without repetitions."""
    told = set()
    for breach in found:
        key = (look(breach.changes), breach.reason)
        if breach.changes and key[0] not in legal and key not in told:
            told.add(key)
            yield breach


def _after(game: Finity, position: Position, text: str) -> Position:
    played = game.play(position, text)
    return position if isinstance(played, Illegal) else played.after


def _change(game: Finity, position: Position, seat: int, text: str, before: Sight) -> dict[Place, Label]:
    """What the hands of a move change, before orphans are removed."""
    move = game.terms.notation.parse(text)
    assert not isinstance(move, Unread)
    return changes(before, sight_of(game.terms, moved(pieces_of(position), seat, move)))


def _physical(game: Finity, position: Position, seat: int) -> Iterator[Move]:
    """Every move of a player's pieces and the bridges that hands can do, legal or not."""
    layout = game.terms.layout
    empty = slots_in(layout.all_slots & ~position.bridge_slots & ~position.blocker_slots)
    yield from (Add(slot, Kind(kind)) for slot in empty for kind in range(4))
    for kind, lying in enumerate(position.bridges):
        for slot in slots_in(lying):
            yield from (Reverse(slot, kind & 1), Remove(slot, kind & 1))
    for owner, slots in enumerate(position.blockers):
        for source in slots_in(slots):
            yield from (MoveBlocker(source, target) for target in empty if owner == seat)
            if owner != seat:
                yield Unblock(source)
    yield from _own_markers(game, position, seat)


def _own_markers(game: Finity, position: Position, seat: int) -> Iterator[Move]:
    """Rings put into free seats, and the post moved to another station without one."""
    stations = [Station(number) for number in range(len(game.terms.layout.names))]
    for station in stations:
        if station == game.terms.layout.centre:
            continue
        for size in range(len(SIZES)):
            if not any(rings[size] & bit_of(station) for rings in position.rings):
                yield PlaceRing(station, size)
        if station not in position.posts:
            yield MovePost(station)


def _illegal(game: Finity, position: Position, seat: int, legal: set[str], before: Sight) -> Iterator[Breach]:
    for move in _physical(game, position, seat):
        text = game.terms.notation.text(move)
        if text in legal:
            continue
        verdict = game.play(position, text)
        if isinstance(verdict, Illegal):
            yield Breach(verdict.reason, verdict.detail, _change(game, position, seat, text, before), moves=(text,))


def _out_of_turn(game: Finity, position: Position, before: Sight) -> Iterator[Breach]:
    """Another player's ring, post or blocker moved; bridges are everybody's and do not show whose hand it was."""
    assert position.to_move is not None
    player = game.players[position.to_move]
    for seat in range(len(game.players)):
        if seat == position.to_move:
            continue
        empty = slots_in(game.terms.layout.all_slots & ~position.bridge_slots & ~position.blocker_slots)
        blockers = (MoveBlocker(source, target) for source in slots_in(position.blockers[seat]) for target in empty)
        theirs = _as_if(position, seat)
        for move in chain(_own_markers(game, position, seat), blockers):
            text = game.terms.notation.text(move)
            detail = words.not_your_turn(player, describe(game.terms, theirs, text))
            yield Breach("wrong_player", detail, _change(game, position, seat, text, before), moves=(text,))


def _as_if(position: Position, seat: int) -> Position:
    from dataclasses import replace

    return replace(position, to_move=seat)


def _taken(game: Finity, position: Position) -> Iterator[Breach]:
    """A ring or a post taken off, or an own blocker (an opponent's is a move)."""
    terms = game.terms
    for seat, player in enumerate(game.players):
        for station in stations_in(stations_of(position.rings[seat])):
            for size, name in enumerate(SIZES):
                if position.rings[seat][size] & bit_of(station):
                    detail = words.ring_taken(player, terms.layout.names[station], name)
                    yield Breach("piece_taken", detail, {seat_place(terms, station, name): EMPTY})
        post = position.posts[seat]
        detail = words.post_taken(player, terms.layout.names[post])
        yield Breach("piece_taken", detail, {seat_place(terms, post, POST): EMPTY})
        for slot in slots_in(position.blockers[seat]) if seat == position.to_move else ():
            name = terms.layout.slot_names[Slot(slot)]
            yield Breach("piece_taken", words.blocker_taken(player, name), {Place(name): EMPTY})


def _after_the_end(game: Finity, position: Position, before: Sight) -> Iterator[Breach]:
    for seat in range(len(game.players)):
        for move in _physical(game, position, seat):
            if isinstance(move, Add | PlaceRing):
                text = game.terms.notation.text(move)
                verdict = game.play(position, text)
                assert isinstance(verdict, Illegal)
                yield Breach(verdict.reason, verdict.detail, _change(game, position, seat, text, before), moves=(text,))
