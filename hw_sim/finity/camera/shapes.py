"""The shapes of pieces: height above their lowest point over a plane, in their own frame (x along `turn_deg`)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from calibration.finity.board import FinityBoard
from hw_sim.camera.bodies import Placed
from hw_sim.camera.lens import Doubles, Floats, floats
from hw_sim.camera.look import Finish
from hw_sim.camera.relief import WIDE_MM, Relief, grid, relief
from hw_sim.finity.camera.look import FinityLook
from hw_sim.finity.scene import Piece, PieceKind

LYING_DEG = 45.0
"""A post that leans farther lies on its side."""
BODY_PX_PER_MM = 3.0
PEG_MM = (4.0, 0.55)
"""The peg under a post that goes into the hub: its length, and its radius against the post's."""


class Solid(NamedTuple):
    """Millimetres: by how much each place lies inside the outline (negative outside), and the top and bottom there."""

    inside: Floats
    top: Floats
    bottom: Floats


class Form(NamedTuple):
    """What makes one piece's shape; hashable, so that shapes are made once."""

    kind: PieceKind
    size: str
    tilt_deg: float

    @classmethod
    def of(cls, piece: Piece) -> Form:
        return cls(piece.kind, piece.size, piece.tilt_deg)

    @property
    def is_lying_post(self) -> bool:
        return self.kind is PieceKind.POST and abs(self.tilt_deg) > LYING_DEG


def reach_mm(form: Form, board: FinityBoard) -> float:
    """No part of the piece is farther from its middle than this."""
    side = board.hex_side
    if form.kind is PieceKind.RING:
        return board.rings.radii_sides[form.size][1] * side
    if form.kind is PieceKind.BRIDGE:
        return math.hypot(board.bridge.length_sides, board.bridge.width_sides) / 2 * side
    if form.kind is PieceKind.BLOCKER:
        return board.blocker.cube_sides * side * 0.71
    return board.post.radius_sides * side + board.post.top_z - board.post.hub_z


def height_mm(form: Form, board: FinityBoard) -> float:
    """How high the piece stands above its lowest point."""
    if form.kind is PieceKind.RING:
        flat = board.rings.thickness
    elif form.kind is PieceKind.BRIDGE:
        flat = board.bridge.top_z - board.tile.floor_z
    elif form.kind is PieceKind.BLOCKER:
        flat = board.blocker.top_z - board.tile.floor_z
    elif form.is_lying_post:
        return 2 * board.post.radius_sides * board.hex_side
    else:
        flat = board.post.top_z - board.post.hub_z
    return flat + 2 * reach_mm(form, board) * _lean(form)


def solid(form: Form, board: FinityBoard, roundness: float, x: Floats, y: Floats) -> Solid:
    """The piece over places of its own frame."""
    if form.is_lying_post:
        return _lying_post(board, x, y)
    makers = {
        PieceKind.RING: lambda: _ring(board, form.size, roundness, x, y),
        PieceKind.POST: lambda: _post(board, x, y),
        PieceKind.BRIDGE: lambda: _bridge(board, x, y),
        PieceKind.BLOCKER: lambda: _blocker(board, x, y),
    }
    inside, top, bottom = makers[form.kind]()
    if form.tilt_deg:
        # What leans towards +x has its lowest point there.
        rise = floats((np.float32(reach_mm(form, board)) - x) * np.float32(_lean(form)))
        top, bottom = top + rise, bottom + rise
    return Solid(inside, top, bottom)


def _lean(form: Form) -> float:
    return 0.0 if form.is_lying_post else math.tan(math.radians(abs(form.tilt_deg)))


def _ring(board: FinityBoard, size: str, roundness: float, x: Floats, y: Floats) -> Solid:
    inner, outer = (r * board.hex_side for r in board.rings.radii_sides[size])
    half, thick = (outer - inner) / 2, board.rings.thickness
    inside = floats(half - np.abs(np.hypot(x, y) - (inner + outer) / 2))
    into = np.clip(inside / half, 0, 1)
    round_top = np.sqrt(np.maximum(1 - (1 - into) ** 2, 0))
    flat_top = np.minimum(1, 0.6 + inside)
    profile = floats(roundness * round_top + (1 - roundness) * flat_top) * np.float32(thick / 2)
    return Solid(inside, thick / 2 + profile, thick / 2 - profile)


