"""How bridges and blockers look in their slots, learnt from reference pictures.

A bridge's brightness is learnt as a ratio to the tile beside it, lit alike: that holds in light and in shade, and from
camera to camera. What no reference picture shows is taken from what such things reflect, compared with the printed
patches, and is believed less.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from calibration.finity.arrow import distance_mm, outline_mm
from calibration.finity.board import COLOURS, SlotPlace
from calibration.finity.cube import FACE_POINTS, cube_points_mm
from calibration.finity.examples import Bare, Example
from calibration.finity.hiding import visible_share
from calibration.finity.slot_patch import CELL_SIDES, CELLS, SlotPatches, calmed, cells_mm
from calibration.finity.view import patch_points_mm
from calibration.light import Values
from calibration.sentences import Sentence

REFLECTS: Final = {"b": 0.06, "w": 0.85}
"""Linear reflectance of black and white plastic, gloss included, for colours that no reference shows."""
UNSEEN_SPREAD: Final = 0.3
"""Spread of the log ratio then: gloss makes a black bridge up to twice as bright as matt black."""
LEAST_SPREAD: Final = {"b": 0.2, "w": 0.12}
"""Least spread of the log ratio over the board: a few bridges do not show all the gloss and shade there is."""
NEAR_SPREAD: Final = 0.12
"""The same among neighbours, which mirror the same light: bridges in one slot differ by a hundredth or three, in the
shade of pieces by a tenth."""
GLOSS_SIDES: Final = 1.5
"""Hexagon sides over which gloss changes: lamps and windows are mirrored from a few tiles at once."""
ODD: Final = 0.06
"""By how much one bridge may be off its neighbours."""
SEEN_WELL: Final = 0.8
"""Share of a slot that must be in sight to learn from it."""
INSIDE: Final = 0.5
"""Cells by which what counts for a bridge's face lies inside its outline."""
BESIDE: Final = (0.3, 0.19)
"""The tile is compared outside these: beyond any bridge and its rim."""
STRAY: Final = 0.03
"""Root of linear light added before dividing: stray light and noise decide what is darker, not colour."""


