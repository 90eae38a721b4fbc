"""Reliefs put into a scene: where lines of sight meet them, their light, and the shadows they cast."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from hw_sim.camera.lens import Doubles, Floats, Rays, Rect, View, floats, rect_around
from hw_sim.camera.relief import NOWHERE, WIDE_MM, Relief
from hw_sim.camera.shading import Layers, Rig, Shade, layers, shade, towards_lamp

HIGH_MM = 30.0
"""Bodies higher than this are drawn with half the lines of sight."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A relief at its place: board millimetres = R own millimetres + t."""

    relief: Relief
    R: Doubles
    t: Doubles

    def outline_mm(self) -> Doubles:
        """Points of the surface that span the body, (N, 3)."""
        return np.asarray(self.relief.outline @ self.R.T + self.t, np.float64)

    def rect(self, view: View) -> Rect:
        """The pixels that the body may cover."""
        return rect_around(view.project(self.outline_mm()), 5)

    def shadow_rect(self, view: View, lamp: Rig, lowest: tuple[Doubles, Doubles]) -> Rect:
        """The pixels where its shadow and its dimming of the room's light may fall.

        Args:
            view, lamp: in the frame of the placing.
            lowest: a point and the normal of the plane below which nothing is seen.
        """
        points = self.outline_mm()
        origin, normal = lowest
        above = (points - origin) @ normal
        towards = lamp.lamp_mm - points
        landed = points - towards * (above / np.maximum(towards @ normal, 1.0))[:, None]
        under = points - above[:, None] * normal
        scale = view.lens.focal_px / float(np.linalg.norm(view.camera_mm))
        # Beyond two standard deviations of the widest edge nothing is left of either.
        return rect_around(view.project(np.concatenate([points, landed, under])), 2 * WIDE_MM * scale)


def _map(plane: Floats, column: Floats, row: Floats) -> Floats:
    found = cv2.remap(plane, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=NOWHERE)
    return np.asarray(found, np.float32)


def meet(placed: Placed, view: View, rays: Rays) -> tuple[Floats, Floats, Floats, Floats]:
    """Where lines of sight meet the body.

    Returns:
        By how many millimetres they pass inside it (negative where they miss), the height above the body's base
        where they meet it or pass it most closely, and the column and row of its maps there.
    """
    body = placed.relief
    eye = placed.R.T @ (view.camera_mm - placed.t)
    own = rays.turned(placed.R.T)
    scale = np.float32(body.px_per_mm)
    du, dv = own.x / own.z * scale, -own.y / own.z * scale
    u0 = np.float32(eye[0] * body.px_per_mm + body.origin_px[0]) - du * np.float32(eye[2])
    v0 = np.float32(body.origin_px[1] - eye[1] * body.px_per_mm) - dv * np.float32(eye[2])

    def inside(z: Floats | np.float32) -> Floats:
        span = _map(body.span, u0 + du * z, v0 + dv * z)
        return np.asarray(cv2.min(span[..., 0] - z, z - span[..., 1]), np.float32)

    steps = max(2, math.ceil(body.height_mm / body.step_mm))
    step = np.float32(body.height_mm / steps)
    best = np.full(du.shape, -99, np.float32)
    met = np.zeros(du.shape, np.float32)
    for level in range(steps, -1, -1):
        z = np.float32(level * step - (0.02 if level == steps else -0.02 if level == 0 else 0))
        here = inside(z)
        # The first level inside counts; before that, the nearest miss.
        better = (here > best) & (best < 0)
        np.copyto(met, z, where=better)
        np.copyto(best, here, where=better)
    part = step / 2
    for _ in range(4):
        higher = met + part
        np.copyto(met, higher, where=(inside(higher) >= 0) & (best >= 0))
        part = part / 2
    return best, met, u0 + du * met, v0 + dv * met


def depth_of(placed: Placed, view: View, rays: Rays, met: Floats) -> Floats:
    """Millimetres along lines of sight to where they reach a height of the body's own frame."""
    eye = placed.R.T @ (view.camera_mm - placed.t)
    return np.asarray((met - np.float32(eye[2])) / rays.turned(placed.R.T).z, np.float32)


