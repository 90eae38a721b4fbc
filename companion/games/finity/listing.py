"""All legal moves at once, from sets of slots and stations rather than by trying each.

The order is that of the table of moves: bridges added (by kind, then by slot), reversed, removed; rings (by size);
blockers moved and removed; the post; teleports. Slots and stations follow the board's order.
"""

from __future__ import annotations

from companion.games.finity.pieces import SlotSet, Station, StationSet, bit_of, slots_in, stations_in
from companion.games.finity.position import Position
from companion.games.finity.restrictions import (
    beside_opponents,
    closed_to_blockers,
    closed_to_bridges,
    closing_opponents,
    near_own_markers,
    posts_supported,
    smaller_free,
    topped,
    trapped,
)
from companion.games.finity.terms import Terms, all_rings, bridges_left, in_pairs_of, post_set, rings_left


def legal_moves(terms: Terms, position: Position) -> tuple[str, ...]:
    """The texts of all legal moves of the side to move; none where the game is over."""
    seat = position.to_move
    if seat is None:
        return ()
    near = near_own_markers(terms, position, seat)
    allowed = terms.layout.all_slots if near is None else near
    moves: list[str] = []
    _add_bridges(terms, position, seat, allowed, moves)
    _reverse_bridges(terms, position, allowed, moves)
    _remove_bridges(terms, position, seat, moves)
    _place_rings(terms, position, seat, moves)
    _blockers(terms, position, seat, allowed, moves)
    _posts(terms, position, seat, moves)
    for move in position.barred:
        if move in moves:
            moves.remove(move)
    return tuple(moves)


def _add_bridges(terms: Terms, position: Position, seat: int, allowed: SlotSet, moves: list[str]) -> None:
    room = allowed & ~(position.bridge_slots | position.blocker_slots | closed_to_bridges(terms, position))
    if position.ply == 0:
        room &= ~closing_opponents(terms, position, seat)
    for kind, texts in enumerate(terms.notation.adds):
        if not terms.options.enforce_supply or bridges_left(terms, position, kind >> 1) > 0:
            moves.extend([texts[slot] for slot in slots_in(room & ~in_pairs_of(terms, position.bridges[kind]))])


def _reverse_bridges(terms: Terms, position: Position, allowed: SlotSet, moves: list[str]) -> None:
    for kind, lying in enumerate(position.bridges):
        texts = terms.notation.reversals[kind & 1]
        single = lying & allowed & ~in_pairs_of(terms, position.bridges[kind ^ 1])
        moves.extend([texts[slot] for slot in slots_in(single)])


def _remove_bridges(terms: Terms, position: Position, seat: int, moves: list[str]) -> None:
    into = [0, 0]
    for station in stations_in(topped(position, seat)):
        for turned in (0, 1):
            into[turned] |= terms.layout.into[turned][station]
    for kind, lying in enumerate(position.bridges):
        texts = terms.notation.removals[kind & 1]
        moves.extend([texts[slot] for slot in slots_in(lying & into[kind & 1])])


def _place_rings(terms: Terms, position: Position, seat: int, moves: list[str]) -> None:
    reached = terms.reach(position, seat).stations & ~bit_of(terms.layout.centre) & ~bit_of(position.posts[seat])
    for size, taken in enumerate(all_rings(position)):
        if not terms.options.enforce_supply or rings_left(terms, position, seat, size) > 0:
            free = reached & ~taken
            if free and size:
                free &= ~smaller_free(terms, position, seat, size)
            moves.extend([terms.notation.rings[station][size] for station in stations_in(free)])


def _blockers(terms: Terms, position: Position, seat: int, allowed: SlotSet, moves: list[str]) -> None:
    room = allowed & ~(position.bridge_slots | position.blocker_slots | closed_to_blockers(terms, position))
    if position.ply == 0:
        room &= ~beside_opponents(terms, position, seat)
    targets = slots_in(room)
    if position.in_hand[seat]:
        texts = terms.notation.blockers(None)
        moves.extend([texts[target] for target in targets])
    for source in slots_in(position.blockers[seat] & allowed):
        texts = terms.notation.blockers(source)
        moves.extend([texts[target] for target in targets])
    if position.bridge_count() >= terms.options.blocker_remove_min_bridges:
        opposing = position.blocker_slots & ~position.blockers[seat]
        moves.extend([terms.notation.unblocks[slot] for slot in slots_in(opposing)])


def _posts(terms: Terms, position: Position, seat: int, moves: list[str]) -> None:
    room = _without_posts(terms, position)
    supported = room & posts_supported(terms, position, seat)
    moves.extend([terms.notation.posts[station] for station in stations_in(supported)])
    if trapped(terms, position, seat):
        small, medium, large = all_rings(position)
        empty = room & ~(small | medium | large)
        moves.extend([terms.notation.teleports[station] for station in stations_in(empty)])


def _without_posts(terms: Terms, position: Position) -> StationSet:
    return terms.layout.all_stations & ~post_set(position) & ~bit_of(Station(terms.layout.centre))
