"""Whether anything that matters has changed since it was last looked at closely: one small gather a picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.file import Calibration
from calibration.light import ROOT_OF_LINEAR, Values
from calibration.look import BoardMaps
from calibration.sampling import SIDE, Maps, Picture

BLOCKS = 3
"""Blocks along a side of each slot's grid."""
POINTS = 4
"""Points along a side of each block."""
CHANGED = 0.015
"""Change of a block's mean (root values) that is no noise: 3 % of a middle brightness. A marble changes it by 0.05."""


class Signature:
    """Block means of everything that a reading depends on, remembered from the last close look.

    What is remembered changes only with a close look: a slow drift adds up until it is noticed.
    """

    def __init__(self, calibration: Calibration, maps: BoardMaps, well: Maps) -> None:
        width, height = calibration.size
        side = BLOCKS * POINTS
        pick = np.rint(np.linspace(1, SIDE - 2, side)).astype(int)
        slots = maps.slots[:, pick][:, :, pick].reshape(-1, BLOCKS, POINTS, BLOCKS, POINTS, 2)
        slots = slots.transpose(0, 1, 3, 2, 4, 5).reshape(-1, POINTS * POINTS, 2)
        inner = np.rint(np.linspace(SIDE * 0.3, SIDE * 0.7, POINTS)).astype(int)
        beds = well[:, inner][:, :, inner].reshape(-1, POINTS * POINTS, 2)
        knob = maps.knob[::3, 6::2]
        knob = knob[:, : POINTS * POINTS].reshape(len(knob), -1, 2)
        knob = np.repeat(knob, -(-POINTS * POINTS // knob.shape[1]), axis=1)[:, : POINTS * POINTS]
        strip = maps.strip[:, : POINTS * POINTS]
        px = np.rint(np.concatenate([slots, beds, knob, strip])).astype(np.intp)
        x, y = np.clip(px[..., 0], 0, width - 1), np.clip(px[..., 1], 0, height - 1)
        self._where = (y * width + x).ravel()
        self._blocks = len(px)
        self._codes = np.empty((len(self._where), 3), dtype=np.uint8)
        self._now: Values | None = None
        self._kept: Values | None = None

    def changed(self, picture: Picture) -> NDArray[np.bool_] | None:
        """Which blocks differ from what is remembered; None where nothing is remembered."""
        np.take(np.ascontiguousarray(picture).reshape(-1, 3), self._where, axis=0, out=self._codes, mode="clip")
        values = ROOT_OF_LINEAR[self._codes].reshape(self._blocks, -1, 3)
        self._now = values.mean(axis=1)
        if self._kept is None:
            return None
        changed: NDArray[np.bool_] = np.abs(self._now - self._kept).max(axis=1) > CHANGED
        return changed

    def keep(self) -> None:
        """Remember what was seen last."""
        self._kept = self._now

    def forget(self) -> None:
        self._kept = None
