"""Blockers: whose cube stands in a slot, by the colour of its upper face and by where that colour ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.camera import Pose
from calibration.finity.appearance import FinityCalibration
from calibration.finity.board import SlotPlace
from calibration.finity.cube import FACE_POINTS, FACE_SIDE, cube_points_mm
from calibration.finity.slots import STRAY, log_ratio
from calibration.finity.view import UNIT, View
from calibration.light import Values
from calibration.sampling import Maps, sample
from vision.finity.cover import Ids

CHROMA_SPREAD: Final = 0.13
"""How far a point's colour may be off its player's in log ratio, brightness apart: gloss mixes in up to so much."""
LIGHT_SPREAD: Final = 0.35
"""The same for brightness: upper faces may lie in shade or mirror a lamp."""
TILE_CHROMA: Final = 0.08
"""How far bare tile is off grey: tinted light that coloured pieces throw at it."""
NEAR: Final = 3.0
"""Distance in spreads up to which a point has a colour: one in a hundred of its points lies further away."""

SIDE_SHARE: Final = 0.5
"""Share of the points along either side of a face that must have its colour: a blocker that stands two millimetres off
still has all of them, gloss takes some."""


@dataclass(frozen=True, slots=True)
class Cubes:
    """What blockers there may be: for each slot and player (slots, players).

    Attributes:
        face: share of the face's points in sight that have the player's colour, and no other's rather; of grey players
            on both sides of the slot, where no bridge's shaft reaches at once.
        frame: share of the frame's points that have it, too: of a cube only the side that the camera sees does.
        odd: (slots,) share of the face's points in sight that have another hue than the tile and no player's.
        seen: (slots,) share of the face that is in sight.
    """

    letters: tuple[str, ...]
    face: Values
    frame: Values
    odd: Values
    seen: Values


class CubeReader:
    """Looks at where a blocker's upper face would be in every slot of one pose."""

    def __init__(self, calibration: FinityCalibration, pose: Pose, slots: Sequence[SlotPlace]) -> None:
        look = calibration.appearance
        self._letters = tuple("ABCD"[: look.players])
        view = View(look.empty, calibration.lens, pose, UNIT)
        self._maps: Maps = view.maps(cube_points_mm(calibration.board, look.tiles, slots))
        colours = [colour_of(calibration, letter) for letter in self._letters]
        self._colours = np.array(colours, dtype=np.float32)
        tint = self._colours - self._colours.mean(axis=1, keepdims=True)
        self._grey = (tint**2).sum(axis=1) < (NEAR * CHROMA_SPREAD) ** 2

    def look(self, view: View, which: Sequence[int], level: Values, hidden: Ids, noise: Values) -> Cubes:
        """Look at some slots.

        Args:
            which: the slots' numbers.
            level: (slots, 3) what their bare tiles show on the whole.
            hidden: picture of what hides: 0 where nothing does.
            noise: (slots,) standard deviation of a point of this picture, in root light.
        """
        maps = self._maps[list(which)]
        seen = sample(view.picture, maps) * view.gain.root
        near = self._distances(seen, level[:, None], noise)
        x, y = np.round(maps).astype(np.int32).transpose(2, 0, 1)
        height, width = hidden.shape
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        clear = inside & (hidden[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)] == 0)
        mine = (near.argmin(axis=-1)[..., None] == np.arange(1, near.shape[-1])) & (near[..., 1:] < NEAR**2)
        mine &= clear[..., None]
        odd = clear & ~mine.any(axis=-1) & (self._tinted(seen, level, noise) > NEAR**2)
        count = np.maximum(clear[:, :FACE_POINTS].sum(axis=1), 1)[:, None]
        face = mine[:, :FACE_POINTS].sum(axis=1) / count
        for side in (slice(0, FACE_SIDE), slice(FACE_POINTS - FACE_SIDE, FACE_POINTS)):
            share = mine[:, side].sum(axis=1) / np.maximum(clear[:, side].sum(axis=1), 1)[:, None]
            face = np.where(self._grey & (share < SIDE_SHARE), np.minimum(face, share), face)
        return Cubes(
            self._letters,
            face.astype(np.float32),
            mine[:, FACE_POINTS:].mean(axis=1).astype(np.float32),
            (odd[:, :FACE_POINTS].sum(axis=1) / count[:, 0]).astype(np.float32),
            clear[:, :FACE_POINTS].mean(axis=1).astype(np.float32),
        )

    def _distances(self, seen: Values, level: Values, noise: Values) -> Values:
        """(slots, points, 1 + players) squared distances from bare tile and from each player's colour.

        A colour is compared as it would look in the light of the point: what is dark is greyer for stray light.
        """
        bright = seen.mean(axis=-1)
        # noise weighs more in what is dark: the logarithm's slope
        rough = np.square(noise[:, None] / (bright + STRAY))
        ratio = log_ratio(seen, level)
        light = np.log((bright + STRAY) / (level.mean(axis=-1) + STRAY))
        found = [self._off(ratio, light, TILE_CHROMA, rough)]
        for colour in self._colours:
            plain = np.maximum(np.exp(colour) * (level + STRAY) - STRAY, 0.0)
            light = np.log((bright + STRAY) / (plain.mean(axis=-1) + STRAY))
            here = plain * (bright / np.maximum(plain.mean(axis=-1), STRAY))[..., None]
            found.append(self._off(log_ratio(seen, here), light, CHROMA_SPREAD, rough))
        return np.stack(found, axis=-1).astype(np.float32)

    @staticmethod
    def _tinted(seen: Values, level: Values, noise: Values) -> Values:
        """(slots, points) squared distance from the tile's hue, however bright."""
        here = level[:, None] * (seen.mean(axis=-1) / level.mean(axis=-1)[:, None])[..., None]
        ratio = log_ratio(seen, here)
        rough = np.square(noise[:, None] / (seen.mean(axis=-1) + STRAY))
        tint = ratio - ratio.mean(axis=-1, keepdims=True)
        return np.asarray((tint**2).sum(axis=-1) / (TILE_CHROMA**2 + 2 * rough), dtype=np.float32)

    @staticmethod
    def _off(ratio: Values, light: Values, spread: float, rough: Values) -> Values:
        tint = ratio - ratio.mean(axis=-1, keepdims=True)
        away = (tint**2).sum(axis=-1) / (spread**2 + 2 * rough) + light**2 / (LIGHT_SPREAD**2 + rough)
        return np.asarray(away, dtype=np.float32)


def colour_of(calibration: FinityCalibration, letter: str) -> tuple[float, float, float]:
    """A player's colour as log ratio to bare tile: of a blocker, else of rings and posts."""
    look = calibration.appearance
    blockers: Mapping[str, tuple[float, float, float]] = look.slots.blockers
    return blockers[letter] if letter in blockers else look.stations.colours[letter]
