"""A board as marks, from the layout that the page draws from (`companion.page.layout`). It knows no game.

A drawing is a row of layers from bottom to top: what always lies there, and places with what they show.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.summary.marks import Disc, Mark, Patch, Point, Stroke, Words, arc, rounded, turned

Shape = Mapping[str, Any]
Layout = Mapping[str, Any]
Frame = Mapping[str, str]
"""What every place shows, by its name; the pieces in the well are `well.0` and on, the knob's stop is `knob`."""

UNKNOWN: Final[Shape] = {"shape": "ball", "fill": "#7d8696", "shade": "#555c69", "ink": "#ffffff"}
EMPTY: Final = (".", "")
RIM, FLOOR, SEAT, ENGRAVED = "#47505e", "#1c2027", "#12151a", "#8b95a6"


@dataclass(frozen=True, slots=True)
class Layer:
    """A place, or what always lies there where `place` is empty.

    Attributes:
        draw: the marks of a label at this place.
        around: what goes round the place when the last move changed it.
    """

    draw: Callable[[str], tuple[Mark, ...]]
    place: str = ""
    around: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    width: float
    height: float
    layers: tuple[Layer, ...]

    def marks(self, frame: Frame) -> tuple[Mark, ...]:
        """The board as it stands in a frame."""
        return tuple(mark for layer in self.layers for mark in layer.draw(frame.get(layer.place, "")))


def board_drawing(layout: Layout) -> BoardDrawing:
    """The drawing of a layout's board."""
    drawing = _Drawing(layout)
    layers = tuple(layer for shape in layout["shapes"] for layer in drawing.layers(shape))
    return BoardDrawing(layout["width_mm"], layout["height_mm"], layers)


def well_frame(layout: Layout, well: Mapping[str, int]) -> dict[str, str]:
    """The pieces of a well in its seats, in the order of the layout's labels, from the middle out as they roll."""
    shape = next((shape for shape in layout["shapes"] if shape["kind"] == "well"), None)
    if shape is None:
        return {}
    pieces = [label for label in layout["labels"] for _ in range(well.get(label, 0))]
    first = (len(shape["seats"]) - len(pieces)) // 2
    return {f"well.{first + n}": label for n, label in enumerate(pieces)}


