"""Bridges found in the patches of slots: roughly in all, finely where there may be one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.finity.board import FinityBoard, SlotPlace
from calibration.light import Values
from calibration.sampling import Maps
from vision.finity.bridge_fit import Guess, bank_for, fit
from vision.finity.bridge_model import Ways, explain, shape_of
from vision.finity.bridge_refine import face_ratio, off_play, refine
from vision.finity.cover import Cover, Ids, seen_by
from vision.finity.slot_look import Seen, seam_evidence

TOGETHER: Final = 6.0
"""Cells that are off are off together, some 2 x 3 of them (a shade, a seam, a gloss): so many tell one thing."""
SHADE: Final = 3.0
"""Times what cells are usually off by, from where on a darker cell is in a shadow rather than ill explained."""
ROUNDS: Final = 3
"""Bridges found hide parts of their neighbours' patches: once for the strongest of every corner, once for the rest."""
DRAWN_FROM: Final = 8.0
"""Log likelihood ratio of a rough fit from which a bridge is drawn before its neighbours: what is bare reaches it once
in hundreds of times, and what is then hidden of a neighbour is a few cells."""
FINE_FROM: Final = -10.0
"""The same from which a slot is looked at finely: a glossy black bridge, hard to tell from its tile, reaches 4."""
FINE_OFF: Final = 2.0
"""Or when the bare tile is off by so many times the usual: a shadow, or a thing that is no bridge."""
NEAR_SIDES: Final = 0.5
"""Slots of different pairs nearer than this meet in a corner: their bridges would lie on each other."""


@dataclass(frozen=True, slots=True)
class Bridges:
    """What fits say of some slots, both directions of a bridge being taken (tip at the second station, at the first).

    Attributes:
        fine: (slots,) whether a slot was looked at finely; else only `rough` is known.
        rough: (slots,) log likelihood ratio of the best bridge to the bare tile, by rough fits.
        scores: (slots, 2) log likelihood of a bridge against the bare tile, by fine fits.
        ratios: (slots, 2) log of the face's brightness against the tile's.
        off: (slots, 2) root mean square of what the better bridge and the bare tile leave.
        seam: (slots,) how much rather the tiles' seam is seen than a shaft over it.
        ways: (slots, 2, 4) how each bridge lies.
        cells: (slots,) cells that counted.
    """

    fine: NDArray[np.bool_]
    rough: Floats
    scores: Floats
    ratios: Floats
    off: Floats
    seam: Values
    ways: Floats
    cells: Floats


