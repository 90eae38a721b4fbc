"""The way in which a bridge lies, improved until it explains a patch best."""

from __future__ import annotations

from typing import Final

import numpy as np

from calibration.camera import Floats
from calibration.light import Values
from vision.finity.bridge_model import (
    FACE,
    PARTS,
    STIFF,
    Shape,
    Ways,
    explain,
    least_squares,
    parts_of,
    shares_of,
    shown,
    trust,
)

PLAY: Final = np.array([0.8, 0.4, 1.8])
"""Standard deviations of how bridges lie in their slots: along and across in mm, turn in degrees. Rims at both ends and
beside the shaft leave them no more."""
NUDGE: Final = np.array([0.3, 0.3, 1.0])
"""Steps by which it is felt how a patch changes: a quarter of a cell at a bridge's ends."""
SLOPE: Final = 0.25
"""Standard deviation of how much brighter than its middle the end of a face is."""
ROUNDS: Final = 3
"""Each halves what a start of half a cell is off, at least; after three it is below what noise leaves."""


def refine(
    shape: Shape, ways: Ways, seen: Values, tile: Values, weight: Values, shade: Values, noise: Values
) -> tuple[Ways, Floats, Values]:
    """Improve each way by least squares in its unknowns and in the way itself, its usual play being known before.

    Args:
        ways: (ways, 4) where to start.
        seen, tile, weight: (ways, CELLS) the patch now, of the bare tile, and what cells count.
        shade: (ways,) how much darker than explained a cell may be and still count in full.
        noise: (ways,) what cells are usually off by, the nearness of cells that are off together included.
    Returns:
        The ways, what each leaves unexplained (ways,), and its unknowns (ways, PARTS).
    """
    ways = ways.copy()
    stiffness = np.hstack([np.full((len(ways), PARTS), STIFF), (noise[:, None] / PLAY) ** 2])
    shares = shares_of(shape, ways)
    unknowns = least_squares(parts_of(shape, shares, tile), seen, weight)
    for _ in range(ROUNDS):
        parts = parts_of(shape, shares, tile)
        now = shown(shape, shares, tile, unknowns)
        both = np.concatenate([parts, _changes(shape, ways, tile, unknowns, now)], axis=1)
        # what is looked for is the way itself, not a step: its play is known from the slot's middle
        target = seen + (both[:, PARTS:] * ways[:, :3, None].astype(np.float32)).sum(axis=1)
        found = least_squares(both, target, weight * trust(seen - now, shade), stiffness)
        ways[:, :3] += np.clip(found[:, PARTS:] - ways[:, :3], -2 * NUDGE, 2 * NUDGE)
        unknowns = found[:, :PARTS]
        shares = shares_of(shape, ways)
    left, unknowns = explain(parts_of(shape, shares, tile), seen, weight, shade)
    return ways, left, unknowns


def _changes(shape: Shape, ways: Ways, tile: Values, unknowns: Values, now: Values) -> Values:
    """(ways, 3, CELLS) how a patch changes with a mm along, a mm across, a degree."""
    count = len(NUDGE)
    moved = np.repeat(ways, count, axis=0)
    moved[:, :count] += np.tile(np.diag(NUDGE), (len(ways), 1))
    each = np.repeat(tile, count, axis=0), np.repeat(unknowns, count, axis=0)
    there = shown(shape, shares_of(shape, moved), *each).reshape(len(ways), count, -1)
    return np.asarray((there - now[:, None]) / NUDGE[:, None].astype(np.float32))


def off_play(ways: Ways) -> Floats:
    """Half the squared distance of each way from the slot's middle in its usual play: minus a log probability."""
    return np.asarray(((ways[:, :3] / PLAY) ** 2).sum(axis=1) / 2)


def off_level(unknowns: Values) -> Floats:
    """The same for how much the brightness of each face slopes: it is one plain material, and what slopes is gloss."""
    slope = unknowns[:, 1:FACE] / np.maximum(unknowns[:, :1], 0.02)
    return np.asarray(((slope / SLOPE) ** 2).sum(axis=1) / 2, dtype=np.float64)


def face_ratio(shape: Shape, ways: Ways, tile: Values, weight: Values, unknowns: Values) -> Floats:
    """(ways,) brightness of each face against the tile beside it, were it lit alike."""
    core = shares_of(shape, ways).face * weight
    lit = (core * tile).sum(axis=1) / np.maximum(core.sum(axis=1), 0.5)
    return np.asarray(unknowns[:, 0] / np.maximum(unknowns[:, -FACE] * lit, 1e-3), dtype=np.float64)
