"""Things that are no hands, as reliefs: a mug, a pen, a card, a sleeve with an arm in it, a phone.

Own frame: origin in the middle of the thing's foot (of a sleeve: at its open end), z up from what it lies on.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from hw_sim.camera.board_maps import rounded_box
from hw_sim.camera.bodies import Placed
from hw_sim.camera.lens import Doubles, Floats
from hw_sim.camera.look import Finish
from hw_sim.camera.relief import Relief, grid, relief
from hw_sim.camera.textures import RGB, cloud
from hw_sim.scene import Thing, ThingKind


def _painted(x: Floats, colour: RGB) -> Floats:
    return (np.ones((*x.shape, 3), np.float32) * np.array(colour, np.float32)).astype(np.float32)


def _mug(colour: RGB) -> Relief:
    """40 mm radius, 92 mm high, with a handle along +x and coffee inside."""
    px = 2.0
    x, y, origin = grid((-50, -50), (76, 50), px)
    r = np.hypot(x, y)
    lip = 92 - 0.6 * np.clip(np.abs(r - 38) - 1, 0, 2)
    top = np.where(r < 40, np.where(r > 36, lip, 62.0), -1.0)
    handle = np.abs(np.hypot((x - 40) / 24, y / 26) - 1) * 24
    on_handle = (r >= 40) & (handle < 5) & (x > 0)
    top = np.where(on_handle, 74 - 0.5 * handle, top)
    bottom = np.where(on_handle, 18.0, np.where(r < 40, 0.0, 1e3))
    albedo = _painted(x, colour)
    albedo[r < 36] = (0.045, 0.02, 0.01)
    finish = Finish(colour, 0.045, 0.06)
    return relief(
        top.astype(np.float32), bottom.astype(np.float32), albedo, px, origin, finish, step_mm=3.0, round_mm=1.6
    )


def _pen(colour: RGB) -> Relief:
    """142 mm long, 9 mm thick, its point towards -x."""
    px = 3.0
    x, y, origin = grid((-74, -7), (74, 7), px)
    radius = np.clip((x + 72) * 0.28, 0.6, 4.5)
    rise = np.sqrt(np.maximum(radius * radius - y * y, 0)) + 2 * np.minimum(radius - np.abs(y), 0)
    there = np.abs(x) < 71
    albedo = _painted(x, colour)
    albedo[x < -62] = (0.06, 0.06, 0.06)
    top = np.where(there, 4.5 + rise, -1)
    bottom = np.where(there, 4.5 - rise, 1e3)
    return relief(top, bottom, albedo, px, origin, Finish(colour, 0.04, 0.08), step_mm=0.8)


def _card(colour: RGB) -> Relief:
    """A playing card's size, 0.8 mm thick, printed with lines."""
    px = 2.5
    x, y, origin = grid((-46, -31), (46, 31), px)
    there = rounded_box(x, y, 43, 28, 3.5) < 0
    albedo = _painted(x, colour)
    lines = (np.abs((y + 2) % 6 - 3) < 0.8) & (np.abs(x) < 32) & (np.abs(y) < 18)
    albedo[lines] = np.array(colour, np.float32) * 0.25 + 0.01
    top = np.where(there, 0.8, -1).astype(np.float32)
    return relief(
        top, np.where(there, 0, 1e3).astype(np.float32), albedo, px, origin, Finish(colour, 0.04, 0.25), step_mm=0.8
    )


def _phone(colour: RGB) -> Relief:
    """74 x 150 mm, 8 mm thick, with a dark screen that mirrors the lamp."""
    px = 2.0
    x, y, origin = grid((-78, -40), (78, 40), px)
    edge = -rounded_box(x, y, 75, 37, 9)
    albedo = _painted(x, colour)
    albedo[(edge > 3) & (np.abs(x) < 69)] = (0.008, 0.009, 0.012)
    top = np.where(edge > 0, 8 - np.clip(1.5 - edge, 0, 1.5), -1).astype(np.float32)
    return relief(
        top, np.where(edge > 0, 0, 1e3).astype(np.float32), albedo, px, origin, Finish(colour, 0.05, 0.03), step_mm=2.0
    )


def _sleeve(colour: RGB) -> Relief:
    """A forearm in a sleeve along +x, 80 mm wide, without a hand in sight."""
    px = 1.2
    x, y, origin = grid((-30, -80), (330, 80), px)
    rng = np.random.default_rng(23)
    radius = 34 + 0.03 * x + 1.5 * np.sin(x * 0.24 + 0.03 * y) + 1.3 * cloud(x.shape, (9, 26), rng, 2)
    there = (x > 0) & (x < 324)
    rise = np.sqrt(np.maximum(radius * radius - y * y, 0)) * np.clip(0.72 + x * 0.02, 0, 1)
    rise += 2 * np.minimum(radius - np.abs(y), 0)
    folds = cloud(x.shape, (8, 20), rng, 3)
    weave = cloud(x.shape, (60, 190), rng, 2)
    albedo = _painted(x, colour) * (1 + 0.05 * folds + 0.05 * weave)[..., None]
    cuff = np.exp(-(((x - 12) / 1.2) ** 2))
    albedo *= 1 - 0.4 * cuff[..., None]
    middle = 36 + 0.05 * x
    top = np.where(there, middle + rise + 0.7 * folds * (rise > 3), -9)
    bottom = np.where(there, np.maximum(middle - rise, 0), 1e3)
    return relief(top, bottom, albedo, px, origin, Finish(colour, 0.02, 0.45), wrap=0.15, step_mm=4.0)


_MAKERS = {
    ThingKind.MUG: _mug,
    ThingKind.PEN: _pen,
    ThingKind.CARD: _card,
    ThingKind.PHONE: _phone,
    ThingKind.SLEEVE: _sleeve,
}


@lru_cache(maxsize=16)
def thing_relief(kind: ThingKind, colour: RGB) -> Relief:
    return _MAKERS[kind](colour)


def placed_thing(thing: Thing, up: Doubles) -> Placed:
    """A thing of a scene, standing along the unit vector `up`; in the frame in which both are given."""
    turn = math.radians(thing.turn_deg)
    forward = np.array([math.cos(turn), math.sin(turn), 0.0])
    x_axis = forward - (forward @ up) * up
    x_axis /= np.linalg.norm(x_axis)
    R = np.stack([x_axis, np.cross(up, x_axis), up], axis=1)
    return Placed(thing_relief(thing.kind, thing.colour), R, np.array([thing.x_mm, thing.y_mm, thing.z_mm]))
