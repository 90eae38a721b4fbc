"""Every slot as a small patch of cells, cut out of a picture along the slot at the height of a bridge's upper face.

There the outline of a bridge is the same in every slot and from every camera: only its walls and what lies lower move
with the camera, and those move alike in the empty picture.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.finity.board import FinityBoard, SlotPlace
from calibration.finity.tiles import Tiles
from calibration.finity.view import View
from calibration.light import ROOT_OF_LINEAR, SATURATED, Values
from calibration.sampling import Maps, Picture

Flags = NDArray[np.bool_]

ALONG, ACROSS = 42, 17
CELLS = ALONG * ACROSS
CELL_SIDES = 0.026
"""A cell's side in hexagon sides: 1.3 mm, a fifth of a shaft's width, and about two pixels of a table camera."""
CALM = 1.3
"""Times the noise's variance that chance reaches in a window of 25 cells: with less, every tenth keeps its noise."""
FINE = 2
"""Samples along a cell's side: their mean is what noise leaves of a cell."""


def cells_mm(board: FinityBoard) -> Floats:
    """(CELLS, 2) cell middles against a slot's middle: x along the slot, y to the left of it; row by row."""
    step = CELL_SIDES * board.hex_side
    x, y = (np.arange(ALONG) - (ALONG - 1) / 2) * step, ((ACROSS - 1) / 2 - np.arange(ACROSS)) * step
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


class SlotPatches:
    """Where the cells of some slots lie in the pictures of one pose."""

    def __init__(self, board: FinityBoard, tiles: Tiles, slots: Sequence[SlotPlace], view: View) -> None:
        flat = cells_mm(board)
        points = np.column_stack([flat, np.full(len(flat), board.bridge.top_z)])
        self.middles_px: Maps = view.maps(np.stack([tiles.slot_mm(board, slot, points) for slot in slots]))
        grid = self.middles_px.reshape(len(slots), ACROSS, ALONG, 2)
        # half a cell further out on every side, so that all samples lie between known points
        grid = _wider(_wider(grid, 1), 2)
        part = (np.arange(FINE) + 0.5) / FINE - 0.5
        self._maps: Maps = np.ascontiguousarray(_between(_between(grid, part, 1), part, 2), dtype=np.float32)

    def look(self, picture: Picture, root_gain: Values, which: Sequence[int]) -> tuple[Values, Flags]:
        """What a picture shows of some slots.

        Args:
            picture: (H, W, 3) BGR of the pose.
            root_gain: (3,) what makes its values comparable with the empty picture's.
            which: the slots' numbers.
        Returns:
            Roots of linear light (slots, CELLS, 3), and where (slots, CELLS) they may have been cut off at the top.
        """
        maps = self._maps if len(which) == len(self._maps) else self._maps[list(which)]
        flat = maps.reshape(-1, ALONG * FINE, 2)
        codes = cv2.remap(picture, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        codes = cv2.resize(codes, (ALONG, len(flat) // FINE), interpolation=cv2.INTER_AREA)
        seen = ROOT_OF_LINEAR[codes].reshape(len(maps), CELLS, 3)
        return np.asarray(seen * root_gain, dtype=np.float32), np.asarray((seen >= SATURATED).any(axis=-1))


def _wider(grid: Maps, axis: int) -> Maps:
    """One more point at either end of an axis, as far as the last two are apart."""
    first, second = np.take(grid, [0], axis), np.take(grid, [1], axis)
    last, before = np.take(grid, [-1], axis), np.take(grid, [-2], axis)
    return np.concatenate([2 * first - second, grid, 2 * last - before], axis=axis)


def _between(grid: Maps, parts: Floats, axis: int) -> Maps:
    """Points before and behind each inner point of an axis, parts of a step away."""
    count = grid.shape[axis]
    middle = np.take(grid, range(1, count - 1), axis)
    found = []
    for part in parts:
        side = np.take(grid, range(2, count) if part > 0 else range(count - 2), axis)
        found.append(middle + abs(part) * (side - middle))
    shape = [*middle.shape]
    shape[axis] *= len(parts)
    return np.asarray(np.stack(found, axis=axis + 1).reshape(shape))


def cell_noise(patches: Values) -> Values:
    """(slots,) standard deviation of noise from cell to cell in (slots, CELLS, channels): most neighbours show the
    same. It differs from slot to slot, for noise in root light is larger in deep shade."""
    rows = patches.reshape(len(patches), ACROSS, ALONG, -1)
    bent = rows[:, :, 1:-1] - (rows[:, :, :-2] + rows[:, :, 2:]) / 2
    return np.asarray(1.4826 / np.sqrt(1.5) * np.median(np.abs(bent), axis=(1, 2, 3)), dtype=np.float32)


def calmed(patches: Values) -> Values:
    """Patches (slots, CELLS, 3) without the noise where they are plain; seams and rims stay (Wiener's local filter).

    What two pictures differ by then is the newer one's noise alone.
    """
    calm = np.empty_like(patches)
    for slot, (patch, noise) in enumerate(zip(patches, cell_noise(patches), strict=True)):
        rows = np.ascontiguousarray(patch.reshape(ACROSS, ALONG, 3))
        mean = cv2.blur(rows, (5, 5))
        spread = (cv2.blur(rows * rows, (5, 5)) - mean * mean).mean(axis=-1, keepdims=True)
        keep = np.clip((spread - CALM * noise**2) / np.maximum(spread, 1e-9), 0, 1)
        calm[slot] = (mean + (rows - mean) * keep).reshape(CELLS, 3)
    return calm
