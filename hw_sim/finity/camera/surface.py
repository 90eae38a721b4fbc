"""Lines of sight against the maps: what every pixel of a rectangle shows of mat, tiles and resting pieces."""

from __future__ import annotations

import math
from typing import NamedTuple

import cv2
import numpy as np

from hw_sim.camera.board_maps import PX_PER_MM
from hw_sim.camera.ground import FINE, averaged
from hw_sim.camera.lens import Doubles, Floats, Rays, Rect, View, floats
from hw_sim.camera.shading import Gloss, Layers, Rig, Shade, layers, shade
from hw_sim.finity.camera.lit import Lit
from hw_sim.finity.camera.look import FinityLook, Material
from hw_sim.finity.camera.maps import LAID_MM, Maps
from hw_sim.finity.camera.tower import Tower

STEP_MM = 1.2
"""How far lines of sight are walked at a time: half a mark's height."""
WALL_MM = 0.35
"""Walls fill about one place of the maps: so far into them their colour is looked up."""
WALL_RISE_MM = 0.25
EDGE_SPREAD = 0.3
"""How much rougher, in radians, an upright edge looks than its face."""


class Met(NamedTuple):
    """Where lines of sight meet the maps: height, column and row; and whether that is on the mat."""

    z: Floats
    column: Floats
    row: Floats


def fine_rays(view: View, rect: Rect) -> Rays:
    """Lines of sight at `FINE` x `FINE` to a pixel, between those of whole pixels."""
    wide = rect.grown(1).clipped(view.size)
    inner = rect.within(wide)
    part = slice(inner.y0 * FINE, inner.y1 * FINE), slice(inner.x0 * FINE, inner.x1 * FINE)
    size = ((wide.x1 - wide.x0) * FINE, (wide.y1 - wide.y0) * FINE)
    # Bilinear enlargement puts the samples just where they belong; neighbours are nearly parallel.
    return Rays(*(floats(cv2.resize(d, size, interpolation=cv2.INTER_LINEAR)[part]) for d in view.rays_of(wide)))


