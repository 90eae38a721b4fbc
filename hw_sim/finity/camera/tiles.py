"""Tiles as height maps: hexagons with embossed marks beside the slots and stepped round seats in the middle."""

from __future__ import annotations

import math

import numpy as np

from calibration.finity.board import FinityBoard
from hw_sim.camera.board_maps import PX_PER_MM
from hw_sim.camera.lens import Floats, Reals, floats

MARK_SIDES = 0.145
"""How far the embossed marks reach from a tile's edge inwards."""
CLEAR_MM = 0.15
"""Room between a mark and the slot beside it, and between a seat's step and the hole of the ring around it."""
RIM_SIDES = 0.44
"""Radius of the lowest seat."""
BEVEL_MM = 0.5
HOLE_SHARE = 0.6
"""Radius of the hole in the hub against the hub's."""
HOLE_MM = 3.0


def tile_heights(board: FinityBoard, x: Floats, y: Floats, *, is_centre: bool) -> tuple[Floats, Floats]:
    """A tile over places of its own frame: by how much each lies inside its outline, and its height above the mat.

    Args:
        is_centre: the tower's tile, whose hub is the tower's foot.
    """
    inside, aside = _edges(board, x, y)
    floor, side = board.tile.floor_z, board.hex_side
    height = floor - np.clip(BEVEL_MM - inside, 0, BEVEL_MM)
    # Marks stand between the slots and in the corners: everywhere along the edge but where a slot is.
    from_slot = np.min([np.abs(aside - abs(at) * side) for at in board.slots.lateral_offset_sides.values()], axis=0)
    into_mark = np.minimum(from_slot - board.slots.width_sides * side / 2 - CLEAR_MM, MARK_SIDES * side - inside)
    height = height + share_inside(into_mark) * (board.tile.bump_z - floor - np.clip(0.3 - into_mark, 0, 0.3))
    r = np.hypot(x, y)
    for radius, z in _steps(board, is_centre):
        level = z - np.clip(BEVEL_MM / 2 - (radius - r), 0, BEVEL_MM / 2)
        height = height + share_inside(radius - r) * (level - height)
    if not is_centre:
        hole = HOLE_SHARE * _steps(board, False)[-1][0]
        height = height - share_inside(hole - r) * HOLE_MM
    return inside, floats(height)


def share_inside(inside_mm: Reals) -> Floats:
    """Share of each place of the maps that lies inside an outline: edges finer than the maps' grid."""
    return floats(np.clip(inside_mm * np.float32(PX_PER_MM) + np.float32(0.5), 0, 1))


def _steps(board: FinityBoard, is_centre: bool) -> list[tuple[float, float]]:
    """Radius and height of the round steps, from the rim inwards: each fits into the ring outside of it."""
    side, radii, seats = board.hex_side, board.rings.radii_sides, board.rings.seat_z
    if is_centre:
        foot = board.tile.floor_z + board.tower.foot
        return [(RIM_SIDES * side, board.tower.ring_seat_z), (board.tower.bottom_radius + CLEAR_MM, foot)]
    return [
        (RIM_SIDES * side, seats["L"]),
        (radii["L"][0] * side - CLEAR_MM, seats["M"]),
        (radii["M"][0] * side - CLEAR_MM, seats["S"]),
        (radii["S"][0] * side - CLEAR_MM, board.post.hub_z),
    ]


def _edges(board: FinityBoard, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """How far places lie inside the nearest edge, and how far from its middle along it."""
    apothem = board.hex_side * math.sqrt(3) / 2 - board.tile.gap / 2
    nearest, aside = np.full_like(x, np.inf), np.zeros_like(x)
    for turn in (30, 90, 150):
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        inside = apothem - np.abs(x * c + y * s)
        here = inside < nearest
        nearest = np.where(here, inside, nearest)
        aside = np.where(here, np.abs(y * c - x * s), aside)
    return floats(nearest), floats(aside)
