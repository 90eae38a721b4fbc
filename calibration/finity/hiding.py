"""What stands in the way: which points of the board the tower, posts, rings and blockers hide from a camera.

Everything that stands is an upright cylinder, perhaps with a hole. A point is hidden where the straight way from it to
the camera's eye passes through one. What is drawn too wide (the tower's cones, a blocker's corners) says hidden rather
than seen: that makes a place unsure, never wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats, Lens, Pose, project
from calibration.finity.board import POST, SIZES, FinityBoard
from calibration.finity.tiles import Tiles

Flags = NDArray[np.bool_]

BLIND_SHARE = 0.4
"""Share of a place that must be in sight for it ever to be read: with less, the few pixels left are mostly rims, and a
piece half a millimetre off its seat decides what they show."""
TOUCH = 1e-3
"""Share of the way to the eye that a point's own surface takes up: a face does not hide itself."""
CIRCLE = 24
"""Directions in which a round place is looked at."""


@dataclass(frozen=True, slots=True)
class Solid:
    """An upright cylinder from `bottom_z` to `top_z` around (x, y); `hole` is the radius of its bore, 0 for none."""

    x: float
    y: float
    bottom_z: float
    top_z: float
    radius: float
    hole: float = 0.0


def hidden_by(solids: Iterable[Solid], eye_mm: Floats, points_mm: Floats) -> Flags:
    """Which of the points (..., 3) any of the solids hides from the eye (3,), or from eyes of their own (..., 3)."""
    points, eyes = points_mm.reshape(-1, 3), eye_mm.reshape(-1, 3)
    hidden = np.zeros(len(points), dtype=np.bool_)
    for solid in solids:
        hidden |= _behind(solid, eyes, points)
    return hidden.reshape(points_mm.shape[:-1])


def _behind(solid: Solid, eyes: Floats, points: Floats) -> Flags:
    """Ways are points + t * (eyes - points), t from 0 to 1: the solid's heights and its round each allow a span."""
    way = eyes - points
    rise = np.where(np.abs(way[:, 2]) < 1e-9, 1e-9, way[:, 2])
    levels = np.sort(np.stack([(solid.bottom_z - points[:, 2]) / rise, (solid.top_z - points[:, 2]) / rise]), axis=0)
    start, end = np.maximum(levels[0], TOUCH), np.minimum(levels[1], 1.0)
    first, last = _within(solid, solid.radius, way, points)
    start, end = np.maximum(start, first), np.minimum(end, last)
    hidden = start < end
    if solid.hole:
        first, last = _within(solid, solid.hole, way, points)
        hidden &= (start < first) | (end > last)
    return np.asarray(hidden, dtype=np.bool_)


def _within(solid: Solid, radius: float, way: Floats, points: Floats) -> tuple[Floats, Floats]:
    """The span of t in which each way is nearer to the solid's axis than the radius; an empty one where it never is."""
    dx, dy = points[:, 0] - solid.x, points[:, 1] - solid.y
    a = np.maximum(way[:, 0] ** 2 + way[:, 1] ** 2, 1e-12)
    b = dx * way[:, 0] + dy * way[:, 1]
    c = dx**2 + dy**2 - radius**2
    root = np.sqrt(np.maximum(b**2 - a * c, 0.0))
    missed = b**2 - a * c < 0
    return np.where(missed, np.inf, (-b - root) / a), np.where(missed, -np.inf, (-b + root) / a)


def tower(board: FinityBoard, tiles: Tiles) -> Solid:
    """The tower, as wide as its widest cone and as high as it may be."""
    x, y, _ = tiles.station_mm(board, board.map.centre, np.zeros(3))
    return Solid(float(x), float(y), board.tile.floor_z, tiles.tower_height_mm[1], board.tower.bottom_radius)


def standing(board: FinityBoard, tiles: Tiles, place: str) -> Solid:
    """The piece that may stand at a place: a ring or post on a seat; in a slot a blocker, as round as its corners."""
    station, _, what = place.partition(".")
    side = board.hex_side
    if not what:
        slot, _ = board.slot_named(place)
        x, y, _ = tiles.slot_mm(board, slot, np.zeros(3))
        corner = board.blocker.cube_sides * side / np.sqrt(2)
        return Solid(float(x), float(y), board.tile.floor_z, board.blocker.top_z, float(corner))
    x, y, _ = tiles.station_mm(board, station, np.zeros(3))
    if what == POST:
        return Solid(float(x), float(y), board.tile.floor_z, board.post.top_z, board.post.radius_sides * side)
    inner, outer = (radius * side for radius in board.rings.radii_sides[what])
    base = board.rings.seat_z[what]
    return Solid(float(x), float(y), base, base + board.rings.thickness, outer, inner)


