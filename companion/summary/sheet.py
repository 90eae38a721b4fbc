"""The picture of a game: one sheet with result, board, course and what else happened, as marks."""

from __future__ import annotations

from dataclasses import dataclass

from companion.summary import sentences
from companion.summary.board_drawing import board_drawing
from companion.summary.chart import LIGHT, chart
from companion.summary.marks import Anchor, Mark, Patch, Words, placed, rounded
from companion.summary.story import Story
from companion.texts import in_language, joined

WIDTH = 1080.0
MARGIN = 60.0
GROUND, CARD, INK, SOFT = "#f4f5f8", "#ffffff", "#171b23", "#5b6474"
TALLEST_BOARD, CHART = 860.0, 240.0


@dataclass(frozen=True, slots=True)
class Sheet:
    """Marks on a ground of their own colour."""

    width: float
    height: float
    ground: str
    marks: tuple[Mark, ...]


def sheet(story: Story, language: str) -> Sheet:
    """The sheet of a game; words that are too long for it are cut."""
    wide = WIDTH - 2 * MARGIN

    def words(y: float, said: str, size: float, ink: str = INK, *, bold: bool = False, at: Anchor = "start") -> Words:
        x = {"start": MARGIN, "middle": WIDTH / 2, "end": WIDTH - MARGIN}[at]
        return Words(x, y, str(in_language(said, language)), size, ink, bold, at, wide)

    when = joined([sentences.day(story.started), sentences.hour(story.started)], ", ")
    marks: list[Mark] = [
        words(64, sentences.game_name(story.game.name), 26, SOFT, bold=True),
        words(64, when, 24, SOFT, at="end"),
        words(128, sentences.against(story), 50, bold=True),
        words(196, sentences.result(story), 34),
    ]
    drawing = board_drawing(story.layout)
    scale = min(wide / drawing.width, TALLEST_BOARD / drawing.height)
    left, top = (WIDTH - scale * drawing.width) / 2, 246.0
    marks += placed(drawing.marks(story.frames[-1]), left, top, scale)
    y = top + scale * drawing.height + 36
    if story.course is not None:
        marks.append(Patch(rounded(MARGIN, y, wide, CHART, 24), CARD))
        marks += placed(chart(story.course, story.layout, wide / 1.6, CHART / 1.6, LIGHT), MARGIN, y, 1.6)
        y += CHART + 34
    facts = joined([sentences.turns(story), sentences.how_long(story.duration), *sentences.counted(story)], "  ·  ")
    marks.append(words(y + 10, facts, 24, SOFT, at="middle"))
    return Sheet(WIDTH, y + 60, GROUND, tuple(marks))
