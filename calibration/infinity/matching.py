"""How well what is seen in a grid agrees with a marble, an empty seat, or a smooth object that is neither.

All values are roots of linear light in the light of the empty picture. Distances are mean absolute differences; the
worst part of the points is left out, because highlights wander with the marble's print and place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.infinity.grids import GRID_R, GRID_X, GRID_Y, SIDE, STEP
from calibration.light import Values
from calibration.order import quantile

Steps = NDArray[np.intp]
"""(N,) whole grid steps."""

KEPT = 0.85
"""Share of the values that a distance is made of."""
LOCAL_GAIN = (0.87, 1.15)
"""How far one place's light may differ from the rest of the board's (root factor, 0.76 to 1.32 times the light)."""
CAP = 0.15
"""A value that differs more is foreign or a highlight: how much more tells nothing."""

DISC = GRID_R <= 0.92
"""The marble without its rim."""
SEAT = GRID_R <= 1.0
RING = (GRID_R >= 1.14) & (GRID_R <= 1.45)
"""Plain board, channel and shadow around a marble that lies in its seat."""
BESIDE = RING & (np.abs(GRID_X) >= 1.1)
"""The part of the ring that is plain board, clear of the channel."""
WHOLE = GRID_R <= 1.45
RIM = (0.8, 1.3)
"""Radii between which a marble's outline is looked for."""
DEEP = 0.72
"""Root factor of a shade that leaves half the light: what is darker may be a dark object as well."""


def _values(mask: NDArray[np.bool_]) -> Steps:
    """Where in a flattened (SIDE, SIDE, 3) patch the values of these points stand."""
    return (np.flatnonzero(mask.ravel())[:, None] * 3 + np.arange(3)).ravel()


_DISC, _SEAT = _values(DISC), _values(SEAT)
_SPARSE = _values(DISC & (np.add.outer(np.arange(SIDE) % 2, np.arange(SIDE) % 2) == 0))
_PLAY = [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1)]
_COARSE = 2 * np.array(_PLAY, dtype=np.intp)
NEAR = 2
"""Kinds that are searched for finely: the ratio of these two decides."""

OWN_LIGHT = (0.55, 1.25)
"""Root factors of the light on one place, a third to one and a half times the board's: hands shade, lamps lighten."""
SHADE = (0.5, 1.08)
"""Root factors a shadow may take light to: down to a quarter of the light, hard shadows of a side lamp."""


@dataclass(frozen=True, slots=True)
class MarbleFit:
    """Best agreement of N patches with one kind of marble.

    Attributes:
        distance: (N,) root values.
        shift: (N, 2) grid steps right and down of the middle, finer than a step.
    """

    distance: Values
    shift: Values


def smooth(patches: Values) -> Values:
    """Take noise out of (N, SIDE, SIDE, 3) patches by means over 3 x 3 points."""
    flat = np.ascontiguousarray(patches.reshape(-1, SIDE, 3))
    return np.asarray(cv2.blur(flat, (3, 3)).reshape(patches.shape), dtype=np.float32)


def fit_marble(patches: Values, kind: Values, ceiling: Values) -> MarbleFit:
    """Search each patch for a marble that looks like `kind`; see `fit_marbles`."""
    return fit_marbles(patches, [kind], ceiling)[0]


def fit_marbles(patches: Values, kinds: Sequence[Values], ceiling: Values) -> list[MarbleFit]:
    """Search each patch for a marble of each kind.

    Every second step first; for the two kinds that come nearest then the steps about the best one, and between steps.
    Distances are those of all points at the best step; a kind that is not near seems a little farther than it is.

    Args:
        patches: (N, SIDE, SIDE, 3).
        kinds: (SIDE, SIDE, 3) each, the marble in the middle.
        ceiling: (3,) the brightest value that both pictures can show; above it they are not compared.
    """
    seen = np.minimum(patches, ceiling).reshape(len(patches), -1)
    models = np.minimum(np.stack(kinds), ceiling).reshape(len(kinds), -1)
    sparse = models[:, _SPARSE]
    costs = np.empty((len(_COARSE), len(kinds), len(patches)), np.float32)
    for step, (dx, dy) in enumerate(_COARSE):
        view = seen[:, _SPARSE + 3 * (dy * SIDE + dx)]
        for kind, model in enumerate(sparse):
            costs[step, kind] = _capped(_difference(view, model))
    right, down = _COARSE[costs.argmin(axis=0)].transpose(2, 0, 1)
    near = costs.min(axis=0).argsort(axis=0).argsort(axis=0) < NEAR
    which, row = np.nonzero(near)
    fine = np.zeros((2, *right.shape), np.float32)
    right[near], down[near], fine[:, near] = _refine(seen[row], sparse[which], right[near], down[near])
    fits = []
    for kind, model in enumerate(models):
        view = _moved(seen, _DISC, right[kind], down[kind])
        distance = _trimmed(_difference(view, model[_DISC]))
        shift = np.stack([right[kind] + fine[0, kind], down[kind] + fine[1, kind]], axis=1)
        fits.append(MarbleFit(distance, shift.astype(np.float32)))
    return fits


