"""What one picture shows of slots' patches against the bare tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.finity.slot_patch import ACROSS, ALONG, CELLS, Flags, SlotPatches, cell_noise
from calibration.finity.view import View
from calibration.light import Values

MODEL: Final = 0.01
"""What cells are off by beside noise: the eighth of a cell that a pose is off, and what the empty picture does not
show of a tile, in root light."""
TINT: Final = 0.03
TINT_SHARE: Final = 0.1
"""Cells are coloured when they are off the tile's hue by more than stray light (in root light) and a tenth of what
they show: white bridges mirror coloured neighbours up to that much."""
TINT_NOISE: Final = 3.0
"""And by more than so many times what noise makes, of which hardly a cell is then taken for coloured."""
SEAM: Final = (7, 1)
"""Cells along and across from a slot's middle that a shaft surely covers and through which the tiles' seam runs."""
WINDOW: Final = 7
"""Cells along over which light changes little."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The patches (slots, CELLS) of one picture.

    Attributes:
        which: the slots' numbers.
        bright, tile: brightness in root light, now and of the bare tile.
        coloured: cells of another hue than tiles and bridges have.
        noise: standard deviation from cell to cell.
    """

    which: tuple[int, ...]
    bright: Values
    tile: Values
    coloured: Flags
    noise: float

    @property
    def off(self) -> float:
        """What cells are off by where they are explained."""
        return self.noise + MODEL


def look(patches: SlotPatches, view: View, which: tuple[int, ...], tile: Values, least_noise: float) -> Seen:
    """Look at slots' patches; `tile` is (slots, CELLS, 3) what their bare tiles show, `least_noise` the bare picture's
    own."""
    now, cut_off = patches.look(view.picture, view.gain.root, which)
    bright, plain = now.mean(axis=-1), tile.mean(axis=-1)
    tint = now - tile * (bright / np.maximum(plain, 0.02))[..., None]
    smooth = np.array([cv2.blur(rows, (3, 3)) for rows in tint.reshape(-1, ACROSS, ALONG, 3)])
    off_hue = np.abs(smooth).max(axis=-1).reshape(-1, CELLS)
    limit = TINT + TINT_NOISE * float(np.median(off_hue)) + TINT_SHARE * bright
    return Seen(which, bright, plain, (off_hue > limit) & ~cut_off, max(least_noise, cell_noise(bright[..., None])))


def seam_evidence(seen: Seen, weight: Values, gain: Values) -> Values:
    """How much rather the tiles' seam is seen than a shaft over it: (slots,) log likelihood ratios.

    The seam runs across the middle of every slot as a dark line. What is seen there, without slow changes of light, is
    compared with the bare tile's.

    Args:
        weight: (slots, CELLS) cells that count.
        gain: (slots,) light against the bare picture's.
    """
    middle_row, middle = ACROSS // 2, ALONG // 2
    rows = slice(middle_row - SEAM[1], middle_row + SEAM[1] + 1)
    columns = slice(middle - SEAM[0], middle + SEAM[0])
    wide = slice(middle - SEAM[0] - WINDOW // 2, middle + SEAM[0] + WINDOW // 2)

    def bent(values: Values) -> Values:
        strip = values.reshape(-1, ACROSS, ALONG)[:, rows, wide]
        around = np.lib.stride_tricks.sliding_window_view(strip, WINDOW, axis=2).mean(axis=-1)
        return np.asarray(strip[:, :, WINDOW // 2 : -(WINDOW // 2)] - around[:, :, : strip.shape[2] - WINDOW + 1])

    counts = weight.reshape(-1, ACROSS, ALONG)[:, rows, columns]
    now, then = bent(seen.bright)[:, :, : counts.shape[2]] * counts, bent(seen.tile)[:, :, : counts.shape[2]]
    power = (counts * then * then).sum(axis=(1, 2))
    share = (now * then).sum(axis=(1, 2)) / np.maximum(power, 1e-9)
    rough = seen.off**2 / np.maximum(power, 1e-9)
    if_tile, if_shaft = rough + (SEAM_SPREAD * gain) ** 2, rough + SHAFT_SPREAD**2
    likely = -((share - gain) ** 2) / (2 * if_tile) - np.log(if_tile) / 2
    likely += share**2 / (2 * if_shaft) + np.log(if_shaft) / 2
    return np.asarray(np.clip(likely, -MOST, MOST), dtype=np.float32)


SEAM_SPREAD: Final = 0.3
"""How far a seam's contrast may be off what the light makes of it: shadows soften and deepen it."""
SHAFT_SPREAD: Final = 0.15
"""How much of a seam a shaft may seem to show: its own gloss and noise."""
MOST: Final = 20.0
"""No more than this is believed of it: it is a few dozen cells."""
