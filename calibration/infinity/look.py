"""One picture of the board with its pose known, looked at in the light of the empty picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.camera import Lens, Pose, project
from calibration.infinity.board import InfinityBoard
from calibration.infinity.grids import knob_maps, patch_maps, plain_points_mm, strip_maps
from calibration.infinity.matching import smooth
from calibration.light import SATURATED, LightGain, LightReference, Values, estimate_gain
from calibration.sampling import Maps, Picture, sample


@dataclass(frozen=True, slots=True)
class BoardMaps:
    """Where to look, made once for a pose: image pixels of everything that is always looked at."""

    slots: Maps
    knob: Maps
    strip: Maps
    plain: Maps


def board_maps(board: InfinityBoard, lens: Lens, pose: Pose) -> BoardMaps:
    """Project all grids of a board."""
    return BoardMaps(
        patch_maps(list(board.slot_centres().values()), board, lens, pose),
        knob_maps(board, lens, pose),
        strip_maps(board, lens, pose),
        project(plain_points_mm(board), lens, pose).astype(np.float32)[None],
    )


def light_values(picture: Picture, maps: BoardMaps) -> LightReference:
    """Grey patches and plain board as this picture shows them."""
    return LightReference(sample(picture, maps.strip).mean(axis=1), sample(picture, maps.plain)[0])


def gain_of(picture: Picture, maps: BoardMaps, reference: LightReference) -> LightGain | None:
    """What makes this picture comparable with the empty one."""
    seen = light_values(picture, maps)
    return estimate_gain(seen.strip, seen.plain, reference)


def patches(picture: Picture, maps: Maps, gain: LightGain) -> Values:
    """Grids of a picture in the empty picture's light, noise smoothed out: (N, SIDE, SIDE, 3)."""
    return smooth(sample(picture, maps) * gain.root)


def ceiling(gain: LightGain) -> Values:
    """(3,) the brightest value that both this picture and the empty one can show."""
    return np.asarray(SATURATED * np.minimum(1.0, gain.root), dtype=np.float32)