def fit_empty(patches: Values, seats: Values, ceiling: Values) -> Values:
    """Distance (N,) of each patch from its own empty seat, (N, SIDE, SIDE, 3) both, with a step of play."""
    seen = np.minimum(patches, ceiling).reshape(len(patches), -1)
    model = np.minimum(seats, ceiling).reshape(len(seats), -1)[:, _SEAT]
    thin = model[:, ::3]
    costs = [_capped(_difference(seen[:, _SEAT[::3] + 3 * (down * SIDE + right)], thin)) for right, down in _PLAY]
    right, down = np.array(_PLAY)[np.argmin(costs, axis=0)].T
    return _trimmed(_difference(_moved(seen, _SEAT, right, down), model))


def band_structure(patches: Values, seats: Values) -> Values:
    """How much of each empty seat's own shape is seen, in three bands across the channel from the entry end: (N, 3).

    1 is as in the empty picture, 0 a smooth object over it. What changes evenly over a band is taken out of both
    before they are compared, and shade makes the shape as much fainter as it makes the band darker.
    """
    bands = []
    for band, tilt in zip(_BANDS, _TILT_BANDS, strict=True):
        seen, model = (_level(values[:, band]) for values in (patches, seats))
        shade = np.clip(seen.mean(axis=1) / np.maximum(model.mean(axis=1), 1e-3), SHADE[0], 1.0)
        seen, model = _uneven(seen, tilt), _uneven(model, tilt)
        bands.append((seen * model).sum(axis=1) / np.maximum((model * model).sum(axis=1) * shade, 1e-6))
    return np.asarray(np.stack(bands, axis=1))


def marble_radius(patch: Values, seat: Values, kind: Values, shift: Values) -> float:
    """Radius of a marble's outline in the patch, 1 where it is as wide as its seat's geometry says; a weak contrast
    against the board makes it smaller, always by the same.

    Args:
        patch, seat, kind: (SIDE, SIDE, 3).
        shift: (2,) grid steps right and down of the middle at which the marble lies.
    """
    right, down = (round(float(value)) for value in shift)
    radius = np.hypot(GRID_X - right * STEP, GRID_Y + down * STEP)
    rim = (radius >= RIM[0]) & (radius <= RIM[1])
    marble = np.roll(_widened(kind), (down, right), (0, 1))[rim]
    inside = _level(np.abs(patch[rim] - marble))
    outside = _off_shaded(patch[rim], seat[rim])
    # the square lets the nearer one win and noise not vote
    share = (outside**2 + 1e-5) / (inside**2 + outside**2 + 2e-5)
    return float(np.sqrt(RIM[0] ** 2 + share.sum() * STEP**2 / np.pi))


def local_light(patches: Values, seats: Values) -> Values:
    """(N,) root factor of the light on the board beside each seat against the empty picture: shadows, slopes."""
    return np.asarray(np.clip(np.median(_shading(patches, seats, BESIDE), axis=1), *OWN_LIGHT), dtype=np.float32)


def sloping_light(patches: Values, seats: Values) -> Values:
    """(N, SIDE, SIDE) root factor of the light as an even slope through what is seen around each seat: soft shadows."""
    ratio = _shading(patches, seats, RING)
    # the worst third may be a marble's own shadow, a highlight or a finger
    off = np.abs(_uneven(ratio, _TILT_RING))
    calm = off <= quantile(off, 2 / 3)[:, None]
    slopes = [
        np.linalg.lstsq(_SLOPE[RING][own], light[own], rcond=None)[0] for light, own in zip(ratio, calm, strict=True)
    ]
    plane = np.asarray(slopes) @ _SLOPE.reshape(-1, 3).T
    return np.asarray(np.clip(plane, *OWN_LIGHT).reshape(-1, SIDE, SIDE), dtype=np.float32)


def _shading(patches: Values, seats: Values, where: NDArray[np.bool_]) -> Values:
    """(N, points) how bright the plain board is against the empty picture."""
    return _brightness(patches[:, where], seats[:, where])


def _brightness(seen: Values, board: Values) -> Values:
    """(...) factor that takes (..., 3) values of the board to what is seen best."""
    both, own = (np.einsum("...c,...c->...", one, board) for one in (seen, board))
    return np.asarray(both / np.maximum(own, 1e-4))


def _level(values: Values) -> Values:
    """(...) mean of (..., 3) channels, several times faster than NumPy's over so short an axis."""
    return np.asarray((values[..., 0] + values[..., 1] + values[..., 2]) / 3)


def deep_shade(patches: Values, seats: Values) -> Values:
    """(N,) share of the ring in shade so deep that a dark object may be it."""
    return np.asarray((_shading(patches, seats, RING) < DEEP).mean(axis=1))


