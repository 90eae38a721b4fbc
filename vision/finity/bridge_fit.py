"""Bridges fitted to patches of slots: which way, how far shifted and how much turned explains a patch best.

A patch with a bridge is explained as three kinds of cells: the upper face has a plain brightness that may slope; the
rim around it, where walls and contact shades lie, has one brightness on each of its four sides; the rest is the tile as
the empty picture has it, in light that may slope. A patch without a bridge is the tile alone. Each kind is fitted by
weighted least squares, so that all that a guess needs are sums over its cells: one matrix product for all guesses of
all slots.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from calibration.camera import Floats
from calibration.finity.arrow import distance_mm, outline_mm
from calibration.finity.board import FinityBoard
from calibration.finity.slot_patch import CELL_SIDES, cells_mm
from calibration.light import Values

ALONG_MM = (-1.4, -0.5, 0.5, 1.4)
"""How far a bridge may lie off along its slot: rims at its ends stop it."""
ACROSS_MM = (-0.5, 0.5)
"""How far across: the shaft has 0.35 mm of play on either side, and tiles are known to 0.3 mm."""
TURNS_DEG = (-2.5, 0.0, 2.5)
"""How far turned: more the rims beside the shaft do not allow."""
RIM_MM = 2.0
"""How wide the rim is: walls are seen up to 2 mm wide, contact shades are narrower."""
SIDES = 4


@dataclass(frozen=True, slots=True)
class Guess:
    """One way that a bridge may lie; `reverse` where its tip is at the slot's first station."""

    reverse: bool
    along_mm: float
    across_mm: float
    turn_deg: float


@dataclass(frozen=True, slots=True)
class Bank:
    """All guesses: upper faces (guesses, CELLS) and rims (SIDES * guesses, CELLS) as shares of cells."""

    guesses: tuple[Guess, ...]
    faces: Values
    rims: Values
    slopes: Values
    """(CELLS, 3) one, and the place along and across, about -1 to 1."""


@lru_cache(maxsize=4)
def _bank(outline: tuple[tuple[float, float], ...], cell: float, cells: tuple[float, ...]) -> Bank:
    corners, at = np.array(outline), np.array(cells).reshape(-1, 2)
    guesses = tuple(
        Guess(reverse, along, across, turn)
        for reverse in (False, True)
        for turn in TURNS_DEG
        for along in ALONG_MM
        for across in ACROSS_MM
    )
    faces, rims = [], []
    for guess in guesses:
        face, sides = _masks(corners, cell, at, guess)
        faces.append(face)
        rims.append(sides)
    slopes = np.column_stack([np.ones(len(at)), at / np.abs(at).max(axis=0)])
    return Bank(
        guesses,
        np.array(faces, dtype=np.float32),
        np.array(rims, dtype=np.float32).transpose(1, 0, 2).reshape(-1, len(at)),
        slopes.astype(np.float32),
    )


def bank_for(board: FinityBoard) -> Bank:
    outline = tuple((float(x), float(y)) for x, y in outline_mm(board))
    return _bank(outline, CELL_SIDES * board.hex_side, tuple(cells_mm(board).ravel().tolist()))


def _masks(outline: Floats, cell: float, at: Floats, guess: Guess) -> tuple[Floats, Floats]:
    """Share (CELLS,) of each cell on the face, and (SIDES, CELLS) on the rim's sides: ahead, behind, left, right."""
    angle = math.radians(guess.turn_deg) + math.pi * guess.reverse
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    local = (at - (guess.along_mm, guess.across_mm)) @ turn
    away = distance_mm(outline, local)
    face = np.clip(0.5 - away / cell, 0, 1)
    rim = np.clip(0.5 - (away - RIM_MM) / cell, 0, 1) - face
    nudge = 0.05
    outward = np.stack([distance_mm(outline, local + step) - away for step in np.eye(2) * nudge], axis=-1) @ turn.T
    lengthwise = np.abs(outward[:, 0]) > np.abs(outward[:, 1])
    sides = [lengthwise & (outward[:, 0] > 0), lengthwise & (outward[:, 0] <= 0)]
    sides += [~lengthwise & (outward[:, 1] > 0), ~lengthwise & (outward[:, 1] <= 0)]
    return face, np.array([rim * side for side in sides])


