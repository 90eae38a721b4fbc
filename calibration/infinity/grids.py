"""Where in a picture the places of Infinity's board are looked at: grids of points in space, projected for a pose.

A marble is looked at in a square grid through its centre, across the line of sight, so that its outline is a circle in
the middle of the grid wherever it lies. The grid is wider than a marble: its rim shows whether the marble is the size
it must be, lies in the seat, and has the plain board beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.board import Point
from calibration.camera import Floats, Lens, Pose, project
from calibration.infinity.board import InfinityBoard
from calibration.sampling import Maps

REACH = 1.5
"""Half the grid's width in marble radii: with four channels 26 mm apart it ends between neighbours."""
SIDE = 41
"""Points along a side of the grid: about one for every 1.5 px at 720p."""
STEP = 2 * REACH / (SIDE - 1)
"""Distance of neighbouring points in marble radii."""

_LINE = np.linspace(-REACH, REACH, SIDE)
GRID_X, GRID_Y = (np.asarray(a, dtype=np.float32) for a in np.meshgrid(_LINE, -_LINE))
"""(SIDE, SIDE) marble radii right and up of the centre; rows run downwards."""
GRID_R = np.hypot(GRID_X, GRID_Y)


def patch_maps(centres_mm: list[Point] | tuple[Point, ...], board: InfinityBoard, lens: Lens, pose: Pose) -> Maps:
    """Grids around marbles at these centres: (N, SIDE, SIDE, 2) image pixels."""
    radius = board.marble.d / 2
    eye = pose.eye_mm
    points = np.empty((len(centres_mm), SIDE, SIDE, 3))
    for index, centre in enumerate(centres_mm):
        sight = eye - np.array(centre)
        sight /= np.linalg.norm(sight)
        right = np.array([1.0, 0.0, 0.0]) - sight[0] * sight
        right /= np.linalg.norm(right)
        up = np.cross(sight, right)
        points[index] = np.array(centre) + radius * (
            GRID_X[..., None] * right[None, None, :] + GRID_Y[..., None] * up[None, None, :]
        )
    px = project(points.reshape(-1, 3), lens, pose)
    return px.reshape(len(centres_mm), SIDE, SIDE, 2).astype(np.float32)


def strip_maps(board: InfinityBoard, lens: Lens, pose: Pose, side: int = 6) -> Maps:
    """Points in the inner half of each grey patch: (P, side * side, 2) image pixels."""
    line = np.linspace(-0.25, 0.25, side) * board.grey_strip.patch
    dx, dy = np.meshgrid(line, line)
    points = np.array(
        [
            [(x + a, y + b, board.grey_strip.z) for a, b in zip(dx.ravel(), dy.ravel(), strict=True)]
            for x, y in board.grey_strip.centres
        ]
    )
    px = project(points.reshape(-1, 3), lens, pose)
    return px.reshape(len(points), side * side, 2).astype(np.float32)


def plain_points_mm(board: InfinityBoard) -> Floats:
    """Points (N, 3) on the plain board between and beside the channels, clear of whatever lies in them."""
    slots = board.slots
    clear = max(slots.r, board.marble.d / 2) + 1.0
    middle = board.channels.pitch / 2
    first = -board.channels.pitch * (board.channels.count - 1) / 2
    columns = [first + (index - 0.5) * board.channels.pitch for index in range(board.channels.count + 1)]
    spread = max(0.0, middle - clear)
    rows = np.arange(board.channels.entry_y, board.channels.end_y, slots.pitch / 4)
    return np.array([(x + dx, y, 0.0) for x in columns for dx in (-spread, 0.0, spread) for y in rows])


@dataclass(frozen=True, slots=True)
class KnobGrid:
    """Polar grid on the knob's top: angles clockwise from +y in degrees, radii in millimetres."""

    angles_deg: Floats
    radii_mm: Floats


def knob_grid(board: InfinityBoard) -> KnobGrid:
    """Every 3 degrees, and radii from a fifth of the knob to near its rim."""
    return KnobGrid(np.arange(0, 360, 3.0), np.linspace(0.2, 0.9, 15) * board.knob.r)


def knob_maps(board: InfinityBoard, lens: Lens, pose: Pose) -> Maps:
    """(angles, radii, 2) image pixels at the pointer's height."""
    grid = knob_grid(board)
    angle = np.radians(grid.angles_deg)[:, None]
    x = board.knob.cx + np.sin(angle) * grid.radii_mm
    y = board.knob.cy + np.cos(angle) * grid.radii_mm
    points = np.stack([x, y, np.full_like(x, board.knob.pointer_z)], axis=-1)
    px = project(points.reshape(-1, 3), lens, pose)
    return px.reshape(*x.shape, 2).astype(np.float32)
