"""Bridges found in the patches of slots: roughly in all, finely where there may be one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.finity.board import FinityBoard, SlotPlace
from calibration.finity.slot_patch import Flags
from calibration.light import Values
from calibration.sampling import Maps
from vision.finity.bridge_fit import Guess, bank_for, fit
from vision.finity.bridge_model import shape_of
from vision.finity.bridge_scores import Scores, likelihood, weigh
from vision.finity.cover import SHADE_MM, WALL_MM, Cover, Standing, seen_by
from vision.finity.slot_look import Seen, dark_line, seam_evidence

ROUNDS: Final = 3
"""Bridges found hide parts of their neighbours' patches: once for the strongest of every corner, once for the rest."""
DRAWN_FROM: Final = 8.0
"""Log likelihood ratio of a rough fit from which a bridge is drawn before its neighbours: what is bare reaches it once
in hundreds of times, and what is then hidden of a neighbour is a few cells."""
FINE_FROM: Final = -10.0
"""The same from which a slot is looked at finely: a glossy black bridge, hard to tell from its tile, reaches 4."""
FINE_OFF: Final = 2.0
"""Or when the bare tile is off by so many times the usual: a shadow, or a thing that is no bridge."""
FINE_SEAM: Final = -1.0
"""Or when the tiles' seam is hardly seen: that of one bare tile in two hundred."""
AGAIN: Final = 50.0
"""Log likelihood ratio of both directions below which they are compared once more, shadows of neighbours left out: with
shades of blockers in its patch the wrong direction of a black bridge leads by up to 46."""
LIT: Final = 0.92
"""Share of the bare tile's brightness (root) from which a cell is in no shade, wherever it lies: shade darkens, and
nothing brightens."""
NEAR_SIDES: Final = 0.5
"""Slots of different pairs nearer than this meet in a corner: their bridges would lie on each other."""


@dataclass(frozen=True, slots=True)
class Bridges:
    """What fits say of some slots.

    Attributes:
        fine: (slots,) whether a slot was looked at finely; else only `rough` is known.
        rough: (slots,) log likelihood ratio of the best bridge to the bare tile, by rough fits.
        scores: by fine fits.
        seam: (slots,) how much rather the tiles' seam is seen than a shaft over it.
        line: (slots,) how dark a line runs where the seam does (`dark_line`).
        weight: (slots, CELLS) what cells counted.
    """

    fine: NDArray[np.bool_]
    rough: Floats
    scores: Scores
    seam: Values
    line: Values
    weight: Values


