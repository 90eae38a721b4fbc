"""How much of every place of Finity a camera can see: the truth beside a picture.

Points of what lies at a place (or of the bare place) are looked for in the picture's own depth: what is nearer to the
camera there stands before them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from calibration.finity.board import POST, FinityBoard
from hw_sim.camera.lens import Doubles, Floats, View
from hw_sim.finity.camera.camera import FinityCamera
from hw_sim.finity.places import Places
from hw_sim.finity.scene import FinityScene, PieceKind

IN_FRONT_MM = 2.0
"""What is nearer to the camera by more than this hides; depths at edges are blends of both sides."""
STEP_MM = 1.0
NEAR_MM = 8.0
"""A piece of the right kind whose middle is so near to a place lies there."""


def cover_of(camera: FinityCamera, scene: FinityScene, labels: Iterable[str] = ()) -> dict[str, float]:
    """Shares of every place that reach the camera, 0 hidden and 1 in full sight.

    Args:
        camera: through which the scene is seen.
        scene: with its board present.
        labels: the places at which something lies; all others count as bare.
    """
    stage = camera.stage(scene)
    depth = stage.seen(scene).depth
    places, filled = Places(camera.board, scene.players, scene.tiles), set(labels)
    return {
        name: _share(_points(places, name, scene, is_filled=name in filled), stage.view, depth) for name in places.names
    }


def _share(points: Doubles, view: View, depth: Floats) -> float:
    """Share of points in the picture and with nothing before them."""
    pixels = np.rint(view.project(points)).astype(np.intp)
    width, height = view.size
    inside = (pixels >= 0).all(axis=1) & (pixels[:, 0] < width) & (pixels[:, 1] < height)
    away = np.linalg.norm(points[inside] - view.camera_mm, axis=1)
    at = pixels[inside]
    return float((depth[at[:, 1], at[:, 0]] > away - IN_FRONT_MM).sum() / max(len(points), 1))


def _points(places: Places, name: str, scene: FinityScene, *, is_filled: bool) -> Doubles:
    """Points of the upper face of what lies at a place, or of the place itself, board millimetres (N, 3)."""
    board = places.board
    if places.is_slot(name):
        kind = _kind_in(places, name, scene) if is_filled else None
        return _on_slot(places, name, kind)
    x, y = places.spots[name]
    inner, outer, bare, top = _ring_of(board, name.rpartition(".")[2])
    return _disc(x, y, inner, outer, top if is_filled else bare)


def _ring_of(board: FinityBoard, what: str) -> tuple[float, float, float, float]:
    """Inner and outer radius of a seat's piece, and the heights of its place and of its upper face."""
    if what == POST:
        return 0.0, board.post.radius_sides * board.hex_side, board.post.hub_z, board.post.top_z - 1
    inner, outer = (radius * board.hex_side for radius in board.rings.radii_sides[what])
    seat = board.rings.seat_z[what]
    return inner, outer, seat, seat + board.rings.thickness * 0.75


def _disc(x: float, y: float, inner: float, outer: float, z: float) -> Doubles:
    line = np.arange(-outer, outer + STEP_MM, STEP_MM)
    dx, dy = (part.ravel() for part in np.meshgrid(line, line))
    r = np.hypot(dx, dy)
    kept = (r >= inner) & (r <= outer)
    return np.stack([x + dx[kept], y + dy[kept], np.full(int(kept.sum()), z)], axis=1)


def _kind_in(places: Places, name: str, scene: FinityScene) -> PieceKind | None:
    x, y = places.spots[name]
    for piece in scene.pieces:
        in_slot = piece.kind in (PieceKind.BRIDGE, PieceKind.BLOCKER)
        if in_slot and math.hypot(piece.x_mm - x, piece.y_mm - y) < NEAR_MM:
            return piece.kind
    return None


def _on_slot(places: Places, name: str, kind: PieceKind | None) -> Doubles:
    """The oblong of a slot's bridge, or the upper face of its blocker."""
    board, slot = places.board, places.slot(name)
    side = board.hex_side
    if kind is PieceKind.BLOCKER:
        length = width = board.blocker.cube_sides * side
        z = board.blocker.top_z
    else:
        length, width = board.bridge.length_sides * side, board.bridge.shaft_sides * side
        z = board.tile.floor_z if kind is None else board.bridge.top_z
    along, across = (np.arange(-size / 2, size / 2 + 0.1, STEP_MM) for size in (length, width))
    u, v = (part.ravel() for part in np.meshgrid(along, across))
    turn = math.radians(slot.angle_deg)
    x, y = places.spots[name]
    return np.stack(
        [
            x + u * math.cos(turn) - v * math.sin(turn),
            y + u * math.sin(turn) + v * math.cos(turn),
            np.full(len(u), z),
        ],
        axis=1,
    )
