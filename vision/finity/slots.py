"""Bridges and blockers: what lies in each slot.

First blockers, by colour. Then every slot's patch is compared with each way in which a bridge may lie and with the bare
tile (`bridges`). What both say is weighed in `slot_verdict`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import numpy as np

from calibration.camera import Pose
from calibration.finity.appearance import FinityCalibration
from calibration.finity.slot_patch import SlotPatches, calmed
from calibration.finity.slots import tile_level
from calibration.finity.view import UNIT, View
from calibration.light import Values
from vision.finity.blockers import CubeReader
from vision.finity.bridge_fit import Guess, bank_for
from vision.finity.bridges import BridgeFinder, guess_of
from vision.finity.cover import Cover, Standing, seen_by
from vision.finity.lamp import find_shift
from vision.finity.sighting import Sighting
from vision.finity.slot_look import Seen, look
from vision.finity.slot_verdict import CUBE_FACE, Evidence, Judge

EMPTY: Final = "."
NEAR_SIDES: Final = 1.3
"""Slots whose middles are further apart do not reach into each other's patches: half a patch and a bridge with its
shade are 1.1 hexagon sides long."""
RIM_SHADE: Final = 0.7
RIM_SHADES: Final = 0.15
"""Where this share of a slot's bare tile is darker than so much of the rest (root light), the median slot taken, a low
lamp throws hard shades: of 40 lights in which pictures were taken the softest have none, the median one 0.07."""


class SlotReader:
    """Reads slots from one pose; maps are made once. It remembers how the bridges lie that it found.

    Args:
        calibration: how the board and its pieces look.
        pose: where the board lies.
    """

    def __init__(self, calibration: FinityCalibration, pose: Pose) -> None:
        learnt, board = calibration.appearance, calibration.board
        self._slots = board.slot_places(learnt.players)
        self._numbers = {slot.name: number for number, slot in enumerate(self._slots)}
        there = View(learnt.empty, calibration.lens, calibration.pose, UNIT)
        bare = SlotPatches(board, learnt.tiles, self._slots, there)
        raw, _ = bare.look(learnt.empty, UNIT.root, range(len(self._slots)))
        self._tile = calmed(raw)
        self._level = tile_level(self._tile)
        here = View(learnt.empty, calibration.lens, pose, UNIT)
        self._patches = bare if pose == calibration.pose else SlotPatches(board, learnt.tiles, self._slots, here)
        shift = find_shift(board, learnt.tiles, learnt.players, there)
        self._cover = Cover(board, learnt.tiles, self._slots, calibration.lens, pose, shift)
        self._cubes = CubeReader(calibration, pose, self._slots)
        self._finder = BridgeFinder(board, self._slots, self._cover, self._patches.middles_px)
        self._low_light = _rim_shades(self._tile) > RIM_SHADES
        self._judge = Judge(
            learnt.slots, "ABCD"[: learnt.players], self._slots, board.hex_side, low_light=self._low_light
        )
        self._face = bank_for(board).faces.max(axis=0)
        self._ways: dict[int, Guess] = {}
        middles = np.array([(slot.x_mm, slot.y_mm) for slot in self._slots])
        self._near = np.linalg.norm(middles[:, None] - middles[None], axis=-1) < NEAR_SIDES * board.hex_side

    def read(self, view: View, slots: Collection[str], known: Mapping[str, Sighting]) -> Mapping[str, Sighting]:
        """Each of these slots, by name.

        Args:
            known: what is known so far of the other places (rings, posts and neighbouring slots reach in and hide).
        """
        which = tuple(number for name, number in self._numbers.items() if name in slots)
        if not which:
            return {}
        seen = look(self._patches, view, which, self._tile[list(which)])
        seats = [place for place, s in known.items() if "." in place and s.label != EMPTY]
        likely = self._cover.standing(seats, likely=True)
        visible = seen_by(likely, self._patches.middles_px, which)
        cubes = self._cubes.look(view, which, self._level[list(which)], likely, seen.noise)
        standing = self._cover.standing(seats)
        best = cubes.face.max(axis=1)
        blocked = [number for number, share in zip(which, best, strict=True) if share >= CUBE_FACE]
        others = {self._numbers[name]: s for name, s in known.items() if name in self._numbers and name not in slots}
        blocked += [number for number, s in others.items() if s.label.startswith("blocker")]
        self._cover.add_blockers(standing, blocked)
        near = self._near[list(which)].any(axis=0)
        lying = {
            number: self._way(number, s.label)
            for number, s in others.items()
            if near[number] and s.label[:2] in ("b ", "w ")
        }
        clear = seen_by(standing, self._patches.middles_px, which)
        # a ring's shade falls on an end that tells the direction: unless the lamp is low it tells more than it spoils
        shading = Standing(blocked, seats if self._low_light else ())
        bridges = self._finder.find(seen, clear, lying, shading)
        face = self._face / self._face.sum()
        shares = visible @ face, (visible & seen.coloured) @ face, bridges.weight @ face
        light = self._light(seen, bridges.weight)
        in_sight = self._cover.blockers_in_sight(likely, which)
        found = {}
        for row, number in enumerate(which):
            rest = float(seen.off[row]), float(light[row]), float(in_sight[row])
            evidence = Evidence.of(row, bridges, cubes, *shares, *rest)
            sighting, way = self._judge.judge(self._slots[number], evidence)
            found[self._slots[number].name] = sighting
            if way is not None:
                self._ways[number] = guess_of(bridges.scores.ways[row, way])
            else:
                self._ways.pop(number, None)
        return found

    def _light(self, seen: Seen, weight: Values) -> Values:
        """(slots,) light against the empty picture's, on the tile where no bridge lies."""
        counts = weight * (self._face == 0)
        return np.asarray((counts * seen.bright).sum(axis=1) / np.maximum((counts * seen.tile).sum(axis=1), 1e-3))

    def _way(self, number: int, label: str) -> Guess:
        """How a bridge lies that was read before: as it was found, else in the middle of its slot."""
        reverse = label[2:] != self._slots[number].stations[0]
        known = self._ways.get(number)
        return known if known is not None and known.reverse == reverse else Guess(reverse, 0.0, 0.0, 0.0)


def _rim_shades(tile: Values) -> float:
    """The share of a slot's bare tile (slots, CELLS, 3) that its rims shade, for the median slot."""
    bright = tile.mean(axis=-1)
    shaded = bright < RIM_SHADE * np.median(bright, axis=1, keepdims=True)
    return float(np.median(shaded.mean(axis=1)))
