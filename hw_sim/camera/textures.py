"""Generated surfaces: wood, felt, stone and plain table tops, as linear reflectance."""

from __future__ import annotations

from enum import StrEnum

import cv2
import numpy as np

from hw_sim.camera.lens import Floats, floats

RGB = tuple[float, float, float]


class TableKind(StrEnum):
    WOOD = "wood"
    FELT = "felt"
    STONE = "stone"
    PLAIN = "plain"


def cloud(shape: tuple[int, int], cells: tuple[int, int], rng: np.random.Generator, octaves: int = 3) -> Floats:
    """Smooth noise about 0 with a standard deviation of about 1.

    Args:
        shape: rows, columns of the result.
        cells: how many hills the coarsest layer has along rows and columns; each layer doubles them.
    """
    out = np.zeros(shape, np.float32)
    for octave in range(octaves):
        rows, columns = (min(n, c << octave) for n, c in zip(shape, cells, strict=True))
        seeds = rng.standard_normal((rows + 1, columns + 1)).astype(np.float32)
        out += cv2.resize(seeds, shape[::-1], interpolation=cv2.INTER_CUBIC).astype(np.float32) * 0.6**octave
    return floats(out / (out.std() + 1e-6))


def _wood(shape: tuple[int, int], rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Planks along the columns' direction: the mix of the two colours and a factor (the gaps are dark)."""
    rows = shape[0]
    grain = cloud(shape, (rows // 12, 5), rng, 3)
    warp = cloud(shape, (6, 5), rng, 2)
    y = np.arange(rows, dtype=np.float32)[:, None] + 14 * warp
    plank_rows = rows / 6
    plank = np.floor(y / plank_rows - 0.04 * warp)
    tone = np.sin(plank * 12.9898).astype(np.float32)
    rings = np.sin(y * 0.16 + 5 * tone + 2.2 * warp)
    mix = np.clip(0.5 + 0.17 * rings + 0.13 * grain + 0.1 * tone, 0, 1)
    straight = np.abs((np.arange(rows, dtype=np.float32)[:, None] % plank_rows) - 2.0)
    gap = 1 - 0.75 * np.clip(2.2 - straight, 0, 1)
    return mix.astype(np.float32), (gap * np.ones(shape)).astype(np.float32)


def _felt(shape: tuple[int, int], rng: np.random.Generator) -> tuple[Floats, Floats]:
    fibres = cloud(shape, (shape[0] // 3, shape[1] // 3), rng, 2)
    return np.clip(0.5 + 0.16 * fibres + 0.1 * cloud(shape, (5, 7), rng), 0, 1), np.ones(shape, np.float32)


def _stone(shape: tuple[int, int], rng: np.random.Generator) -> tuple[Floats, Floats]:
    blotches = cloud(shape, (24, 34), rng, 4)
    specks = (rng.random(shape) > 0.995).astype(np.float32)
    specks = np.asarray(cv2.GaussianBlur(specks, (0, 0), 0.7), np.float32)
    return np.clip(0.4 + 0.2 * blotches, 0, 1), 1 + 3.5 * specks


def _plain(shape: tuple[int, int], rng: np.random.Generator) -> tuple[Floats, Floats]:
    return np.clip(0.5 + 0.05 * cloud(shape, (9, 12), rng), 0, 1), np.ones(shape, np.float32)


_MAKERS = {TableKind.WOOD: _wood, TableKind.FELT: _felt, TableKind.STONE: _stone, TableKind.PLAIN: _plain}


def table_top(kind: TableKind, dark: RGB, light: RGB, shape: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Linear RGB reflectance (rows, columns, 3) of a table top between two colours."""
    mix, factor = _MAKERS[kind](shape, rng)
    low, high = np.array(dark, np.float32), np.array(light, np.float32)
    colour = low + mix[..., None] * (high - low)
    return floats(np.clip(colour * factor[..., None], 0, 0.95))
