"""What drawings are made of: four kinds of marks, each of which an SVG and a picture can show alike.

Lengths and places are in the drawing's own unit (millimetres of a board), x to the right and y down. Colours are
`#rrggbb`. Later marks lie over earlier ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle, filled, with an edge, or both."""

    x: float
    y: float
    r: float
    fill: str | None = None
    edge: str | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Patch:
    """A polygon, filled, with an edge, or both."""

    points: tuple[Point, ...]
    fill: str | None = None
    edge: str | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points, with round ends and joints."""

    points: tuple[Point, ...]
    edge: str
    width: float


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text; (x, y) is the middle of its height. `width` is as wide as it may be: longer text gets smaller,
    then it is cut."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    bold: bool = False
    anchor: Anchor = "middle"
    width: float | None = None


Mark = Disc | Patch | Stroke | Words


def placed(marks: Iterable[Mark], x: float, y: float, scale: float = 1.0) -> tuple[Mark, ...]:
    """Marks made larger and moved, as when a board stands on a sheet with text."""

    def at(points: Iterable[Point]) -> tuple[Point, ...]:
        return tuple((x + scale * px, y + scale * py) for px, py in points)

    moved: list[Mark] = []
    for mark in marks:
        match mark:
            case Disc():
                (to_x, to_y), r = at([(mark.x, mark.y)])[0], scale * mark.r
                moved.append(replace(mark, x=to_x, y=to_y, r=r, width=scale * mark.width))
            case Patch() | Stroke():
                moved.append(replace(mark, points=at(mark.points), width=scale * mark.width))
            case Words():
                widest = None if mark.width is None else scale * mark.width
                to_x, to_y = at([(mark.x, mark.y)])[0]
                moved.append(replace(mark, x=to_x, y=to_y, size=scale * mark.size, width=widest))
    return tuple(moved)


def arc(x: float, y: float, r: float, from_deg: float, to_deg: float, steps: int = 48) -> tuple[Point, ...]:
    """Points on a circle, degrees clockwise from the right, as y points down."""
    angles = (math.radians(from_deg + (to_deg - from_deg) * n / steps) for n in range(steps + 1))
    return tuple((x + r * math.cos(angle), y + r * math.sin(angle)) for angle in angles)


def rounded(x: float, y: float, width: float, height: float, r: float) -> tuple[Point, ...]:
    """The outline of a box with round corners."""
    right, bottom = x + width, y + height
    corners = ((right - r, bottom - r, 0), (x + r, bottom - r, 90), (x + r, y + r, 180), (right - r, y + r, 270))
    return tuple(point for cx, cy, deg in corners for point in arc(cx, cy, r, deg, deg + 90, 8))


def turned(points: Sequence[Point], x: float, y: float, deg: float) -> tuple[Point, ...]:
    """Points turned clockwise about the origin, then moved to (x, y)."""
    cos, sin = math.cos(math.radians(deg)), math.sin(math.radians(deg))
    return tuple((x + px * cos - py * sin, y + px * sin + py * cos) for px, py in points)