def fit_smooth(patches: Values) -> Values:
    """Distance (N,) from an object without any marble or seat in it: colour that changes evenly over the patch."""
    seen = patches[:, WHOLE].transpose(0, 2, 1)
    return _trimmed(np.abs(_uneven(seen, _TILT_WHOLE)).mean(axis=1))


def unlike_board(patches: Values, seats: Values, darkest: float = SHADE[0]) -> Values:
    """How much every point differs from the empty board: (N, SIDE, SIDE).

    A shadow over it that leaves `darkest` (root factor) is allowed, and so is half of how much the board itself
    changes within two steps: highlights and edges of channels wander with the light's and the board's place.
    """
    off = _off_shaded(patches, seats, darkest)
    flat = np.ascontiguousarray(_level(seats).reshape(-1, SIDE))
    kernel = np.ones((5, 5), np.uint8)
    play = (cv2.dilate(flat, kernel) - cv2.erode(flat, kernel)).reshape(off.shape) / 2
    return np.asarray(np.maximum(off - play, 0.0), dtype=np.float32)


def _off_shaded(seen: Values, board: Values, darkest: float = SHADE[0]) -> Values:
    """(...) difference of (..., 3) values from the board under the shade that fits best."""
    shade = np.clip(_brightness(seen, board), darkest, SHADE[1])
    return _level(np.abs(seen - shade[..., None] * board))


def _widened(kind: Values) -> Values:
    """A marble's look with its rim's colours carried on outwards."""
    inward = np.minimum(1.0, 0.88 / np.maximum(GRID_R, 1e-6))
    middle = (SIDE - 1) / 2
    x, y = (GRID_X * inward / STEP + middle).astype(np.float32), (-GRID_Y * inward / STEP + middle).astype(np.float32)
    return np.asarray(cv2.remap(np.asarray(kind, dtype=np.float32), x, y, cv2.INTER_LINEAR), dtype=np.float32)


def _refine(seen: Values, models: Values, right: Steps, down: Steps) -> tuple[Steps, Steps, Values]:
    """The best of the steps about a coarse one, for N patches with a model each, and (2, N) where beside it."""

    def cost(right: Steps, down: Steps) -> Values:
        return _capped(_difference(_moved(seen, _SPARSE, right, down), models))

    around = np.array([cost(right + dx, down + dy) for dx, dy in _PLAY])
    right, down = np.array([right, down]) + np.array(_PLAY)[around.argmin(axis=0)].T
    least = around.min(axis=0)
    fine = [_vertex(cost(right - dx, down - dy), least, cost(right + dx, down + dy)) for dx, dy in ((1, 0), (0, 1))]
    return right, down, np.stack(fine)


def _moved(seen: Values, points: Steps, right: Steps, down: Steps) -> Values:
    """(N, points) values of flattened patches, each as far off as its step says."""
    at: Values = seen[np.arange(len(seen))[:, None], points + 3 * (down * SIDE + right)[:, None]]
    return at


def _difference(seen: Values, model: Values) -> Values:
    """(N, values) difference from one model (values,) or N of them, after the place's own light is taken out."""
    both = seen @ model if model.ndim == 1 else np.einsum("nv,nv->n", seen, model)
    gain = np.clip(both / np.einsum("...v,...v->...", model, model), *LOCAL_GAIN).astype(np.float32)
    off = seen - model * gain[:, None]
    return np.asarray(np.abs(off, out=off))


def _capped(difference: Values) -> Values:
    return np.asarray(np.minimum(difference, CAP, out=difference).mean(axis=1))


def _trimmed(difference: Values) -> Values:
    kept = int(difference.shape[1] * KEPT)
    return np.asarray(np.partition(difference, kept, axis=1)[:, :kept].mean(axis=1))


def _tilt(mask: NDArray[np.bool_]) -> Values:
    """(points, 3) orthonormal: level, slope right, slope up."""
    return np.linalg.qr(_SLOPE[mask])[0].astype(np.float32)


def _even(values: Values, tilt: Values) -> Values:
    """The level and slopes of (..., points)."""
    return np.asarray((values @ tilt) @ tilt.T)


def _uneven(values: Values, tilt: Values) -> Values:
    """(..., points) without their level and slopes."""
    return np.asarray(values - _even(values, tilt))


_SLOPE = np.stack([np.ones_like(GRID_X), GRID_X, GRID_Y], axis=-1)

_BANDS = [WHOLE & (low <= GRID_Y) & (high > GRID_Y) for low, high in ((-1.5, -0.4), (-0.5, 0.5), (0.4, 1.5))]
_TILT_WHOLE, _TILT_RING = _tilt(WHOLE), _tilt(RING)
_TILT_BANDS = [_tilt(band) for band in _BANDS]


def _vertex(before: Values, middle: Values, after: Values) -> Values:
    """Where between its neighbours a cost is smallest, -0.5 to 0.5 steps from the middle."""
    bend = np.maximum(before + after - 2 * middle, 1e-9)
    return np.asarray(np.clip((before - after) / (2 * bend), -0.5, 0.5))
