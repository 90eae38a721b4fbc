"""A right hand with its forearm as a relief: round cones for every bone, melted together, skin over them.

Own frame: the pad of the index finger at the origin, the arm towards +x, heights above the pad. The finger points,
the others are curled. In a pinch the thumb comes to the index finger and the origin is between their tips, where a
marble is held.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np

from hw_sim.camera.bodies import Placed
from hw_sim.camera.lens import Doubles, Floats
from hw_sim.camera.look import Finish
from hw_sim.camera.relief import Relief, grid, relief
from hw_sim.camera.textures import RGB, cloud
from hw_sim.scene import Hand

PX_PER_MM = 1.2
MELT_MM = 2.2
"""How far neighbouring bones melt into one skin."""


class Bone(NamedTuple):
    """A round cone from a to b: x, y, z and radius of each end in millimetres."""

    a: tuple[float, float, float, float]
    b: tuple[float, float, float, float]


INDEX = (
    Bone((1.0, 0.0, 6.5, 6.0), (24.0, 2.0, 13.0, 7.6)),
    Bone((24.0, 2.0, 13.0, 7.8), (50.0, 5.0, 26.0, 8.6)),
    Bone((50.0, 5.0, 26.0, 8.8), (88.0, 8.0, 40.0, 10.5)),
)
CURLED = (
    Bone((52.0, -15.0, 14.0, 7.2), (45.0, -15.0, 28.0, 8.0)),
    Bone((45.0, -15.0, 28.0, 8.3), (90.0, -11.0, 43.0, 10.5)),
    Bone((60.0, -33.0, 13.0, 6.8), (53.0, -33.0, 26.0, 7.6)),
    Bone((53.0, -33.0, 26.0, 7.8), (94.0, -29.0, 41.0, 10.0)),
    Bone((72.0, -49.0, 12.0, 6.0), (66.0, -49.0, 22.0, 6.6)),
    Bone((66.0, -49.0, 22.0, 6.8), (102.0, -45.0, 37.0, 9.0)),
)
THUMB = (
    Bone((44.0, 30.0, 6.0, 7.5), (66.0, 37.0, 14.0, 8.8)),
    Bone((66.0, 37.0, 14.0, 9.0), (108.0, 34.0, 28.0, 11.5)),
    Bone((108.0, 34.0, 28.0, 12.0), (158.0, 6.0, 34.0, 15.0)),
)
PINCHING_THUMB = (
    Bone((3.0, 27.0, 6.5, 6.8), (30.0, 36.0, 13.0, 8.6)),
    Bone((30.0, 36.0, 13.0, 8.8), (86.0, 44.0, 27.0, 11.5)),
    Bone((86.0, 44.0, 27.0, 12.0), (158.0, 6.0, 34.0, 15.0)),
)
PINCH_Y_MM = 13.5
"""In a pinch the pad of the index finger is so far beside the origin: a marble's radius and half a finger."""
PALM = (
    Bone((88.0, 8.0, 38.0, 11.0), (165.0, 8.0, 38.0, 15.0)),
    Bone((90.0, -11.0, 40.0, 11.0), (165.0, -2.0, 38.0, 16.0)),
    Bone((94.0, -29.0, 38.0, 11.0), (165.0, -14.0, 38.0, 16.0)),
    Bone((102.0, -45.0, 33.0, 10.0), (165.0, -24.0, 37.0, 14.0)),
    Bone((165.0, -2.0, 37.0, 18.0), (165.0, -18.0, 37.0, 18.0)),
)
FOREARM = (
    Bone((160.0, 2.0, 36.0, 18.0), (430.0, 6.0, 58.0, 34.0)),
    Bone((160.0, -18.0, 36.0, 18.0), (430.0, -26.0, 58.0, 34.0)),
)


