"""Marks as SVG. Every text is escaped: a name stays a name."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from companion.summary.marks import Disc, Mark, Patch, Point, Stroke, Words

FONT = "system-ui,'DejaVu Sans',sans-serif"


def svg_of(marks: Iterable[Mark]) -> str:
    """The elements of some marks."""
    return "".join(map(_element, marks))


def _element(mark: Mark) -> str:
    match mark:
        case Disc():
            return f'<circle cx="{_n(mark.x)}" cy="{_n(mark.y)}" r="{_n(mark.r)}"{_paint(mark)}/>'
        case Patch():
            return f'<polygon points="{_points(mark.points)}"{_paint(mark)}/>'
        case Stroke():
            line = f'<polyline points="{_points(mark.points)}" fill="none" stroke="{mark.edge}"'
            return f'{line} stroke-width="{_n(mark.width)}" stroke-linecap="round" stroke-linejoin="round"/>'
        case Words():
            anchor = "" if mark.anchor == "start" else f' text-anchor="{mark.anchor}"'
            weight = ' font-weight="700"' if mark.bold else ""
            place = f'x="{_n(mark.x)}" y="{_n(mark.y + 0.36 * mark.size)}" font-size="{_n(mark.size)}"'
            return f'<text {place}{anchor}{weight} fill="{mark.fill}">{escape(mark.text)}</text>'


def _paint(mark: Disc | Patch) -> str:
    fill = f' fill="{mark.fill or "none"}"'
    return fill + (f' stroke="{mark.edge}" stroke-width="{_n(mark.width)}"' if mark.edge else "")


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _n(value: float) -> str:
    """A tenth of a millimetre and a half is finer than any screen shows."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