def _post(board: FinityBoard, x: Floats, y: Floats) -> Solid:
    radius, high = board.post.radius_sides * board.hex_side, board.post.top_z - board.post.hub_z
    r = np.hypot(x, y)
    dome = np.sqrt(np.maximum(radius * radius - r * r, 0)) - radius
    return Solid(floats(radius - r), floats(high + 0.85 * dome), np.zeros_like(x))


def _lying_post(board: FinityBoard, x: Floats, y: Floats) -> Solid:
    """Head towards +x, the peg that stood in the hub towards -x; the middle of the thick part at the origin."""
    radius, half = board.post.radius_sides * board.hex_side, (board.post.top_z - board.post.hub_z) / 2
    peg_long, peg_share = PEG_MM
    into_dome = np.clip((x - (half - 0.85 * radius)) / (0.85 * radius), 0, 1)
    own = radius * np.where(x > -half, np.sqrt(1 - into_dome**2), peg_share)
    own = np.where((x > half) | (x < -half - peg_long), 0, own)
    rise = np.sqrt(np.maximum(own * own - y * y, 0))
    return Solid(floats(own - np.abs(y)), floats(radius + rise), floats(radius - rise))


def _bridge(board: FinityBoard, x: Floats, y: Floats) -> Solid:
    """An arrow: triangular tip towards +x, shaft, and a tail with a notch."""
    side, size = board.hex_side, board.bridge
    half, wide, shaft = size.length_sides * side / 2, size.width_sides * side / 2, size.shaft_sides * side / 2
    head, tail, notch = 1.5 * wide, 1.15 * wide, 0.62 * wide
    away = np.abs(y)
    slope = math.hypot(head, wide)
    tip = np.minimum(((half - x) * wide - away * head) / slope, x - (half - head))
    middle = np.minimum(shaft - away, half - head + 0.5 - x)
    # The tail's shoulders slant back towards the shaft.
    end = np.minimum(wide - away, -half + tail + 0.35 * (wide - away) - x)
    cut = (x - (notch - half) + away * notch / wide) * (wide / math.hypot(wide, notch))
    body = np.minimum(np.minimum(np.maximum(middle, end), cut), x + half)
    inside = floats(np.maximum(tip, body))
    return Solid(inside, _bevelled(inside, size.top_z - board.tile.floor_z, 0.4), np.zeros_like(x))


def _blocker(board: FinityBoard, x: Floats, y: Floats) -> Solid:
    half = board.blocker.cube_sides * board.hex_side / 2
    inside = floats(half - np.maximum(np.abs(x), np.abs(y)))
    return Solid(inside, _bevelled(inside, board.blocker.top_z - board.tile.floor_z, 0.7), np.zeros_like(x))


def _bevelled(inside: Floats, high: float, bevel: float) -> Floats:
    return floats(high - np.clip(bevel - inside, 0, bevel))


class PieceBodies:
    """Pieces that hang in the air or lie beside the mat, as bodies of their own; every shape is made once."""

    def __init__(self, board: FinityBoard, look: FinityLook) -> None:
        self._board = board
        self._look = look
        self._made: dict[tuple[Form, str], Relief] = {}

    def placed(self, piece: Piece) -> Placed:
        turn = math.radians(piece.turn_deg)
        c, s = math.cos(turn), math.sin(turn)
        R: Doubles = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float64)
        key = Form.of(piece), piece.colour
        if key not in self._made:
            self._made[key] = self._relief(key[0], self._look.finish_of(piece))
        return Placed(self._made[key], R, np.array([piece.x_mm, piece.y_mm, piece.z_mm]))

    def _relief(self, form: Form, finish: Finish) -> Relief:
        # Room for the widest penumbra, which is a part of the body's maps.
        reach = reach_mm(form, self._board) + 2 * WIDE_MM
        x, y, origin = grid((-reach, -reach), (reach, reach), BODY_PX_PER_MM)
        inside, top, bottom = solid(form, self._board, self._look.roundness, x, y)
        there = inside > 0
        albedo = np.ones((*x.shape, 3), np.float32) * np.array(finish.rgb, np.float32)
        tops, bottoms = np.where(there, top, -1), np.where(there, bottom, 1e3)
        return relief(tops, bottoms, albedo, BODY_PX_PER_MM, origin, finish, step_mm=0.8, round_mm=0.3)