class Surface:
    """The maps as one camera sees them in one light."""

    def __init__(self, maps: Maps, lit: Lit, tower: Tower | None, look: FinityLook, view: View, lamp: Rig) -> None:
        self._maps = maps
        self._lit = lit
        self._tower = tower
        self._view = view
        self._lamp = lamp
        self._f0, self._roughness = look.gloss_by_material()

    def layers(self, rect: Rect) -> tuple[Layers, Floats] | None:
        """What a rectangle shows, and how much of every pixel the mat covers; None where it shows none of it."""
        rays = fine_rays(self._view, rect)
        met = self._meet(rays)
        if met is None:
            return None
        eye = self._view.camera_mm
        depth = floats((met.z - np.float32(eye[2])) / rays.z)
        p = Rays(*(np.float32(c) + depth * d for c, d in zip(eye, rays, strict=True)))
        half_x, half_y = (half - LAID_MM for half in self._maps.half_mm)
        seen = (np.abs(p.x) < half_x) & (np.abs(p.y) < half_y)
        fine = self._shown(met, rays, p, depth)
        return averaged(fine, seen, (rect.x1 - rect.x0, rect.y1 - rect.y0))

    def _part(self, columns: Floats, rows: Floats) -> Rect | None:
        """The part of the maps that holds these places, None where they are all outside."""
        height, width = self._maps.height.shape
        c0, c1, r0, r1 = (float(n) for n in (columns.min(), columns.max(), rows.min(), rows.max()))
        if c1 < 0 or r1 < 0 or c0 >= width or r0 >= height:
            return None
        return Rect(int(c0), int(r0), int(c1) + 2, int(r1) + 2).clipped((width, height))

    def _meet(self, rays: Rays) -> Met | None:
        eye: Doubles = self._view.camera_mm
        slope_x, slope_y = rays.x / rays.z, rays.y / rays.z
        column = self._maps.column(np.float32(eye[0]) - slope_x * np.float32(eye[2]))
        row = self._maps.row(np.float32(eye[1]) - slope_y * np.float32(eye[2]))
        du, dv = slope_x * np.float32(PX_PER_MM), -slope_y * np.float32(PX_PER_MM)
        highest = np.float32(self._maps.highest_mm)
        # Lines of sight of a rectangle lie between those of its outermost pixels.
        levels = (np.float32(0), highest)
        part = self._part(
            floats(np.stack([_edge(column) + _edge(du) * level for level in levels])),
            floats(np.stack([_edge(row) + _edge(dv) * level for level in levels])),
        )
        if part is None:
            return None
        low, high = self._maps.bounds(part)
        # The levels are the same for every rectangle, so that what is drawn in parts fits together.
        first, last = math.floor(low / STEP_MM), math.ceil(high / STEP_MM)
        z = np.full(column.shape, np.float32(first * STEP_MM))
        if high > 0:
            self._walk(z, column, row, du, dv, range(last, first, -1))
        return Met(z, floats(column + du * z), floats(row + dv * z))

    def _height_at(self, column: Floats, row: Floats) -> Floats:
        found = cv2.remap(self._maps.height, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        return np.asarray(found, np.float32)

    def _walk(self, met: Floats, column: Floats, row: Floats, du: Floats, dv: Floats, levels: range) -> None:
        """Raise heights to where lines of sight first meet the maps, in place."""
        missing = np.ones(met.shape, bool)
        for level in levels:
            z = np.float32(level * STEP_MM)
            here = missing & (self._height_at(column + du * z, row + dv * z) >= z)
            met[here] = z
            missing &= ~here
        step = np.float32(STEP_MM)
        for _ in range(5):
            step = step / 2
            higher = met + step
            above = self._height_at(column + du * higher, row + dv * higher) >= higher
            np.copyto(met, higher, where=above)

    def _shown(self, met: Met, rays: Rays, p: Rays, depth: Floats) -> Layers:
        maps = self._maps
        column, row = met.column, met.row
        form = cv2.split(cv2.remap(maps.form, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
        nx, ny, sky = (np.asarray(part, np.float32) for part in form)
        share = np.asarray(cv2.remap(self._lit.share, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
        steep = np.sqrt(nx * nx + ny * ny)
        if float(steep.max()) > 0.05:
            into = np.float32(WALL_MM * PX_PER_MM)
            dx, dy = nx * into, -ny * into
            up = self._height_at(column - dx, row - dy) > met.z + WALL_RISE_MM
            on_wall = up & (self._height_at(column + dx, row + dy) < met.z - WALL_RISE_MM)
            column = np.where(on_wall, column - dx, column)
            row = np.where(on_wall, row - dy, row)
            # Beside a wall the blurred normals lean, too; the top and the floor themselves do not.
            flat = np.where((steep > 0.75) & ~on_wall, np.float32(0.3), np.float32(1))
            nx, ny = nx * flat, ny * flat
        nz = np.sqrt(np.maximum(1 - nx * nx - ny * ny, 0))
        paint = cv2.remap(maps.paint, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        material = cv2.remap(maps.material, column, row, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
        # The bevels of flat pieces are as narrow as a sample: their glints are spread over what a sample spans.
        spread = np.where(material == Material.PIECE, 0, np.float32(EDGE_SPREAD) * np.minimum(steep, 1))
        gloss = Gloss(self._f0[material], floats(self._roughness[material] + spread))
        light = shade(self._lamp, p, Rays(nx, ny, floats(nz)), rays, gloss)
        kept = floats(share)
        if self._tower is not None:
            kept = kept * (1 - self._tower.shadow(self._lamp, p))
        planes = (light.room * sky, light.lamp * kept, light.room_gloss * sky, light.lamp_gloss * kept)
        return layers(floats(paint), Shade(*(floats(plane) for plane in planes)), depth)


def _edge(plane: Floats) -> Floats:
    """The values along the border of a rectangle."""
    return np.concatenate([plane[0], plane[-1], plane[:, 0], plane[:, -1]])
