"""Solid things as reliefs: for every place of a small map, from what height to what height there is matter.

A hand, a knob or a mug is a relief in its own frame (x right, y up, z out), put into the scene by a rotation and a
shift. Lines of sight are walked from top to bottom until they meet matter, so parallax and cover are those of a body.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from hw_sim.camera.board_maps import normals_of
from hw_sim.camera.lens import Doubles, Floats, Reals, floats
from hw_sim.camera.look import Finish

NOWHERE = (-9.0, 9.0)
"""Top and bottom outside of the map: no height lies between them."""
WIDE_MM = 9.0
"""Standard deviation of the widest penumbra that is told apart."""


@dataclass(frozen=True, slots=True)
class Relief:
    """A body in its own frame.

    Attributes:
        px_per_mm: of the maps.
        origin_px: column and row of the frame's origin.
        span: (rows, columns, 2) top and bottom in millimetres; where top < bottom there is nothing.
        albedo: (rows, columns, 3) linear RGB.
        form: (rows, columns, 4) unit normal and share of the room's light that arrives.
        soft: (rows, columns, 4) for shadows: coverage with a sharp and with a wide edge, smooth top, smooth bottom.
        finish: the gloss of all of it.
        wrap: see `shading.shade`.
        outline: (N, 3) points on its surface that span it, for finding where it is seen.
        height_mm: the highest top.
        step_mm: how far lines of sight are walked at a time; less than the thinnest part that counts.
    """

    px_per_mm: float
    origin_px: tuple[float, float]
    span: Floats
    albedo: Floats
    form: Floats
    soft: Floats
    outline: Doubles
    finish: Finish
    wrap: float
    height_mm: float
    step_mm: float


def relief(
    top: Reals,
    bottom: Reals,
    albedo: Reals,
    px_per_mm: float,
    origin_px: tuple[float, float],
    finish: Finish,
    wrap: float = 0.0,
    step_mm: float = 4.0,
    round_mm: float = 0.6,
) -> Relief:
    """A body of maps of tops and bottoms; where top < bottom there is nothing.

    Where the two cross smoothly at the outline, the outline is finer than the map's grid. Edges are lit as if they
    were `round_mm` round.
    """
    there = top > bottom
    solid = np.where(there, top, 0).astype(np.float32)
    highest = float(solid.max())
    span = np.stack([np.maximum(top, NOWHERE[0]), np.minimum(bottom, highest - NOWHERE[0])], axis=-1)
    mask = there.astype(np.float32)
    nx, ny = normals_of(_blurred(solid, round_mm * px_per_mm), px_per_mm)
    nz = np.sqrt(np.maximum(1 - nx * nx - ny * ny, 0.0))
    shut = np.zeros_like(solid)
    for width_mm, weight in ((2.5, 0.35), (7.0, 0.35)):
        around = _blurred(solid, width_mm * px_per_mm) / np.maximum(_blurred(mask, width_mm * px_per_mm), 0.02)
        shut += weight * mask * np.maximum(around - solid, 0) / width_mm
    form = np.stack([nx, ny, nz, np.clip(1 - shut, 0.2, 1)], axis=-1)
    weights = _blurred(mask, 4 * px_per_mm) + np.float32(1e-4)
    smooth = [_blurred(np.where(there, level, 0), 4 * px_per_mm) / weights for level in (top, bottom)]
    soft = np.stack([_blurred(mask, px_per_mm), _blurred(mask, WIDE_MM * px_per_mm), *smooth], axis=-1)
    return Relief(
        px_per_mm,
        origin_px,
        span=floats(span),
        albedo=floats(albedo),
        form=floats(form),
        soft=floats(soft),
        outline=_outline(top, bottom, px_per_mm, origin_px),
        finish=finish,
        wrap=wrap,
        height_mm=highest,
        step_mm=step_mm,
    )


def _outline(top: Reals, bottom: Reals, px_per_mm: float, origin_px: tuple[float, float]) -> Doubles:
    """Tops and bottoms along the first and last matter of every few rows and columns."""
    there = top > bottom
    places: set[tuple[int, int]] = set()
    for row in range(0, len(there), 3):
        columns = np.flatnonzero(there[row])
        if len(columns):
            places |= {(row, int(columns[0])), (row, int(columns[-1])), (row, int(columns[top[row, columns].argmax()]))}
    for column in range(0, there.shape[1], 3):
        rows = np.flatnonzero(there[:, column])
        if len(rows):
            places |= {(int(rows[0]), column), (int(rows[-1]), column)}
    ordered = sorted(places)
    points = [
        ((c - origin_px[0]) / px_per_mm, (origin_px[1] - r) / px_per_mm, float(z))
        for r, c in ordered
        for z in (max(bottom[r, c], 0), top[r, c])
    ]
    return np.array(points, np.float64)


def _blurred(plane: Reals, sigma_px: float) -> Floats:
    blurred = cv2.GaussianBlur(plane.astype(np.float32), (0, 0), sigma_px, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(blurred, np.float32)


def grid(
    low: tuple[float, float], high: tuple[float, float], px_per_mm: float
) -> tuple[Floats, Floats, tuple[float, float]]:
    """Millimetres x and y of a relief's map that spans two corners, and the origin's column and row."""
    columns, rows = (math.ceil((b - a) * px_per_mm) for a, b in zip(low, high, strict=True))
    origin = (-low[0] * px_per_mm, high[1] * px_per_mm)
    x, y = np.meshgrid(
        ((np.arange(columns) - origin[0]) / px_per_mm).astype(np.float32),
        ((origin[1] - np.arange(rows)) / px_per_mm).astype(np.float32),
    )
    return x, y, origin
