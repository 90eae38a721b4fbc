"""A legal move carried out: the pieces, the sweep of orphans, and what the rules remember of it."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from companion.games.finity import words
from companion.games.finity.endings import Ending, ending
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
from companion.games.finity.pieces import SIZES, Bridges, Kind, Rings, SlotSet, Station, bit_of, stations_in
from companion.games.finity.position import Position
from companion.games.finity.terms import Terms
from companion.games.finity.walks import kind_at
from companion.games.game import Json, Played
from companion.texts import joined

Value = TypeVar("Value")


class Pieces(NamedTuple):
    """What lies on the board."""

    bridges: Bridges
    rings: tuple[Rings, ...]
    posts: tuple[Station, ...]
    blockers: tuple[SlotSet, ...]
    in_hand: tuple[int, ...]


def pieces_of(position: Position) -> Pieces:
    return Pieces(position.bridges, position.rings, position.posts, position.blockers, position.in_hand)


def moved(pieces: Pieces, seat: int, move: Move) -> Pieces:
    """The pieces after a legal move, before orphans are swept."""
    match move:
        case Add(slot, kind):
            return pieces._replace(bridges=_toggled(pieces.bridges, kind, slot))
        case Remove(slot, _):
            return pieces._replace(bridges=_toggled(pieces.bridges, _kind(pieces, slot), slot))
        case Reverse(slot, _):
            kind = _kind(pieces, slot)
            return pieces._replace(bridges=_toggled(_toggled(pieces.bridges, kind, slot), Kind(kind ^ 1), slot))
        case PlaceRing(station, size):
            own = list(pieces.rings[seat])
            own[size] |= bit_of(station)
            return pieces._replace(rings=_with(pieces.rings, seat, (own[0], own[1], own[2])))
        case MoveBlocker(source, target):
            slots = pieces.blockers[seat] | 1 << target
            if source is None:
                hand = _with(pieces.in_hand, seat, pieces.in_hand[seat] - 1)
                return pieces._replace(blockers=_with(pieces.blockers, seat, slots), in_hand=hand)
            return pieces._replace(blockers=_with(pieces.blockers, seat, slots & ~(1 << source)))
        case Unblock(slot):
            return pieces._replace(blockers=tuple(each & ~(1 << slot) for each in pieces.blockers))
        case MovePost(station) | Teleport(station):
            return pieces._replace(posts=_with(pieces.posts, seat, station))


def _kind(pieces: Pieces, slot: int) -> Kind:
    return next(Kind(kind) for kind, slots in enumerate(pieces.bridges) if slots >> slot & 1)


def _toggled(bridges: Bridges, kind: Kind, slot: int) -> Bridges:
    changed = list(bridges)
    changed[kind] ^= 1 << slot
    return changed[0], changed[1], changed[2], changed[3]


def _with(values: tuple[Value, ...], index: int, value: Value) -> tuple[Value, ...]:
    return (*values[:index], value, *values[index + 1 :])


def swept(terms: Terms, pieces: Pieces) -> tuple[tuple[Rings, ...], tuple[words.Orphan, ...]]:
    """The rings without the orphans, and the orphans by player and station.

    Once is enough: an orphan lies on a station that no walk reaches, so no walk passes through it.
    """
    left: list[Rings] = []
    orphans: list[words.Orphan] = []
    for seat, rings in enumerate(pieces.rings):
        small, medium, large = rings
        reached = terms.walks.reach(pieces.bridges, pieces.posts[seat], small + medium + large).stations
        lost = (small | medium | large) & ~reached
        if lost:
            left.append((small & reached, medium & reached, large & reached))
            orphans += _orphans(terms, seat, rings, lost)
        else:
            left.append(rings)
    return tuple(left), tuple(orphans)


def _orphans(terms: Terms, seat: int, rings: Rings, lost: int) -> list[words.Orphan]:
    return [
        (terms.players[seat], terms.layout.names[station], SIZES[size])
        for station in stations_in(lost)
        for size in range(len(SIZES))
        if rings[size] & bit_of(station)
    ]


def played(
    terms: Terms, position: Position, seat: int, text: str, move: Move, *, sweep: bool = True
) -> Played[Position]:
    """The position after a legal move.

    Args:
        sweep: False where the players overlooked the orphans, which then stay on the board.
    """
    pieces = moved(pieces_of(position), seat, move)
    rings, orphans = swept(terms, pieces)
    if not sweep:
        rings = pieces.rings
    changed = isinstance(move, PlaceRing) or rings != pieces.rings
    ringless = 0 if changed else position.ringless + 1
    excepted = bool(orphans) and sweep and terms.options.undo_exception == "board_changed"
    after = Position(
        to_move=seat,
        bridges=pieces.bridges,
        rings=rings,
        posts=pieces.posts,
        blockers=pieces.blockers,
        in_hand=pieces.in_hand,
        ply=position.ply + 1,
        ringless=ringless,
        barred=() if excepted else _barred(terms, position, move),
        places=position.places,
        outcome=position.outcome if position.places else None,
        seen=position.seen,
    )
    end = ending(terms, after, seat)
    facts: dict[str, Json] = {"by": terms.players[seat], "orphans": [list(orphan) for orphan in orphans]}
    if orphans and not sweep:
        facts["overlooked"] = True
    if end.finished:
        facts["places"] = _places_taken(terms, position, end)
    said = [words.orphaned(orphans)] if orphans else []
    said += [words.place_taken(terms.players[each], place) for each, place in _numbered(position, end)]
    return Played(text, terms.players[seat], end.position, facts=facts, explanation=joined(said, ". "))


def _numbered(position: Position, end: Ending) -> list[tuple[int, int]]:
    return [(seat, len(position.places) + number) for number, seat in enumerate(end.finished, 1)]


def _places_taken(terms: Terms, position: Position, end: Ending) -> dict[str, Json]:
    return {terms.players[seat]: place for seat, place in _numbered(position, end)}


def _barred(terms: Terms, before: Position, move: Move) -> tuple[str, ...]:
    """The moves that would undo a move at once. Those of blockers and posts are their owners' alone."""
    notation = terms.notation
    match move:
        case Add(slot, kind):
            return (notation.removals[kind & 1][slot],)
        case Reverse(slot, turned):
            return (notation.reversals[1 - turned][slot],)
        case Remove(slot, _):
            removed = kind_at(before.bridges, slot)
            assert removed is not None
            return (notation.adds[removed][slot], notation.adds[removed ^ 1][slot])
    return ()
