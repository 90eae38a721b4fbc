"""What hands can do at the table that is no legal move: what it changes, and why it is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from companion.games.finity import words
from companion.games.finity.describing import describe
from companion.games.finity.hands import by_hand, hand_changes, moves_of_bridges, moves_of_own_pieces
from companion.games.finity.moves import Add, PlaceRing
from companion.games.finity.pieces import SIZES, Slot, Station, bit_of, slots_in, stations_in
from companion.games.finity.position import Position, stations_of
from companion.games.finity.table import EMPTY, POST, look, seat_place
from companion.games.game import Breach, Effect, Illegal, Label, Place, Played, Wanted

if TYPE_CHECKING:
    from companion.games.finity.rules import Finity

OF_OWN_PIECES = ("ring ", "blocker ", "post ", "teleport ")
"""Moves that look otherwise when another player makes them."""


def breaches(game: Finity, position: Position, wanted: Wanted | None = None) -> Iterator[Breach]:
    """See `Finity.breaches`. After the end only pieces put down are breaches, for taking them away is clearing up."""
    if position.to_move is None:
        yield from _told_apart(_after_the_end(game, position, wanted), set())
        return
    legal = list(game.effects(position, wanted))
    looks = {look(effect.changes) for effect in legal}
    looks |= {look({**effect.changes, **effect.lying}) for effect in legal}
    looks |= {look(_hands_alone(effect)) for effect in legal}
    found = chain(
        _illegal(game, position, position.to_move, wanted),
        _out_of_turn(game, position, wanted),
        _taken(game, position, wanted),
        _carried(game, position, wanted),
        () if wanted is None else _two_moves(game, position, legal, wanted),
    )
    yield from _told_apart(found, looks)
    yield Breach("no_move", words.nothing_played(game.players[position.to_move]), {})


def _hands_alone(effect: Effect) -> Mapping[Place, Label]:
    """The changes of a move whose orphans still lie there."""
    return {place: label for place, label in effect.changes.items() if place not in effect.lying}


def _told_apart(found: Iterator[Breach], legal: set[frozenset[tuple[Place, Label]]]) -> Iterator[Breach]:
    """Without those that look like a legal move (its orphans still lying, or gone), and without repetitions."""
    told = set()
    for breach in found:
        key = (look(breach.changes), breach.reason)
        if breach.changes and key[0] not in legal and key not in told:
            told.add(key)
            yield breach


def _illegal(game: Finity, position: Position, seat: int, wanted: Wanted | None) -> Iterator[Breach]:
    """What the mover's hands can do and the rules refuse."""
    terms = game.terms
    for move in by_hand(terms, position, seat, wanted):
        text = terms.notation.text(move)
        verdict = game.play(position, text)
        if isinstance(verdict, Illegal):
            changes = hand_changes(terms, position, seat, move)
            yield Breach(verdict.reason, verdict.detail, changes, moves=(text,))


def _out_of_turn(game: Finity, position: Position, wanted: Wanted | None) -> Iterator[Breach]:
    """Another player's ring, post or blocker moved; bridges are everybody's and do not show whose hand it was."""
    assert position.to_move is not None
    terms, player = game.terms, game.players[position.to_move]
    for seat in range(len(game.players)):
        theirs = replace(position, to_move=seat)
        for move in moves_of_own_pieces(terms, position, seat, wanted) if seat != position.to_move else ():
            text = terms.notation.text(move)
            detail = words.not_your_turn(player, describe(terms, theirs, text))
            yield Breach("wrong_player", detail, hand_changes(terms, position, seat, move), moves=(text,))


def _taken(game: Finity, position: Position, wanted: Wanted | None) -> Iterator[Breach]:
    """A ring or a post taken off, or an own blocker (an opponent's is a move)."""
    terms = game.terms
    for place, detail in _takeable(game, position):
        if wanted is None or EMPTY in wanted.get(place, ()):
            yield Breach("piece_taken", detail, {place: EMPTY}, accident=True)
    assert position.to_move is not None
    player = game.players[position.to_move]
    for slot in slots_in(position.blockers[position.to_move]):
        place = Place(terms.layout.slot_names[Slot(slot)])
        if wanted is None or EMPTY in wanted.get(place, ()):
            yield Breach("piece_taken", words.blocker_taken(player, place), {place: EMPTY}, accident=True)


