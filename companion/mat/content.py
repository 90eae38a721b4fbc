"""What there is to print of a board: pure shapes in millimetres, in the board's own frame."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.errors import UsageError
from companion.mat.papers import Box
from companion.texts import text

if TYPE_CHECKING:
    from calibration.board import Board, Markers
    from calibration.finity.board import FinityBoard
    from calibration.infinity.board import InfinityBoard

Xy = tuple[float, float]
Rgb = tuple[float, float, float]
"""Code values from 0 to 1."""

ROOM = 2.0
"""How far windows reach beyond channels, in millimetres."""
QUIET_CELLS = 1.0
"""White around a marker, in its own cells: without it a marker on a dark board is not found."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line to be drawn or cut along."""

    points: tuple[Xy, ...]
    closed: bool = True
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Marker:
    id: int
    middle: Xy
    size: float
    turn_deg: float
    cells: tuple[tuple[bool, ...], ...]
    """White ones, row by row from the top left."""


@dataclass(frozen=True, slots=True)
class Patch:
    middle: Xy
    size: float
    rgb: Rgb


@dataclass(frozen=True, slots=True)
class Label:
    middle: Xy
    words: str


@dataclass(frozen=True, slots=True)
class Content:
    """All that is printed of a board. `advice` says what to do with the printed sheets."""

    game: str
    box: Box
    lines: tuple[Line, ...]
    markers: tuple[Marker, ...]
    patches: tuple[Patch, ...]
    labels: tuple[Label, ...]
    advice: str

    def keep(self) -> list[Box]:
        """What should lie on one sheet whole."""
        things = [(m.middle, m.size * (1 + 2 * QUIET_CELLS / len(m.cells))) for m in self.markers]
        things += [(patch.middle, patch.size) for patch in self.patches]
        return [(x - size / 2, y - size / 2, x + size / 2, y + size / 2) for (x, y), size in things]


def content_of(board: Board, players: int | None = None) -> Content:
    """What is printed of a board, of so many players of Finity (the most where it is not said).

    Raises:
        UsageError: if players are given for a game that has none to choose.
    """
    from calibration.finity.board import FinityBoard
    from calibration.infinity.board import InfinityBoard

    if isinstance(board, InfinityBoard):
        if players is not None:
            raise UsageError(text("--players {n}: Infinity always has two; leave it out", n=players))
        return _infinity(board)
    if isinstance(board, FinityBoard):
        return _finity(board, players)
    raise TypeError(f"nobody prints mats for {board.game}")


def markers_of(markers: Markers) -> tuple[Marker, ...]:
    from calibration.markers import marker_cells

    turns = markers.turns_deg or (0.0,) * len(markers.ids)
    return tuple(
        Marker(marker, at, markers.size, turn, marker_cells(markers.dict, marker))
        for marker, at, turn in zip(markers.ids, markers.centres, turns, strict=True)
    )


def _infinity(board: InfinityBoard) -> Content:
    from calibration.outlines import outlines

    (edge,) = (_flat(line.points) for line in outlines(board) if line.kind == "board")
    strip = board.grey_strip
    patches = [
        Patch(at, strip.patch, _grey(linear))
        for at, linear in zip(strip.centres, strip.reflectance_linear, strict=True)
    ]
    half_w, half_h = board.board.w / 2, board.board.h / 2
    return Content(
        "infinity",
        (-half_w, -half_h, half_w, half_h),
        (Line(edge, cut=True), *(Line(window, cut=True) for window in _windows(board))),
        markers_of(board.aruco),
        tuple(patches),
        (),
        text(
            "Cut along the dashed lines, windows too, and lay the frame flat on the board: the channels, the well and "
            "the knob show through."
        ),
    )


def _windows(board: InfinityBoard) -> list[tuple[Xy, ...]]:
    """What is cut out: one window around channels, well and knob where they meet, like a keyhole."""
    groove, channels = board.groove, board.channels
    r = groove.r + groove.profile_r
    half = (channels.count - 1) / 2 * channels.pitch + channels.profile_r + ROOM
    top = channels.end_y + ROOM
    shoulder = math.sqrt(max(0.0, r * r - half * half))
    if half < r and channels.entry_y < groove.cy + r:
        start = math.degrees(math.atan2(shoulder, half))
        round_part = _arc(groove.cx, groove.cy, r, start, -180 - start)
        return [(*round_part, (groove.cx - half, top), (groove.cx + half, top))]
    low = channels.entry_y - ROOM
    return [
        ((-half, low), (-half, top), (half, top), (half, low)),
        _arc(groove.cx, groove.cy, r, 0, 360)[:-1],
    ]


def _arc(x: float, y: float, r: float, start_deg: float, end_deg: float) -> tuple[Xy, ...]:
    angles = [math.radians(start_deg + (end_deg - start_deg) * step / 72) for step in range(73)]
    return tuple((x + r * math.cos(a), y + r * math.sin(a)) for a in angles)


def _finity(board: FinityBoard, players: int | None) -> Content:
    from calibration.outlines import outlines

    half_w, half_h = board.mat[0] / 2, board.mat[1] / 2
    drawn = [line for line in outlines(board, players) if line.kind in ("board", "station")]
    lines = tuple(Line(_flat(line.points), cut=line.kind == "board") for line in drawn)
    patches = zip(board.patches.centres(), board.patches.reflectance_linear, strict=True)
    named = [line.place for line in drawn if line.kind == "station"]
    return Content(
        "finity",
        (-half_w, -half_h, half_w, half_h),
        lines,
        markers_of(board.aruco),
        tuple(Patch(at, board.patches.size, _coded(linear)) for at, linear in patches),
        tuple(Label(_beside(board.station_centres[name], board.hex_side), name) for name in named),
        text("Glue the sheets together and lay the mat flat; every tile has its place and its name on it."),
    )


def _beside(middle: Xy, side: float) -> Xy:
    """Off a tile's middle, where sheets are commonly cut."""
    return middle[0] - 0.3 * side, middle[1] + 0.2 * side


def _flat(points: Sequence[tuple[float, float, float]]) -> tuple[Xy, ...]:
    return tuple((x, y) for x, y, _ in points)


def _grey(linear: float) -> Rgb:
    return _coded((linear, linear, linear))


def _coded(linear: Sequence[float]) -> Rgb:
    """Linear reflectance as sRGB code values."""
    r, g, b = (12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055 for v in linear)
    return r, g, b
