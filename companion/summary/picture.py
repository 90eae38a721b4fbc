"""A sheet as a PNG, drawn by Pillow with letters of our own: a bare Raspberry Pi has neither a browser nor fonts.

OpenCV's built-in letters were the other way: its old ones have no Polish letters, and its new ones came with version 5,
while this program works with 4.10. DejaVu Sans has Latin, Greek and Cyrillic letters and may be given on
(`fonts/LICENSE`); what it has no letter for shows as an empty box.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Any

from companion.summary.marks import Disc, Mark, Patch, Point, Stroke, Words
from companion.summary.sheet import Sheet

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

FINE = 2
"""Everything is drawn this many times larger and made small again, which smooths its edges."""
ANCHOR = {"start": "ls", "middle": "ms", "end": "rs"}


def png_of(sheet: Sheet) -> bytes:
    """The sheet as a PNG, one pixel for each of its units."""
    from PIL import Image, ImageDraw

    size = (round(sheet.width), round(sheet.height))
    image = Image.new("RGB", (FINE * size[0], FINE * size[1]), sheet.ground)
    draw = ImageDraw.Draw(image)
    for mark in sheet.marks:
        _draw(draw, mark)
    small = image.resize(size, Image.Resampling.BOX)
    out = BytesIO()
    small.save(out, "PNG", optimize=True)
    return out.getvalue()


def _draw(draw: ImageDraw, mark: Mark) -> None:
    match mark:
        case Disc():
            _disc(draw, mark)
        case Patch():
            points = _fine(mark.points)
            if mark.fill:
                draw.polygon(points, fill=mark.fill)
            if mark.edge:
                _line(draw, [*points, points[0], points[1]], mark.edge, mark.width)
        case Stroke():
            points = _fine(mark.points)
            _line(draw, points, mark.edge, mark.width)
            for x, y in (points[0], points[-1]):
                r = FINE * mark.width / 2
                draw.ellipse((x - r, y - r, x + r, y + r), fill=mark.edge)
        case Words():
            _words(draw, mark)


def _disc(draw: ImageDraw, mark: Disc) -> None:
    r = FINE * (mark.r + (mark.width / 2 if mark.edge else 0.0))
    x, y = FINE * mark.x, FINE * mark.y
    width = max(1, round(FINE * mark.width)) if mark.edge else 0
    draw.ellipse((x - r, y - r, x + r, y + r), fill=mark.fill, outline=mark.edge, width=width)


def _line(draw: ImageDraw, points: list[Point], colour: str, width: float) -> None:
    draw.line(points, fill=colour, width=max(1, round(FINE * width)), joint="curve")


SMALLEST = 0.5
"""How much smaller than usual the letters of a long text may be; on a phone they are just to be read."""


def _words(draw: ImageDraw, mark: Words) -> None:
    font, text = _fitted(mark)
    at = (FINE * mark.x, FINE * (mark.y + 0.36 * mark.size))
    draw.text(at, text, fill=mark.fill, font=font, anchor=ANCHOR[mark.anchor])


def _fitted(mark: Words) -> tuple[Any, str]:
    """The letters and what is written in them: smaller ones where the words are wide, such as two long names."""
    font = _font(mark.bold, round(FINE * mark.size))
    if mark.width is None or (wide := font.getlength(mark.text)) <= FINE * mark.width:
        return font, mark.text
    font = _font(mark.bold, int(FINE * mark.size * max(SMALLEST, FINE * mark.width / wide)))
    return font, _cut(mark.text, font, FINE * mark.width)


def _cut(text: str, font: FreeTypeFont, width: float) -> str:
    """A text that is too wide, with its end left out."""
    if font.getlength(text) <= width:
        return text
    while text and font.getlength(f"{text}…") > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


@cache
def _font(bold: bool, size: int) -> Any:
    from PIL import ImageFont

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(BytesIO(files("companion.summary").joinpath("fonts", name).read_bytes()), max(1, size))


def _fine(points: tuple[Point, ...]) -> list[Point]:
    return [(FINE * x, FINE * y) for x, y in points]