def hidden_by_tower(board: FinityBoard, tiles: Tiles, eye_mm: Floats, points_mm: Floats) -> Flags:
    """Which of the points (..., 3) the tower may hide from the eye (3,)."""
    return hidden_by([tower(board, tiles)], eye_mm, points_mm)


def place_points_mm(board: FinityBoard, tiles: Tiles, place: str) -> Floats:
    """(N, 3) points spread over what a piece shows at its place: the upper face of a ring, first the head and then the
    hub of a post, the upper face of a bridge."""
    station, _, what = place.partition(".")
    if not what:
        slot, _ = board.slot_named(place)
        along, across = (size * board.hex_side / 2 for size in (board.bridge.length_sides, board.bridge.width_sides))
        u, v = np.meshgrid(np.linspace(-along, along, 15), np.linspace(-across, across, 5))
        return tiles.slot_mm(board, slot, np.stack([u.ravel(), v.ravel(), np.full(u.size, board.bridge.top_z)], axis=1))
    if what in SIZES:
        inner, outer = (radius * board.hex_side for radius in board.rings.radii_sides[what])
        radii = np.linspace(inner, outer, 5)[1:-1]
        return tiles.station_mm(board, station, disc_mm(radii, board.rings.seat_z[what] + board.rings.thickness))
    radii = board.post.radius_sides * board.hex_side * np.array([0.25, 0.6, 0.9])
    return tiles.station_mm(
        board, station, np.concatenate([disc_mm(radii, board.post.top_z), disc_mm(radii, board.post.hub_z)])
    )


def disc_mm(radii: Floats, z: float, directions: int = CIRCLE) -> Floats:
    """(radii * directions, 3) points on circles around a station's middle, direction by direction."""
    angle = np.arange(directions) * (2 * np.pi / directions)
    x, y = np.outer(np.cos(angle), radii), np.outer(np.sin(angle), radii)
    return np.stack([x.ravel(), y.ravel(), np.full(x.size, z)], axis=1)


def in_picture(lens: Lens, pose: Pose, points_mm: Floats) -> Flags:
    """Which of the points (..., 3) lie within the picture, a pixel from its rim."""
    px = project(points_mm.reshape(-1, 3), lens, pose)
    inside = (px > 1).all(axis=1) & (px[:, 0] < lens.width - 2) & (px[:, 1] < lens.height - 2)
    return np.asarray(inside.reshape(points_mm.shape[:-1]), dtype=np.bool_)


def visible_share(
    board: FinityBoard, tiles: Tiles, lens: Lens, pose: Pose, place: str, pieces: Iterable[str] = ()
) -> float:
    """Share of a place, 0 to 1, in the picture and not behind the tower, or behind pieces that stand at other places.
    Of a post its head counts: where that is in sight one sees whether there is a post.

    Raises:
        KeyError: where there is no such place.
    """
    points = place_points_mm(board, tiles, place)
    if place.endswith(f".{POST}"):
        points = points[: len(points) // 2]
    solids = [tower(board, tiles), *(standing(board, tiles, other) for other in pieces if other != place)]
    return float((in_picture(lens, pose, points) & ~hidden_by(solids, pose.eye_mm, points)).mean())


def blind_places(board: FinityBoard, players: int, tiles: Tiles, lens: Lens, pose: Pose) -> tuple[str, ...]:
    """The places that this camera can never see well enough to read, whatever stands on the board.

    Where it does not see whether a post stands, rings beside it count as seen past a post.
    """

    def is_blind(place: str, pieces: Iterable[str] = ()) -> bool:
        return visible_share(board, tiles, lens, pose, place, pieces) < BLIND_SHARE

    places = board.places(players)
    posts = {place for place in places if place.endswith(f".{POST}") and is_blind(place)}
    return tuple(place for place in places if is_blind(place, posts & {f"{place.partition('.')[0]}.{POST}"}))
