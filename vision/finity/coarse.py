"""The board at a few pixels a millimetre: what each cell of a halved picture shows, and which cells a place takes.

A picture is halved until a cell is some 2 mm of the board: hands are found there, and changes. Cells are numbered row
by row.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats, Pose, project
from calibration.finity.appearance import FinityCalibration
from calibration.finity.board import POST, SIZES, FinityBoard
from calibration.finity.tiles import Tiles
from calibration.light import ROOT_OF_LINEAR, Values
from calibration.sampling import Picture

Mask = NDArray[np.bool_]
Cells = NDArray[np.intp]

CELL_MM = 2.5
"""Cells are at most this wide: a finger is six of them, a bridge's shaft three."""
EDGE_MM = 4.0
"""Along the edges of tiles, markers and patches a board that moved a little looks different without a reason."""
OFF, MAT, PRINT, TILE, CENTRE = range(5)
"""What a cell shows: none of the board, plain mat, what is printed on it, a tile, or C with what stands on it."""
CENTRE_RINGS_SIDES: Final = 0.45
"""The rings around the tower's foot reach so far, with some play."""


TOWER_PLAY_MM: Final = 2.0
"""A tower may be put back so far off."""


def halve(picture: Picture, times: int) -> Picture:
    """The mean of blocks of pixels, two to the power of `times` along their sides.

    Halving in steps is four times as fast as one step, for a 2 x 2 mean is one that OpenCV does in vector registers.
    """
    for _ in range(times):
        height, width = picture.shape[0] // 2, picture.shape[1] // 2
        even = picture[: 2 * height, : 2 * width]
        picture = np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return picture


@dataclass(frozen=True)
class Coarse:
    """The board as cells, from one pose.

    Attributes:
        times: how often a picture is halved.
        shows: (rows, columns) OFF, MAT, PRINT, TILE or CENTRE.
        steady: whether a cell may be compared with the bare board: away from edges, and in the picture both times.
        bare: (rows, columns, 3) roots of linear light of the bare board, laid under the board as it lies now.
        cells: the cells of each place, by name.
    """

    times: int
    shows: NDArray[np.uint8]
    steady: Mask
    bare: Values
    cells: Mapping[str, Cells]

    @cached_property
    def box(self) -> tuple[slice, slice]:
        """Rows and columns of the board."""
        rows, columns = (np.flatnonzero((self.shows != OFF).any(axis=axis)) for axis in (1, 0))
        return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)

    @property
    def shape(self) -> tuple[int, int]:
        return self.shows.shape[0], self.shows.shape[1]


def coarse_board(calibration: FinityCalibration, pose: Pose) -> Coarse:
    """Lay the cells over a board that lies at `pose`."""
    board, look = calibration.board, calibration.appearance
    times = _halvings(calibration)
    small = halve(look.empty, times)
    rows, columns = small.shape[:2]
    points, shows = _surface(calibration, pose, times, (rows, columns))
    then_px = project(points.reshape(-1, 3), calibration.lens, calibration.pose).reshape(rows, columns, 2)
    maps = _cells_of_px(then_px, times).astype(np.float32)
    bare = ROOT_OF_LINEAR[
        cv2.remap(small, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    ]
    x, y = maps[..., 0], maps[..., 1]
    inside = (x >= 0) & (y >= 0) & (x <= columns - 1) & (y <= rows - 1)
    towers = _tower(board, look.tiles, points, pose) | _tower(board, look.tiles, points, calibration.pose)
    shows = np.where(towers & (shows != OFF), CENTRE, shows).astype(np.uint8)
    steady = inside & (shows != OFF) & (shows != CENTRE) & ~_edges(shows, EDGE_MM / CELL_MM)
    outlines = outlines_mm(board, look.tiles, look.players)
    every = np.concatenate([outline for own in outlines.values() for outline in own])
    parts = iter(np.split(_cells_of_px(project(every, calibration.lens, pose), times), _ends(outlines)))
    places = {name: _filled([next(parts) for _ in own], (rows, columns)) for name, own in outlines.items()}
    return Coarse(times, shows, steady, np.asarray(bare, dtype=np.float32), places)


def outlines_mm(board: FinityBoard, tiles: Tiles, players: int) -> dict[str, tuple[Floats, ...]]:
    """(points, 3) the outline of what can lie at each place, at the height of its top, and of its hole."""
    found: dict[str, tuple[Floats, ...]] = {}
    for station in board.stations(players):
        if station == board.map.centre:
            continue
        for size in SIZES:
            inner, outer = (radius * board.hex_side for radius in board.rings.radii_sides[size])
            top = board.rings.seat_z[size] + board.rings.thickness
            found[f"{station}.{size}"] = tuple(
                tiles.station_mm(board, station, _circle(radius, top)) for radius in (outer, inner)
            )
        # from the hub to the top: what hides any of a post hides what tells its colour
        radius = board.post.radius_sides * board.hex_side
        post = np.concatenate([_circle(radius, z) for z in (board.post.hub_z, board.post.top_z)])
        found[f"{station}.{POST}"] = (tiles.station_mm(board, station, post),)
    x, y = board.bridge.length_sides * board.hex_side / 2, board.bridge.width_sides * board.hex_side / 2
    corners = np.array([(a, b, board.bridge.top_z) for a, b in ((x, y), (x, -y), (-x, -y), (-x, y))])
    for slot in board.slot_places(players):
        found[slot.name] = (tiles.slot_mm(board, slot, corners),)
    return found


def _ends(outlines: Mapping[str, Sequence[Floats]]) -> Cells:
    """Where each outline ends when all are laid end to end."""
    return np.cumsum([len(outline) for own in outlines.values() for outline in own], dtype=np.intp)


def _circle(radius: float, z: float) -> Floats:
    angle = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full_like(angle, z)], axis=-1)