class _Drawing:
    def __init__(self, layout: Layout) -> None:
        self._labels: Mapping[str, Shape] = layout["labels"]
        self._tiles = bool(layout.get("pattern"))

    def layers(self, shape: Shape) -> Iterator[Layer]:
        kind = shape["kind"]
        if kind in _FIXED:
            marks = _FIXED[kind](self, shape)
            yield Layer(lambda _: marks)
        elif kind == "well":
            for n, (x, y) in enumerate(shape["seats"]):
                yield self._piece_layer({"x_mm": x, "y_mm": y, "r_mm": shape["r_mm"]}, f"well.{n}")
        elif kind == "dial":
            yield Layer(lambda label: _dial(shape, label), shape["place"])
        elif kind == "disc":
            x, y, r = _at(shape)
            yield Layer(lambda _: (Disc(x, y, r * 0.86, SEAT),))
            yield self._piece_layer(shape, shape["place"], (Disc(x, y, r + 1.1, None, "#ffffff", 1.1),))
        elif kind == "ring":
            x, y, r = _at(shape)
            around = (Disc(x, y, r - 0.3, None, "#ffffff", 1.1),)
            yield Layer(lambda label: self._ring(shape, label), shape["place"], around)
        elif kind == "post":
            x, y, r = _at(shape)
            around = (Disc(x, y, r + 0.6, None, "#ffffff", 1.1),)
            yield Layer(lambda label: self._post(shape, label), shape["place"], around)
        elif kind == "lane":
            x, y, length, width = shape["x_mm"], shape["y_mm"], shape["length_mm"], shape["width_mm"]
            box = rounded(-length / 2 - 1.5, -width / 2 - 1.5, length + 3, width + 3, 3)
            around_lane = (Patch(turned(box, x, y, shape["deg"]), None, "#ffffff", 1.1),)
            yield Layer(lambda label: self._lane(shape, label), shape["place"], around_lane)

    def _look(self, label: str) -> Shape:
        return self._labels.get(label) or {**UNKNOWN, "text": label}

    def _piece_layer(self, shape: Shape, place: str, around: tuple[Mark, ...] = ()) -> Layer:
        x, y, r = _at(shape)
        return Layer(lambda label: () if label in EMPTY else _ball(self._look(label), x, y, r), place, around)

    def panel(self, shape: Shape) -> tuple[Mark, ...]:
        box = (shape["x_mm"], shape["y_mm"], shape["width_mm"], shape["height_mm"], shape["r_mm"])
        return (Patch(rounded(*box), "#353b46"),)

    def slot(self, shape: Shape) -> tuple[Mark, ...]:
        line = ((shape["x1_mm"], shape["y1_mm"]), (shape["x2_mm"], shape["y2_mm"]))
        return self._groove(line, shape["width_mm"])

    def arc(self, shape: Shape) -> tuple[Mark, ...]:
        x, y, r = _at(shape)
        return self._groove(arc(x, y, r, shape["from_deg"], shape["to_deg"]), shape["width_mm"])

    def _groove(self, points: tuple[Point, ...], width: float) -> tuple[Mark, ...]:
        if self._tiles:
            return (Stroke(points, "#525d6c", width - 0.8),)
        return (Stroke(points, RIM, width + 1.2), Stroke(points, FLOOR, width - 0.8))

    def text(self, shape: Shape) -> tuple[Mark, ...]:
        return (Words(shape["x_mm"], shape["y_mm"], shape["text"], 5.4, ENGRAVED, bold=True),)

    def hexagon(self, shape: Shape) -> tuple[Mark, ...]:
        x, y, r = _at(shape)
        seats = tuple(Disc(x, y, radius, None, "#5d6878", 1.4) for radius in shape["seats_mm"])
        return (Patch(_hexagon(x, y, r), "#313843"), Patch(_hexagon(x, y, r * 0.97), "#6a7687"), *seats)

    def tower(self, shape: Shape) -> tuple[Mark, ...]:
        x, y, r = _at(shape)
        cones = shape["pattern"]
        return tuple(
            Disc(x, y, r * (1 - level / (len(cones) + 0.6)), look["fill"], look["shade"], 0.5)
            for level, look in enumerate(map(self._look, cones))
        )

    def walks(self, shape: Shape) -> tuple[Mark, ...]:
        return ()  # drawn on the page only, where somebody points at them

    def _ring(self, shape: Shape, label: str) -> tuple[Mark, ...]:
        if label in EMPTY:
            return ()
        look = self._look(label)
        x, y, r = _at(shape)
        band = r - shape["inner_mm"]
        middle = r - band / 2
        bx, by = arc(x, y, middle, shape["badge_deg"], shape["badge_deg"], 1)[0]
        return (
            Disc(x, y, middle, None, look["shade"], band),
            Disc(x, y, middle, None, look["fill"], band * 0.8),
            Disc(bx, by, band * 0.98, look["fill"], look["shade"], 0.9),
            Words(bx, by, look["text"], band * 1.45, look["ink"], bold=True),
        )

    def _post(self, shape: Shape, label: str) -> tuple[Mark, ...]:
        x, y, r = _at(shape)
        if label in EMPTY or label not in self._labels:
            return (Words(x, y, shape["text"], r * 0.85, "#dfe5ee", bold=True),)
        look = self._look(label)
        return (
            Disc(x, y, r, look["shade"]),
            Disc(x, y, r * 0.88, look["fill"]),
            Words(x, y - r * 0.22, look["text"], r * 1.05, look["ink"], bold=True),
            Words(x, y + r * 0.52, shape["text"], r * 0.55, look["ink"], bold=True),
        )

    def _lane(self, shape: Shape, label: str) -> tuple[Mark, ...]:
        if label in EMPTY:
            return ()
        look, x, y = self._look(label), shape["x_mm"], shape["y_mm"]
        if look["shape"] != "arrow":
            return _square(look, x, y, shape["width_mm"] * 0.56)
        points = _arrow(shape["length_mm"], shape["width_mm"], shape["ways"].get(label, 1))
        return (Patch(turned(points, x, y, shape["deg"]), look["fill"], look["shade"], 0.9),)


