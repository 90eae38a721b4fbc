"""Where a player may act: what the first move, supply, corners, top markers and being far behind leave open."""

from __future__ import annotations

from companion.games.finity.pieces import SIZES, SlotSet, Station, StationSet, bit_of, stations_in
from companion.games.finity.position import Position, counts_of
from companion.games.finity.terms import Terms, all_rings, closed_corners, own_markers, post_set, rings_left

FAR_BEHIND = 2
"""Crossings behind two others from which `anti_kingmaker` holds a player back."""


def near_own_markers(terms: Terms, position: Position, seat: int) -> SlotSet | None:
    """The slots that `anti_kingmaker` leaves to a player who is far behind; None where it holds nobody back."""
    if not terms.options.anti_kingmaker or len(terms.players) < 3:
        return None
    lengths = [terms.reach(position, each).longest for each in range(len(terms.players))]
    ahead = sum(length - lengths[seat] > FAR_BEHIND for length in lengths)
    if ahead < 2:
        return None
    slots = 0
    for station in stations_in(own_markers(position, seat)):
        slots |= terms.layout.touching[station]
    return slots


def beside_opponents(terms: Terms, position: Position, seat: int) -> SlotSet:
    """The slots of the opponents' posts' stations, in which nothing may lie after the first move."""
    slots = 0
    for other, post in enumerate(position.posts):
        if other != seat:
            slots |= terms.layout.touching[post]
    return slots


def closing_opponents(terms: Terms, position: Position, seat: int) -> SlotSet:
    """`beside_opponents`, and the slots in which a bridge would close one of those by the corner rule."""
    beside = beside_opponents(terms, position, seat)
    return beside | closed_corners(terms, beside)


def closed_to_bridges(terms: Terms, position: Position) -> SlotSet:
    """The slots of corners that hold a bridge (or, by an option, a blocker)."""
    closing = position.bridge_slots
    if terms.options.blocker_blocks_corner:
        closing |= position.blocker_slots
    return closed_corners(terms, closing)


def closed_to_blockers(terms: Terms, position: Position) -> SlotSet:
    return closed_corners(terms, position.bridge_slots) if terms.options.blocker_blocks_corner else 0


def topped(position: Position, seat: int) -> StationSet:
    """The stations on which a player's marker is the topmost: post over small over medium over large."""
    top = bit_of(position.posts[seat])
    above = post_set(position)
    for own, everybodys in zip(position.rings[seat], all_rings(position), strict=True):
        top |= own & ~above
        above |= everybodys
    return top


def top_marker(position: Position, station: Station) -> tuple[int, str] | None:
    """The seat and the size (`P` for the post) of a station's topmost marker."""
    for seat, post in enumerate(position.posts):
        if post == station:
            return seat, "P"
    for size, name in enumerate(SIZES):
        for seat, rings in enumerate(position.rings):
            if rings[size] & bit_of(station):
                return seat, name
    return None


def smaller_free(terms: Terms, position: Position, seat: int, size: int) -> StationSet:
    """The stations where `smallest_free` asks for a smaller ring than this."""
    if terms.options.ring_size_choice != "smallest_free":
        return 0
    free = 0
    for smaller, taken in enumerate(all_rings(position)[:size]):
        if not terms.options.enforce_supply or rings_left(terms, position, seat, smaller) > 0:
            free |= terms.layout.all_stations & ~taken
    return free


def posts_supported(terms: Terms, position: Position, seat: int) -> StationSet:
    """The stations from which a post would keep a ring: it lies there, or one bridge of the first colour away.

    A longer walk to the nearest ring cannot be, for it would pass a station without one.
    """
    counts = counts_of(position.rings[seat])
    along, against = position.bridges[2 * terms.first_colour], position.bridges[2 * terms.first_colour + 1]
    lying = (along, against)
    supported = 0
    for station, ways in enumerate(terms.layout.ways):
        bit = bit_of(Station(station))
        if counts & 3 * bit or any(lying[way.turned] & way.slots and counts & 3 * way.bit for way in ways):
            supported |= bit
    return supported


def trapped(terms: Terms, position: Position, seat: int) -> bool:
    """Whether every neighbour of a player's post but the centre is full, as the option says of whose rings."""
    trap = terms.options.teleport_trap
    if trap == "off":
        return False
    small, medium, large = all_rings(position)
    full = small & medium & large
    if trap == "all_neighbours_full_of_opponents":
        own = position.rings[seat]
        full &= ~(own[0] | own[1] | own[2])
    ways = terms.layout.ways[position.posts[seat]]
    return all(full & way.bit for way in ways if way.target != terms.layout.centre)