@dataclass(frozen=True, slots=True)
class _Rough:
    weight: Values
    gains: Floats
    starts: Floats
    bare_off: Floats


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

    def find(self, seen: Seen, clear: Flags, others: Mapping[int, Guess], standing: Standing) -> Bridges:
        """Fit bridges to some slots.

        Args:
            clear: (slots, CELLS) cells that nothing which stands on the board hides.
            others: how bridges lie in slots that are not looked at.
            standing: what throws shades.
        """
        worth = seen.worth * (clear & ~seen.coloured)
        rough = self._roughly(seen, worth, others)
        seam = seam_evidence(seen, rough.weight)
        fine = (rough.gains > FINE_FROM) | (rough.bare_off > FINE_OFF * seen.off) | (seam < FINE_SEAM)
        rows, count = np.flatnonzero(fine), len(fine)
        nothing = np.zeros((count, 2))
        scores = Scores(nothing, nothing.copy(), nothing.copy(), rough.starts.copy(), np.zeros(count))
        if len(rows):
            first = weigh(self._shape, seen, rough.weight, rows, rough.starts[rows])
            scores.scores[rows], scores.ratios[rows], scores.off[rows] = first.scores, first.ratios, first.off
            scores.ways[rows], scores.calm[rows] = first.ways, first.calm
            self._doubt_directions(seen, worth, others, standing, rows, scores)
        return Bridges(fine, rough.gains, scores, seam, dark_line(seen, rough.weight), rough.weight)

    def _roughly(self, seen: Seen, worth: Values, others: Mapping[int, Guess]) -> _Rough:
        """Fit rough guesses to all patches, and again to those of which a neighbour then hides other cells."""
        count = len(worth)
        weight = np.full_like(worth, -1)
        best, gains, bare_off = np.zeros((count, 2), dtype=np.intp), np.zeros(count), np.zeros(count)
        ahead = np.zeros(count, dtype=np.intp)
        found: dict[int, Guess] = {}
        drawn = found
        for number in range(ROUNDS):
            if number and found == drawn:
                break
            drawn = found
            before, weight = weight, self._unhidden(seen, {**others, **found}, WALL_MM) * worth
            rows = np.flatnonzero((weight != before).any(axis=1))
            if not len(rows):
                break
            rough = fit(self._bank, seen.bright[rows], seen.tile[rows], weight[rows])
            bare = likelihood(rough.left_bare, rough.cells, seen.off[rows])
            scores = likelihood(rough.left, rough.cells[:, None], seen.off[rows, None])
            # guesses of the one direction come before those of the other
            both = scores.reshape(len(rows), 2, -1)
            best[rows] = both.argmax(axis=2) + np.array((0, both.shape[2]))
            gains[rows] = scores.max(axis=1) - bare
            bare_off[rows] = np.sqrt(np.maximum(rough.left_bare, 0) / np.maximum(rough.cells, 1))
            ahead[rows] = both.max(axis=2).argmax(axis=1)
            if number < ROUNDS - 1:
                found = self._strongest(seen.which, gains, best[np.arange(count), ahead])
        return _Rough(weight, gains, self._ways[best], bare_off)

    def _unhidden(self, seen: Seen, lying: Mapping[int, Guess], around_mm: float) -> Flags:
        return seen_by(self._cover.lying(lying, around_mm), self._middles, seen.which)

    def _strongest(self, which: Sequence[int], gains: Floats, best: NDArray[np.intp]) -> dict[int, Guess]:
        """The bridges that no stronger one in the same corner contradicts."""
        rivals = np.where(self._excluding[np.ix_(which, which)], gains[None], -np.inf).max(axis=1)
        return {
            number: self._bank.guesses[best[row]]
            for row, number in enumerate(which)
            if gains[row] > DRAWN_FROM and gains[row] >= rivals[row]
        }

    def _doubt_directions(
        self,
        seen: Seen,
        worth: Values,
        others: Mapping[int, Guess],
        standing: Standing,
        rows: NDArray[np.intp],
        scores: Scores,
    ) -> None:
        """Where both directions explain a patch nearly as well, compare them again with shadows of neighbours left
        out: the lesser difference counts, and none where they tell different directions."""
        found = scores.scores[rows]
        unclear = rows[(np.abs(found[:, 0] - found[:, 1]) < AGAIN) & (found.max(axis=1) > 0)]
        if not len(unclear):
            return
        best = scores.scores.argmax(axis=1)
        lying = {seen.which[row]: guess_of(scores.ways[row, best[row]]) for row in rows if scores.scores[row].max() > 0}
        ids = self._cover.lying({**others, **lying}, SHADE_MM)
        self._cover.add_shades(ids, standing)
        lit = self._unhidden(seen, {**others, **lying}, WALL_MM) & (seen.bright > LIT * seen.tile)
        weight = (seen_by(ids, self._middles, seen.which) | lit) * worth
        again = weigh(self._shape, seen, weight, unclear, scores.ways[unclear])
        scores.calm[unclear] = again.scores.max(axis=1)
        for row, second in zip(unclear, again.scores, strict=True):
            first = scores.scores[row]
            if (second[0] - second[1]) * (first[0] - first[1]) <= 0:
                scores.scores[row] = first.mean()
            else:
                least = min(abs(second[0] - second[1]), abs(first[0] - first[1]))
                scores.scores[row, first.argmin()] = first.max() - least


def guess_of(way: Floats) -> Guess:
    along, across, turn, reverse = (float(value) for value in way)
    return Guess(bool(reverse), along, across, turn)
