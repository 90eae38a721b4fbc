"""Hands and things over the board: what is neither the bare board nor a piece of the game.

A hand comes in over the mat, where nothing of the game lies in its way, and is told there from shade by its colour.
Shade darkens all channels alike. From the mat it is followed over the tiles by the colours it had there. A thing that
was laid on the tiles does not touch the mat: it is what no piece explains, once the pieces have been read.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import ROOT_OF_LINEAR, SATURATED, LightGain, Values
from calibration.sampling import Picture
from vision.finity.coarse import MAT, OFF, TILE, Coarse, Mask

TINT = 0.08
"""How far a channel is off the shade of all three for a colour to be another: shade in the light of a window and a
lamp changes it by 0.05, pale skin on white paper by 0.1."""
SIGMAS = 4.0
"""And this many standard deviations of noise."""
DEEP = 0.42
"""Root of the light that is left, below which it is no shade: a hand's own shade keeps 0.5 of the mat's."""
DARKEST = 0.06
"""Root of light below which colours are noise."""
NOISY = 0.02
"""Relative noise of a cell from which cells are smoothed before they are compared."""
NOISY_HAND = 0.01
"""The same where hands are looked for: from here on noise is as strong, over tiles, as the hue of pale skin."""
BRIGHT = 1.3
"""Root of the light that is more than what bare tiles ever send back; a white thing on them sends twice as much."""
LEAST_CELLS = 16
"""Cells (a square centimetre) of a hand or thing on the mat; smaller ones are crumbs and noise."""
QUARTER = 3.1
"""Standard deviation over the quarter of the smallest amounts, of normal noise."""
HUE_STEP = 0.06
"""Width of a class of colours."""
HUE_SHARE = 0.01
"""Share of the hand's cells from which a class of colours is one of its own."""
CLOSE_CELLS = 5
"""Gaps so narrow within a hand are hand: its shaded sides have no colour."""
THING_CELLS = 7
"""Narrower things (17 mm) on the tiles are pieces off their places: bridges and blockers are 15 mm wide."""
FLAT_CELLS = 9
"""Cells (22 mm) of a window in which the tiles' structure is looked for: rims and grooves are 10 mm apart."""
FLAT_SHARE = 0.5
"""Share of a window that must be free of pieces and hands."""
FLAT_SLOPE = 0.35
"""Share of the bare tiles' structure below which it is gone: bare tiles keep 0.6 in any light, shaded ones 0.45."""
FLAT_SIGMAS = 3.0
"""Structure in standard deviations of noise from which its absence tells something."""
REACH_CELLS = 16
"""Cells of a hand over the tiles, or beyond the mat's edge, from which it is near the board; pieces that lie beside
the tiles have none of either."""
AROUND_CELLS = 2
"""Pieces look so much wider than their outline: their walls, and what they mirror."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is in a picture of the board that is not the bare board; all (rows, columns).

    Attributes:
        hands: cells that a hand or a thing hides which comes in over the mat.
        strange: cells of tiles that look otherwise than bare: pieces, hands, things.
        shade: root of the light that is left of the bare board's.
        near: whether a hand reaches the board: over the tiles, or in over the edge of the mat.
        green: the green of the board's box now, and of the bare board's.
        noise: its standard deviation.
    """

    hands: Mask
    strange: Mask
    shade: Values
    near: bool
    green: tuple[Values, Values]
    noise: float