def _halvings(calibration: FinityCalibration) -> int:
    """How often to halve a picture for cells of at most `CELL_MM` in the board's middle."""
    px = project(np.array([(0.0, 0.0, 0.0), (10.0, 0.0, 0.0), (0.0, 10.0, 0.0)]), calibration.lens, calibration.pose)
    px_per_mm = float(np.linalg.norm(px[1:] - px[0], axis=1).max()) / 10
    return max(0, math.ceil(math.log2(max(1.0, CELL_MM * px_per_mm)) - 0.3))


def _cells_of_px(px: Floats, times: int) -> Floats:
    """Where image pixels lie among the cells: the middle of the first cell is (0, 0)."""
    side = 2.0**times
    return np.asarray((px + 0.5) / side - 0.5)


def _surface(
    calibration: FinityCalibration, pose: Pose, times: int, shape: tuple[int, int]
) -> tuple[Floats, NDArray[np.uint8]]:
    """(rows, columns, 3) the point of the bare board that each cell shows, and what it belongs to.

    The steps of a station's cone are tried from the top down; what meets none of them is the tile, or the mat.
    """
    board, look, lens = calibration.board, calibration.appearance, calibration.lens
    side = 2.0**times
    x, y = np.meshgrid(np.arange(shape[1]), np.arange(shape[0]))
    px = np.stack([(x + 0.5) * side - 0.5, (y + 0.5) * side - 0.5], axis=-1).reshape(-1, 1, 2)
    rays = cv2.undistortPoints(px.astype(np.float64), lens.K, np.array(lens.dist)).reshape(-1, 2)
    ways = np.column_stack([rays, np.ones(len(rays))]) @ pose.rotation
    eye = pose.eye_mm

    def at(z: float) -> Floats:
        points: Floats = eye + ways * ((z - eye[2]) / ways[:, 2])[:, None]
        return points

    points, shows = at(board.aruco.z), np.full(len(ways), OFF, dtype=np.uint8)
    wide, high = board.mat
    shows[(np.abs(points[:, 0]) < wide / 2) & (np.abs(points[:, 1]) < high / 2)] = MAT
    shows[_printed(board, points)] = PRINT
    floor, rings = at(board.tile.floor_z), board.rings
    steps = [(rings.seat_z[size], rings.radii_sides[size][1] * board.hex_side) for size in "LMS"]
    for station in board.stations(look.players):
        place, (x_mm, y_mm) = look.tiles.places[station], board.station_centres[station]
        middle = (x_mm + place.dx_mm, y_mm + place.dy_mm)
        # a step's cells lie a little beside those of the floor under it
        off = np.maximum(np.abs(floor[:, 0] - middle[0]), np.abs(floor[:, 1] - middle[1]))
        near = np.flatnonzero(off < board.hex_side * 1.2)
        own = near[_in_hexagon(floor[near] - (*middle, 0.0), board.hex_side)]
        points[own], shows[own] = floor[own], TILE
        for z, radius in steps:
            seen = eye + ways[near] * ((z - eye[2]) / ways[near, 2])[:, None]
            hit = np.hypot(seen[:, 0] - middle[0], seen[:, 1] - middle[1]) < radius
            points[near[hit]] = seen[hit]
            shows[near[hit]] = TILE
    return points.reshape(*shape, 3), shows.reshape(shape)


