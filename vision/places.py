"""From grids of values to what stands in the slots: distances first, then the reasons to doubt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.appearance import EMPTY, Appearance
from calibration.light import Values
from calibration.matching import (
    DISC,
    RING,
    SEAT,
    MarbleFit,
    fit_empty,
    fit_marble,
    fit_smooth,
    seat_structure,
    unlike_board,
)
from calibration.sampling import GRID_X, GRID_Y

LABELS = ("B", "K", "Y", "W", EMPTY)

FLOOR = 0.004
"""Distances below this are equal for all that can be known (root values; rounding and JPEG)."""
RATIO = 1.5
"""The next label must be this many times farther."""
FAR = 2.0
"""A label this many times farther than its kind usually is, and `FAR_PLUS` more, is not seen but merely nearest."""
FAR_PLUS = 0.012
POWER = 12.0
"""Likelihood falls with this power of distance: at `RATIO` one label is 130 times likelier than the next."""
RING_BAD = 0.3
"""Share of the ring about a marble that may differ from the board: reflections and neighbours reach in."""
SECTOR_BAD = 0.75
"""Share of one eighth of the ring; a marble or finger that comes in from one side fills its eighth."""
COVERED = 0.5
"""Share of the ring from which something lies over the place."""
SEAT_BAD = 0.12
"""Share of an empty seat that may differ: a marble half way in from the next seat fills a fifth of it."""
SMOOTH = 1.2
"""A smooth object must fit this many times worse than a marble."""
STRUCTURE = 0.6
"""Share of a seat's hollow that must be seen in it to be called empty; shadows and gloss take some away."""
PLAY_MORE = 1.2
"""Grid steps (0.7 mm) that a marble may lie further from its seat's middle than any did in the references."""

_SECTOR = np.floor((np.degrees(np.arctan2(GRID_Y, GRID_X)) % 360) / 45).astype(int)


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one slot shows.

    Attributes:
        distances: by label.
        doubts: why the best label is not sure; empty where it is.
        covered: something that is no marble lies over the place.
    """

    distances: Mapping[str, float]
    doubts: tuple[str, ...]
    covered: bool

    @property
    def label(self) -> str:
        return min(self.distances, key=lambda label: self.distances[label])

    @property
    def ratio(self) -> float:
        best, second = sorted(max(d, FLOOR) for d in self.distances.values())[:2]
        return second / best

    def likelihoods(self) -> dict[str, float]:
        """Largest 1; all 1 where the place is covered."""
        if self.covered:
            return dict.fromkeys(self.distances, 1.0)
        best = max(FLOOR, min(self.distances.values()))
        return {label: (best / max(d, FLOOR)) ** POWER for label, d in self.distances.items()}


def look_at_slots(patches: Values, seats: Values, look: Appearance, ceiling: Values) -> list[Sighting]:
    """Judge N slots, each for itself.

    Args:
        patches: (N, SIDE, SIDE, 3) in the empty picture's light, smoothed.
        seats: the same of the empty seats.
        ceiling: (3,) brightest comparable values.
    """
    fits = {kind: fit_marble(patches, marble, ceiling) for kind, marble in look.marbles.items()}
    empty = fit_empty(patches, seats, ceiling)
    even = fit_smooth(patches)
    structure = seat_structure(patches, seats)
    bad = unlike_board(patches, seats) > 2.5 * look.board_noise + 0.02
    return [
        _judge(
            {**{kind: float(fit.distance[index]) for kind, fit in fits.items()}, EMPTY: float(empty[index])},
            fits,
            index,
            float(even[index]),
            float(structure[index]),
            bad[index],
            look,
        )
        for index in range(len(patches))
    ]


def _judge(
    distances: dict[str, float],
    fits: Mapping[str, MarbleFit],
    index: int,
    even: float,
    structure: float,
    bad: NDArray[np.bool_],
    look: Appearance,
) -> Sighting:
    label = min(distances, key=lambda name: distances[name])
    best = distances[label]
    ring = float(bad[RING].mean())
    sector = max(float(bad[RING & (eighth == _SECTOR)].mean()) for eighth in range(8))
    far = best > FAR * look.usual[label] + FAR_PLUS
    doubts = []
    if Sighting(distances, (), False).ratio < RATIO:
        doubts.append("two labels fit")
    if far:
        doubts.append("nothing fits")
    if ring > RING_BAD or sector > SECTOR_BAD:
        doubts.append("rim")
    if label == EMPTY:
        if float(bad[SEAT].mean()) > SEAT_BAD:
            doubts.append("seat not clear")
        if structure < STRUCTURE:
            doubts.append("no hollow")
    else:
        if even < SMOOTH * best:
            doubts.append("smooth")
        across, along = np.abs(fits[label].shift[index])
        if across > look.shift[0] + PLAY_MORE or along > look.shift[1] + PLAY_MORE:
            doubts.append("beside its seat")
    covered = ring > COVERED or (far and (ring > RING_BAD or sector > SECTOR_BAD))
    return Sighting(distances, tuple(doubts), covered)


def contradictions(labels: Mapping[str, str], supply: Mapping[str, int]) -> set[str]:
    """Places whose sure labels cannot be true together.

    A marble above an empty slot of its channel would have rolled down, and no set has two Jokers of a kind.
    """
    wrong: set[str] = set()
    for kind, count in supply.items():
        same = [place for place, label in labels.items() if label == kind]
        if len(same) > count:
            wrong.update(same)
    channels: dict[str, list[str]] = {}
    for place in labels:
        channels.setdefault(place.split(".")[0], []).append(place)
    for column in channels.values():
        top = max((i for i, place in enumerate(column) if labels[place] not in {EMPTY, "?"}), default=-1)
        gaps = [place for place in column[: top + 1] if labels[place] == EMPTY]
        if gaps:
            wrong.update(column[column.index(gaps[0]) : top + 1])
    return wrong


__all__ = ["DISC", "LABELS", "Sighting", "contradictions", "look_at_slots"]
