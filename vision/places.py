"""From grids of values to what stands in the slots: distances first, then the reasons to doubt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calibration.appearance import EMPTY, Appearance
from calibration.light import Values
from calibration.matching import (
    DEEP,
    DISC,
    RING,
    SEAT,
    band_structure,
    deep_shade,
    fit_empty,
    fit_marble,
    fit_smooth,
    local_light,
    marble_radius,
    unlike_board,
)
from calibration.sampling import GRID_X, GRID_Y

LABELS = ("B", "K", "Y", "W", EMPTY)

STRANGE = "nothing fits"
"""The doubt of a place that looks like nothing that was calibrated."""

FLOOR = 0.004
"""Distances below this are equal for all that can be known (root values; rounding and JPEG)."""
RATIO = 1.5
"""The next label must be this many times farther."""
FAR = 1.5
"""A label this many times farther than its kind usually is, and `FAR_PLUS` more, is not seen but merely nearest."""
FAR_PLUS = 0.01
POWER = 12.0
"""Likelihood falls with this power of distance: at `RATIO` one label is 130 times likelier than the next."""
RING_BAD = 0.3
"""Share of the ring about a marble that may differ from the board: reflections and neighbours reach in."""
SECTOR_BAD = 0.75
"""Share of one eighth of the ring; a marble or finger that comes in from one side fills its eighth."""
COVERED = 0.5
"""Share of the ring from which something lies over the place."""
SEAT_BAD = 0.08
"""Share of an empty seat that may differ: a marble half way in from the next seat fills a fifth of it."""
SMOOTH = 1.2
"""A smooth object must fit this many times worse than a marble."""
STRUCTURE = 0.8
"""Share of the least structure that an empty seat showed in the references, for one to be called empty."""
PLAY_MORE = 0.8
"""Grid steps (0.5 mm) that a marble may lie further from its seat's middle than any did in the references."""

DEEP_MORE = 0.12
"""Share of the ring in deep shade, beyond what marbles cast, from which a black one may be another thing's end."""
SHADED = 0.05
"""Local light that differs less (root factor) needs no second look."""

_SECTOR = np.floor((np.degrees(np.arctan2(GRID_Y, GRID_X)) % 360) / 45).astype(int)
_EIGHTHS = [RING & (eighth == _SECTOR) for eighth in range(8)]


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
    """Judge N slots, each for itself; doubtful ones a second time in the light that lies on the board beside them.

    Args:
        patches: (N, SIDE, SIDE, 3) in the empty picture's light, smoothed.
        seats: the same of the empty seats.
        ceiling: (3,) brightest comparable values.
    """
    seen = _look(patches, seats, look, ceiling)
    again = [index for index, sighting in enumerate(seen) if sighting.doubts]
    light = local_light(patches[again], seats[again]) if again else np.ones(0)
    for index, factor in zip(again, light, strict=True):
        if abs(factor - 1) > SHADED:
            own = _look(patches[index : index + 1] / factor, seats[index : index + 1], look, ceiling)[0]
            if not own.doubts:
                seen[index] = own
    return seen


def _look(patches: Values, seats: Values, look: Appearance, ceiling: Values) -> list[Sighting]:
    fits = {kind: fit_marble(patches, marble, ceiling) for kind, marble in look.marbles.items()}
    empty = fit_empty(patches, seats, ceiling)
    bad = unlike_board(patches, seats) > 2.5 * look.board_noise + 0.02
    filled = unlike_board(patches, seats, DEEP) > 2 * look.board_noise + 0.012
    even, deep, bands = fit_smooth(patches), deep_shade(patches, seats), band_structure(patches, seats)
    seen = []
    for index in range(len(patches)):
        distances = {**{kind: float(fit.distance[index]) for kind, fit in fits.items()}, EMPTY: float(empty[index])}
        label = min(distances, key=lambda name: distances[name])
        ring = float(bad[index][RING].mean())
        sector = max(float(bad[index][eighth].mean()) for eighth in _EIGHTHS)
        far = distances[label] > FAR * look.usual[label] + FAR_PLUS
        around = ring > RING_BAD or sector > SECTOR_BAD
        doubts = [
            word
            for word, true in (
                ("two labels fit", Sighting(distances, (), False).ratio < RATIO),
                (STRANGE, far),
                ("something is beside it", around),
            )
            if true
        ]
        if label == EMPTY:
            doubts += _doubts_of_empty(float(filled[index][SEAT].mean()), bands[index], look)
        else:
            doubts += _doubts_of_marble(label, fits[label].shift[index], patches[index], seats[index], look)
            if even[index] < SMOOTH * distances[label]:
                doubts.append("as smooth as a sheet")
            if deep[index] > look.shade + DEEP_MORE and label == _darkest(look):
                doubts.append("too dark around it")
        seen.append(Sighting(distances, tuple(doubts), ring > COVERED or (far and around)))
    return seen


def _doubts_of_empty(bad: float, bands: Values, look: Appearance) -> list[str]:
    doubts = ["the seat is not clear"] if bad > SEAT_BAD else []
    if any(band < STRUCTURE * low for band, low in zip(bands, look.structure, strict=True)):
        doubts.append("the seat's hollow is not seen")
    return doubts


def _doubts_of_marble(label: str, shift: Values, patch: Values, seat: Values, look: Appearance) -> list[str]:
    across, along = np.abs(shift)
    doubts = []
    if across > look.shift[0] + PLAY_MORE or along > look.shift[1] + PLAY_MORE:
        doubts.append("beside its seat")
    mean, play = look.radius[label]
    if abs(marble_radius(patch, seat, look.marbles[label], shift) - mean) > play:
        doubts.append("not of a marble's size")
    return doubts


def _darkest(look: Appearance) -> str:
    return min(look.marbles, key=lambda kind: float(look.marbles[kind][DISC].mean()))


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
