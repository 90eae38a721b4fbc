"""What a patch of a slot would show with a bridge in it, finely: any shift and turn, and cells that lie half on one
thing and half on another.

A patch is explained by the bridge's upper face, whose brightness may slope; by the rim around it, where walls and
contact shades lie, level on each stretch of the outline; and by the tile as the empty picture has it, in light that may
slope. Shadows of other pieces may darken any cell, and nothing brightens one: a cell that is darker than explained
counts little, one that is brighter counts in full.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.finity.arrow import edge_distances_mm, outline_mm
from calibration.finity.board import FinityBoard
from calibration.finity.slot_patch import CELL_SIDES, cells_mm
from calibration.light import Values

FINE_MM: Final = 0.25
"""Step of the table of distances, which are looked up between its points."""
REACH_MM: Final = (34.0, 18.0)
"""How far the table goes from a bridge's middle: a patch's corners, shifted and turned, lie within."""
RIM_MM: Final = 2.0
"""How wide walls are seen: 3 mm high, and cameras look down at 30 degrees from the vertical at most."""
SHAFT_RIM_MM: Final = 0.8
"""The same along the shaft, beside which the tile's own rims stand nearly as high as the bridge."""
STRETCH: Final = np.array([0, 6, 6, 6, 2, 4, 5, 3, 7, 7, 7, 1])
"""The stretch of rim that each edge of the outline belongs to: left and right of the tip, of the tail, of the notch,
and of the shaft with the faces that look at it."""
STRETCHES: Final = 8
SHAFT: Final = 6
"""Stretches from this one on lie along the shaft."""
FACE: Final = 3
"""Unknowns of the face: its brightness and slopes; of the tile's light as many."""
PARTS: Final = FACE + STRETCHES + FACE
STIFF: Final = 1e-3
"""Keeps an unknown finite of which no cell tells anything."""

Ways = Floats
"""(ways, 4) how bridges lie: along and across in mm, turn in degrees, 1 where the tip is at the first station."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A bridge's outline as tables.

    Attributes:
        away: how far points around a bridge's middle lie outside its outline, in cells; on a grid.
        stretch: which stretch of rim is nearest, on the same grid.
        cells: (CELLS, 2) middles of a patch's cells in mm.
        slopes: (FACE, CELLS) one, and where a cell lies along and across, -1 to 1.
        cell_mm: side of a cell.
    """

    away: Values
    stretch: Values
    cells: Floats
    slopes: Values
    cell_mm: float


@lru_cache(maxsize=4)
def _shape(outline: tuple[tuple[float, float], ...], cell_mm: float, cells: tuple[tuple[float, float], ...]) -> Shape:
    x, y = (np.arange(-reach, reach + FINE_MM / 2, FINE_MM) for reach in REACH_MM)
    edges, inside = edge_distances_mm(np.array(outline), np.stack(np.meshgrid(x, y), axis=-1))
    away = np.where(inside, -1, 1) * edges.min(axis=0) / cell_mm
    at = np.array(cells)
    slopes = np.vstack([np.ones(len(at)), (at / np.abs(at).max(axis=0)).T])
    return Shape(
        away.astype(np.float32),
        STRETCH[edges.argmin(axis=0)].astype(np.float32),
        at,
        slopes.astype(np.float32),
        cell_mm,
    )


def shape_of(board: FinityBoard) -> Shape:
    """The tables for a board's bridges; made once."""
    outline = tuple((float(x), float(y)) for x, y in outline_mm(board))
    cells = tuple((float(x), float(y)) for x, y in cells_mm(board))
    return _shape(outline, CELL_SIDES * board.hex_side, cells)


@dataclass(frozen=True, slots=True)
class Shares:
    """(ways, CELLS) each: how much of a cell lies on the face and on the rim, and on which stretch of it."""

    face: Values
    rim: Values
    stretch: NDArray[np.intp]

    @property
    def tile(self) -> Values:
        return np.asarray(1 - self.face - self.rim)


def shares_of(shape: Shape, ways: Ways) -> Shares:
    angle = np.radians(ways[:, 2]) + np.pi * ways[:, 3]
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    x, y = shape.cells[:, 0] - ways[:, :1], shape.cells[:, 1] - ways[:, 1:2]
    column = ((cos * x + sin * y + REACH_MM[0]) / FINE_MM).astype(np.float32)
    row = ((-sin * x + cos * y + REACH_MM[1]) / FINE_MM).astype(np.float32)
    away = cv2.remap(shape.away, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    stretch = cv2.remap(shape.stretch, column, row, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
    inwards = np.float32(0.5) - away
    face = np.clip(inwards, 0, 1)
    wide = np.where(stretch >= SHAFT, SHAFT_RIM_MM, RIM_MM).astype(np.float32) / np.float32(shape.cell_mm)
    rim = np.clip(inwards + wide, 0, 1) - face
    return Shares(face, rim, stretch.astype(np.intp))


def parts_of(shape: Shape, shares: Shares, tile: Values) -> Values:
    """(ways, PARTS, CELLS) what each unknown adds to each cell: face, stretches of rim, tile."""
    parts = np.zeros((len(tile), PARTS, tile.shape[1]), dtype=np.float32)
    parts[:, :FACE] = shares.face[:, None] * shape.slopes
    np.put_along_axis(parts[:, FACE:-FACE], shares.stretch[:, None], shares.rim[:, None], axis=1)
    parts[:, -FACE:] = (shares.tile * tile)[:, None] * shape.slopes
    return parts


def shown(shape: Shape, shares: Shares, tile: Values, unknowns: Values) -> Values:
    """(ways, CELLS) the brightness of each cell with the unknowns (ways, PARTS) known."""
    levels = np.take_along_axis(unknowns[:, FACE:-FACE], shares.stretch, axis=1)
    face, light = unknowns[:, :FACE] @ shape.slopes, unknowns[:, -FACE:] @ shape.slopes
    return np.asarray(shares.face * face + shares.rim * levels + shares.tile * tile * light)


def least_squares(parts: Values, seen: Values, weight: Values, stiffness: Floats | None = None) -> Values:
    """The unknowns (ways, parts) that explain (ways, CELLS) best."""
    weighed = parts * weight[:, None]
    a = (weighed @ parts.transpose(0, 2, 1)).astype(np.float64)
    right = (weighed @ seen[..., None]).astype(np.float64)
    a += np.eye(a.shape[-1]) * (STIFF if stiffness is None else stiffness[:, None])
    return np.asarray(np.linalg.solve(a, right)[..., 0], dtype=np.float32)


def trust(miss: Values, shade: Values) -> Values:
    """What cells count by how much brighter than explained they are: in full, but where they are darker by more than
    `shade` (ways,) only so that their misses add up and not their squares."""
    return np.asarray(np.minimum(1, shade[:, None] / np.maximum(-miss, 1e-6)), dtype=np.float32)


SETTLE: Final = 3
"""Rounds in which what cells count and the unknowns settle."""


def explain(parts: Values, seen: Values, weight: Values, shade: Values) -> tuple[Floats, Values]:
    """Explain patches (ways, CELLS) by their parts (ways, parts, CELLS).

    Returns:
        (ways,) weighted sum of squares that is left, and the unknowns (ways, parts).
    """
    counts = weight
    for _ in range(SETTLE):
        unknowns = least_squares(parts, seen, counts)
        miss = seen - (unknowns[:, None] @ parts)[:, 0]
        counts = weight * trust(miss, shade)
    return np.asarray((counts * miss * miss).sum(axis=1, dtype=np.float64)), unknowns
