"""How well what is seen in a grid agrees with a marble, an empty seat, or a smooth object that is neither.

All values are roots of linear light in the light of the empty picture. Distances are mean absolute differences; the
worst part of the points is left out, because highlights wander with the marble's print and place.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import Values
from calibration.sampling import GRID_R, GRID_X, GRID_Y, SIDE

KEPT = 0.85
"""Share of the points that a distance is made of."""
LOCAL_GAIN = (0.87, 1.15)
"""How far one place's light may differ from the rest of the board's (root factor, 0.76 to 1.32 times the light)."""
SEARCH = 3
"""Grid steps that a marble is searched about its seat's middle: 1.8 mm of the reference board."""
CAP = 0.15
"""A point that differs more is foreign or a highlight: how much more tells nothing."""

_IN = slice(SEARCH, SIDE - SEARCH)
DISC = GRID_R <= 0.92
"""The marble without its rim."""
SEAT = GRID_R <= 1.0
RING = (GRID_R >= 1.14) & (GRID_R <= 1.45)
"""Plain board, channel and shadow around a marble that lies in its seat."""
WHOLE = GRID_R <= 1.45

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
    """Search each patch for a marble that looks like `kind`.

    Args:
        patches: (N, SIDE, SIDE, 3).
        kind: (SIDE, SIDE, 3), the marble in the middle.
        ceiling: (3,) the brightest value that both pictures can show; above it they are not compared.
    """
    disc = DISC[_IN, _IN]
    model = np.minimum(kind[_IN, _IN][disc], ceiling)
    norm = float((model * model).sum())
    span = 2 * SEARCH + 1
    rough = np.empty((span, span, len(patches)), dtype=np.float32)
    for row in range(span):
        for column in range(span):
            seen = _shifted(patches, row, column)[:, disc]
            rough[row, column] = np.minimum(_difference(seen, model, norm, ceiling), CAP).mean(axis=1)
    flat = rough.reshape(span * span, -1).argmin(axis=0)
    rows, columns = np.divmod(flat, span)
    distance = np.empty(len(patches), dtype=np.float32)
    shift = np.empty((len(patches), 2), dtype=np.float32)
    for index, (row, column) in enumerate(zip(rows, columns, strict=True)):
        seen = _shifted(patches[index : index + 1], row, column)[:, disc]
        distance[index] = _trimmed(_difference(seen, model, norm, ceiling))[0]
        cost = rough[:, :, index]
        shift[index] = (
            column - SEARCH + _vertex(cost[row], column),
            row - SEARCH + _vertex(cost[:, column], row),
        )
    return MarbleFit(distance, shift)


def fit_empty(patches: Values, seats: Values, ceiling: Values) -> Values:
    """Distance (N,) of each patch from its own empty seat, (N, SIDE, SIDE, 3) both, with a step of play."""
    best = np.full(len(patches), np.inf, dtype=np.float32)
    inner = SEAT[1:-1, 1:-1]
    model = np.minimum(seats[:, 1:-1, 1:-1][:, inner], ceiling)
    norm = (model * model).sum(axis=(1, 2))
    for row in (0, 1, 2):
        for column in (0, 1, 2):
            seen = patches[:, row : row + SIDE - 2, column : column + SIDE - 2][:, inner]
            best = np.minimum(best, _trimmed(_difference(seen, model, norm, ceiling)))
    return best


def fit_smooth(patches: Values) -> Values:
    """Distance (N,) from an object without any marble or seat in it: colour that changes evenly over the patch."""
    x, y = GRID_X[WHOLE], GRID_Y[WHOLE]
    basis = np.stack([np.ones_like(x), x, y], axis=1)
    project = basis @ np.linalg.pinv(basis)
    seen = patches[:, WHOLE]
    flat = np.einsum("ij,njc->nic", project.astype(np.float32), seen)
    return _trimmed(np.abs(seen - flat).mean(axis=2))


def unlike_board(patches: Values, seats: Values) -> Values:
    """How much every point differs from the empty board: (N, SIDE, SIDE).

    A shadow over it is allowed, and so is half of how much the board itself changes within two steps: highlights and
    edges of channels wander with the light's and the board's place.
    """
    norm = np.maximum((seats * seats).sum(axis=-1), 1e-4)
    shade = np.clip((patches * seats).sum(axis=-1) / norm, *SHADE)
    off = np.abs(patches - shade[..., None] * seats).mean(axis=-1)
    flat = np.ascontiguousarray(seats.mean(axis=-1).reshape(-1, SIDE))
    kernel = np.ones((5, 5), np.uint8)
    play = (cv2.dilate(flat, kernel) - cv2.erode(flat, kernel)).reshape(off.shape) / 2
    return np.asarray(np.maximum(off - play, 0.0), dtype=np.float32)


def _shifted(patches: Values, row: int, column: int) -> Values:
    size = SIDE - 2 * SEARCH
    return patches[:, row : row + size, column : column + size]


def _difference(seen: Values, model: Values, norm: float | Values, ceiling: Values) -> Values:
    """(N, points) difference after the place's own light is taken out."""
    gain = np.clip((seen * model).sum(axis=(1, 2)) / norm, *LOCAL_GAIN).astype(np.float32)
    difference: Values = np.abs(np.minimum(seen, ceiling) - np.minimum(model * gain[:, None, None], ceiling)).mean(
        axis=2
    )
    return difference


def _trimmed(difference: Values) -> Values:
    kept = int(difference.shape[1] * KEPT)
    trimmed: Values = np.partition(difference, kept, axis=1)[:, :kept].mean(axis=1)
    return trimmed


def _vertex(cost: NDArray[np.float32], at: int) -> float:
    """Where between its neighbours a cost is smallest, -0.5 to 0.5 steps from `at`."""
    if not 0 < at < len(cost) - 1:
        return 0.0
    left, middle, right = (float(v) for v in cost[at - 1 : at + 2])
    bend = left + right - 2 * middle
    return 0.0 if bend <= 1e-9 else max(-0.5, min(0.5, (left - right) / (2 * bend)))
