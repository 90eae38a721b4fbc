"""Which cells of a slot's patch something else hides: the tower, rings, posts, blockers and bridges of other slots.

What stands on the board is drawn into a picture of its own, as wide as it may look, with the number of the slot that it
belongs to; cells are then looked up there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats, Lens, Pose, project
from calibration.finity.arrow import outline_mm
from calibration.finity.board import POST, FinityBoard, SlotPlace
from calibration.finity.tiles import Tiles
from calibration.sampling import Maps
from vision.finity.bridge_fit import Guess

Ids = NDArray[np.uint8]

NOBODY: Final = 255
"""Number of what belongs to no slot."""
WALL_MM = 2.0
"""How far around a bridge and its foot cells are left out for its neighbours: it shades them, and cells are blurred."""
SHADE_MM = 3.5
"""The same with all of its shadow: as long as it is high under a lamp 45 degrees above the table."""
PLAY_MM = 2.0
"""The same around what may stand a little off its place."""


class Cover:
    """Draws what hides; one for a pose."""

    def __init__(self, board: FinityBoard, tiles: Tiles, slots: tuple[SlotPlace, ...], lens: Lens, pose: Pose) -> None:
        self._board, self._tiles, self._slots, self._lens, self._pose = board, tiles, slots, lens, pose
        self._outline = outline_mm(board)
        millimetre = np.array([(0.0, 0.0, board.tile.floor_z), (1.0, 0.0, board.tile.floor_z)])
        there = np.concatenate([tiles.slot_mm(board, slot, millimetre) for slot in slots])
        px = project(there, lens, pose).reshape(-1, 2, 2)
        self._px_per_mm = np.linalg.norm(px[:, 1] - px[:, 0], axis=1)
        self._always = self._draw_always()

    def _draw_always(self) -> Ids:
        board, ids = self._board, np.zeros((self._lens.height, self._lens.width), dtype=np.uint8)
        centre = self._tiles.station_mm(board, board.map.centre, np.zeros(3))
        large = board.rings.radii_sides["L"][1] * board.hex_side + PLAY_MM / 2
        most = board.tower.ring_seat_z + len(self._board.map.layouts) * board.rings.thickness
        self._fill_round(ids, centre, large, board.tile.floor_z, most)
        self._fill_round(ids, centre, board.tower.bottom_radius, board.tile.floor_z, self._tiles.tower_height_mm[1])
        return ids

    def _fill_round(self, ids: Ids, at: Floats, radius: float, low: float, high: float) -> None:
        angle = np.arange(32) * (2 * math.pi / 32)
        ring = np.stack([at[0] + radius * np.cos(angle), at[1] + radius * np.sin(angle)], axis=1)
        self._fill_hull(ids, np.concatenate([np.column_stack([ring, np.full(32, z)]) for z in (low, high)]), NOBODY)

    def _fill_hull(self, ids: Ids, points_mm: Floats, number: int) -> None:
        px = project(points_mm, self._lens, self._pose)
        cv2.fillConvexPoly(ids, cv2.convexHull(np.round(px).astype(np.int32)), number)

    def pieces(self, places: Iterable[str]) -> Ids:
        """A new drawing with what never changes, and rings and posts at these seats."""
        board, ids = self._board, self._always.copy()
        for place in places:
            station, _, what = place.partition(".")
            at = self._tiles.station_mm(board, station, np.zeros(3))
            if what == POST:
                radius, low, high = board.post.radius_sides, board.tile.floor_z, board.post.top_z
            else:
                radius, low = board.rings.radii_sides[what][1], board.rings.seat_z[what]
                high = board.rings.seat_z[what] + board.rings.thickness
            self._fill_round(ids, at, radius * board.hex_side + PLAY_MM / 2, low, high)
        return ids

    def blockers(self, ids: Ids, which: Iterable[int]) -> None:
        """Draw blockers into these slots."""
        half = self._board.blocker.cube_sides * self._board.hex_side / 2 + PLAY_MM / 2
        for index in which:
            corners = np.array(
                [
                    (x, y, z)
                    for z in (self._board.tile.floor_z, self._board.blocker.top_z)
                    for x in (-half, half)
                    for y in (-half, half)
                ]
            )
            self._fill_hull(ids, self._tiles.slot_mm(self._board, self._slots[index], corners), index + 1)

    def bridges(self, ids: Ids, found: Mapping[int, Guess], around_mm: float) -> None:
        """Draw bridges and so much around them: all rims first, so that no rim hides another one's face; what stands
        hides bridges."""
        standing = ids.copy()
        faces = {}
        for index, guess in found.items():
            angle = math.radians(guess.turn_deg) + math.pi * guess.reverse
            turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
            flat = self._outline @ turn.T + (guess.along_mm, guess.across_mm)
            levels = [np.column_stack([flat, np.full(len(flat), z)]) for z in self._levels]
            points = self._tiles.slot_mm(self._board, self._slots[index], np.concatenate(levels))
            px = np.round(project(points, self._lens, self._pose)).astype(np.int32).reshape(2, -1, 2)
            faces[index] = px[0]
            wide = max(1, round(2 * around_mm * float(self._px_per_mm[index])))
            for level in px:
                cv2.fillPoly(ids, [level], index + 1)
                cv2.polylines(ids, [level], True, index + 1, wide)
        for index, face in faces.items():
            cv2.fillPoly(ids, [face], index + 1)
        np.copyto(ids, standing, where=standing > 0)

    @property
    def _levels(self) -> tuple[float, float]:
        return self._board.bridge.top_z, self._board.tile.floor_z


def seen_by(ids: Ids, middles_px: Maps, which: Iterable[int]) -> NDArray[np.bool_]:
    """(slots, CELLS) which cells nothing of another place hides; outside the picture nothing is seen."""
    which = list(which)
    x, y = np.round(middles_px[which]).astype(np.int32).transpose(2, 0, 1)
    height, width = ids.shape
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    here = ids[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    own = np.array(which, dtype=np.int32)[:, None] + 1
    return np.asarray(inside & ((here == 0) | (here == own)))
