"""Whether anything that matters has changed since it was last looked at closely: one small gather a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.infinity.appearance import InfinityCalibration
from calibration.infinity.grids import SIDE
from calibration.infinity.look import BoardMaps
from calibration.order import quantile
from calibration.sampling import Maps, Picture

BLOCKS = 2
"""Blocks along a side of each slot's grid."""
POINTS = 6
"""Points along a side of each block."""
SIGMAS = 5.0
"""Change of a block's mean, in standard deviations of what noise does to it, that is more than noise."""
LEAST = 1.5
"""Smallest change of a block's mean in code values that is called one; black marbles in black seats change it by 4."""
MOST_NOISE = 10.0
"""Code values; noisier pictures are looked at closely every time rather than a change be missed."""
MUCH = 0.15
"""Share of changed blocks from which everything is looked at anew: the calm ones may not tell noise from change."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What has changed: slots by index, the well, the knob, the light."""

    slots: NDArray[np.intp]
    well: bool
    knob: bool
    light: bool

    def __bool__(self) -> bool:
        return bool(len(self.slots)) or self.well or self.knob or self.light


class Signature:
    """Block means of everything that a reading depends on, remembered from the last close look.

    A block's memory changes only when what depends on it is looked at closely: a slow drift adds up until it is seen.
    """

    def __init__(self, calibration: InfinityCalibration, maps: BoardMaps, well: Maps) -> None:
        width, height = calibration.size
        side, size = BLOCKS * POINTS, POINTS * POINTS
        pick = np.rint(np.linspace(1, SIDE - 2, side)).astype(int)
        slots = maps.slots[:, pick][:, :, pick].reshape(-1, BLOCKS, POINTS, BLOCKS, POINTS, 2)
        slots = slots.transpose(0, 1, 3, 2, 4, 5).reshape(-1, size, 2)
        inner = np.rint(np.linspace(SIDE * 0.25, SIDE * 0.75, POINTS)).astype(int)
        beds = well[:, inner][:, :, inner].reshape(-1, size, 2)
        knob = maps.knob[::2, -12:].reshape(-1, size, 2)
        parts = [slots, beds, knob, maps.strip]
        self._ends = np.cumsum([len(part) for part in parts])
        px = np.rint(np.concatenate(parts)).astype(np.intp)
        x, y = np.clip(px[..., 0], 0, width - 1), np.clip(px[..., 1], 0, height - 1)
        self._where = (y * width + x).ravel()
        self._codes = np.empty((len(self._where), 3), dtype=np.uint8)
        self._shape = (len(px), size, 3)
        self._points: NDArray[np.int16] | None = None

    def changes(self, picture: Picture) -> Changes | None:
        """What has changed since it was remembered; None where nothing is remembered, or nearly all has changed."""
        np.take(np.ascontiguousarray(picture).reshape(-1, 3), self._where, axis=0, out=self._codes, mode="clip")
        if self._points is None:
            return None
        off = (self._codes.reshape(self._shape).astype(np.int16) - self._points).astype(np.float32)
        moved = off.mean(axis=1)
        scatter = np.abs(off[::3] - moved[::3, None])
        # the calmest quarter of the blocks: whatever happens on the board does not happen everywhere
        noise = 1.5 * float(quantile(scatter.mean(axis=1).ravel(), 0.25))
        limit = max(LEAST, SIGMAS * min(noise, MOST_NOISE) / POINTS)
        changed = np.abs(moved).max(axis=1) > limit
        if changed.mean() > MUCH:
            return None
        slots, well, knob, _ = self._ends
        return Changes(
            np.flatnonzero(changed[:slots].reshape(-1, BLOCKS * BLOCKS).any(axis=1)),
            bool(changed[slots:well].any()),
            bool(changed[well:knob].any()),
            bool(changed[knob:].any()),
        )

    def keep(self, changes: Changes | None) -> None:
        """Remember the last picture where it had changed; all of it with None."""
        now = self._codes.reshape(self._shape).astype(np.int16)
        if changes is None or self._points is None:
            self._points = now
            return
        slots, well, knob, _ = self._ends
        own = self._points[:slots].reshape(-1, BLOCKS * BLOCKS, *self._shape[1:])
        own[changes.slots] = now[:slots].reshape(own.shape)[changes.slots]
        for part, changed in ((slice(slots, well), changes.well), (slice(well, knob), changes.knob)):
            if changed:
                self._points[part] = now[part]

    def forget(self) -> None:
        """Have the next picture looked at closely all over."""
        self._points = None
