"""Why the rings stand: the walk that supports each, the bridges it hangs on, and what a move would orphan."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.finity.moves import Unread
from companion.games.finity.pieces import COLOURS, SIZES, Bridges, Slot, Station, bit_of, stations_in
from companion.games.finity.position import Position, counts_of, stations_of
from companion.games.finity.terms import Terms
from companion.games.finity.turns import moved, pieces_of, swept
from companion.games.finity.walks import Walk, kind_at
from companion.games.game import Json

CANNOT_ORPHAN = ("add ", "ring ", "blocker ", "unblock ")
"""Moves that take no bridge, ring or post from any walk."""


def reachable(terms: Terms, position: Position) -> dict[str, Json]:
    """For each player the stations on legal walks, in the board's order."""
    return {
        player: [terms.layout.names[station] for station in stations_in(terms.reach(position, seat).stations)]
        for seat, player in enumerate(terms.players)
    }


def explanation(terms: Terms, position: Position) -> dict[str, Json]:
    """What `judge` prints when asked to explain.

    Returns:
        `rings`: for each player and station with rings of theirs, the sizes, a shortest supporting walk as stations
        and as bridges, and in `hangs_on` the bridges that lie in every supporting walk; walk and bridges are null
        for overlooked orphans. `partial_paths`: for each player the longest walk. `would_orphan`: for each legal move
        that orphans rings, which.
    """
    return {
        "rings": [_ring_json(terms, position, seat, station) for seat, station in _ringed(terms, position)],
        "partial_paths": {player: _partial_json(terms, position, seat) for seat, player in enumerate(terms.players)},
        "would_orphan": would_orphan(terms, position),
    }


def would_orphan(terms: Terms, position: Position) -> dict[str, Json]:
    """The legal moves that orphan rings, in the order of the list of moves, each with the orphans."""
    from companion.games.finity.listing import legal_moves

    found: dict[str, Json] = {}
    seat = position.to_move
    for text in legal_moves(terms, position):
        move = terms.notation.parse(text)
        if seat is None or isinstance(move, Unread) or text.startswith(CANNOT_ORPHAN):
            continue
        _, orphans = swept(terms, moved(pieces_of(position), seat, move))
        if orphans:
            found[text] = [list(orphan) for orphan in orphans]
    return found


def _ringed(terms: Terms, position: Position) -> Iterator[tuple[int, Station]]:
    for seat in range(len(terms.players)):
        for station in stations_in(stations_of(position.rings[seat])):
            yield seat, station


def _ring_json(terms: Terms, position: Position, seat: int, station: Station) -> dict[str, Json]:
    post, counts = position.posts[seat], counts_of(position.rings[seat])
    walk = terms.walks.walk_to(position.bridges, post, counts, station)
    return {
        "player": terms.players[seat],
        "station": terms.layout.names[station],
        "sizes": [size for size, on in zip(SIZES, position.rings[seat], strict=True) if on & bit_of(station)],
        **_walk_json(terms, position, walk),
        "hangs_on": None if walk is None else _hangs_on(terms, position, seat, station, walk),
    }


def _partial_json(terms: Terms, position: Position, seat: int) -> dict[str, Json]:
    walk = terms.walks.longest(position.bridges, position.posts[seat], counts_of(position.rings[seat]))
    return {"length": len(walk.slots), **_walk_json(terms, position, walk)}


def _walk_json(terms: Terms, position: Position, walk: Walk | None) -> dict[str, Json]:
    if walk is None:
        return {"walk": None, "bridges": None}
    return {
        "walk": [terms.layout.names[station] for station in walk.stations],
        "bridges": [_bridge_text(terms, position.bridges, slot) for slot in walk.slots],
    }


def _hangs_on(terms: Terms, position: Position, seat: int, station: Station, walk: Walk) -> list[Json]:
    """The bridges of a walk without which no walk reaches its end; others cannot be in every walk."""
    post, counts = position.posts[seat], counts_of(position.rings[seat])
    found: list[Json] = []
    for slot in dict.fromkeys(walk.slots):
        a, b, c, d = (slots & ~(1 << slot) for slots in position.bridges)
        if not terms.walks.reach((a, b, c, d), post, counts).stations & bit_of(station):
            found.append(_bridge_text(terms, position.bridges, slot))
    return found


def _bridge_text(terms: Terms, bridges: Bridges, slot: Slot) -> str:
    kind = kind_at(bridges, slot)
    assert kind is not None
    return f"{COLOURS[kind >> 1]} {terms.layout.slot_from(slot, kind & 1)}"
