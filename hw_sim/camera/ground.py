"""What stands still: the table top and the empty board without its knob, as layers of the whole picture.

Made once for each place of the board; a frame then only adds marbles, the knob, hands and things.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.infinity.board import InfinityBoard
from hw_sim.camera.board_maps import OUTSIDE_MM, PX_PER_MM, BoardMaps, lit_share, rounded_box
from hw_sim.camera.lens import Doubles, Floats, Rays, Rect, View, floats, rect_around
from hw_sim.camera.look import Look, Table
from hw_sim.camera.shading import Layers, Rig, Shade, layers, shade
from hw_sim.camera.textures import table_top

TABLE_HALF_MM = (520.0, 400.0)
TABLE_PX_PER_MM = 1.6
SHADOW_PX_PER_MM = 0.5
TOP_STEP_MM = 0.7
SIDE_STEP_MM = 3.0
"""How far lines of sight are walked at a time: through the hollows of the top, along the upright sides."""
FINE = 2
"""The board is drawn with this many samples a pixel each way, then averaged: its printed edges matter."""


@dataclass(frozen=True, slots=True)
class TablePlane:
    """The table under a board, in board millimetres: the board's top leans against it by its slant."""

    origin: Doubles
    across: Doubles
    along: Doubles
    normal: Doubles

    def z_at(self, x_mm: float, y_mm: float) -> float:
        """Height of the table (negative) at a place beside or under the board."""
        away = np.array([x_mm, y_mm, 0.0]) - self.origin
        return float(-(away @ self.normal) / self.normal[2])


def table_plane(board: InfinityBoard) -> TablePlane:
    slant = math.radians(board.board.slant_deg)
    normal = np.array([0.0, math.sin(slant), math.cos(slant)])
    front = np.array([0.0, -board.board.h / 2, -board.board.front_thickness])
    # The origin is the table's point under the board's centre.
    origin = front + np.array([0.0, math.cos(slant), -math.sin(slant)]) * (board.board.h / 2)
    return TablePlane(origin, np.array([1.0, 0.0, 0.0]), np.array([0.0, math.cos(slant), -math.sin(slant)]), normal)


def table_texture(table: Table, rng: np.random.Generator) -> Floats:
    shape = (round(2 * TABLE_HALF_MM[1] * TABLE_PX_PER_MM), round(2 * TABLE_HALF_MM[0] * TABLE_PX_PER_MM))
    return table_top(table.kind, table.dark, table.light, shape, rng)


def _cover_of_table(maps: BoardMaps, plane: TablePlane, lamp: Rig) -> Floats:
    """How the board darkens the table around it: (rows, columns, 2) shares of room's and lamp's light that remain.

    The grid is that of the table plane at `SHADOW_PX_PER_MM`, the plane's origin in its middle.
    """
    half_u, half_v = TABLE_HALF_MM
    u, v = np.meshgrid(
        floats(np.arange(-half_u, half_u, 1 / SHADOW_PX_PER_MM)),
        floats(np.arange(half_v, -half_v, -1 / SHADOW_PX_PER_MM)),
    )
    p = [np.float32(plane.origin[i]) + u * plane.across[i] + v * plane.along[i] for i in range(3)]
    outline = maps.board.board
    to = [np.float32(lamp.lamp_mm[i]) - p[i] for i in range(3)]
    length = np.sqrt(to[0] ** 2 + to[1] ** 2 + to[2] ** 2)
    shadow = np.zeros(u.shape, np.float32)
    way_up = -p[2] / np.maximum(to[2] / length, 0.05)
    for part in np.linspace(0.04, 1.0, 14):
        way = (way_up * part).astype(np.float32)
        at = [p[i] + to[i] / length * way for i in range(2)]
        inside = -rounded_box(at[0], at[1], outline.w / 2, outline.h / 2, outline.corner_r)
        width = np.maximum(np.float32(lamp.softness) * way, 0.8) * 2
        np.maximum(shadow, np.clip(inside / width + 0.5, 0, 1), out=shadow)
    beside = np.maximum(rounded_box(p[0], p[1], outline.w / 2, outline.h / 2, outline.corner_r), 0)
    room = 1 - 0.55 * np.exp(-beside / np.maximum(-p[2] * 0.7, 6))
    return np.stack([room, 1 - shadow], axis=-1).astype(np.float32)


