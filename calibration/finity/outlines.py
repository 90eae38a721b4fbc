"""Finity's places as lines."""

from __future__ import annotations

import math

from calibration.finity.board import PLAYER_COUNTS, SIZES, FinityBoard, SlotPlace
from calibration.outlines import Outline, Xy, circle, squares


def finity_outlines(board: FinityBoard, players: int | None = None) -> list[Outline]:
    """The mat's edge, tiles, seats, slots, tower and patches; markers are the same for every board."""
    players = players or max(PLAYER_COUNTS)
    w, h = board.mat[0] / 2, board.mat[1] / 2
    z = board.aruco.z
    side, centres = board.hex_side, board.station_centres
    stations = board.stations(players)
    seats = [
        Outline(f"{name}.{size}", "seat", circle(*centres[name], board.rings.seat_z[size], outer * side))
        for name in stations
        if name != board.map.centre
        for size in SIZES
        for outer in board.rings.radii_sides[size][1:]
    ]
    tower = circle(*centres[board.map.centre], board.tile.floor_z + board.tower.foot, board.tower.bottom_radius)
    return [
        Outline("board", "board", ((-w, h, z), (w, h, z), (w, -h, z), (-w, -h, z))),
        *(Outline(name, "station", tile_points(board, name)) for name in stations),
        *(slot_outline(board, slot) for slot in board.slot_places(players)),
        *seats,
        Outline("tower", "tower", tower),
        *squares("patch", zip(board.patches.order, board.patches.centres(), strict=True), board.patches.size, z),
    ]


def tile_points(board: FinityBoard, station: str) -> tuple[tuple[float, float, float], ...]:
    """The upper face's corners of a station's tile."""
    return circle(*board.station_centres[station], board.tile.floor_z, board.hex_side, sides=6)


def slot_outline(board: FinityBoard, slot: SlotPlace) -> Outline:
    """The middle of a bridge that lies in a slot; whole ones would lie over each other's ends."""
    angle = math.radians(slot.angle_deg)
    along, aside = board.bridge.length_sides * board.hex_side / 4, board.slots.width_sides * board.hex_side / 2
    corners = ((-along, aside), (along, aside), (along, -aside), (-along, -aside))
    cos, sin = math.cos(angle), math.sin(angle)
    z = board.bridge.top_z
    points = tuple((slot.x_mm + cos * x - sin * y, slot.y_mm + sin * x + cos * y, z) for x, y in corners)
    return Outline(slot.name, "bridge", points)


def tiles_box(board: FinityBoard, players: int | None = None) -> tuple[Xy, float, float]:
    """Middle, half width and half height of the rectangle around the tiles of so many players (of the most)."""
    names = board.stations(players or max(PLAYER_COUNTS))
    corners = [point for name in names for point in tile_points(board, name)]
    xs, ys = [point[0] for point in corners], [point[1] for point in corners]
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return middle, (max(xs) - min(xs)) / 2, (max(ys) - min(ys)) / 2
