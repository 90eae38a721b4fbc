"""A board's places as lines: what is drawn over a camera picture, and what is printed on a mat."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from calibration.board import Board, Point

ROUND = 32
"""Points of a circle: at 40 px across, its sides are a tenth of a pixel off."""

Xy = tuple[float, float]
Corners = tuple[Xy, Xy, Xy, Xy]
"""Top left, top right, bottom right, bottom left, as seen on the board."""


@dataclass(frozen=True, slots=True)
class Outline:
    """One line in board millimetres.

    Attributes:
        place: the place's name, or what it is of: "knob", "well", "tower", "board", a marker's id.
        kind: board, channel, slot, well, knob, station, seat, bridge, tower, marker or patch.
    """

    place: str
    kind: str
    points: tuple[Point, ...]
    closed: bool = True


def outlines(board: Board, players: int | None = None) -> tuple[Outline, ...]:
    """All lines of a board, of so many players of Finity (of the most, where it is not said)."""
    from calibration.finity.board import FinityBoard
    from calibration.infinity.board import InfinityBoard

    markers = [Outline(str(marker), "marker", corners) for marker, corners in board.aruco.corners().items()]
    if isinstance(board, InfinityBoard):
        from calibration.infinity.outlines import infinity_outlines

        return (*infinity_outlines(board), *markers)
    if isinstance(board, FinityBoard):
        from calibration.finity.outlines import finity_outlines

        return (*finity_outlines(board, players), *markers)
    raise TypeError(f"nobody draws {board.game}")


def template_corners(board: Board) -> tuple[Point, Point, Point, Point]:
    """The corners of the rectangle by which the places of the game are dragged, as `Corners`, with their height."""
    from calibration.finity.board import FinityBoard
    from calibration.infinity.board import InfinityBoard

    if isinstance(board, InfinityBoard):
        w, h, z = board.board.w / 2, board.board.h / 2, 0.0
        middle = (0.0, 0.0)
    elif isinstance(board, FinityBoard):
        from calibration.finity.outlines import tiles_box

        middle, w, h = tiles_box(board)
        z = board.tile.floor_z
    else:
        raise TypeError(f"nobody draws {board.game}")
    x, y = middle
    return (x - w, y + h, z), (x + w, y + h, z), (x + w, y - h, z), (x - w, y - h, z)


def circle(x: float, y: float, z: float, r: float, sides: int = ROUND, start_deg: float = 0.0) -> tuple[Point, ...]:
    angles = [math.radians(start_deg + 360 * index / sides) for index in range(sides)]
    return tuple((x + r * math.cos(a), y + r * math.sin(a), z) for a in angles)


def arc(x: float, y: float, z: float, r: float, start_deg: float, end_deg: float) -> tuple[Point, ...]:
    """Points from one angle to the other, both included, in either direction."""
    steps = max(2, math.ceil(abs(end_deg - start_deg) / 360 * ROUND * 2))
    angles = [math.radians(start_deg + (end_deg - start_deg) * index / steps) for index in range(steps + 1)]
    return tuple((x + r * math.cos(a), y + r * math.sin(a), z) for a in angles)


def squares(kind: str, centres: Iterable[tuple[str, Xy]], size: float, z: float) -> list[Outline]:
    half = size / 2
    around = ((-half, half), (half, half), (half, -half), (-half, -half))
    return [Outline(name, kind, tuple((x + dx, y + dy, z) for dx, dy in around)) for name, (x, y) in centres]