def _on_plane(p: Rays, plane: TablePlane) -> tuple[Floats, Floats]:
    """Millimetres across and along the table of points."""
    away = Rays(*(part - np.float32(o) for part, o in zip(p, plane.origin, strict=True)))
    along = away.turned(np.stack([plane.across, plane.along, plane.normal]))
    return along.x, along.y


def table_layers(
    view: View, lamp: Rig, plane: TablePlane, texture: Floats, table: Table, frame: tuple[Doubles, Doubles]
) -> tuple[Layers, Floats, Floats]:
    """The bare table over the whole picture; also the plane coordinates u and v of every pixel."""
    rays = view.rays_of(Rect(0, 0, *view.size))
    n = plane.normal
    down = rays.x * n[0] + rays.y * n[1] + rays.z * n[2]
    depth = (float((plane.origin - view.camera_mm) @ n) / np.minimum(down, -0.05)).astype(np.float32)
    p = Rays(*(np.float32(c) + depth * d for c, d in zip(view.camera_mm, rays, strict=True)))
    u, v = _on_plane(p, plane)
    # The pattern stays where the table is when the board is moved: look it up in the frame of the start.
    R, t = frame
    start = Rays(*(part + np.float32(shift) for part, shift in zip(p.turned(R), t, strict=True)))
    start_u, start_v = _on_plane(start, plane)
    turn = math.radians(table.turn_deg)
    c, s = np.float32(math.cos(turn)), np.float32(math.sin(turn))
    column = (start_u * c + start_v * s + np.float32(TABLE_HALF_MM[0])) * np.float32(TABLE_PX_PER_MM)
    row = (np.float32(TABLE_HALF_MM[1]) - start_v * c + start_u * s) * np.float32(TABLE_PX_PER_MM)
    albedo = floats(cv2.remap(texture, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT))
    flat = np.ones_like(depth)
    normal = Rays(*(flat * np.float32(part) for part in n))
    light = shade(lamp, p, normal, rays, table.finish)
    return layers(albedo, light, depth), u, v


def _meet_board(maps: BoardMaps, view: View, rays: Rays, plane: TablePlane) -> Floats:
    """Height at which lines of sight meet the board: its top or its side; NaN where they pass it."""
    eye = view.camera_mm
    slope_x, slope_y = rays.x / rays.z, rays.y / rays.z
    x0, y0 = np.float32(eye[0]) - slope_x * np.float32(eye[2]), np.float32(eye[1]) - slope_y * np.float32(eye[2])
    scale = np.float32(PX_PER_MM)
    column, row, du, dv = maps.column(x0), maps.row(y0), slope_x * scale, -slope_y * scale

    def height_at(z: Floats | np.float32) -> Floats:
        return floats(cv2.remap(maps.height, column + du * z, row + dv * z, cv2.INTER_LINEAR, borderValue=OUTSIDE_MM))

    deepest = float(maps.height[maps.height > OUTSIDE_MM / 2].min())
    levels = floats(np.arange(maps.board.aruco.z + 0.05, deepest - TOP_STEP_MM, -TOP_STEP_MM))
    met = np.full(du.shape, np.nan, np.float32)
    missing = np.ones(du.shape, bool)
    for z in levels:
        here = missing & (height_at(z) >= z)
        met[here] = z
        missing &= ~here
    inside = np.nan_to_num(met, nan=levels[0])
    step = np.float32(TOP_STEP_MM / 2)
    for _ in range(5):
        higher = inside + step
        inside = np.where(height_at(higher) >= higher, higher, inside)
        step = step / 2
    met[~missing] = inside[~missing]
    _meet_side(met, maps.board, plane, (x0, y0, slope_x, slope_y), float(levels[-1]))
    return met


