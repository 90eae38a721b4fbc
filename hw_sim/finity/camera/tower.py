"""The tower: cones upon each other on the middle tile, as a solid of revolution."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from calibration.finity.board import FinityBoard, Xy
from hw_sim.camera.ground import FINE, averaged
from hw_sim.camera.lens import Doubles, Floats, Rays, Rect, View, floats, rect_around
from hw_sim.camera.shading import Gloss, Layers, Rig, Shade, layers, shade, towards_lamp
from hw_sim.finity.camera.look import FinityLook

STEP_MM = 0.75
BORE_SHARE = 0.55
"""Radius of the hole in a cone's top against the top's."""


class Tower:
    """The cones of one pattern at one place.

    Attributes:
        foot_mm, top_mm: heights of its lowest and highest points above the mat.
    """

    def __init__(self, board: FinityBoard, look: FinityLook, pattern: str, middle_mm: Xy) -> None:
        self._pattern = pattern
        self._cone_mm = look.cone_mm
        self._wide, self._narrow = board.tower.bottom_radius, board.tower.top_radius
        self._middle = middle_mm
        cones = [look.cones[colour] for colour in pattern]
        surfaces = ([c.rgb for c in cones], [c.f0 for c in cones], [c.roughness for c in cones])
        self._surfaces = tuple(np.array(values, np.float32) for values in surfaces)
        self.foot_mm = board.tile.floor_z + board.tower.foot
        self.top_mm = self.foot_mm + len(pattern) * look.cone_mm

    def rect(self, view: View) -> Rect:
        """The pixels that it may cover."""
        turns = np.linspace(0, 2 * math.pi, 24, endpoint=False)
        ring = np.stack([np.cos(turns), np.sin(turns)], axis=1) * self._wide + np.array(self._middle)
        points = [np.column_stack([ring, np.full(len(ring), z)]) for z in (self.foot_mm, self.top_mm)]
        return rect_around(view.project(np.concatenate(points)), 3).clipped(view.size)

    def _radius(self, z: Floats) -> Floats:
        """Of the cone that a height belongs to; 0 above and below."""
        up = (z - np.float32(self.foot_mm)) / np.float32(self._cone_mm)
        number = np.clip(np.floor(up), 0, len(self._pattern) - 1)
        radius = self._wide - (up - number) * (self._wide - self._narrow)
        return floats(np.where((up >= 0) & (up <= len(self._pattern)), radius, 0))

    def shadow(self, lamp: Rig, p: Rays) -> Floats:
        """Share of the lamp's light that it takes from points."""
        to, _ = towards_lamp(lamp, p)
        flat = np.maximum(np.sqrt(to.x * to.x + to.y * to.y), np.float32(1e-4))
        cx, cy = np.float32(self._middle[0]) - p.x, np.float32(self._middle[1]) - p.y
        along, aside = (cx * to.x + cy * to.y) / flat, np.abs(cx * to.y - cy * to.x) / flat
        rise = to.z / flat
        # Where the way to the lamp comes in and passes the axis; what is behind the point shades nothing.
        entry = np.maximum(along - self._narrow, 0)
        way = entry * np.sqrt(1 + rise * rise)
        width = np.maximum(np.float32(lamp.softness) * way, np.float32(0.4))
        z = p.z + entry * rise
        top = np.float32(self.top_mm) - z
        # Below the topmost cone the rims cast the shadow, and the hollows between them are too small to be seen.
        of_top = self._narrow + (self._wide - self._narrow) * top / self._cone_mm
        radius = np.where(top > self._cone_mm, self._wide * 0.93, of_top)
        beside = np.clip((radius - aside) / (2 * width) + 0.5, 0, 1)
        below = np.clip(top / (2 * width) + 0.5, 0, 1)
        core = np.minimum(1, (self._wide / width))
        return floats(beside * below * core * (along > 0) * (p.z < self.top_mm))

    def layers(self, view: View, lamp: Rig, rect: Rect) -> tuple[Layers, Floats]:
        """What it shows in a rectangle, and how much of every pixel it covers."""
        rays = view.rays(rect, FINE)
        z, seen = self._meet(view, rays)
        eye = view.camera_mm
        depth = floats((z - np.float32(eye[2])) / rays.z)
        p = Rays(*(np.float32(c) + depth * d for c, d in zip(eye, rays, strict=True)))
        fine = self._shown(lamp, rays, p, depth)
        return averaged(fine, seen, (rect.x1 - rect.x0, rect.y1 - rect.y0))

    def _meet(self, view: View, rays: Rays) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Heights at which lines of sight meet it, and whether they do."""
        eye: Doubles = view.camera_mm
        slope_x, slope_y = rays.x / rays.z, rays.y / rays.z
        x0 = np.float32(eye[0] - self._middle[0]) - slope_x * np.float32(eye[2])
        y0 = np.float32(eye[1] - self._middle[1]) - slope_y * np.float32(eye[2])

        def inside(z: Floats) -> npt.NDArray[np.bool_]:
            x, y, radius = x0 + slope_x * z, y0 + slope_y * z, self._radius(z)
            return np.asarray(x * x + y * y < radius * radius)

        met = np.full(x0.shape, np.float32(self.foot_mm))
        found = np.zeros(x0.shape, bool)
        for level in np.arange(self.top_mm - 0.01, self.foot_mm, -STEP_MM):
            z = np.full((1, 1), level, np.float32)
            here = ~found & inside(z)
            met[here] = level
            found |= here
        step = np.float32(STEP_MM / 2)
        for _ in range(4):
            higher = np.minimum(met + step, np.float32(self.top_mm - 0.01))
            np.copyto(met, higher, where=inside(higher) & found)
            step = step / 2
        return met, found

    def _shown(self, lamp: Rig, rays: Rays, p: Rays, depth: Floats) -> Layers:
        x, y = p.x - np.float32(self._middle[0]), p.y - np.float32(self._middle[1])
        r = np.maximum(np.sqrt(x * x + y * y), np.float32(1e-3))
        up = (p.z - np.float32(self.foot_mm)) / np.float32(self._cone_mm)
        number = np.clip(np.floor(up), 0, len(self._pattern) - 1).astype(np.intp)
        part = floats(np.clip(up - number, 0, 1))
        slope = math.atan2(self._wide - self._narrow, self._cone_mm)
        on_top = p.z > self.top_mm - 0.05
        out = np.where(on_top, 0, np.float32(math.cos(slope)))
        n = Rays(floats(x / r * out), floats(y / r * out), floats(np.where(on_top, 1, math.sin(slope))))
        albedo, f0, roughness = (values[number] for values in self._surfaces)
        light = shade(lamp, p, n, rays, Gloss(f0, roughness))
        # Under the rim of the next cone it is dark; the topmost has none, but a bore.
        under = np.where(number < len(self._pattern) - 1, part, 0)
        sky = 1 - 0.75 * under
        bore = on_top & (r < self._narrow * BORE_SHARE)
        to, _ = towards_lamp(lamp, p)
        rise = to.z / np.maximum(np.sqrt(to.x * to.x + to.y * to.y), np.float32(1e-3))
        free = (1 - under) * self._cone_mm - under * (self._wide - self._narrow) * rise
        kept = np.where(under > 0, np.clip(free + 0.5, 0, 1), 1)
        sky, kept = np.where(bore, 0.35, sky), np.where(bore, 0.25, kept)
        planes = (light.room * sky, light.lamp * kept, light.room_gloss * sky, light.lamp_gloss * kept)
        return layers(floats(albedo), Shade(*(floats(plane) for plane in planes)), depth)
