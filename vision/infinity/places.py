"""From grids of values to what stands in the slots: distances first, then the reasons to doubt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calibration.infinity.appearance import EMPTY, Appearance
from calibration.infinity.grids import GRID_X, GRID_Y
from calibration.infinity.matching import (
    DEEP,
    DISC,
    RING,
    SEAT,
    band_structure,
    deep_shade,
    fit_empty,
    fit_marbles,
    fit_smooth,
    local_light,
    marble_radius,
    sloping_light,
    unlike_board,
)
from calibration.light import Values

LABELS = ("B", "K", "Y", "W", EMPTY)

BESIDE_SEAT = "beside its seat"
WRONG_SIZE = "not of a marble's size"
_OUTLINE = {BESIDE_SEAT, WRONG_SIZE}
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
BAND, STRUCTURE = 0.6, 0.75
"""Shares of the least structure that an empty seat showed in the references, in the worst band and on average, for one
to be called empty: soft shadows leave 0.65 and 0.8, a marble half way in nothing of one band, a sheet little of all."""
MORE = 1.15
"""Times the structure above which there is more than a seat: half a dark marble on the ridge beside it adds a third."""
UNEVEN = 0.025
"""Distance up to which an empty seat whose own shape is seen all over is merely unevenly shaded."""
PLAY_MORE = 0.8
"""Grid steps (0.5 mm) that a marble may lie further from its seat's middle than any did in the references."""

DEEP_MORE = 0.12
"""Share of the ring in deep shade, beyond what marbles cast, from which a black one may be another thing's end."""
SHADED = 0.05
"""Local light that differs less (root factor) needs no second look."""

AT_ONCE = 8
"""Slots that are looked at together: all sixteen need eight megabytes for a moment, and are a seventh faster."""

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
    parts = [slice(first, first + AT_ONCE) for first in range(0, len(patches), AT_ONCE)]
    seen = [each for part in parts for each in _look(patches[part], seats[part], look, ceiling)]
    for light_of in (_level_light, sloping_light):
        again = [index for index, sighting in enumerate(seen) if sighting.doubts]
        if light_of is sloping_light:
            # a slope can also bend a held marble's outline into a seated one's
            again = [index for index in again if not _OUTLINE & {*seen[index].doubts}]
        if not again:
            continue
        light = light_of(patches[again], seats[again])
        shaded = np.abs(light - 1).max(axis=(1, 2)) > SHADED
        again = [index for index, is_shaded in zip(again, shaded, strict=True) if is_shaded]
        if again:
            own = _look(patches[again] / light[shaded][..., None], seats[again], look, ceiling)
            for index, sighting in zip(again, own, strict=True):
                if not sighting.doubts:
                    seen[index] = sighting
    return seen


def _level_light(patches: Values, seats: Values) -> Values:
    return local_light(patches, seats)[:, None, None]


def _look(patches: Values, seats: Values, look: Appearance, ceiling: Values) -> list[Sighting]:
    fits = dict(zip(look.marbles, fit_marbles(patches, [*look.marbles.values()], ceiling), strict=True))
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
        own = _doubts_of_empty(float(filled[index][SEAT].mean()), bands[index], look) if label == EMPTY else []
        if label == EMPTY and not own and (bands[index] < MORE * np.array(look.structure)).all():
            far = far and distances[label] > UNEVEN
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
        doubts += own
        if label != EMPTY:
            doubts += _doubts_of_marble(label, fits[label].shift[index], patches[index], seats[index], look)
            if even[index] < SMOOTH * distances[label]:
                doubts.append("as smooth as a sheet")
            if deep[index] > look.shade + DEEP_MORE and label == _darkest(look):
                doubts.append("too dark around it")
        # a marble of strange colour, but of the right size in the right place, is not something over the board
        seen.append(Sighting(distances, tuple(doubts), ring > COVERED or (far and doubts[-1] != STRANGE)))
    return seen


def _doubts_of_empty(bad: float, bands: Values, look: Appearance) -> list[str]:
    doubts = ["the seat is not clear"] if bad > SEAT_BAD else []
    seen = bands / np.array(look.structure)
    if seen.min() < BAND or seen.mean() < STRUCTURE:
        doubts.append("the seat's hollow is not seen")
    return doubts


def _doubts_of_marble(label: str, shift: Values, patch: Values, seat: Values, look: Appearance) -> list[str]:
    across, along = np.abs(shift)
    doubts = []
    if across > look.shift[0] + PLAY_MORE or along > look.shift[1] + PLAY_MORE:
        doubts.append(BESIDE_SEAT)
    mean, play = look.radius[label]
    if abs(marble_radius(patch, seat, look.marbles[label], shift) - mean) > play:
        doubts.append(WRONG_SIZE)
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
