"""Finity's template moved and scaled, as numbers of its board file."""

from __future__ import annotations

from typing import Any

from calibration.finity.board import FinityBoard, Xy, parse_finity_board
from calibration.placing import Placing, carried

HEIGHTS = {
    "tile": ("floor_z", "gap", "bump_z"),
    "bridge": ("top_z",),
    "blocker": ("top_z",),
    "rings": ("thickness",),
    "post": ("hub_z", "top_z"),
    "tower": ("foot", "bottom_radius", "top_radius", "ring_seat_z"),
}
"""Lengths in mm that grow with the hexagons; all others are in hexagon sides already."""
NEAR_MM = 0.005
"""A shift below this is rounding."""


def placed(board: FinityBoard, placing: Placing) -> dict[str, Any]:
    """The board's file after its tiles were scaled, turned and shifted on a mat that stays.

    Hexagons have one size: it is the middle of both scales. A tile that is no longer in the grid about the mat's middle
    has a shift of its own.
    """
    even = Placing(placing.scale, placing.scale, placing.turn_deg, placing.shift_mm)
    data = board.to_json()
    data["hex_side"] *= even.scale
    for section, keys in HEIGHTS.items():
        data[section] |= {key: data[section][key] * even.scale for key in keys}
    data["rings"]["seat_z"] = {size: z * even.scale for size, z in board.rings.seat_z.items()}
    data["tower"]["cone_height"] = [height * even.scale for height in board.tower.cone_height]
    return _with_centres(data, {name: carried(even, at) for name, at in board.station_centres.items()})


def handles(board: FinityBoard) -> dict[str, tuple[str, tuple[float, float, float]]]:
    """What can be dragged alone: its kind and where, in board millimetres. The tower goes with its station."""
    z = board.tile.floor_z
    stations = {name: ("place", (x, y, z)) for name, (x, y) in board.station_centres.items()}
    return stations | {"patches": ("print", (0.0, board.patches.y, board.aruco.z))}


def dragged(board: FinityBoard, place: str, x: float, y: float) -> dict[str, Any]:
    """The board's file with one handle moved to (x, y) mm, and everything else where it was. Patches are printed in
    the middle of the mat: only how far up counts.

    Raises:
        KeyError: where there is no such handle.
    """
    if place not in handles(board):
        raise KeyError(place)
    data = board.to_json()
    if place == "patches":
        data["patches"]["y"] = y
        return data
    return _with_centres(data, {**board.station_centres, place: (x, y)})


def _with_centres(data: dict[str, Any], centres: dict[str, Xy]) -> dict[str, Any]:
    """The file's data with stations there."""
    data["map"].pop("shifts_mm", None)
    grid = parse_finity_board(data).grid_mm
    shifts = {name: (x - grid[name][0], y - grid[name][1]) for name, (x, y) in centres.items()}
    off = {name: list(shift) for name, shift in shifts.items() if max(map(abs, shift)) > NEAR_MM}
    if off:
        data["map"]["shifts_mm"] = off
    return data
