"""Pictures of Finity's board to `Reading`s."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.finity.appearance import FinityCalibration
from calibration.finity.hiding import blind_places
from calibration.finity.view import UNIT, View, mat_points_mm, patch_points_mm
from calibration.light import estimate_gain
from calibration.sampling import Picture, sample
from calibration.sentences import Sentence
from vision.finity.coarse import TILE, Mask, coarse_board, halve, spread
from vision.finity.foreign import AROUND_CELLS, ForeignFinder, Found
from vision.finity.patches import colourless, red_and_blue_exchanged
from vision.finity.sighting import Sighting
from vision.finity.signature import Signature
from vision.finity.slots import SlotReader
from vision.finity.stations import StationReader
from vision.finity.supply import contradictions
from vision.reading import PlaceReading, Reading, Status
from vision.recogniser import EXCHANGED, Recogniser, Stand

COVERED = 0.05
"""Share of a place from which what lies over it may change what it shows; less leaves enough of the piece itself."""
SURROUNDED = 0.5
"""Share of the tile around a place from which what lies there lies over the place, too."""
SHADE = 0.78
"""Root of the light that is left on the tile around a slot, on the median, below which it lies in deep shade: under a
hand half is left, beside pieces nine tenths."""
AROUND = 5
"""Cells around a place that tell its light, and what lies over it."""
BRIDGES = ("b ", "w ")
"""How labels of bridges start."""
LEAST_AROUND = 12
"""Cells of bare tile that tell it."""

COLOURLESS = Sentence("the picture has no colour: is the camera in night mode, or set to black and white?")


class FinityRecogniser(Recogniser):
    """See `vision.recogniser.Recogniser`."""

    def __init__(self, calibration: FinityCalibration) -> None:
        lit_mm = (patch_points_mm(calibration.board), mat_points_mm(calibration.board)[None])
        super().__init__(calibration, lambda stand: FinityReader(calibration, stand, lit_mm))
        self._own = calibration

    @property
    def calibration(self) -> FinityCalibration:
        return self._own


class FinityReader:
    """See `vision.recogniser.Reader`.

    Args:
        lit_mm: (N, points, 3) where the printed patches, and the plain mat, tell the light.
    """

    def __init__(self, calibration: FinityCalibration, stand: Stand, lit_mm: tuple[Floats, Floats]) -> None:
        self._calibration = calibration
        self._stand = stand
        board, look = calibration.board, calibration.appearance
        self._names = board.places(look.players)
        self._stations = StationReader(calibration, stand.pose)
        self._slots = SlotReader(calibration, stand.pose)
        self._coarse = coarse_board(calibration, stand.pose)
        self._finder = ForeignFinder(self._coarse)
        self._signature = Signature(self._coarse)
        self._blind = blind_places(board, look.players, look.tiles, calibration.lens, stand.pose)
        view = View(look.empty, calibration.lens, stand.pose, UNIT)
        self._strip, self._plain = (view.maps(points) for points in lit_mm)
        tiles = (self._coarse.steady & (self._coarse.shows == TILE)).ravel()
        around = {name: spread(self._coarse.cells[name], AROUND, self._coarse.shape) for name in self._names}
        self._around = {
            name: np.setdiff1d(cells[tiles[cells]], self._coarse.cells[name], assume_unique=True)
            for name, cells in around.items()
        }
        self._seen: dict[str, Sighting] = {}
        self._under: set[str] = set()
        self._reading: Reading | None = None

    def look(self, picture: Picture) -> Reading:
        small = halve(picture, self._coarse.times)
        changed = self._signature.changes(small)
        if changed is None or self._reading is None or changed.any():
            self._reading = self._read(picture, small, changed)
        return self._reading

    def forget(self) -> None:
        self._signature.forget()

    def _read(self, picture: Picture, small: Picture, changed: Mask | None) -> Reading:
        """Look closely at what has changed; at everything where nothing is known yet."""
        c = self._calibration
        reference = c.appearance.light
        strip = sample(picture, self._strip).mean(axis=1)
        if red_and_blue_exchanged(strip, reference):
            self.forget()
            return Reading(Status.BAD_IMAGE, detail=EXCHANGED)
        if colourless(strip, reference):
            self.forget()
            return Reading(Status.BAD_IMAGE, detail=COLOURLESS)
        gain = estimate_gain(strip, sample(picture, self._plain)[0], reference)
        if gain is None:
            self.forget()
            return self._unlit()
        stale = set(self._names) if changed is None else self._signature.places(changed)
        found = self._finder.find(small, gain)
        stale |= self._partly_under(found.hands)
        self._look_at(View(picture, c.lens, self._stand.pose, gain, self._in_pixels(found.hands)), stale)
        self._signature.keep(small, set(self._names) - stale)
        things = self._finder.things(found, self._explained())
        return self._judge(found, things)

    def _look_at(self, view: View, stale: set[str]) -> None:
        """Read these places; those that they touch, too, where what stands at them is another thing than before."""
        before = {name: self._seen[name].label for name in stale if name in self._seen}
        self._look_closely(view, stale)
        other = [name for name, label in before.items() if self._seen[name].label != label]
        touched = {near for name in other for near in self._signature.neighbours[name]} - stale
        if touched:
            self._look_closely(view, touched)

    def _look_closely(self, view: View, names: Collection[str]) -> None:
        stations = list(dict.fromkeys(name.partition(".")[0] for name in self._names if name in names and "." in name))
        if stations:
            self._seen.update(self._stations.read(view, stations))
        slots = [name for name in self._names if name in names and "." not in name]
        if slots:
            self._seen.update(self._slots.read(view, slots, self._seen))

    def _partly_under(self, hands: Mask) -> set[str]:
        """The places of which a hand hides a part, or hid one when they were looked at last."""
        under = self._signature.places(hands) if hands.any() else set()
        before, self._under = self._under, under
        return under | before

    def _explained(self) -> Mask:
        """The cells of all pieces that were read."""
        mask = np.zeros(self._coarse.shape, dtype=bool)
        for name, seen in self._seen.items():
            if seen.label != "." and ("." in name or not seen.doubts):
                mask.ravel()[self._coarse.cells[name]] = True
        brush = np.ones((2 * AROUND_CELLS + 1,) * 2, np.uint8)
        return np.asarray(cv2.dilate(mask.astype(np.uint8), brush) > 0)

    def _in_pixels(self, cells: Mask) -> NDArray[np.bool_] | None:
        """(H, W) the pixels of these cells and one cell around them; None where there are none."""
        if not cells.any():
            return None
        width, height = self._calibration.size
        wide = cv2.dilate(cells.astype(np.uint8), np.ones((3, 3), np.uint8))
        side = 2**self._coarse.times
        pixels = np.zeros((height, width), dtype=bool)
        blown = np.repeat(np.repeat(wide > 0, side, axis=0), side, axis=1)
        pixels[: blown.shape[0], : blown.shape[1]] = blown
        return pixels

    def _judge(self, found: Found, things: Mask) -> Reading:
        """The reading of the whole board from what each place shows."""
        over = (found.hands | things).ravel()
        open_tile = ~self._explained().ravel()
        covered = {name: self._seen[name].covered or self._under_any(name, over, open_tile) for name in self._names}
        shaded = self._in_shade(found, open_tile & ~found.hands.ravel())
        blind = {*self._blind}
        sure = {
            name: self._seen[name].label
            for name in self._names
            if not (covered[name] or name in blind or name in shaded or self._seen[name].doubts)
            and not self._beside_hidden_slot(name, covered)
        }
        for name in contradictions(sure):
            del sure[name]
        places = {
            name: PlaceReading(
                dict.fromkeys(seen.likelihoods, 1.0) if covered[name] else seen.likelihoods, name in sure, covered[name]
            )
            for name, seen in ((name, self._seen[name]) for name in self._names)
        }
        asked = [name for name in self._names if name not in blind]
        hidden = any(covered[name] for name in asked)
        status = Status.OCCLUDED if hidden else Status.OK if len(sure) == len(asked) else Status.UNSURE
        return Reading(
            status,
            places,
            foreign=hidden or found.near or bool(things.any()),
            confidence=min((1 / sum(places[name].likelihoods.values()) for name in sure), default=0.0),
            shift_px=self._stand.shift_px,
            detail=self._stand.detail,
            blind=self._blind,
        )

    def _under_any(self, name: str, over: Mask, open_tile: Mask) -> bool:
        """Whether a hand or a thing lies over a place: on its own cells, or all around them.

        A part of a card may pass for a bridge, and so not for a thing; the card around it does not.

        Args:
            over, open_tile: (cells,) what is hidden, and what no piece takes up.
        """
        if not over.any():
            return False
        around = self._around[name]
        around = around[open_tile[around]]
        surrounded = len(around) >= LEAST_AROUND and over[around].mean() > SURROUNDED
        return bool(surrounded or over[self._coarse.cells[name]].mean() > COVERED)

    def _beside_hidden_slot(self, name: str, covered: Mapping[str, bool]) -> bool:
        """Whether what looks like a bridge may be the end of one that lies under a hand in the next slot."""
        if "." in name or self._seen[name].label[:2] not in BRIDGES:
            return False
        return any(covered[near] and "." not in near for near in self._signature.neighbours[name])

    def _in_shade(self, found: Found, free: Mask) -> set[str]:
        """Slots in so deep a shade that a black bridge could be there, or not, and look the same.

        Where the tiles' seam is seen none can be.

        Args:
            free: (cells,) what neither a piece nor a hand takes up.
        """
        shaded = set()
        for name, cells in self._around.items():
            seen = self._seen[name]
            if "." not in name and not seen.proven and (seen.label == "." or seen.label.startswith("b ")):
                light = found.shade.ravel()[cells[free[cells]]]
                if len(light) >= LEAST_AROUND and float(np.median(light)) < SHADE:
                    shaded.add(name)
        return shaded

    def _unlit(self) -> Reading:
        """What is left where neither the patches nor the mat tell the light: all of it is covered."""
        nothing = PlaceReading({}, sure=False, covered=True)
        return Reading(
            Status.OCCLUDED,
            dict.fromkeys(self._names, nothing),
            foreign=True,
            shift_px=self._stand.shift_px,
            detail=Sentence("the printed patches and the mat are covered or too dark to compare the light"),
            blind=self._blind,
        )
