"""The knob as a relief: a cylinder with a bar on top, of which the pointing half carries a light line."""

from __future__ import annotations

import math

import numpy as np

from calibration.infinity.board import InfinityBoard
from hw_sim.camera.board_maps import rounded_box
from hw_sim.camera.bodies import Placed
from hw_sim.camera.look import Finish, KnobStyle
from hw_sim.camera.relief import Relief, grid, relief
from hw_sim.camera.textures import RGB

PX_PER_MM = 3.5


def knob_relief(board: InfinityBoard, finish: Finish, pointer: RGB, style: KnobStyle) -> Relief:
    """The knob of a board, its pointer along its own +y."""
    knob = board.knob
    reach = knob.r + 1.5
    x, y, origin = grid((-reach, -reach), (reach, reach), PX_PER_MM)
    from_middle = np.hypot(x, y)
    rim = np.full_like(x, knob.r)
    if style is KnobStyle.FLUTED:
        rim = knob.r - 1.1 * (0.5 + 0.5 * np.cos(24 * np.arctan2(y, x)))
    inside = rim - from_middle
    chamfer = np.clip(1.2 - inside, 0, 1.2)
    top = np.where(inside > 0, knob.h - chamfer, -1)
    bar_end = knob.r * 0.86
    bar = rounded_box(x, y - knob.r * 0.1, 3.2, bar_end - knob.r * 0.1, 3.2)
    ridge = np.clip(0.5 - bar / 1.2, 0, 1) * (knob.pointer_z - knob.h)
    top = np.where(inside > 0, top + ridge, top)
    line = rounded_box(x, y - knob.r * 0.52, 1.1, knob.r * 0.3, 1.0)
    inked = np.clip(0.5 - line * PX_PER_MM, 0, 1)[..., None]
    base = np.array(finish.rgb, np.float32)
    albedo = base + inked * (np.array(pointer, np.float32) - base)
    return relief(top, np.where(inside > 0, 0, 1), albedo, PX_PER_MM, origin, finish, step_mm=1.4, round_mm=1.0)


def placed_knob(body: Relief, board: InfinityBoard, knob_deg: float) -> Placed:
    """The knob at its place, turned clockwise from the `*`."""
    turn = -math.radians(knob_deg)
    c, s = math.cos(turn), math.sin(turn)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float64)
    return Placed(body, R, np.array([board.knob.cx, board.knob.cy, 0.0]))