def _meet_side(
    met: Floats, board: InfinityBoard, plane: TablePlane, sight: tuple[Floats, Floats, Floats, Floats], start: float
) -> None:
    """Fill in where lines of sight that pass the top meet the upright side.

    Args:
        met: heights, NaN where nothing is met yet; filled in place.
        sight: x and y at height 0 and their slopes, of every line.
        start: height from which on the lines are followed.
    """
    outline = board.board
    table = min(plane.z_at(0, side * outline.h / 2) for side in (-1, 1))

    def outside(which: tuple[npt.NDArray[np.intp], ...], z: Floats | float) -> Floats:
        x, y, slope_x, slope_y = (part[which] for part in sight)
        return rounded_box(x + slope_x * z, y + slope_y * z, outline.w / 2, outline.h / 2, outline.corner_r)

    free = np.nonzero(np.isnan(met))
    # The outline is convex: only lines that are inside it, or nearly, down at the table can have met the side.
    near = outside(free, table) < 8
    free = free[0][near], free[1][near]
    above = np.full(len(free[0]), start, np.float32)
    below = above.copy()
    found = np.zeros(len(above), bool)
    for z in np.arange(start, table, -SIDE_STEP_MM):
        here = ~found & (outside(free, float(z)) <= 0)
        below[here], above[here] = z, z + SIDE_STEP_MM
        found |= here
    for _ in range(6):
        middle = floats((above + below) / 2)
        is_in = outside(free, middle) <= 0
        below, above = np.where(is_in, middle, below), np.where(is_in, above, middle)
    met[free[0][found], free[1][found]] = below[found]


def _side_normals(p: Rays, board: InfinityBoard) -> Rays:
    """Normals of the board's upright sides, by the slope of the outline's distance."""
    outline = board.board
    step = np.float32(0.5)

    def distance(x: Floats, y: Floats) -> Floats:
        return rounded_box(x, y, outline.w / 2, outline.h / 2, outline.corner_r)

    nx = distance(p.x + step, p.y) - distance(p.x - step, p.y)
    ny = distance(p.x, p.y + step) - distance(p.x, p.y - step)
    length = np.maximum(np.hypot(nx, ny), 1e-6)
    return Rays(nx / length, ny / length, np.zeros_like(nx))


def _board_rect(view: View, board: InfinityBoard, plane: TablePlane) -> Rect:
    half_w, half_h = board.board.w / 2, board.board.h / 2
    corners = [(x, y) for x in (-half_w, half_w) for y in (-half_h, half_h)]
    points = [(x, y, z) for x, y in corners for z in (0.0, plane.z_at(x, y))]
    return rect_around(view.project(np.array(points)), 3).clipped(view.size)


