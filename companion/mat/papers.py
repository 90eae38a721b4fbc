"""Papers, and how a mat that is larger than one is cut into sheets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Span = tuple[float, float]
"""From and to, in millimetres."""
Box = tuple[float, float, float, float]
"""Left, bottom, right, top, in millimetres."""

PAPERS: Final[Mapping[str, tuple[float, float]]] = {
    "a4": (210.0, 297.0),
    "a3": (297.0, 420.0),
    "letter": (215.9, 279.4),
}
"""Width and height in millimetres, upright."""
MARGIN: Final = 8.0
"""What printers leave white at an edge: 4 to 6 mm."""
WORDS: Final = 20.0
"""Height of the strip at the foot of every sheet, for the ruler and words."""
FLAP: Final = 10.0
"""How far a sheet reaches under the next one: room for glue."""
STEP: Final = 1.0
"""In such steps a better place for a cut is sought."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of paper.

    Attributes:
        name: column letter and row number, from the top left "A1".
        box: what it shows of the mat, in the mat's millimetres, flaps included.
        cuts_x, cuts_y: where its neighbours' edges come, or its own is cut, in the mat's millimetres.
        width, height: of the paper.
        shift: add it to the mat's millimetres to have the paper's, from the bottom left.
    """

    name: str
    column: int
    row: int
    box: Box
    cuts_x: tuple[float, ...]
    cuts_y: tuple[float, ...]
    width: float
    height: float
    shift: tuple[float, float]


def sheets_of(mat: Box, paper: str, keep: Sequence[Box] = ()) -> tuple[Sheet, ...]:
    """The sheets of a mat, row by row, on upright or lying paper, whichever needs fewer.

    Args:
        keep: boxes that should not be cut: markers and patches.
    """
    width, height = PAPERS[paper]
    upright, lying = (_sheets(mat, size, keep) for size in ((width, height), (height, width)))
    return upright if len(upright) <= len(lying) else lying


def _sheets(mat: Box, size: tuple[float, float], keep: Sequence[Box]) -> tuple[Sheet, ...]:
    width, height = size
    room_x, room_y = width - 2 * MARGIN, height - 2 * MARGIN - WORDS
    left, bottom, right, top = mat
    xs = cuts((left, right), room_x, [(box[0], box[2]) for box in keep])
    # rows are counted from the top, where reading begins
    ys = [-y for y in cuts((-top, -bottom), room_y, [(-box[3], -box[1]) for box in keep])]
    return tuple(
        _sheet(column, row, xs, ys, size, (room_x, room_y))
        for row in range(len(ys) - 1)
        for column in range(len(xs) - 1)
    )


def _sheet(
    column: int,
    row: int,
    xs: Sequence[float],
    ys: Sequence[float],
    size: tuple[float, float],
    room: tuple[float, float],
) -> Sheet:
    right = min(xs[column + 1] + FLAP, xs[-1])
    bottom = max(ys[row + 1] - FLAP, ys[-1])
    box = (xs[column], bottom, right, ys[row])
    left_mm = MARGIN + (room[0] - (box[2] - box[0])) / 2
    bottom_mm = MARGIN + WORDS + (room[1] - (box[3] - box[1])) / 2
    return Sheet(
        f"{chr(ord('A') + column)}{row + 1}",
        column,
        row,
        box,
        tuple(x for x in xs[1:-1] if box[0] <= x <= box[2]),
        tuple(y for y in ys[1:-1] if box[1] <= y <= box[3]),
        *size,
        (left_mm - box[0], bottom_mm - box[1]),
    )


def cuts(span: Span, room: float, keep: Iterable[Span]) -> list[float]:
    """Where a length is cut, its ends included: in as few parts as can be, each with its flap no longer than the room,
    even where possible, and through as little as possible of what is to be kept whole."""
    start, end = span
    length, kept = end - start, list(keep)
    if length <= room:
        return [start, end]
    parts = math.ceil((length - FLAP) / (room - FLAP))
    found = [start]
    for part in range(1, parts):
        even = start + length * part / parts
        # what is left must find room on the sheets that are left
        low, high = end - (parts - part - 1) * (room - FLAP) - room, found[-1] + room - FLAP
        found.append(min(_places(low, high), key=lambda at: (_harm(at, kept), abs(at - even))))
    return [*found, end]


def _places(low: float, high: float) -> Iterator[float]:
    """Places to cut, both ends among them."""
    steps = max(0, math.floor((high - low) / STEP))
    yield from (low + STEP * step for step in range(steps + 1))
    yield high


def _harm(at: float, kept: Iterable[Span]) -> int:
    """How many kept things a cut goes through."""
    return sum(low < at < high for low, high in kept)
