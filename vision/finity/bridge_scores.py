"""Both directions of a bridge and the bare tile weighed against each other in a slot's patch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.light import Values
from vision.finity.bridge_model import Shape, explain
from vision.finity.bridge_refine import face_ratio, off_level, off_play, refine
from vision.finity.slot_look import Seen

TOGETHER: Final = 6.0
"""Cells that are off are off together, some 2 x 3 of them (a shade, a seam, a gloss): so many tell one thing."""
SHADE: Final = 3.0
"""Times what cells are usually off by, from where on a darker cell is in a shadow rather than ill explained."""
DARKEST: Final = 0.05
"""Least ratio of a face to the tile of which the logarithm is taken: black velvet."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Fine fits of some slots, a bridge with its tip at the second and at the first station.

    Attributes:
        scores: (slots, 2) log likelihood of a bridge against the bare tile.
        ratios: (slots, 2) log of the face's brightness against the tile's.
        off: (slots, 2) root mean square of what the better bridge and the bare tile leave.
        ways: (slots, 2, 4) how each bridge lies.
        calm: (slots,) log likelihood of the better bridge where shades of neighbours are left out.
    """

    scores: Floats
    ratios: Floats
    off: Floats
    ways: Floats
    calm: Floats


def weigh(shape: Shape, seen: Seen, weight: Values, rows: NDArray[np.intp], starts: Floats) -> Scores:
    """Fit both directions of some slots, from a rough guess each and from the slot's middle: the better counts.

    Args:
        weight: (slots, CELLS) what the cells of all patches seen count.
        rows: which of the patches.
        starts: (rows, 2, 4) the rough guesses.
    """
    middle = np.zeros_like(starts)
    middle[:, 1, 3] = 1
    each = np.repeat(rows, 4)
    usual = seen.off[rows]
    ways, left, unknowns = refine(
        shape,
        np.stack([starts, middle], axis=2).reshape(-1, 4),
        seen.bright[each],
        seen.tile[each],
        weight[each],
        SHADE * seen.off[each],
        seen.off[each] * math.sqrt(TOGETHER),
    )
    odd = off_play(ways) + off_level(unknowns)
    cost = (left + 2 * TOGETHER * seen.off[each] ** 2 * odd).reshape(-1, 2)
    best = cost.argmin(axis=1) + 2 * np.arange(len(cost))
    ratio = face_ratio(shape, ways[best], seen.tile[each[best]], weight[each[best]], unknowns[best])
    left = left[best].reshape(-1, 2)
    bare, _ = explain(seen.tile[rows][:, None] * shape.slopes, seen.bright[rows], weight[rows], SHADE * usual)
    cells = weight[rows].sum(axis=1, dtype=np.float64)
    scores = likelihood(left, cells[:, None], usual[:, None]) - likelihood(bare, cells, usual)[:, None]
    scores -= odd[best].reshape(-1, 2)
    return Scores(
        scores,
        np.log(np.maximum(ratio, DARKEST)).reshape(-1, 2),
        np.sqrt(np.stack([left.min(axis=1), bare], axis=1) / np.maximum(cells[:, None], 1)),
        ways[best].reshape(-1, 2, 4),
        scores.max(axis=1),
    )


def likelihood(left: Floats, cells: Floats, usual: Values) -> Floats:
    """Log likelihood of what is left, its variance being unknown but for half of what cells are usually off by."""
    variance = np.maximum(left, 0) / np.maximum(cells, 1) + (usual / 2) ** 2
    return np.asarray(-cells / TOGETHER * np.log(variance), dtype=np.float64)
