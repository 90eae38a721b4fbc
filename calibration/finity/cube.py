"""Where a blocker is looked at: its upper face, and a frame around it at the same height."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from calibration.camera import Floats
from calibration.finity.board import FinityBoard, SlotPlace
from calibration.finity.tiles import Tiles

FACE_SHARE: Final = 0.66
"""How much of the face's side is looked at: the rest a blocker that stands a millimetre or two off may leave."""
FACE_SIDE: Final = 6
"""Points along it."""
FRAME_SHARE: Final = 1.65
"""Side of the frame: beyond the face of a blocker that stands off, and short of the next slot's blocker."""
FRAME_SIDE: Final = 10
FACE_POINTS: Final = FACE_SIDE**2


def cube_points_mm(board: FinityBoard, tiles: Tiles, slots: Sequence[SlotPlace]) -> Floats:
    """(slots, points, 3) board points: first `FACE_POINTS` on the face, then the frame's."""
    half = board.blocker.cube_sides * board.hex_side / 2
    line = np.linspace(-1, 1, FACE_SIDE) * FACE_SHARE * half
    face = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    line = np.linspace(-1, 1, FRAME_SIDE) * FRAME_SHARE * half
    square = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    frame = square[np.abs(square).max(axis=1) > 0.99 * FRAME_SHARE * half]
    flat = np.concatenate([face, frame])
    points = np.column_stack([flat, np.full(len(flat), board.blocker.top_z)])
    return np.array([tiles.slot_mm(board, slot, points) for slot in slots])