class ForeignFinder:
    """Finds hands and things in pictures of a board that lies at one pose.

    Channels are kept as planes (3, rows, columns) of the board's box: a third of the time of interleaved ones.
    """

    def __init__(self, coarse: Coarse) -> None:
        self._shape = coarse.shape
        self._box = coarse.box
        shows, steady = coarse.shows[self._box], coarse.steady[self._box]
        bare = coarse.bare[self._box]
        self._white = np.median(bare[steady & (shows == MAT)], axis=0)
        self._bare, self._smooth = _planes(bare), _planes(np.asarray(cv2.blur(bare, (3, 3)), dtype=np.float32))
        usable = steady & (self._bare > DARKEST).all(axis=0) & (self._bare < SATURATED).all(axis=0)
        self._board = shows != OFF
        self._mat, self._tile = usable & (shows == MAT), usable & (shows == TILE)
        rim = cv2.dilate((~self._board).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        self._matters = (shows == TILE) | np.asarray(rim)

    def find(self, small: Picture, gain: LightGain) -> Found:
        """Find hands in a halved picture, and what else is not the bare board."""
        now, bare, noise = self._comparable(small, gain, NOISY)
        strange, shade = _strange(now, bare, noise)
        hands = self._hands(now, strange)
        if noise > NOISY_HAND * float(self._white.mean()):
            calm, calm_bare, rest = self._comparable(small, gain, NOISY_HAND)
            hands |= self._hands(calm, _strange(calm, calm_bare, rest)[0])
        strange |= shade > BRIGHT + SIGMAS * noise / np.maximum(_mean(bare), DARKEST)
        shades = np.ones(self._shape, dtype=np.float32)
        shades[self._box] = shade
        return Found(
            self._whole(hands),
            self._whole(strange & self._tile),
            shades,
            self._near(hands),
            (now[1], bare[1]),
            noise,
        )

    def things(self, found: Found, explained: Mask) -> Mask:
        """(rows, columns) what lies on the tiles and is wider than any piece.

        Args:
            explained: (rows, columns) cells of pieces that were read.
        """
        free = ~(explained | found.hands)[self._box]
        strange = free & found.strange[self._box]
        strange |= _flat(*found.green, self._tile & free, found.noise)
        brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (THING_CELLS, THING_CELLS))
        cores = cv2.morphologyEx(_joined(strange, 3).astype(np.uint8), cv2.MORPH_OPEN, brush)
        return self._whole(_joined(cores > 0, CLOSE_CELLS))

    def _whole(self, boxed: Mask) -> Mask:
        whole = np.zeros(self._shape, dtype=bool)
        whole[self._box] = boxed
        return whole

    def _hands(self, now: Values, strange: Mask) -> Mask:
        """What comes in over the mat, and on over the tiles in the same colours."""
        seeds = _large(_joined(self._mat & strange, 3), LEAST_CELLS)
        if not seeds.any():
            return seeds
        hues = self._hues(now, _mean(now))
        own = _own_hues(hues[seeds & self._mat])
        alike = own[hues] & strange & ~self._mat & self._board
        _, parts = cv2.connectedComponents(_joined(seeds | alike, 3).astype(np.uint8), connectivity=8)
        touched = np.zeros(int(parts.max()) + 1, dtype=bool)
        touched[parts[seeds]] = True
        return _joined(touched[parts], CLOSE_CELLS)

    def _near(self, hands: Mask) -> bool:
        """Whether any of the hands reaches over the tiles, or in over the mat's edge."""
        _, parts = cv2.connectedComponents(hands.astype(np.uint8), connectivity=8)
        counts = np.bincount(parts[hands & self._matters], minlength=1)
        return bool(counts[1:].max(initial=0) >= REACH_CELLS)

    def _comparable(self, small: Picture, gain: LightGain, noisy: float) -> tuple[Values, Values, float]:
        """Cells as they would be in the empty picture's light, the bare board's, and the noise of the former; smoothed
        from so much relative noise on."""
        roots = ROOT_OF_LINEAR[small[self._box]]
        now = _planes(roots) * gain.root[:, None, None]
        smooth = _planes(np.asarray(cv2.blur(roots, (3, 3)), dtype=np.float32)) * gain.root[:, None, None]
        rough = np.abs(now[1] - smooth[1])[self._mat][::2]
        if not len(rough):
            return now, self._bare, 0.0
        # the calmest quarter: whatever happens on the board does not happen everywhere
        noise = QUARTER * float(np.partition(rough, len(rough) // 4)[len(rough) // 4])
        if noise < noisy * float(self._white.mean()):
            return now, self._bare, noise
        return smooth, self._smooth, noise / 3

    def _hues(self, now: Values, level: Values) -> NDArray[np.intp]:
        """(rows, columns) class of every cell's colour, apart from its brightness."""
        white = self._white / self._white.mean()
        lit = np.maximum(level, DARKEST) * HUE_STEP
        blue, red = (np.clip(np.rint(now[c] / (lit * white[c])), 0, 63).astype(np.intp) for c in (0, 2))
        return np.where(level < DARKEST, 0, blue * 64 + red)


def _planes(values: Values) -> Values:
    return np.ascontiguousarray(values.transpose(2, 0, 1))


def _strange(now: Values, bare: Values, noise: float) -> tuple[Mask, Values]:
    """Where cells have another hue than the bare board, or next to no light; and the root of the light that is left."""
    ratio: Values = np.asarray(np.maximum(now, 1e-3) / np.maximum(bare, DARKEST), dtype=np.float32)
    shade = _mean(ratio)
    tint = np.abs(ratio / shade - 1)
    off = np.maximum(np.maximum(tint[0], tint[1]), tint[2])
    return np.asarray((off > TINT + SIGMAS * noise / np.maximum(_mean(now), DARKEST)) | (shade < DEEP)), shade


def _mean(planes: Values) -> Values:
    return np.asarray((planes[0] + planes[1] + planes[2]) / 3, dtype=np.float32)


def _flat(now: Values, bare: Values, free: Mask, noise: float) -> Mask:
    """Cells around which the tiles' rims and grooves are gone, as under a grey card.

    The slope of the line that takes the bare board's values near a cell to those of now: 1 where it is bare, the share
    of light that is left where it is shaded, 0 where it is hidden.
    """
    weight = free.astype(np.float32)
    share = _around(weight)
    least = np.maximum(share, 1e-6)
    mean_now, mean_bare = _around(weight * now) / least, _around(weight * bare) / least
    common = _around(weight * now * bare) / least - mean_now * mean_bare
    own = _around(weight * bare * bare) / least - mean_bare**2
    told = free & (share > FLAT_SHARE) & (own > (FLAT_SIGMAS * noise) ** 2)
    return np.asarray(told & (common < FLAT_SLOPE * own))


def _around(values: Values) -> Values:
    side = (FLAT_CELLS, FLAT_CELLS)
    return np.asarray(cv2.blur(values, side, borderType=cv2.BORDER_CONSTANT), dtype=np.float32)


def _own_hues(classes: NDArray[np.intp]) -> Mask:
    """(4096,) whether each class of colours is one of the hand's, or next to one."""
    counts = np.bincount(classes, minlength=64 * 64).astype(np.float32).reshape(64, 64)
    often = (counts >= max(2.0, HUE_SHARE * len(classes))).astype(np.uint8)
    return np.asarray(cv2.dilate(often, np.ones((3, 3), np.uint8)).ravel() > 0)


def _joined(mask: Mask, side: int) -> Mask:
    """The mask with gaps up to so many cells closed."""
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, brush) > 0)


def _large(mask: Mask, least: int) -> Mask:
    """The parts of at least so many cells."""
    _, parts, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    keep = stats[:, cv2.CC_STAT_AREA] >= least
    keep[0] = False
    return np.asarray(keep[parts])
