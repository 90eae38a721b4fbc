"""The outline of a bridge seen from above: an arrow with a triangular tip, a straight shaft and a swallow tail."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.finity.board import FinityBoard

NOTCH = 0.126
"""How deep the swallow tail is cut in, in lengths of the bridge: measured on the reference set, like the next two."""
TAIL = 0.239
"""How long the wide part of the tail is."""
HEAD = 0.269
"""How long the triangular tip is."""


def outline_mm(board: FinityBoard) -> Floats:
    """(12, 2) corners of the upper face around the bridge's middle, counter-clockwise; x points to the tip.

    Tip, left corner of the tip, shaft before and behind, left corners of the tail, notch; then the right side's, back
    to the tip.
    """
    length, wide, shaft = (
        size * board.hex_side
        for size in (board.bridge.length_sides, board.bridge.width_sides / 2, board.bridge.shaft_sides / 2)
    )
    end = length / 2
    tail, head = -end + TAIL * length, end - HEAD * length
    left = [(end, 0.0), (head, wide), (head, shaft), (tail, shaft), (tail, wide), (-end, wide)]
    right = [(x, -y) for x, y in reversed(left[1:])]
    return np.array([*left, (-end + NOTCH * length, 0.0), *right])


def edge_distances_mm(outline: Floats, points: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """How far points (..., 2) lie from each edge (edges, ...) of an outline (corners, 2), each edge being named by the
    corner that it starts from; and whether (...) they lie inside."""
    at = points.reshape(-1, 2)
    away, inside = [], np.zeros(len(at), dtype=np.bool_)
    for (x, y), (dx, dy) in zip(outline, np.roll(outline, -1, axis=0) - outline, strict=True):
        px, py = at[:, 0] - x, at[:, 1] - y
        along = np.clip((px * dx + py * dy) / (dx * dx + dy * dy), 0.0, 1.0)
        away.append(np.hypot(px - along * dx, py - along * dy))
        # a way to the right from the point crosses the edge
        inside ^= ((py >= 0) != (py >= dy)) & (px < dx * py / (dy or 1.0))
    shape = points.shape[:-1]
    return np.array(away).reshape(-1, *shape), np.asarray(inside.reshape(shape), dtype=np.bool_)


def distance_mm(outline: Floats, points: Floats) -> Floats:
    """How far points (..., 2) lie outside an outline (corners, 2); negative inside it."""
    away, inside = edge_distances_mm(outline, points)
    nearest = away.min(axis=0)
    return np.asarray(np.where(inside, -nearest, nearest), dtype=np.float64)
