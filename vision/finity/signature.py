"""Whether anything on the board has changed since it was last looked at closely.

The halved picture itself is what is remembered: no change of a square centimetre falls between the points looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from calibration.sampling import Picture
from vision.finity.coarse import CENTRE, MAT, OFF, TILE, Cells, Coarse, Mask, spread

SIGMAS = 6.0
"""Change in standard deviations of noise that is more than noise: of the hundred thousand values of a picture none
reaches it by chance."""
LEAST = (3.0, 1.5)
"""Smallest changes in code values that are called one, of a cell and of nine cells' mean: codes are whole numbers, and
a black bridge on a dark tile changes nine cells by 4."""
SLACK = 0.016
"""Share of its code value by which a cell may change with the light alone: locked cameras repeat within 1 %."""
MOST_NOISE = 10.0
"""Code values; noisier pictures are looked at closely every time rather than a change be missed."""
FEW = 6
"""Cells; no piece is so small that fewer change with it, while noise that is not normal changes some."""
BLOCK = 8
"""Cells along the side of a block in which noise is measured."""
ROUGH = 1.33
"""Standard deviation over the mean amount by which a cell is off the nine around it."""
MUCH = 0.5
"""Share of changed cells from which everything is looked at anew: the calm ones may not tell noise from change."""
SPREAD_CELLS = 2
"""A place's reading depends on the cells so far around it."""

Differences = NDArray[np.int16]


class Signature:
    """Remembers the halved picture of the board as it was when each place was looked at closely.

    A cell's memory changes only when what depends on it is looked at: a slow drift adds up until it is seen.
    """

    def __init__(self, coarse: Coarse) -> None:
        self._board = coarse.shows != OFF
        self._size = int(self._board.sum())
        self._box = coarse.box
        self._blocks = tuple(
            _whole_blocks(np.isin(coarse.shows, kinds)[self._box]) for kinds in ((MAT,), (TILE, CENTRE))
        )
        self._watched = {name: spread(cells, SPREAD_CELLS, coarse.shape) for name, cells in coarse.cells.items()}
        self._last: Picture | None = None

    @cached_property
    def neighbours(self) -> Mapping[str, frozenset[str]]:
        """The places that may hide each other or reach into each other's picture, themselves among them."""
        return _neighbours(self._watched)

    def changes(self, small: Picture) -> Mask | None:
        """(rows, columns) cells of the board that have changed; None where nothing is remembered, or nearly all has."""
        if self._last is None:
            return None
        off: Differences = cv2.subtract(small[self._box], self._last[self._box], dtype=cv2.CV_16S).astype(
            np.int16, copy=False
        )
        mean: Differences = cv2.blur(off, (3, 3)).astype(np.int16, copy=False)
        noise = self._noise(off, mean)
        # what a little more or less light does is no change: it does more where it is bright
        slack = cv2.convertScaleAbs(self._last[self._box], alpha=SLACK)
        calm = _within(cv2.subtract(cv2.convertScaleAbs(off), slack), max(LEAST[0], SIGMAS * noise))
        calm &= _within(cv2.subtract(cv2.convertScaleAbs(mean), slack), max(LEAST[1], SIGMAS * noise / 3))
        found = np.zeros(self._board.shape, dtype=bool)
        found[self._box] = calm == 0
        found &= self._board
        count = np.count_nonzero(found)
        if count < FEW:
            found[:] = False
        return None if count > MUCH * self._size else found

    def _noise(self, off: Differences, mean: Differences) -> float:
        """Standard deviation of what noise does to a cell between two pictures, in code values.

        The calmest quarter of the mat's and of the tiles' blocks tells it, for whatever happens on the board does not
        happen everywhere; the noisier of both counts, for light and dark have noise of their own.
        """
        rough = np.abs(off[..., 1] - mean[..., 1])
        rows, columns = off.shape[0] // BLOCK, off.shape[1] // BLOCK
        part = rough[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK)
        means = part.sum(axis=3).sum(axis=1).ravel() / BLOCK**2
        calm = [np.partition(means[which], len(which) // 4)[len(which) // 4] for which in self._blocks if len(which)]
        return min(MOST_NOISE, ROUGH * float(max(calm, default=MOST_NOISE)))

    def places(self, changed: Mask) -> set[str]:
        """The places whose reading may depend on any of these cells."""
        flat = changed.ravel()
        return {name for name, cells in self._watched.items() if flat[cells].any()}

    def keep(self, small: Picture, untouched: set[str] | None) -> None:
        """Remember a picture but for the cells of places that were not looked at; all of it with None."""
        if untouched and self._last is not None:
            now, then = small.reshape(-1, 3).copy(), self._last.reshape(-1, 3)
            for name in untouched:
                cells = self._watched[name]
                now[cells] = then[cells]
            small = now.reshape(small.shape)
        self._last = small

    def forget(self) -> None:
        """Have the next picture looked at closely all over."""
        self._last = None


def _whole_blocks(mask: Mask) -> Cells:
    """The numbers of the blocks that lie wholly within a mask."""
    rows, columns = mask.shape[0] // BLOCK, mask.shape[1] // BLOCK
    blocks = mask[: rows * BLOCK, : columns * BLOCK].reshape(rows, BLOCK, columns, BLOCK)
    return np.flatnonzero(blocks.all(axis=(1, 3)))


def _within(amount: MatLike, limit: float) -> NDArray[np.uint8]:
    """(rows, columns) 255 where no channel is above the limit."""
    return np.asarray(cv2.inRange(amount, (0, 0, 0), (limit,) * 3), dtype=np.uint8)


def _neighbours(watched: Mapping[str, Cells]) -> dict[str, frozenset[str]]:
    """The places that depend on the same cells, by place; each is its own neighbour."""
    names = list(watched)
    cells = np.concatenate(list(watched.values()))
    owners = np.repeat(np.arange(len(names)), [len(own) for own in watched.values()])
    order = np.argsort(cells, kind="stable")
    cells, owners = cells[order], owners[order]
    meet = np.eye(len(names), dtype=bool)
    # owners of one cell stand side by side now: compare each with the next, the next but one, ...
    for step in range(1, len(names)):
        same = cells[step:] == cells[:-step]
        if not same.any():
            break
        first, second = owners[:-step][same], owners[step:][same]
        meet[first, second] = meet[second, first] = True
    return {name: frozenset(names[other] for other in np.flatnonzero(meet[row])) for row, name in enumerate(names)}
