"""The marbles in the well, counted: they lie side by side around its lowest point."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from calibration.camera import Pose
from calibration.infinity.appearance import Appearance, InfinityCalibration
from calibration.infinity.grids import patch_maps
from calibration.infinity.look import ceiling, patches
from calibration.infinity.matching import fit_marbles
from calibration.light import LightGain, Values
from calibration.sampling import Maps, Picture
from vision.infinity.places import RATIO

FAR, FAR_PLUS = 2.0, 0.025
"""As `places.FAR`; in the well neighbours touch and reflect each other, and the board stands higher beside."""


def well_maps(calibration: InfinityCalibration, pose: Pose, marbles: int) -> Maps:
    """Grids around that many marbles at rest in the well."""
    return patch_maps(calibration.board.well_centres(marbles), calibration.board, calibration.lens, pose)


def read_well(picture: Picture, maps: Maps, gain: LightGain, look: Appearance) -> dict[str, int] | None:
    """Count kinds at these places; None where one of them is no marble or could be of two kinds."""
    kinds = list(look.marbles)
    counts = dict.fromkeys(kinds, 0)
    if not len(maps):
        return counts
    top = ceiling(gain)
    seen = patches(picture, maps, gain)
    distances: Values = np.stack([fit.distance for fit in fit_marbles(seen, [*look.marbles.values()], top)])
    for column in distances.T:
        first, second = np.argsort(column)[:2]
        kind = kinds[int(first)]
        if column[first] > FAR * look.usual[kind] + FAR_PLUS or column[second] < RATIO * column[first]:
            return None
        counts[kind] += 1
    return counts


def fits_supply(slots: Mapping[str, int], well: Mapping[str, int], supply: Mapping[str, int], away: int) -> bool:
    """Whether board and well together make a full set but for `away` marbles that are in somebody's hand."""
    missing = [count - slots.get(kind, 0) - well.get(kind, 0) for kind, count in supply.items()]
    return min(missing) >= 0 and sum(missing) == away