_FIXED: Final[Mapping[str, Callable[[_Drawing, Shape], tuple[Mark, ...]]]] = {
    "panel": _Drawing.panel,
    "slot": _Drawing.slot,
    "arc": _Drawing.arc,
    "text": _Drawing.text,
    "hexagon": _Drawing.hexagon,
    "tower": _Drawing.tower,
    "walks": _Drawing.walks,
}
"""The shapes that look the same in every position."""


def _at(shape: Shape) -> tuple[float, float, float]:
    return shape["x_mm"], shape["y_mm"], shape["r_mm"]


def _ball(look: Shape, x: float, y: float, r: float) -> tuple[Mark, ...]:
    """A marble with its letter, on a star where it is a Joker."""
    marks: list[Mark] = [Disc(x, y, r, look["shade"]), Disc(x, y - r * 0.06, r * 0.94, look["fill"])]
    if look.get("star"):
        radii = (0.46 if n % 2 else 0.98 for n in range(10))
        star = [(radius * r * 0.9, math.radians(36 * n - 90)) for n, radius in enumerate(radii)]
        marks.append(Patch(tuple((x + d * math.cos(a), y + d * math.sin(a)) for d, a in star), look["ink"]))
        return (*marks, Words(x, y + r * 0.04, look["text"], r * 0.72, look["fill"], bold=True))
    return (*marks, Words(x, y, look["text"], r * 1.05, look["ink"], bold=True))


def _square(look: Shape, x: float, y: float, r: float) -> tuple[Mark, ...]:
    return (
        Patch(rounded(x - r, y - r, 2 * r, 2 * r, r * 0.2), look["shade"]),
        Patch(rounded(x - r * 0.86, y - r * 0.86, 1.72 * r, 1.72 * r, r * 0.14), look["fill"]),
        Words(x, y, look.get("text", ""), r * 1.3, look["ink"], bold=True),
    )


def _arrow(length: float, width: float, way: int) -> tuple[Point, ...]:
    """An arrow with a swallow tail along x; `way` -1 points to the left."""
    end = way * length / 2
    shaft, head, flare = width * 0.27, end - way * width * 0.95, -end + way * width * 0.45
    half = [(end, 0.0), (head, width / 2), (head, shaft), (flare, shaft), (-end, width * 0.44)]
    return (*half, (-end + way * width * 0.28, 0.0), *((x, -y) for x, y in reversed(half[1:])))


def _hexagon(x: float, y: float, r: float) -> tuple[Point, ...]:
    return arc(x, y, r, 0, 300, 5)


def _dial(shape: Shape, label: str) -> tuple[Mark, ...]:
    x, y, r = _at(shape)
    shown = next((stop for stop in shape["stops"] if str(stop["stop"]) == label), None)
    marks: list[Mark] = []
    for stop in shape["stops"]:
        tx, ty = arc(x, y, shape["ring_r_mm"] + 1.5, stop["deg"] - 90, stop["deg"] - 90, 1)[0]
        size, fill = (8.0, "#ffffff") if stop is shown else (6.4, ENGRAVED)
        marks.append(Words(tx, ty, stop["text"], size, fill, bold=True))
    marks += [Disc(x, y, r, "#5d6777"), Disc(x, y, r * 0.9, "#7b8698")]
    if shown is not None:
        bar = turned(((0, r * 0.5), (0, -r * 0.72)), x, y, shown["deg"])
        tip = turned(((0, -r * 0.3), (0, -r * 0.74)), x, y, shown["deg"])
        marks += [Stroke(bar, "#4b5463", 6.0), Stroke(tip, "#ffffff", 2.6)]
    return tuple(marks)
