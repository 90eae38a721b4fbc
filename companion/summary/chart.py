"""The course of a game as a small chart: marks, so that page and picture show the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from companion.summary.marks import Disc, Mark, Stroke, Words
from companion.summary.story import Course

MARGIN: Final = 26.0


@dataclass(frozen=True, slots=True)
class Ink:
    """The colours of a chart: of words, of the lines that help to read it."""

    words: str
    help: str


LIGHT: Final = Ink("#5b6474", "#c9ced8")
DARK: Final = Ink("#9aa4b5", "#3a4250")


def chart(course: Course, layout: Mapping[str, Any], width: float, height: float, ink: Ink = LIGHT) -> tuple[Mark, ...]:
    """The chart of a course, as large as said; lines carry their player's letter at the end, not a colour alone."""
    values = [value for line in course.lines.values() for value in line]
    low = -course.goal if course.between else 0
    high = max([course.goal, *values])
    low = min([low, *values])
    turns = max(1, *(len(line) - 1 for line in course.lines.values()))

    def at(turn: float, value: float) -> tuple[float, float]:
        x = MARGIN + (width - 2 * MARGIN) * turn / turns
        return x, height - MARGIN / 2 - (height - MARGIN) * (value - low) / (high - low)

    marks: list[Mark] = []
    for value in dict.fromkeys((low, 0, course.goal)):
        x, y = at(0, value)
        marks.append(Stroke(((x, y), (width - MARGIN, y)), ink.help, 1.0))
        marks.append(Words(x - 6, y, str(abs(value)), 11, ink.words, anchor="end"))
    if course.between:
        above, below = (layout["players"].get(player, {}).get("label", player) for player in course.between)
        marks.append(Words(width - MARGIN + 6, at(0, high)[1], above, 12, ink.words, bold=True, anchor="start"))
        marks.append(Words(width - MARGIN + 6, at(0, low)[1], below, 12, ink.words, bold=True, anchor="start"))
    taken: list[float] = []
    for player, line in course.lines.items():
        look = layout["players"].get(player, {})
        colour = look.get("line") or ink.words
        points = _steps([at(turn, value) for turn, value in enumerate(line)])
        marks.append(Stroke(points, colour, 2.6))
        end_x, end_y = points[-1]
        marks.append(Disc(end_x, end_y, 3.6, colour))
        if player:
            while any(abs(end_y - other) < 12 for other in taken):
                end_y -= 12
            taken.append(end_y)
            marks.append(Words(end_x + 8, end_y, look.get("label", player), 12, ink.words, bold=True, anchor="start"))
    return tuple(marks)


def _steps(points: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """A line that keeps its height until the next turn changes it."""
    stepped = points[:1]
    for (_, old_y), (x, y) in pairwise(points):
        stepped += [(x, old_y), (x, y)] if y != old_y else [(x, y)]
    return tuple(stepped)
