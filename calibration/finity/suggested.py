"""Positions to lay for calibrating Finity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from calibration.camera import Lens, Pose
from calibration.finity.board import COLOURS, SIZES, FinityBoard
from calibration.finity.hiding import visible_share
from calibration.finity.tiles import Tiles

STATIONS = 3
"""Stations that carry a ring of each size."""
BRIDGES = 3
"""Bridges of each colour.

One picture with so much is enough: on four simulated tables of two players 948 places of other positions were read from
it with none wrong and 5 unsure, on nine of three and four players 2,142 with none wrong and 7 unsure. Two pictures of
positions in the middle of a game left 5 and 6 unsure, two with twice as much as here 6 and 5.
"""
IN_SIGHT = 0.8
"""Share of a place that must be in sight for its piece to be learnt from."""
FAIR_POSTS = {2: ("N", "S"), 3: ("NW", "NE", "S"), 4: ("NW", "NE", "SE", "SW")}
"""Base stations around the centre, as far from each other as they can be."""

Sight = tuple[Lens, Pose]
T = TypeVar("T")


def suggested_for_finity(
    board: FinityBoard, players: int, posts: Mapping[str, str] | None, seen_from: Sight | None
) -> tuple[dict[str, Any], ...]:
    """One reference state for so many players, each at the post's base station."""
    letters = "ABCD"[:players]
    seated = dict(posts) if posts else dict(zip(letters, FAIR_POSTS[players], strict=True))
    blockers = {who: [f"{station}>{board.map.centre} {side}" for side in "LR"] for who, station in seated.items()}
    taken = {board.slot_named(slot)[0].name for slots in blockers.values() for slot in slots}
    state = {
        "players": players,
        "bridges": _bridges(board, players, taken, seen_from),
        "rings": _rings(board, letters, seated, seen_from),
        "posts": seated,
        "blockers": blockers,
    }
    return (state,)


def _rings(
    board: FinityBoard, letters: str, posts: Mapping[str, str], seen_from: Sight | None
) -> dict[str, dict[str, str]]:
    """A ring of each size on stations all over the board, the owners in turn."""
    free = [name for name in board.stations(len(letters)) if name not in (board.map.centre, *posts.values())]
    seen = [name for name in free if _in_sight(board, len(letters), [f"{name}.{size}" for size in SIZES], seen_from)]
    chosen = _spread(seen or free, STATIONS)
    return {
        name: {size: letters[(number + at) % len(letters)] for at, size in enumerate(SIZES)}
        for number, name in enumerate(chosen)
    }


def _bridges(board: FinityBoard, players: int, taken: set[str], seen_from: Sight | None) -> list[str]:
    """Bridges of both colours all over the board, one in a pair of stations, half of them either way."""
    slots = [
        slot
        for slot in board.slot_places(players)
        if slot.name not in taken and board.map.centre not in slot.stations and slot.letter == "M"
    ]
    seen = [slot for slot in slots if _in_sight(board, players, [slot.name], seen_from)]
    names = [slot.name for slot in _spread(seen or slots, len(COLOURS) * BRIDGES)]
    return [
        f"{COLOURS[number % 2]} {name if number % 4 < 2 else _other_way(name)}" for number, name in enumerate(names)
    ]


def _other_way(name: str) -> str:
    """The same slot named from its other station: the tail lies there. The middle slot is the middle both ways."""
    way, _, letter = name.partition(" ")
    first, _, second = way.partition(">")
    return f"{second}>{first} {letter}"


def _in_sight(board: FinityBoard, players: int, places: Sequence[str], seen_from: Sight | None) -> bool:
    if seen_from is None:
        return True
    tiles = Tiles.as_in_file(board, players)
    return all(visible_share(board, tiles, *seen_from, place) >= IN_SIGHT for place in places)


def _spread(items: Sequence[T], count: int) -> list[T]:
    """So many of them, evenly over the list."""
    count = min(count, len(items))
    return [items[number * len(items) // count] for number in range(count)]