def _takeable(game: Finity, position: Position) -> Iterator[tuple[Place, str]]:
    """Every ring and post, with the sentence for its being gone."""
    terms = game.terms
    for seat, player in enumerate(game.players):
        for station in stations_in(stations_of(position.rings[seat])):
            for size, name in enumerate(SIZES):
                if position.rings[seat][size] & bit_of(station):
                    yield (
                        seat_place(terms, station, name),
                        words.ring_taken(player, terms.layout.names[station], name),
                    )
        post = position.posts[seat]
        yield seat_place(terms, post, POST), words.post_taken(player, terms.layout.names[post])


def _carried(game: Finity, position: Position, wanted: Wanted | None) -> Iterator[Breach]:
    """A ring carried from its station to another one: rings are placed and taken off, and never moved."""
    terms = game.terms
    stations = [station for station in map(Station, range(len(terms.layout.names))) if station != terms.layout.centre]
    for seat, player in enumerate(game.players):
        for size, name in enumerate(SIZES):
            free = [s for s in stations if not any(rings[size] & bit_of(s) for rings in position.rings)]
            for here in stations_in(position.rings[seat][size]):
                left = seat_place(terms, here, name)
                gone = wanted is None or EMPTY in wanted.get(left, ())
                for there in free if gone else ():
                    into, label = seat_place(terms, there, name), Label(player)
                    if wanted is None or label in wanted.get(into, ()):
                        detail = words.ring_carried(player, terms.layout.names[here], terms.layout.names[there], name)
                        yield Breach("piece_moved", detail, {left: EMPTY, into: label})


def _two_moves(game: Finity, position: Position, legal: list[Effect], wanted: Wanted) -> Iterator[Breach]:
    """Two moves of the mover at once, where the second is none that the next player could have made.

    All that both change must be wanted: of all pairs there are too many.
    """
    assert position.to_move is not None
    seat = position.to_move
    told = set()
    for first in legal:
        played = game.play(position, first.move)
        assert isinstance(played, Played)
        if first.lying or not _all_wanted(first, wanted) or game.outcome(played.after) is not None:
            continue
        again = replace(played.after, to_move=seat)
        left = {place: labels for place, labels in wanted.items() if place not in first.changes}
        for second in game.effects(again, left) if left else ():
            changes = {**first.changes, **second.changes}
            key = look(changes)
            if second.lying or key in told or not _all_wanted(second, left):
                continue
            told.add(key)
            moves = (first.move, second.move)
            if not _in_turn(game, position, *moves) and not _in_turn(game, position, *reversed(moves)):
                said = (describe(game.terms, position, moves[0]), describe(game.terms, again, moves[1]))
                yield Breach("two_moves", words.two_moves(game.players[seat], *said), changes, moves=moves)


def _all_wanted(effect: Effect, wanted: Wanted) -> bool:
    return all(label in wanted.get(place, ()) for place, label in effect.changes.items())


def _in_turn(game: Finity, position: Position, first: str, second: str) -> bool:
    """Whether the mover and then the next player may make these moves; what is one's own shows whose hand it was."""
    played = game.play(position, first)
    return (
        not second.startswith(OF_OWN_PIECES)
        and isinstance(played, Played)
        and isinstance(game.play(played.after, second), Played)
    )


def _after_the_end(game: Finity, position: Position, wanted: Wanted | None) -> Iterator[Breach]:
    terms = game.terms
    for seat in range(len(game.players)):
        for move in chain(
            moves_of_bridges(terms, position, wanted), moves_of_own_pieces(terms, position, seat, wanted)
        ):
            if isinstance(move, Add | PlaceRing):
                text = terms.notation.text(move)
                verdict = game.play(position, text)
                assert isinstance(verdict, Illegal)
                changes = hand_changes(terms, position, seat, move)
                yield Breach(verdict.reason, verdict.detail, changes, moves=(text,))
