"""What is printed on the mat, and how deep the hollows of a height map are."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.finity.board import FinityBoard
from hw_sim.camera.board_maps import PX_PER_MM, box_cover, marker_cells, near
from hw_sim.camera.lens import Floats, floats

INK = 0.03
"""Linear reflectance of black print."""
CELL = 16
"""Side of the cells for which the highest and the lowest place are kept."""
COARSE = 4
"""Hollows are found on a grid so many times coarser."""


def print_mat(paint: Floats, x: Floats, y: Floats, board: FinityBoard) -> None:
    """Put markers and patches on the mat's paint (rows, columns, 3), in place.

    Args:
        x, y: millimetres of columns (1, columns) and of rows (rows, 1).
    """
    markers, patches = board.aruco, board.patches
    for marker, (cx, cy) in zip(markers.ids, markers.centres, strict=True):
        part = near(x, y, (cx, cy), (cx, cy), markers.size)
        px, py = np.meshgrid(x[0, part[1]], y[part[0], 0])
        cells = marker_cells(markers.dict, marker)
        n = len(cells)
        column, row = ((px - cx) / markers.size + 0.5) * n - 0.5, ((cy - py) / markers.size + 0.5) * n - 0.5
        inked = cv2.remap(cells, column, row, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
        cover = box_cover(px, py, cx, cy, markers.size, markers.size) * (1 - np.asarray(inked))
        paint[part] += cover[..., None] * (np.float32(INK) - paint[part])
    for (cx, cy), reflectance in zip(patches.centres(), patches.reflectance_linear, strict=True):
        part = near(x, y, (cx, cy), (cx, cy), patches.size)
        cover = box_cover(x[:, part[1]], y[part[0]], cx, cy, patches.size, patches.size)
        paint[part] += cover[..., None] * (np.array(reflectance, np.float32) - paint[part])


def reduce_into(part: Floats, cells: Floats, extreme: np.ufunc) -> None:
    """Put the extremes of a part into the cells that begin with it, in place."""
    rows = floats(extreme.reduceat(part, np.arange(0, part.shape[0], CELL), axis=0))
    found = floats(extreme.reduceat(rows, np.arange(0, part.shape[1], CELL), axis=1))
    into = cells[: found.shape[0], : found.shape[1]]
    # Cells at the far ends are only partly looked at: they must not lose what they know.
    found[-1] = extreme(found[-1], into[-1])
    found[:, -1] = extreme(found[:, -1], into[:, -1])
    into[...] = found


def open_sky(height: Floats) -> Floats:
    """Share of the room's light that reaches each place: less in hollows, by how deep they lie at three widths."""
    size = (max(height.shape[1] // COARSE, 1), max(height.shape[0] // COARSE, 1))
    coarse = cv2.resize(height, size, interpolation=cv2.INTER_AREA)
    shut = 0.30 * np.maximum(cv2.GaussianBlur(height, (0, 0), 1.0 * PX_PER_MM) - height, 0) / 1.2
    for width_mm, weight in ((2.5, 0.36), (4.5, 0.30)):
        around = cv2.GaussianBlur(coarse, (0, 0), width_mm * PX_PER_MM / COARSE)
        around = cv2.resize(around, height.shape[::-1], interpolation=cv2.INTER_LINEAR)
        shut += weight * np.maximum(np.asarray(around) - height, 0) / width_mm
    return floats(np.clip(1 - shut, 0.15, 1))
