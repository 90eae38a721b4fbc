"""Which cells of a slot's patch something else hides: the tower, rings, posts, blockers and bridges of other slots.

What stands or lies on the board is drawn into a picture of its own, as wide as it may look, with the number of the slot
that it belongs to; cells are then looked up there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats, Lens, Pose, project
from calibration.finity.arrow import outline_mm
from calibration.finity.board import POST, SIZES, FinityBoard, SlotPlace
from calibration.finity.tiles import Tiles
from calibration.light import Values
from calibration.sampling import Maps
from vision.finity.bridge_fit import Guess
from vision.finity.lamp import Shift

Ids = NDArray[np.uint8]
"""(H, W) 0 where nothing is, else a slot's number and one, or `NOBODY`."""
Hull = NDArray[np.int32]

NOBODY: Final = 255
"""What belongs to no slot."""
WALL_MM: Final = 2.0
"""How far around a bridge and its foot cells are left out for its neighbours: it shades them, and cells are blurred."""
SHADE_MM: Final = 3.5
"""The same with all of its shadow: as long as it is high under a lamp 45 degrees above the table."""
PLAY_MM: Final = 1.0
"""How far pieces may stand off their places."""
TOWER_MM: Final = 10.0
"""Where its height is known to some 20 mm a tower is probably in the middle; where it is not, no less than this below
the most it may be is counted on."""
CORNERS: Final = 24


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands on the board: slots with blockers, and seats with rings and posts."""

    blocked: Sequence[int]
    seats: Sequence[str]


class Cover:
    """Draws what hides, as one pose shows it."""

    def __init__(
        self,
        board: FinityBoard,
        tiles: Tiles,
        slots: Sequence[SlotPlace],
        lens: Lens,
        pose: Pose,
        shift: Shift | None = None,
    ) -> None:
        self._board, self._tiles, self._slots, self._lens, self._pose = board, tiles, slots, lens, pose
        middle = np.array([(0.0, 0.0, board.tile.floor_z), (board.hex_side, 0.0, board.tile.floor_z)])
        self._px_per_mm = float(np.linalg.norm(np.diff(project(middle, lens, pose), axis=0))) / board.hex_side
        self._outline = outline_mm(board)
        self._bridges: dict[int, tuple[Guess, Hull]] = {}
        centre = board.map.centre
        shapes: dict[str | int, Floats] = {
            f"{station}.{what}": self._seat_mm(station, what)
            for station in tiles.places
            if station != centre
            for what in (*SIZES, POST)
        }
        shapes.update({number: self._cube_mm(slot) for number, slot in enumerate(slots)})
        self._hulls = self._hulls_of(shapes)
        self._shades = (
            {}
            if shift is None
            else self._hulls_of({name: _thrown(part, shift, board.tile.floor_z) for name, part in shapes.items()})
        )
        # every player's large ring lies on C, stacked
        high = board.tower.ring_seat_z + len(board.map.layouts["4"]) * board.rings.thickness
        rings = self._round_mm(centre, board.rings.radii_sides["L"][1] * board.hex_side, board.tile.floor_z, high)
        low_mm, high_mm = tiles.tower_height_mm
        likely_mm = high_mm - min((high_mm - low_mm) / 2, TOWER_MM)
        self._likely, self._perhaps = (
            self._drawn({"tower": self._tower_mm(top), "rings": rings}) for top in (likely_mm, high_mm)
        )

    def _tower_mm(self, top_mm: float) -> Floats:
        """Straight up to the shoulder of its topmost cone, then tapering."""
        tower, floor, centre = self._board.tower, self._board.tile.floor_z, self._board.map.centre
        shoulder = top_mm - (top_mm - floor - tower.foot) / tower.cones
        trunk = self._round_mm(centre, tower.bottom_radius, floor, shoulder)
        return np.concatenate([trunk, self._round_mm(centre, tower.top_radius, top_mm, top_mm)])

    def _drawn(self, shapes: Mapping[str | int, Floats]) -> Ids:
        ids = np.zeros((self._lens.height, self._lens.width), dtype=np.uint8)
        for hull in self._hulls_of(shapes).values():
            cv2.fillConvexPoly(ids, hull, NOBODY)
        return ids

    def _seat_mm(self, station: str, what: str) -> Floats:
        board = self._board
        if what == POST:
            return self._round_mm(
                station, board.post.radius_sides * board.hex_side, board.tile.floor_z, board.post.top_z
            )
        low = board.rings.seat_z[what]
        radius = board.rings.radii_sides[what][1] * board.hex_side
        return self._round_mm(station, radius, low, low + board.rings.thickness)

    def _round_mm(self, station: str, radius: float, low: float, high: float) -> Floats:
        angle = np.arange(CORNERS) * (2 * math.pi / CORNERS)
        ring = (radius + PLAY_MM) * np.column_stack([np.cos(angle), np.sin(angle)])
        ends = [np.column_stack([ring, np.full(CORNERS, z)]) for z in (low, high)]
        return self._tiles.station_mm(self._board, station, np.concatenate(ends))

    def _cube_mm(self, slot: SlotPlace) -> Floats:
        half = self._board.blocker.cube_sides * self._board.hex_side / 2 + PLAY_MM
        ends = (self._board.tile.floor_z, self._board.blocker.top_z)
        corners = [(x, y, z) for z in ends for x in (-half, half) for y in (-half, half)]
        return self._tiles.slot_mm(self._board, slot, np.array(corners))

    def _hulls_of(self, shapes: Mapping[str | int, Floats]) -> dict[str | int, Hull]:
        px = np.round(project(np.concatenate(list(shapes.values())), self._lens, self._pose)).astype(np.int32)
        ends = np.cumsum([len(points) for points in shapes.values()])[:-1]
        return {name: np.asarray(cv2.convexHull(part)) for name, part in zip(shapes, np.split(px, ends), strict=True)}

    def standing(self, seats: Iterable[str], *, likely: bool = False) -> Ids:
        """The tower, and rings and posts at these seats.

        Args:
            likely: whether to draw the tower as high as it probably is rather than as it may be at most.
        """
        ids = (self._likely if likely else self._perhaps).copy()
        for seat in seats:
            cv2.fillConvexPoly(ids, self._hulls[seat], NOBODY)
        return ids

    def add_blockers(self, ids: Ids, which: Iterable[int]) -> None:
        """Draw blockers into these slots; their own slots do not see what is under them either."""
        for number in which:
            cv2.fillConvexPoly(ids, self._hulls[number], NOBODY)

    def blockers_in_sight(self, ids: Ids, which: Iterable[int]) -> Values:
        """(slots,) the share of a blocker in each of these slots that nothing hides in `ids`; beyond the picture
        nothing is seen."""
        height, width = ids.shape
        shares = []
        for number in which:
            hull = self._hulls[number]
            x, y, wide, high = cv2.boundingRect(hull)
            blocker = cv2.fillConvexPoly(np.zeros((high, wide), dtype=np.uint8), hull - (x, y), 1)
            open_px = np.zeros((high, wide), dtype=np.bool_)
            top, left, bottom, right = (
                min(max(at, 0), end) for at, end in zip((y, x, y + high, x + wide), (height, width) * 2, strict=True)
            )
            open_px[top - y : bottom - y, left - x : right - x] = ids[top:bottom, left:right] == 0
            shares.append(float(open_px[blocker > 0].mean()))
        return np.array(shares, dtype=np.float32)

    def add_shades(self, ids: Ids, standing: Standing) -> None:
        """Draw what stands with all of the shade that it throws on bridges.

        Where it is not known which way shades fall, blockers' are drawn all around, as far as they are higher than
        bridges, under a lamp 45 degrees above the table.
        """
        blocker = self._board.blocker
        around_mm = SHADE_MM if self._shades else blocker.top_z - self._board.bridge.top_z
        names: list[str | int] = list(standing.blocked)
        names += standing.seats if self._shades else ()
        for name in names:
            shade = self._shades.get(name, self._hulls[name])
            cv2.fillConvexPoly(ids, shade, NOBODY)
            cv2.polylines(ids, [shade], True, NOBODY, max(1, round(2 * around_mm * self._px_per_mm)))

    def lying(self, found: Mapping[int, Guess], around_mm: float) -> Ids:
        """Bridges and so much around them: all rims first, so that no rim hides another one's face."""
        ids = np.zeros_like(self._likely)
        drawn = {number: self._bridge_px(number, guess) for number, guess in found.items()}
        for number, levels in drawn.items():
            length = float(np.hypot(*(levels[0, 0] - levels[0, len(self._outline) // 2])))
            px_per_mm = length / float(np.hypot(*(self._outline[0] - self._outline[len(self._outline) // 2])))
            wide = max(1, round(2 * around_mm * px_per_mm))
            for level in levels:
                cv2.fillPoly(ids, [level], number + 1)
                cv2.polylines(ids, [level], True, number + 1, wide)
        for number, levels in drawn.items():
            cv2.fillPoly(ids, [levels[0]], number + 1)
        return ids

    def _bridge_px(self, number: int, guess: Guess) -> Hull:
        """(2, corners, 2) `_bridge_mm` in the picture; bridges that stay where they lie are drawn again and again."""
        known = self._bridges.get(number)
        if known is None or known[0] != guess:
            px = np.round(project(self._bridge_mm(number, guess), self._lens, self._pose)).astype(np.int32)
            known = self._bridges[number] = guess, px.reshape(2, -1, 2)
        return known[1]

    def _bridge_mm(self, number: int, guess: Guess) -> Floats:
        """Its outline at the height of its face, then at its foot."""
        angle = math.radians(guess.turn_deg) + math.pi * guess.reverse
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        flat = self._outline @ turn.T + (guess.along_mm, guess.across_mm)
        levels = (self._board.bridge.top_z, self._board.tile.floor_z)
        points = np.concatenate([np.column_stack([flat, np.full(len(flat), z)]) for z in levels])
        return self._tiles.slot_mm(self._board, self._slots[number], points)


def _thrown(points: Floats, shift: Shift, floor_z: float) -> Floats:
    """Points (N, 3) and where their shades fall on the tiles."""
    flat = points[:, :2] + (points[:, 2:] - floor_z) * np.array(shift)
    return np.concatenate([points, np.column_stack([flat, np.full(len(flat), floor_z)])])


def seen_by(ids: Ids, middles_px: Maps, which: Sequence[int]) -> NDArray[np.bool_]:
    """(slots, CELLS) which cells nothing of another place hides; outside the picture nothing is seen."""
    x, y = np.round(middles_px[list(which)]).astype(np.int32).transpose(2, 0, 1)
    height, width = ids.shape
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    here = ids[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    own = np.array(which, dtype=np.int32)[:, None] + 1
    return np.asarray(inside & ((here == 0) | (here == own)))