def _lit(placed: Placed, view: View, lamp: Rig, rays: Rays) -> tuple[Layers, Floats]:
    """The body as layers along lines of sight, and by how many millimetres they pass inside it."""
    body = placed.relief
    inside, met, column, row = meet(placed, view, rays)
    depth = depth_of(placed, view, rays, met)
    albedo = np.asarray(cv2.remap(body.albedo, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    form = cv2.split(cv2.remap(body.form, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    nx, ny, nz, open_sky = (np.asarray(part, np.float32) for part in form)
    p = Rays(*(np.float32(c) + depth * d for c, d in zip(view.camera_mm, rays, strict=True)))
    light = shade(lamp, p, Rays(nx, ny, nz).turned(placed.R), rays, body.finish, body.wrap)
    lamp_share = np.float32(0.4) + np.float32(0.6) * open_sky
    lit = Shade(light.room * open_sky, light.lamp * lamp_share, light.room_gloss * open_sky, light.lamp_gloss)
    return layers(albedo.astype(np.float32), lit, depth), inside


def draw(placed: Placed, view: View, lamp: Rig, rect: Rect, into: Layers) -> None:
    """Draw the body over layers of a rectangle, where it is nearer than what they show."""
    here = placed.rect(view).common(rect)
    if here.is_empty:
        return
    under = into.crop(Rect(here.x0 - rect.x0, here.y0 - rect.y0, here.x1 - rect.x0, here.y1 - rect.y0))
    rays = view.rays_of(here)
    full = (here.x1 - here.x0, here.y1 - here.y0)
    # What stands high out of the board is out of focus anyway: every second line of sight is enough.
    is_high = placed.relief.height_mm > HIGH_MM and min(full) >= 8
    if is_high:
        half = (full[0] // 2, full[1] // 2)
        rays = Rays(*(floats(cv2.resize(part, half, interpolation=cv2.INTER_LINEAR)) for part in rays))
    body, inside = _lit(placed, view, lamp, rays)
    if is_high:
        body = Layers(*(floats(cv2.resize(plane, full, interpolation=cv2.INTER_LINEAR)) for plane in body))
        inside = floats(cv2.resize(inside, full, interpolation=cv2.INTER_LINEAR))
    hit = (inside > 0) & (body.depth < under.depth + 0.5)
    alpha = np.asarray(cv2.blur(hit.astype(np.float32), (3, 3)), np.float32)
    under.blend(alpha, body)


def _soft(body: Relief, column: Floats, row: Floats) -> Floats:
    return np.asarray(cv2.remap(body.soft, column, row, cv2.INTER_LINEAR, borderValue=(0, 0, 0, 0)), np.float32)


def cast(placed: Placed, view: View, lamp: Rig, rect: Rect, onto: Layers) -> None:
    """Let the body's shadow fall on layers of a rectangle, in place: less of the lamp, and less of the room near it."""
    body = placed.relief
    coarse = 2 if lamp.softness < 0.06 else 3
    size = tuple(max(2, math.ceil(side / coarse)) for side in (rect.x1 - rect.x0, rect.y1 - rect.y0))
    depth = np.asarray(cv2.resize(onto.depth, size, interpolation=cv2.INTER_NEAREST), np.float32)
    rays = Rays(*(floats(cv2.resize(d, size, interpolation=cv2.INTER_LINEAR)) for d in view.rays_of(rect)))
    p = Rays(*(np.float32(c) + depth * d for c, d in zip(view.camera_mm, rays, strict=True)))
    to, _ = towards_lamp(lamp, p)
    own_p = Rays(*(part - np.float32(t) for part, t in zip(p, placed.t, strict=True))).turned(placed.R.T)
    own_to = to.turned(placed.R.T)
    scale, (ox, oy) = np.float32(body.px_per_mm), body.origin_px
    scale, (ox, oy) = np.float32(body.px_per_mm), body.origin_px
    shadow = np.zeros(depth.shape, np.float32)
    rise = np.maximum(own_to.z, np.float32(0.05))
    levels = np.linspace(0.05, 0.95, max(3, math.ceil(body.height_mm / 9))) * body.height_mm
    for z in levels.astype(np.float32):
        way = (z - own_p.z) / rise
        soft = _soft(body, (own_p.x + own_to.x * way) * scale + ox, oy - (own_p.y + own_to.y * way) * scale)
        width = np.clip(np.float32(lamp.softness / WIDE_MM) * way, 0, 1)
        cover = soft[..., 0] + width * (soft[..., 1] - soft[..., 0])
        at_level = np.clip(np.minimum(soft[..., 2] - z, z - soft[..., 3]) / 8 + 1, 0, 1)
        np.maximum(shadow, cover * at_level * (way > 0), out=shadow)
    above = _soft(body, own_p.x * scale + ox, oy - own_p.y * scale)
    dim = np.float32(0.75) * above[..., 1] * np.exp(-np.maximum(above[..., 3] - own_p.z, 0) / 45)
    full = (rect.x1 - rect.x0, rect.y1 - rect.y0)
    kept = 1 - np.asarray(cv2.resize(shadow, full, interpolation=cv2.INTER_LINEAR), np.float32)
    open_sky = 1 - np.asarray(cv2.resize(dim.astype(np.float32), full, interpolation=cv2.INTER_LINEAR), np.float32)
    onto.dim(open_sky, kept)