def _in_hexagon(offsets: Floats, side: float) -> Mask:
    """Whether points (N, 3) about a middle lie in a hexagon with a flat top."""
    high = math.sqrt(3) / 2 * side
    dx, dy = np.abs(offsets[:, 0]), np.abs(offsets[:, 1])
    inside: Mask = (dy <= high) & (dy + math.sqrt(3) * dx <= 2 * high)
    return inside


def _printed(board: FinityBoard, points: Floats) -> Mask:
    found = np.zeros(len(points), dtype=bool)
    for (cx, cy), side in [
        *((at, board.aruco.size) for at in board.aruco.centres),
        *((at, board.patches.size) for at in board.patches.centres()),
    ]:
        found |= (np.abs(points[:, 0] - cx) < side / 2) & (np.abs(points[:, 1] - cy) < side / 2)
    return found


def _tower(board: FinityBoard, tiles: Tiles, points: Floats, pose: Pose) -> Mask:
    """Cells in which the tower or a ring around its foot is seen, or what they hide."""
    place, (x, y) = tiles.places[board.map.centre], board.station_centres[board.map.centre]
    # every player has one ring there, and they lie on each other
    rings_z = board.tower.ring_seat_z + board.rings.thickness * len("ABCD")
    eye_x, eye_y, eye_z = pose.eye_mm
    z = points[..., 2]
    off_x, off_y = points[..., 0] - x - place.dx_mm, points[..., 1] - y - place.dy_mm
    rise_x, rise_y = (eye_x - points[..., 0]) / (eye_z - z), (eye_y - points[..., 1]) / (eye_z - z)
    # the way to the eye passes the tower's axis nearest at this height
    best = -(off_x * rise_x + off_y * rise_y) / np.maximum(rise_x**2 + rise_y**2, 1e-12)
    hidden = np.zeros(z.shape, dtype=bool)
    for high, radius in (
        (rings_z, CENTRE_RINGS_SIDES * board.hex_side),
        (tiles.tower_height_mm[1], board.tower.bottom_radius + TOWER_PLAY_MM),
    ):
        climb = np.clip(best, board.tile.floor_z - z, high - z)
        hidden |= (off_x + rise_x * climb) ** 2 + (off_y + rise_y * climb) ** 2 < radius**2
    return hidden


def _edges(shows: NDArray[np.uint8], reach: float) -> Mask:
    """Cells near a border between mat, print and tiles."""
    kind = np.where(shows == CENTRE, TILE, shows).astype(np.uint8)
    brush = np.ones((3, 3), np.uint8)
    border = (cv2.dilate(kind, brush) != cv2.erode(kind, brush)).astype(np.uint8)
    wide = 2 * max(0, round(reach) - 1) + 1
    return np.asarray(cv2.dilate(border, np.ones((wide, wide), np.uint8)) > 0)


def _filled(outlines: Sequence[Floats], shape: tuple[int, int]) -> Cells:
    """The cells within the first outline's hull and outside the second's."""
    # sixteenths of a cell
    hulls = [cv2.convexHull(np.rint(outline * 16).astype(np.int32)) for outline in outlines]
    left, top, wide, high = cv2.boundingRect(hulls[0])
    first = np.array([left // 16, top // 16])
    mask = np.zeros((high // 16 + 3, wide // 16 + 3), np.uint8)
    for hull, value in zip(hulls, (1, 0), strict=False):
        cv2.fillConvexPoly(mask, hull - (first * 16).astype(np.int32), value, cv2.LINE_8, 4)
    return _numbers(mask, first[1], first[0], shape)


def spread(cells: Cells, reach: int, shape: tuple[int, int]) -> Cells:
    """These cells and all up to `reach` cells around them."""
    if not len(cells):
        return cells
    rows, columns = np.divmod(cells, shape[1])
    top, left = int(rows.min()) - reach, int(columns.min()) - reach
    mask = np.zeros((int(rows.max()) - top + reach + 1, int(columns.max()) - left + reach + 1), np.uint8)
    mask[rows - top, columns - left] = 1
    wide = np.asarray(cv2.dilate(mask, np.ones((2 * reach + 1,) * 2, np.uint8)), dtype=np.uint8)
    return _numbers(wide, top, left, shape)


def _numbers(mask: NDArray[np.uint8], top: int, left: int, shape: tuple[int, int]) -> Cells:
    """The numbers of a small mask's cells that lie in the picture."""
    rows, columns = np.nonzero(mask)
    rows, columns = rows + top, columns + left
    inside = (rows >= 0) & (columns >= 0) & (rows < shape[0]) & (columns < shape[1])
    return np.asarray(rows[inside] * shape[1] + columns[inside], dtype=np.intp)