def _span(bone: Bone, x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
    """Top and bottom of one bone over the map, and by how much each place lies inside its outline.

    Outside, top and bottom go on past each other, so that they cross at the outline.
    """
    (ax, ay, az, ar), (bx, by, bz, br) = bone
    ux, uy = bx - ax, by - ay
    along = np.clip(((x - ax) * ux + (y - ay) * uy) / max(ux * ux + uy * uy, 1e-6), 0, 1)
    away = np.hypot(x - ax - along * ux, y - ay - along * uy)
    radius = ar + along * (br - ar)
    inside = (radius - away).astype(np.float32)
    rise = np.where(inside > 0, np.sqrt(np.maximum(radius * radius - away * away, 0)), 2 * inside)
    middle = az + along * (bz - az)
    return (middle + rise).astype(np.float32), (middle - rise).astype(np.float32), inside


def _melted(x: Floats, y: Floats, bones: tuple[Bone, ...]) -> tuple[Floats, Floats]:
    """Tops joined by a smooth maximum and bottoms by the plain minimum where bones overlap; else the nearest bone."""
    top, bottom, inside = _span(bones[0], x, y)
    for bone in bones[1:]:
        other, low, here = _span(bone, x, y)
        mix = np.clip(0.5 + (other - top) / (2 * MELT_MM), 0, 1)
        melted = top + mix * (other - top) + MELT_MM * mix * (1 - mix)
        both = (inside > 0) & (here > 0)
        nearer = here > inside
        top = np.where(both, melted, np.where(nearer, other, top)).astype(np.float32)
        bottom = np.where(both, np.minimum(bottom, low), np.where(nearer, low, bottom)).astype(np.float32)
        inside = np.maximum(inside, here)
    return top, bottom


@lru_cache(maxsize=8)
def hand_relief(skin: RGB, pinching: bool) -> Relief:
    """The hand in one skin and posture; made once, it takes a tenth of a second."""
    x, y, origin = grid((-36.0, -104.0), (430.0, 78.0), PX_PER_MM)
    aside = PINCH_Y_MM if pinching else 0.0
    y = y + np.float32(aside)
    thumb = PINCHING_THUMB if pinching else THUMB
    top, bottom = _melted(x, y, (*INDEX, *CURLED, *thumb, *PALM, *FOREARM))
    rng = np.random.default_rng(17)
    mottle = cloud(x.shape, (12, 40), rng) * 0.025 + cloud(x.shape, (70, 260), rng, 2) * 0.012
    albedo = (1 + mottle)[..., None] * np.array(skin, np.float32)
    _redden(albedo, x, y)
    _nail(albedo, top, x, y)
    return relief(
        top, bottom, np.clip(albedo, 0, 0.9), PX_PER_MM, origin, Finish(skin, 0.03, 0.3), wrap=0.25, step_mm=5.0
    )


def _redden(albedo: Floats, x: Floats, y: Floats) -> None:
    """Redder knuckles and finger ends, and creases across the index finger's joints, in place."""
    for kx, ky, reach in ((1.0, 0.0, 9.0), (88, 6, 9.0), (90, -11, 9.0), (95, -29, 8.0), (47, -15, 8.0)):
        warm = np.exp(-((x - kx) ** 2 + (y - ky) ** 2) / (2 * reach * reach))
        albedo *= 1 + warm[..., None] * np.array([0.02, -0.14, -0.16], np.float32)
    for kx, ky in ((24.0, 2.0), (50.0, 5.0)):
        for shift in (-1.8, 0.0, 1.8):
            crease = np.exp(-(((x - kx - shift) / 0.5) ** 2) - ((y - ky) / 6) ** 2)
            albedo *= 1 - 0.2 * crease[..., None]


def _nail(albedo: Floats, top: Floats, x: Floats, y: Floats) -> None:
    """The index finger's nail, in place."""
    nail = np.clip(1.5 - ((x - 4.0) / 6.0) ** 2 - (y / 4.2) ** 2, 0, 1) * (top > 0)
    nail = np.asarray(cv2.GaussianBlur(nail.astype(np.float32), (0, 0), 0.8), np.float32)
    pale = np.minimum(albedo * np.array([1.12, 1.15, 1.2], np.float32) + 0.03, 0.9)
    albedo += nail[..., None] * (pale - albedo)


def placed_hand(hand: Hand) -> Placed:
    """A hand of a scene, in board millimetres."""
    turn = math.radians(hand.arm_deg)
    c, s = math.cos(turn), math.sin(turn)
    R: Doubles = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float64)
    return Placed(hand_relief(hand.skin, hand.pinching), R, np.array([hand.x_mm, hand.y_mm, hand.z_mm]))
