"""Which way the strongest lamp of the room throws shades, told by those of the tiles on the mat.

All that it takes is in the picture of the bare board: the tiles' outline, their height above the mat, and where the mat
beside them is darker. A lamp that is small or far away throws one clear shade; light from all sides throws none, and
then nothing is told.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np

from calibration.camera import Floats
from calibration.finity.board import FinityBoard
from calibration.finity.outlines import tile_points
from calibration.finity.tiles import Tiles
from calibration.finity.view import View
from calibration.light import Values

STEP_MM: Final = 2.0
"""Steps of the mat and of the table of distances."""
REACH_MM: Final = 300.0
"""How far from the middle the table goes: the tiles of four players, and the longest shade that is looked at."""
NEAREST_MM: Final = 1.5
FURTHEST_MM: Final = 28.0
"""Mat between them is looked at: beyond the blur at a tile's edge, up to the end of the longest shade."""
EDGE_MM: Final = 3.0
"""Width of a shade's edge: a lamp's own size and the picture's blur."""
CLEAR_MM: Final = 10.0
"""Paper around markers and patches that they darken in a blurred picture."""
MARKS_SHARE: Final = 0.6
"""Share of a tile's edge along which rims stand."""
LENGTHS: Final = (0.25, 0.45, 0.7, 1.0, 1.35, 1.75)
"""Lengths of a shade against the height of what throws it, from which the search starts: of lamps 76 to 30 degrees
high."""
WAYS: Final = 20
"""Ways from which it starts, all around."""
STEPS: Final = np.array([0.2, 0.2])
"""First steps of the search."""
FINEST: Final = 0.015
MOST: Final = 0.2
"""Largest miss, in root light, that counts: the tower's shade and what lies on the mat are no shade of tiles."""
PALEST: Final = 0.85
"""Root of the light in the shade above which there is no lamp to speak of."""
EXPLAINED: Final = 0.8
"""Share of the misses that may be left: of soft light 0.85 and more are."""
FEW: Final = 200
"""Fewest points of the mat that tell a lamp."""

Shift = tuple[float, float]
"""x and y in mm by which a millimetre of height throws its shade."""


def find_shift(board: FinityBoard, tiles: Tiles, players: int, bare: View) -> Shift | None:
    """Which way shades fall and how far in a picture of the bare board, None where light is too soft to tell."""
    table = _Distances(board, tiles, players)
    points = _mat_beside(board, table, bare.pose.eye_mm)
    if len(points) < FEW:
        return None
    at = np.column_stack([points, np.full(len(points), board.aruco.z)])
    seen = bare.values(at[None])[0].mean(axis=-1)
    heights = _heights(board)
    coarse = slice(None, None, max(1, len(points) // 1500))
    starts = [
        np.array([length * math.cos(way), length * math.sin(way)])
        for length in LENGTHS
        for way in np.arange(WAYS) * (2 * math.pi / WAYS)
    ]
    best = min(starts, key=lambda start: _misses(table, heights, points[coarse], seen[coarse], start)[0])
    every = slice(None, None, max(1, len(points) // 4000))
    points, seen = points[every], seen[every]
    best, left, unknowns = _improved(table, heights, points, seen, best)
    none = _misses(table, (), points, seen, best)[0]
    shade = 1 + unknowns[3] / max(unknowns[0], 1e-3)
    if shade > PALEST or left > EXPLAINED * none:
        return None
    return float(best[0]), float(best[1])


class _Distances:
    """How far (mm) points of the mat lie outside the tiles, negative inside."""

    def __init__(self, board: FinityBoard, tiles: Tiles, players: int) -> None:
        count = int(2 * REACH_MM / STEP_MM) + 1
        inside = np.zeros((count, count), dtype=np.uint8)
        for station in board.stations(players):
            corners = np.array(tile_points(board, station)) - (*board.station_centres[station], 0.0)
            there = tiles.station_mm(board, station, corners)[:, :2]
            cv2.fillPoly(inside, [np.round((there + REACH_MM) / STEP_MM * 16).astype(np.int32)], 1, shift=4)
        within, beyond = (cv2.distanceTransform(mask, cv2.DIST_L2, 3) for mask in (inside, 1 - inside))
        self._away: Values = np.asarray((beyond - within) * STEP_MM, dtype=np.float32)

    def at(self, points: Floats) -> Values:
        """(N,) at points (N, 2)."""
        column, row = np.clip(np.rint((points + REACH_MM) / STEP_MM).astype(np.intp), 0, len(self._away) - 1).T
        return np.asarray(self._away[row, column])


def _mat_beside(board: FinityBoard, table: _Distances, eye_mm: Floats) -> Floats:
    """(N, 2) plain mat beside the tiles that the camera sees past them."""
    line = np.arange(-REACH_MM, REACH_MM, STEP_MM)
    points = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    away = table.at(points)
    x, y = np.abs(points).T
    use = (away > NEAREST_MM) & (away < FURTHEST_MM) & (x < board.mat[0] / 2 - 4) & (y < board.mat[1] / 2 - 4)
    for centre in board.aruco.centres:
        use &= np.abs(points - centre).max(axis=1) > board.aruco.size / 2 + CLEAR_MM
    printed = board.patches.size * np.array([len(board.patches.order), 1]) / 2 + CLEAR_MM
    use &= (np.abs(points - (0.0, board.patches.y)) > printed).any(axis=1)
    points = points[use]
    seen = np.ones(len(points), dtype=np.bool_)
    for height in np.linspace(0.25, 1, 4) * board.tile.bump_z:
        seen &= table.at(points + (eye_mm[:2] - points) * (height / eye_mm[2])) > NEAREST_MM
    return np.asarray(points[seen], dtype=np.float64)


def _heights(board: FinityBoard) -> tuple[tuple[float, float], ...]:
    """Heights of a tile's edge, and how much of the edge is as high."""
    floor, rim = board.tile.floor_z, board.tile.bump_z
    return (
        *((floor * part, 1.0) for part in (0.25, 0.5, 0.75, 1.0)),
        ((floor + rim) / 2, MARKS_SHARE),
        (rim, MARKS_SHARE),
    )


def _misses(
    table: _Distances, heights: tuple[tuple[float, float], ...], points: Floats, seen: Values, way: Floats
) -> tuple[float, Floats]:
    """What a lamp leaves unexplained of the mat, and the mat's light, its slopes and the depth of the shade."""
    shaded = np.zeros(len(points))
    for height, share in heights:
        shaded = np.maximum(shaded, share * np.clip(0.5 - table.at(points - height * way) / EDGE_MM, 0, 1))
    parts = np.column_stack([np.ones(len(points)), points / REACH_MM, shaded])
    unknowns = np.asarray(np.linalg.lstsq(parts, seen, rcond=None)[0], dtype=np.float64)
    return float(np.minimum(np.abs(seen - parts @ unknowns), MOST).sum()), unknowns


def _improved(
    table: _Distances, heights: tuple[tuple[float, float], ...], points: Floats, seen: Values, way: Floats
) -> tuple[Floats, float, Floats]:
    """The way downhill from a start by steps that halve: the lamp, what it leaves, and the unknowns."""
    left, unknowns = _misses(table, heights, points, seen, way)
    step = STEPS.copy()
    while step[0] > FINEST:
        better = False
        for change in np.concatenate([np.diag(step), -np.diag(step)]):
            tried = way + change
            least, found = _misses(table, heights, points, seen, tried)
            if least < left:
                way, left, unknowns, better = tried, least, found, True
        if not better:
            step = step / 2
    return way, left, unknowns
