"""Marbles as spheres: their outline in perspective, light on them, and the shade they give."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from hw_sim.camera.lens import Doubles, Floats, Rays, Rect, View, floats, rect_around
from hw_sim.camera.look import Finish
from hw_sim.camera.shading import Layers, Rig, Shade, layers, shade, towards_lamp
from hw_sim.scene import Marble

GROUND_MM = -6.0
"""The lowest place on which a marble's shadow falls: the bottom of a seat."""
NEAR_MM = 15.0
"""How far from a marble's surface it still takes light of the room from what lies under it."""


def centre_of(marble: Marble) -> Doubles:
    return np.array([marble.x_mm, marble.y_mm, marble.z_mm])


def landing(lamp: Rig, point: Doubles, ground_mm: float) -> Doubles:
    """Where a point's shadow falls on the level `ground_mm`, (3,)."""
    towards = lamp.lamp_mm - point
    return np.asarray(point - towards * ((point[2] - ground_mm) / towards[2]), np.float64)


def ball_rect(centre: Doubles, radius: float, view: View) -> Rect:
    """The pixels that a ball may cover."""
    away = float(np.linalg.norm(centre - view.camera_mm))
    # Half as much again, for the stretching of a ball seen obliquely and for distortion.
    reach = view.lens.focal_px * radius / away * 1.25 + 3
    return rect_around(view.project(centre[None]), reach)


def shade_rect(centre: Doubles, radius: float, view: View, lamp: Rig) -> Rect:
    """The pixels in which a ball changes the light."""
    landed = landing(lamp, centre, GROUND_MM)
    way = float(np.linalg.norm(centre - landed))
    scale = view.lens.focal_px / float(np.linalg.norm(centre - view.camera_mm))
    shadow = rect_around(view.project(landed[None]), (radius * 1.8 + lamp.softness * way) * scale)
    # An upright ball's shadow is stretched by the lamp's slant: cover the way between as well.
    return shadow.union(rect_around(view.project(centre[None]), (radius + NEAR_MM) * scale))


def points_of(view: View, rect: Rect, depth: Floats) -> Rays:
    """Board millimetres of what is seen at every pixel of a rectangle."""
    rays = view.rays_of(rect)
    return Rays(*(np.float32(c) + depth * d for c, d in zip(view.camera_mm, rays, strict=True)))


def shadow_of(centre: Doubles, radius: float, lamp: Rig, p: Rays) -> Floats:
    """Share of the lamp's light that a ball takes from points."""
    to, _ = towards_lamp(lamp, p)
    x, y, z = (np.float32(c) - part for c, part in zip(centre, p, strict=True))
    along = x * to.x + y * to.y + z * to.z
    miss = np.sqrt(np.maximum(x * x + y * y + z * z - along * along, 0))
    width = np.maximum(np.float32(lamp.softness) * along, 0.4)
    share = np.clip((radius - miss) / (2 * width) + 0.5, 0, 1)
    # Where the penumbra is wider than the ball, the ball covers only part of the lamp.
    core = np.minimum(1.0, (radius / width) ** 2)
    return np.asarray(share * share * (3 - 2 * share) * core * (along > 0), np.float32)


def cast_ball(centre: Doubles, radius: float, view: View, lamp: Rig, rect: Rect, onto: Layers) -> None:
    """Let a ball shade layers of a rectangle, in place."""
    here = shade_rect(centre, radius, view, lamp).common(rect)
    if here.is_empty:
        return
    under = onto.crop(Rect(here.x0 - rect.x0, here.y0 - rect.y0, here.x1 - rect.x0, here.y1 - rect.y0))
    p = points_of(view, here, under.depth)
    kept = 1 - shadow_of(centre, radius, lamp, p)
    x, y, z = (np.float32(c) - part for c, part in zip(centre, p, strict=True))
    away2 = x * x + y * y + z * z
    away = np.sqrt(away2)
    facing = np.clip(z / np.maximum(away, 1e-3), 0, 1)
    fade = np.clip((radius + NEAR_MM - away) / NEAR_MM, 0, 1)
    taken = np.minimum(radius * radius / np.maximum(away2, radius * radius), 1) * facing * fade
    open_sky = (1 - np.float32(0.9) * taken).astype(np.float32)
    under.dim(open_sky, kept)


def meet_ball(centre: Doubles, radius: float, view: View, rays: Rays) -> tuple[Floats, Floats]:
    """Lines of sight against a ball.

    Returns:
        By how many millimetres they pass inside its outline (negative outside), and the depth where they meet it
        (at its outline for those that miss).
    """
    to = (centre - view.camera_mm).astype(np.float32)
    along = rays.x * to[0] + rays.y * to[1] + rays.z * to[2]
    # The miss distance is a difference of large squares: in single precision it would be 0.03 mm coarse.
    miss = np.sqrt(np.maximum(float(to.astype(np.float64) @ to) - along.astype(np.float64) ** 2, 0)).astype(np.float32)
    inside = np.float32(radius) - miss
    half = np.sqrt(np.maximum(np.float32(radius) ** 2 - miss * miss, 0))
    return inside, along - half


def draw_ball(
    marble: Marble,
    finish: Finish,
    radius: float,
    others: Iterable[Doubles],
    view: View,
    lamp: Rig,
    rect: Rect,
    into: Layers,
) -> None:
    """Draw a marble over layers of a rectangle where it is nearer; `others` are marbles that may shade it."""
    centre = centre_of(marble)
    here = ball_rect(centre, radius, view).common(rect)
    if here.is_empty:
        return
    under = into.crop(Rect(here.x0 - rect.x0, here.y0 - rect.y0, here.x1 - rect.x0, here.y1 - rect.y0))
    rays = view.rays_of(here)
    inside, depth = meet_ball(centre, radius, view, rays)
    px_per_mm = np.float32(view.lens.focal_px / np.linalg.norm(centre - view.camera_mm))
    alpha = np.clip(inside * px_per_mm + 0.5, 0, 1) * (depth < under.depth + 1.0)
    p = Rays(*(np.float32(c) + depth * d for c, d in zip(view.camera_mm, rays, strict=True)))
    n = Rays(*((part - np.float32(c)) / np.float32(radius) for part, c in zip(p, centre, strict=True)))
    light = shade(lamp, p, n, rays, finish)
    kept = np.ones_like(depth)
    for other in others:
        kept *= 1 - shadow_of(other, radius, lamp, p)
    # A marble in its seat gets less light of the room low on its sides; one held high gets it all round.
    sunk = np.float32(np.clip((radius - marble.z_mm) / radius, 0, 1))
    open_sky = 1 - sunk * np.clip((7 - p.z) / 10, 0, 0.8)
    planes = (light.room * open_sky, light.lamp * kept, light.room_gloss * open_sky, light.lamp_gloss * kept)
    lit = Shade(*(floats(plane) for plane in planes))
    under.blend(alpha.astype(np.float32), layers(finish.rgb, lit, depth))
