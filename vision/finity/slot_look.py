"""What one picture shows of slots' patches against the bare tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.finity.slot_patch import ACROSS, ALONG, CELLS, Flags, SlotPatches, cell_noise
from calibration.finity.view import View
from calibration.light import Values

MODEL: Final = 0.004
MODEL_SHARE: Final = 0.03
"""What cells are off by beside noise, in root light and as a share of what the bare tile shows: the tenth of a cell
that a pose is off, and light that falls a little otherwise than on the empty board."""
TINT: Final = 0.03
TINT_SHARE: Final = 0.1
"""Cells are coloured when they are off the tile's hue by more than stray light (in root light) and a tenth of what
they show: white bridges mirror coloured neighbours up to that much."""
TINT_NOISE: Final = 3.0
"""And by more than so many times what noise makes, of which hardly a cell is then taken for coloured."""
SEAM: Final = (7, 2)
"""Cells along and across from a slot's middle that a shaft surely covers and through which the tiles' seam runs."""
LEAST_NOISE: Final = 0.002
"""What rounding to 256 codes leaves of a cell, in root light."""
LINE: Final = 2
"""Cells along from the middle in which the seam lies, wherever the tiles lie."""
WINDOW: Final = 7
"""Cells along over which light changes little."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The patches (slots, CELLS) of one picture.

    Attributes:
        which: the slots' numbers.
        bright, tile: brightness in root light, now and of the bare tile.
        coloured: cells of another hue than tiles and bridges have.
        noise: (slots,) standard deviation from cell to cell.
        off: (slots,) what cells are off by where they are explained.
        worth: what cells count: less where the sun shines on a tile that lies in shade else, for such a patch moves
            with every piece that is put somewhere.
    """

    which: tuple[int, ...]
    bright: Values
    tile: Values
    coloured: Flags
    noise: Values
    off: Values
    worth: Values


def look(patches: SlotPatches, view: View, which: tuple[int, ...], tile: Values) -> Seen:
    """Look at slots' patches; `tile` is (slots, CELLS, 3) what their bare tiles show."""
    now, cut_off = patches.look(view.picture, view.gain.root, which)
    bright, plain = now.mean(axis=-1), tile.mean(axis=-1)
    tint = now - tile * (bright / np.maximum(plain, 0.02))[..., None]
    smooth = np.array([cv2.blur(rows, (3, 3)) for rows in tint.reshape(-1, ACROSS, ALONG, 3)])
    off_hue = np.abs(smooth).max(axis=-1).reshape(-1, CELLS)
    limit = TINT + TINT_NOISE * float(np.median(off_hue)) + TINT_SHARE * bright
    noise = np.maximum(cell_noise(bright[..., None]), LEAST_NOISE)
    cells_off = noise[:, None] + MODEL + MODEL_SHARE * plain
    off = np.median(cells_off, axis=1)
    worth = np.minimum(1, off[:, None] / cells_off) ** 2
    return Seen(which, bright, plain, (off_hue > limit) & ~cut_off, noise, off, worth)


def seam_evidence(seen: Seen, weight: Values) -> Values:
    """How much rather the tiles' seam is seen than a shaft over it: (slots,) log likelihood ratios.

    The seam runs across the middle of every slot as a dark line. What is seen there is compared with the bare tile,
    slow changes of light along the slot apart.

    Args:
        weight: (slots, CELLS) cells that count.
    """
    rows = slice(ACROSS // 2 - SEAM[1], ACROSS // 2 + SEAM[1] + 1)
    columns = slice(ALONG // 2 - SEAM[0], ALONG // 2 + SEAM[0])
    counts, now, then = (v.reshape(-1, ACROSS, ALONG)[:, rows] for v in (weight, seen.bright, seen.tile))
    shown, bare = ((counts * values)[..., columns].sum(axis=(1, 2)) for values in (now, then))
    lit = shown / np.maximum(bare, 1e-6)
    counts = counts[..., columns]
    now, then = (_bent(v)[..., columns] * counts for v in (now, then))
    power = np.maximum((then * then).sum(axis=(1, 2)), 1e-9)
    share = (now * then).sum(axis=(1, 2)) / power
    rough = seen.off**2 / power
    if_tile, if_shaft = rough + (SEAM_SPREAD * lit) ** 2, rough + SHAFT_SPREAD**2
    likely = -((share - lit) ** 2) / (2 * if_tile) - np.log(if_tile) / 2
    likely += share**2 / (2 * if_shaft) + np.log(if_shaft) / 2
    return np.asarray(np.clip(likely, -MOST, MOST), dtype=np.float32)


def dark_line(seen: Seen, weight: Values) -> Values:
    """(slots,) how dark a line runs across the middle of a slot, in standard deviations of noise: the tiles' seam, in
    whatever light; a bridge's plain face has none."""
    rows = slice(ACROSS // 2 - SEAM[1], ACROSS // 2 + SEAM[1] + 1)
    columns = slice(ALONG // 2 - LINE, ALONG // 2 + LINE)
    now, counts = (values.reshape(-1, ACROSS, ALONG)[:, rows] for values in (seen.bright, weight))
    clear = counts[..., columns] > 0
    depth = -(_bent(now)[..., columns] * clear).sum(axis=1) / np.sqrt(np.maximum(clear.sum(axis=1), 1))
    return np.asarray((depth / seen.noise[:, None]).max(axis=1), dtype=np.float32)


def _bent(strips: Values) -> Values:
    """Strips (slots, rows, columns) without slow changes along them."""
    return np.array([strip - cv2.blur(strip, (WINDOW, 1)) for strip in np.ascontiguousarray(strips)])


SEAM_SPREAD: Final = 0.3
"""How far a seam's contrast may be off what the light makes of it: shadows soften and deepen it."""
SHAFT_SPREAD: Final = 0.15
"""How much of a seam a shaft may seem to show: its own gloss and noise."""
MOST: Final = 20.0
"""No more than this is believed of it: it is a few dozen cells."""
