"""A whole game's board as one SVG: every piece once for each place where it ever lay, marked with when it lay there.

`data-at="0-3 7-9"` on a group says after which turns it is shown. The last position is shown before any script runs,
so the drawing is right without one. A game of a hundred turns takes a few dozen kilobytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.summary.board_drawing import EMPTY, BoardDrawing, Frame, Layer
from companion.summary.markup import Markup
from companion.summary.svg import FONT, svg_of


def board_svg(drawing: BoardDrawing, frames: Sequence[Frame], *, label: str) -> Markup:
    """The board of all frames.

    Args:
        label: the id of the element that says the position in words.
    """
    groups = "".join(part for layer in drawing.layers for part in _layer(layer, frames))
    box = f"0 0 {drawing.width:g} {drawing.height:g}"
    head = f'<svg class="board" viewBox="{box}" role="img" aria-labelledby="{label}" font-family="{FONT}">'
    return Markup(f"{head}{groups}</svg>")


def _layer(layer: Layer, frames: Sequence[Frame]) -> Iterator[str]:
    if not layer.place:
        yield svg_of(layer.draw(""))
        return
    shown = [frame.get(layer.place, "") for frame in frames]
    last = len(frames) - 1
    for label in dict.fromkeys(shown):
        drawn = svg_of(layer.draw(label))
        if drawn:
            yield _group(drawn, [turn for turn, there in enumerate(shown) if there == label], last)
    fresh = [n for n in range(1, len(shown)) if shown[n] != shown[n - 1] and shown[n] not in EMPTY]
    if layer.around and fresh:
        yield _group(svg_of(layer.around), fresh, last)


def _group(drawn: str, turns: Sequence[int], last: int) -> str:
    if len(turns) == last + 1:
        return drawn
    hidden = "" if turns[-1] == last else ' visibility="hidden"'
    return f'<g data-at="{ranges(turns)}"{hidden}>{drawn}</g>'


def ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers as ranges: "0-3 7 9-12"."""
    told: list[list[int]] = []
    for number in numbers:
        if told and number == told[-1][1] + 1:
            told[-1][1] = number
        else:
            told.append([number, number])
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in told)
