"""How much of the lamp's light reaches every place of the maps past what stands on them."""

from __future__ import annotations

import math

import numpy as np

from hw_sim.camera.board_maps import PX_PER_MM
from hw_sim.camera.lens import Rect
from hw_sim.camera.shading import Rig
from hw_sim.finity.camera.maps import Maps

REACH_MM = 90.0
"""Longer shadows of pieces are cut off: they are as pale as the room."""
EDGE_MM = 0.35
"""Half width of the sharpest shadow edge: a little more than one place of the maps."""

BLOCK = 64
"""Side of the parts of the maps in each of which the lamp stands in one direction."""
LEVEL_MM = 10.0
"""Height for which the lamp's direction is taken: most pieces lie there."""
STEP_MM, STEP_SHARE, LONGEST_STEP_MM = 0.4, 0.12, 1.0
"""How far the way to the lamp is followed at a time: as a share of the distance, and its bounds."""


class Lit:
    """The share of the lamp's light for one lamp, kept for all of the maps (rows, columns)."""

    def __init__(self, maps: Maps, lamp: Rig) -> None:
        self._maps = maps
        self._lamp = lamp
        self.share = np.ones_like(maps.height)
        rows, columns = maps.height.shape
        self.renew(Rect(0, 0, columns, rows))

    def shadow_mm(self, x_mm: float, y_mm: float, high_mm: float) -> tuple[float, float]:
        """How far the shadow of something so high over the mat falls, in x and y."""
        to = self._lamp.lamp_mm - np.array([x_mm, y_mm, high_mm])
        flat = float(np.hypot(to[0], to[1]))
        length = min(high_mm * flat / max(float(to[2]), 1.0), REACH_MM)
        return (-float(to[0]) / max(flat, 1e-6) * length, -float(to[1]) / max(flat, 1e-6) * length)

    def renew(self, window: Rect) -> None:
        """Work out the light of a part of the maps anew."""
        for y in range(window.y0 // BLOCK * BLOCK, window.y1, BLOCK):
            for x in range(window.x0 // BLOCK * BLOCK, window.x1, BLOCK):
                self._renew_block(Rect(x, y, x + BLOCK, y + BLOCK), window)

    def _renew_block(self, whole: Rect, window: Rect) -> None:
        """The same for what a window has of a block, which is so small that its lamp stands in one direction."""
        heights = self._maps.height
        block = whole.common(window)
        low, _ = self._maps.bounds(block)
        x, y = self._maps.middle_mm(whole)
        to = self._lamp.lamp_mm - np.array([x, y, LEVEL_MM])
        flat = max(math.hypot(to[0], to[1]), 1e-3)
        ux, uy, rise = to[0] / flat, to[1] / flat, to[2] / flat
        limit = self._reach(self._maps.highest_mm - low, rise)
        _, high = self._maps.bounds(self._towards(block, ux * limit, uy * limit))
        reach = self._reach(high - low, rise)
        receiving, size = heights[block.slices], heights.shape[::-1]
        shadow = np.zeros(receiving.shape, np.float32)
        widening = 2 * self._lamp.softness * math.hypot(1, rise)
        # Nearer places of the same plane must not shade each other by the width of an edge.
        distance = max(STEP_MM, EDGE_MM / max(rise, 1e-3))
        while distance < reach:
            # The maps' grid is finer than any edge of a shadow: whole places are near enough.
            right, down = round(ux * distance * PX_PER_MM), -round(uy * distance * PX_PER_MM)
            there = _moved(block, right, down).clipped(size)
            if there.is_empty:
                break
            # Beyond the maps nothing stands.
            here = _moved(there, -right, -down).within(block).slices
            above = heights[there.slices] - receiving[here]
            above -= np.float32(rise * distance)
            above *= np.float32(1 / max(widening * distance, 2 * EDGE_MM))
            np.maximum(shadow[here], above + np.float32(0.5), out=shadow[here])
            distance += max(STEP_MM, min(STEP_SHARE * distance, LONGEST_STEP_MM))
        self.share[block.slices] = 1 - np.minimum(shadow, 1)

    def _reach(self, high_mm: float, rise: float) -> float:
        """How far away something so much higher still takes light from the lamp's upper edge."""
        to_edge = max(rise - self._lamp.softness * math.hypot(1, rise), 0.1 * rise, 1e-3)
        return min(high_mm / to_edge, REACH_MM) if high_mm > 0 else 0.0

    def _towards(self, block: Rect, dx_mm: float, dy_mm: float) -> Rect:
        """The part of the maps over which the lamp shines into a block."""
        there = _moved(block, round(dx_mm * PX_PER_MM), -round(dy_mm * PX_PER_MM))
        return block.union(there).clipped(self._maps.height.shape[::-1])


def _moved(rect: Rect, right: int, down: int) -> Rect:
    return Rect(rect.x0 + right, rect.y0 + down, rect.x1 + right, rect.y1 + down)