@dataclass(frozen=True, slots=True)
class Fits:
    """What each guess leaves unexplained, slot by slot.

    Attributes:
        left: (slots, guesses) weighted sum of squares that a bridge leaves.
        left_bare: (slots,) the same for no bridge.
        cells: (slots,) sum of weights.
        ratio: (slots, guesses) brightness of the face against the tile beside it.
        face_share: (slots, guesses) share of the face's cells that count.
        bare_gain: (slots,) light against the empty picture's, as the whole patch has it.
    """

    left: Floats
    left_bare: Floats
    cells: Floats
    ratio: Floats
    face_share: Floats
    bare_gain: Floats


_PAIRS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))


def fit(bank: Bank, seen: Values, tile: Values, weight: Values) -> Fits:
    """Fit every guess to every patch.

    Args:
        seen, tile: (slots, CELLS) brightness now and of the bare tile.
        weight: (slots, CELLS) 0 to 1, what a cell counts.
    """
    squares = np.stack([bank.slopes[:, a] * bank.slopes[:, b] for a, b in _PAIRS], axis=-1)
    w = weight[:, :, None]
    lit, shown = tile[:, :, None], seen[:, :, None]
    plain = np.concatenate([w * squares, w * shown * bank.slopes], axis=-1)
    tiled = np.concatenate([w * lit * lit * squares, w * lit * shown * bank.slopes], axis=-1)
    levels = np.stack([weight, weight * seen], axis=-1)
    on_face = _sums(bank.faces, np.concatenate([plain, tiled, w * lit], axis=-1))
    rims = _sums(bank.rims, np.concatenate([tiled, levels], axis=-1))
    rims = rims.reshape(len(seen), SIDES, len(bank.guesses), -1)
    everywhere = tiled.sum(axis=1, dtype=np.float64)
    beside = everywhere[:, None] - on_face[..., 9:18] - rims[..., :9].sum(axis=1)
    squared = (weight * seen * seen).sum(axis=1, dtype=np.float64)
    face_level, face_explained = _solve(on_face[..., :9])
    tile_gain, tile_explained = _solve(beside)
    rim_explained = (rims[..., 10] ** 2 / (rims[..., 9] + 0.5)).sum(axis=1)
    bare_gain, bare_explained = _solve(everywhere)
    count = on_face[..., 0]
    tile_level = on_face[..., 18] / np.maximum(count, 0.5)
    return Fits(
        left=squared[:, None] - face_explained - tile_explained - rim_explained,
        left_bare=squared - bare_explained,
        cells=weight.sum(axis=1, dtype=np.float64),
        ratio=face_level[..., 0] / np.maximum(tile_gain[..., 0] * tile_level, 1e-3),
        face_share=count / bank.faces.sum(axis=1),
        bare_gain=bare_gain[..., 0],
    )


def _sums(masks: Values, columns: Values) -> Floats:
    """(slots, masks, columns) sums of each slot's columns (slots, CELLS, columns) over each mask."""
    slots, cells, count = columns.shape
    flat = columns.transpose(1, 0, 2).reshape(cells, slots * count)
    return np.asarray((masks @ flat).reshape(len(masks), slots, count).transpose(1, 0, 2), dtype=np.float64)


def _solve(sums: Floats) -> tuple[Floats, Floats]:
    """Coefficients (..., 3) of the slopes, and the sum of squares that they explain, from sums (..., 9)."""
    a = np.empty((*sums.shape[:-1], 3, 3))
    for index, (i, j) in enumerate(_PAIRS):
        a[..., i, j] = a[..., j, i] = sums[..., index]
    # a little stiffness keeps slopes of regions with hardly a cell finite
    a += np.eye(3) * (1e-4 * np.trace(a, axis1=-2, axis2=-1)[..., None, None] + 1e-6)
    right = sums[..., 6:9]
    found = np.linalg.solve(a, right[..., None])[..., 0]
    explained = (found * right).sum(axis=-1)
    return np.asarray(found, dtype=np.float64), np.asarray(explained, dtype=np.float64)