def _board_layers(
    view: View, lamp: Rig, maps: BoardMaps, lit: Floats, plane: TablePlane, look: Look, rect: Rect
) -> tuple[Layers, Floats]:
    """The empty board in a rectangle, and how much of every pixel it covers."""
    rays = view.rays(rect, FINE)
    met = _meet_board(maps, view, rays, plane)
    seen = ~np.isnan(met)
    z = np.nan_to_num(met)
    depth = ((z - np.float32(view.camera_mm[2])) / rays.z).astype(np.float32)
    p = Rays(*(np.float32(c) + depth * d for c, d in zip(view.camera_mm, rays, strict=True)))
    column, row = maps.column(p.x), maps.row(p.y)
    paint = np.asarray(cv2.remap(maps.paint, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    form = np.asarray(cv2.remap(maps.form, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    arriving = np.asarray(cv2.remap(lit, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    on_side = z < -maps.board.board.bevel * 0.98
    on_side &= rounded_box(p.x, p.y, *_half_outline(maps.board), maps.board.board.corner_r) > -1.2
    side = _side_normals(p, maps.board)
    top_z = np.sqrt(np.maximum(1 - form[..., 0] ** 2 - form[..., 1] ** 2, 0))
    n = Rays(
        np.where(on_side, side.x, form[..., 0]), np.where(on_side, side.y, form[..., 1]), np.where(on_side, 0, top_z)
    )
    light = shade(lamp, p, n, rays, look.board)
    room = np.where(on_side, 0.55 + 0.02 * np.maximum(z, -20), form[..., 2]).astype(np.float32)
    arriving = np.where(on_side, 1, arriving).astype(np.float32)
    gloss = np.where(on_side, 1, paint[..., 3])
    albedo = np.where(on_side[..., None], np.array(look.board.rgb, np.float32), paint[..., :3])
    lit_up = Shade(
        light.room * room, light.lamp * arriving, light.room_gloss * room * gloss, light.lamp_gloss * arriving * gloss
    )
    return averaged(layers(albedo, lit_up, depth), seen, (rect.x1 - rect.x0, rect.y1 - rect.y0))


def averaged(fine: Layers, seen: npt.NDArray[np.bool_], size: tuple[int, int]) -> tuple[Layers, Floats]:
    """One sample a pixel: averages over the part of each pixel where the board is seen, and how large that part is."""
    share = seen.astype(np.float32)
    cover = np.asarray(cv2.resize(share, size, interpolation=cv2.INTER_AREA), np.float32)
    safe = np.maximum(cover, 1e-3)
    planes = (cv2.resize((plane * share).astype(np.float32), size, interpolation=cv2.INTER_AREA) for plane in fine)
    return Layers(*(np.asarray(plane / safe, np.float32) for plane in planes)), cover


def _half_outline(board: InfinityBoard) -> tuple[float, float]:
    return board.board.w / 2, board.board.h / 2


def _knob_heights(maps: BoardMaps) -> Floats:
    """The knob as something that casts a shadow on the board, on the maps' grid."""
    rows, columns = maps.height.shape
    x = (np.arange(columns, dtype=np.float32) + 0.5) / PX_PER_MM - maps.half_mm[0]
    y = maps.half_mm[1] - (np.arange(rows, dtype=np.float32) + 0.5) / PX_PER_MM
    knob = maps.board.knob
    inside = np.hypot(x[None, :] - knob.cx, y[:, None] - knob.cy) < knob.r
    return np.where(inside, knob.h, -8).astype(np.float32)


def draw_ground(
    view: View,
    lamp: Rig,
    look: Look,
    texture: Floats,
    maps: BoardMaps | None,
    plane: TablePlane,
    frame: tuple[Doubles, Doubles],
) -> Layers:
    """The table and, where `maps` are given, the empty board on it.

    Args:
        view, lamp: in the frame of the board as it lies now.
        look: colours and finishes.
        texture: the table's reflectance, from `table_texture`.
        maps: the board's top; None when the board was taken away.
        plane: the table.
        frame: R and t that take millimetres of the present frame to those of the start.
    """
    ground, u, v = table_layers(view, lamp, plane, texture, look.table, frame)
    if maps is None:
        return ground
    left = _cover_of_table(maps, plane, lamp)
    column = (u + np.float32(TABLE_HALF_MM[0])) * np.float32(SHADOW_PX_PER_MM)
    row = (np.float32(TABLE_HALF_MM[1]) - v) * np.float32(SHADOW_PX_PER_MM)
    kept = np.asarray(cv2.remap(left, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
    ground.dim(kept[..., 0], kept[..., 1])
    rect = _board_rect(view, maps.board, plane)
    if not rect.is_empty:
        lit = lit_share(maps, lamp.towards, lamp.softness, _knob_heights(maps))
        top, cover = _board_layers(view, lamp, maps, lit, plane, look, rect)
        ground.crop(rect).blend(cover, top)
    return ground