class BridgeFinder:
    """Fits bridges in the slots of one pose."""

    def __init__(self, board: FinityBoard, slots: Sequence[SlotPlace], cover: Cover, middles_px: Maps) -> None:
        self._cover, self._middles = cover, middles_px
        self._shape, self._bank = shape_of(board), bank_for(board)
        guesses = self._bank.guesses
        self._ways = np.array([(g.along_mm, g.across_mm, g.turn_deg, g.reverse) for g in guesses], dtype=np.float64)
        middles = np.array([(slot.x_mm, slot.y_mm) for slot in slots])
        apart = np.linalg.norm(middles[:, None] - middles[None], axis=-1)
        pair = np.array([[a.stations == b.stations for b in slots] for a in slots])
        self._excluding = (apart < NEAR_SIDES * board.hex_side) & ~pair

    def find(self, seen: Seen, standing: Ids, others: Mapping[int, Guess]) -> tuple[Bridges, Values]:
        """Fit bridges to some slots.

        Args:
            standing: picture of what stands on the board, blockers too.
            others: how bridges lie in slots that are not looked at.
        Returns:
            What fits say, and (slots, CELLS) the cells that counted.
        """
        found: dict[int, Guess] = {}
        for number in range(ROUNDS):
            ids = standing.copy()
            self._cover.bridges(ids, {**others, **found})
            weight = (seen_by(ids, self._middles, seen.which) & ~seen.coloured).astype(np.float32)
            rough = fit(self._bank, seen.bright, seen.tile, weight)
            told = rough.cells / TOGETHER
            bare = _likelihood(rough.left_bare, rough.cells, told, seen.off)
            scores = _likelihood(rough.left, rough.cells[:, None], told[:, None], seen.off)
            gains = scores.max(axis=1) - bare
            if number < ROUNDS - 1:
                found = self._strongest(seen.which, gains, scores.argmax(axis=1))
        bare_off = np.sqrt(np.maximum(rough.left_bare, 0) / np.maximum(rough.cells, 1))
        fine = (gains > FINE_FROM) | (bare_off > FINE_OFF * seen.off)
        starts = np.stack([scores[:, self._ways[:, 3] == way].argmax(axis=1) for way in (0, 1)], axis=1)
        # guesses of the one direction come before those of the other
        starts[:, 1] += len(self._ways) // 2
        return self._look_finely(seen, weight, fine, gains, self._ways[starts], rough.bare_gain), weight

    def _strongest(self, which: Sequence[int], gains: Floats, best: NDArray[np.intp]) -> dict[int, Guess]:
        """The bridges that no stronger one in the same corner contradicts."""
        rivals = np.where(self._excluding[np.ix_(which, which)], gains[None], -np.inf).max(axis=1)
        return {
            number: self._bank.guesses[best[row]]
            for row, number in enumerate(which)
            if gains[row] > DRAWN_FROM and gains[row] >= rivals[row]
        }

    def _look_finely(
        self, seen: Seen, weight: Values, fine: NDArray[np.bool_], gains: Floats, starts: Floats, gain: Floats
    ) -> Bridges:
        count = len(fine)
        rows = np.flatnonzero(fine)
        scores, ratios, off = np.zeros((count, 2)), np.zeros((count, 2)), np.zeros((count, 2))
        ways = starts.copy()
        cells = weight.sum(axis=1, dtype=np.float64)
        seam = seam_evidence(seen, weight, np.clip(gain, 0.3, 1.3).astype(np.float32))
        if len(rows):
            got = self._refined(seen, weight, rows, starts[rows])
            tile = seen.tile[rows][:, None] * self._shape.slopes
            bare, _ = explain(tile, seen.bright[rows], weight[rows], SHADE * seen.off)
            told = cells[rows] / TOGETHER
            likely = _likelihood(got[1], cells[rows, None], told[:, None], seen.off)
            likely -= off_play(got[0].reshape(-1, 4)).reshape(-1, 2)
            scores[rows] = likely - _likelihood(bare, cells[rows], told, seen.off)[:, None]
            ways[rows], ratios[rows] = got[0], got[2]
            left = np.stack([got[1].min(axis=1), bare], axis=1)
            off[rows] = np.sqrt(left / np.maximum(cells[rows, None], 1))
        return Bridges(fine, gains, scores, ratios, off, seam, ways, cells)

    def _refined(
        self, seen: Seen, weight: Values, rows: NDArray[np.intp], starts: Floats
    ) -> tuple[Ways, Floats, Floats]:
        """Both directions of each row, from the best rough guess and from the slot's middle: the better of the two.

        Returns:
            Ways (rows, 2, 4), what they leave (rows, 2), log ratios of their faces (rows, 2).
        """
        middle = np.zeros_like(starts)
        middle[:, 1, 3] = 1
        ways = np.stack([starts, middle], axis=2).reshape(-1, 4)
        each = np.repeat(rows, 4)
        bright, tile, counts = seen.bright[each], seen.tile[each], weight[each]
        noise = seen.off * math.sqrt(TOGETHER)
        ways, left, unknowns = refine(self._shape, ways, bright, tile, counts, SHADE * seen.off, noise)
        cost = (left + 2 * noise**2 * off_play(ways)).reshape(-1, 2)
        best = cost.argmin(axis=1) + 2 * np.arange(len(cost))
        ratio = face_ratio(self._shape, ways[best], tile[best], counts[best], unknowns[best])
        logs = np.log(np.maximum(ratio, 0.05))
        return ways[best].reshape(-1, 2, 4), left[best].reshape(-1, 2), logs.reshape(-1, 2)


def _likelihood(left: Floats, cells: Floats, told: Floats, off: float) -> Floats:
    """Log likelihood of what is left, its variance being unknown but for the noise that there is at least."""
    return np.asarray(-told * np.log(np.maximum(left, 0) / np.maximum(cells, 1) + (off / 2) ** 2))


def guess_of(way: Floats) -> Guess:
    along, across, turn, reverse = (float(value) for value in way)
    return Guess(bool(reverse), along, across, turn)