Sample = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class SlotLook:
    """What is learnt of bridges and blockers.

    Attributes:
        ratios: mean and spread of a bridge's log ratio of root brightness to the tile's, by colour, anywhere.
        samples: where references showed bridges of a colour, x and y in mm, and the log ratio there.
        blockers: each player's log ratio of a blocker's upper face to the tile around it, BGR; players of whom no
            blocker was shown are left out.
    """

    ratios: Mapping[str, tuple[float, float]]
    samples: Mapping[str, tuple[Sample, ...]]
    blockers: Mapping[str, tuple[float, float, float]]

    @property
    def shown(self) -> tuple[str, ...]:
        """The colours that references showed."""
        return tuple(colour for colour in COLOURS if self.samples[colour])

    def ratio_at(self, colour: str, slot: SlotPlace, hex_side: float) -> tuple[float, float]:
        """Mean and spread of the log ratio in one slot: what lies near it tells more, for gloss changes slowly over the
        board (a Gaussian process)."""
        mean, spread = self.ratios[colour]
        if colour not in self.shown:
            return mean, spread
        samples = np.array(self.samples[colour])
        at = np.vstack([samples[:, :2], (slot.x_mm, slot.y_mm)])
        apart = np.linalg.norm(at[:, None] - at[None], axis=-1) / (GLOSS_SIDES * hex_side)
        alike = spread**2 * np.exp(-(apart**2) / 2)
        tells = np.linalg.solve(alike[:-1, :-1] + ODD**2 * np.eye(len(samples)), alike[:-1, -1])
        left = max(spread**2 - float(tells @ alike[:-1, -1]), 0.0)
        return mean + float(tells @ (samples[:, 2] - mean)), math.hypot(NEAR_SPREAD, math.sqrt(left))

    @property
    def doubts(self) -> tuple[str, ...]:
        """What is not known well, as sentences for people."""
        words = {"b": Sentence("black"), "w": Sentence("white")}
        return tuple(
            Sentence("no reference shows a {colour} bridge: how bright they are is guessed", colour=words[colour])
            for colour in COLOURS
            if colour not in self.shown
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "ratios": {colour: list(ratio) for colour, ratio in self.ratios.items()},
            "samples": {colour: list(map(list, samples)) for colour, samples in self.samples.items()},
            "blockers": {letter: list(colour) for letter, colour in self.blockers.items()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SlotLook:
        ratios = {str(colour): (float(mean), float(spread)) for colour, (mean, spread) in data["ratios"].items()}
        samples = {
            str(colour): tuple((float(x), float(y), float(log)) for x, y, log in rows)
            for colour, rows in data["samples"].items()
        }
        if not set(ratios) == set(samples) == set(COLOURS):
            raise ValueError("slots.ratios and slots.samples must be of black and white bridges")
        blockers = {str(letter): (float(b), float(g), float(r)) for letter, (b, g, r) in data["blockers"].items()}
        return cls(ratios, samples, blockers)


def learn_slots(bare: Bare, examples: Sequence[Example]) -> SlotLook:
    """Learn how bridges and blockers look against the bare tiles."""
    slots = bare.board.slot_places(bare.players)
    view = bare.view
    raw, _ = SlotPatches(bare.board, bare.tiles, slots, view).look(view.picture, view.gain.root, range(len(slots)))
    tile = calmed(raw)
    found: dict[str, list[Sample]] = {colour: [] for colour in COLOURS}
    cubes: dict[str, list[Values]] = {}
    for example in examples:
        _learn_from(bare, example, slots, tile, found, cubes)
    ratios = {}
    for colour, shown in found.items():
        logs = [log for _, _, log in shown]
        if logs:
            ratios[colour] = (float(np.median(logs)), max(LEAST_SPREAD[colour], float(np.std(logs))))
        else:
            ratios[colour] = (_guessed(bare, tile, colour), UNSEEN_SPREAD)
    blockers = {letter: tuple(np.median(seen, axis=0).tolist()) for letter, seen in sorted(cubes.items())}
    return SlotLook(ratios, {colour: tuple(shown) for colour, shown in found.items()}, blockers)


def _learn_from(
    bare: Bare,
    example: Example,
    slots: Sequence[SlotPlace],
    tile: Values,
    found: dict[str, list[Sample]],
    cubes: dict[str, list[Values]],
) -> None:
    """Add what one picture shows of each bridge and blocker that stands in plain sight."""
    board, view = bare.board, example.view
    seen, _ = SlotPatches(board, bare.tiles, slots, view).look(view.picture, view.gain.root, range(len(slots)))
    faces = view.values(cube_points_mm(board, bare.tiles, slots)[:, :FACE_POINTS])
    cells = cells_mm(board)
    x, y = np.abs(cells.T) / board.hex_side
    beside = (x > BESIDE[0]) | (y > BESIDE[1])
    outline, inside = outline_mm(board), -INSIDE * CELL_SIDES * board.hex_side
    faces_of = [distance_mm(outline, cells * side) < inside for side in (1, -1)]
    for number, slot in enumerate(slots):
        label = example.state.labels[slot.name]
        if label == "." or slot.name in example.state.hidden:
            continue
        if visible_share(board, bare.tiles, view.lens, view.pose, slot.name) < SEEN_WELL:
            continue
        bright, plain = seen[number].mean(axis=1), tile[number].mean(axis=1)
        lit = beside & (plain > np.median(plain[beside]))  # seams are darker or lighter with every shadow
        light = float(np.median(bright[lit] / np.maximum(plain[lit], STRAY)))
        if label.startswith("blocker"):
            shown = log_ratio(np.median(faces[number], axis=0), tile_level(tile[number]))
            cubes.setdefault(label[-1], []).append(shown)
        else:
            face = faces_of[label[2:] != slot.stations[0]]
            ratio = max(float(np.mean(bright[face])), STRAY) / max(light * float(plain[face].mean()), STRAY)
            found[label[0]].append((slot.x_mm, slot.y_mm, math.log(ratio)))


def tile_level(tile: Values) -> Values:
    """(..., 3) what a slot's bare tile (..., CELLS, 3) shows on the whole."""
    assert tile.shape[-2] == CELLS
    return np.asarray(np.median(tile, axis=-2), dtype=np.float32)


def log_ratio(now: Values, then: Values) -> Values:
    """Logarithm of the ratio of two values in root light."""
    return np.asarray(np.log((now + STRAY) / (then + STRAY)), dtype=np.float32)


def _guessed(bare: Bare, tile: Values, colour: str) -> float:
    """Log ratio of a bridge's brightness to the tile's, by what both reflect; the brightest patch says how light
    makes brightness."""
    patches = np.array(bare.board.patches.reflectance_linear).mean(axis=1)
    brightest = int(patches.argmax())
    shown = float(bare.view.values(patch_points_mm(bare.board))[brightest].mean())
    of_tile = float(np.median(tile)) / max(shown, STRAY) * float(np.sqrt(patches[brightest]))
    return float(np.log(np.sqrt(REFLECTS[colour]) / max(of_tile, STRAY)))
