"""Pictures of Infinity's board to `Reading`s."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.infinity.appearance import EMPTY, STOPS, InfinityCalibration
from calibration.infinity.knob import between_stops, stop_scores, top_share
from calibration.infinity.look import BoardMaps, board_maps, ceiling, gain_of, light_values, patches
from calibration.infinity.states import SUPPLY
from calibration.light import LightGain, Values, board_share, estimate_gain
from calibration.sampling import Maps, Picture, sample
from calibration.sentences import Sentence
from vision.infinity.places import LABELS, STRANGE, Sighting, contradictions, look_at_slots
from vision.infinity.signature import Changes, Signature
from vision.infinity.well import fits_supply, read_well, well_maps
from vision.reading import PlaceReading, Reading, Status
from vision.recogniser import EXCHANGED, Recogniser, Stand

KNOB_AGREES = 0.6
"""Correlation of the pointer, as a share of the calibration's own, from which it is a pointer."""
KNOB_LEADS = 0.2
"""How much further every other stop's correlation must be; right ones lead by 0.4 and more but for a lamp's mirror
image beside the pointer, wrong ones under a hand or a phone by 0.1 at most."""
KNOB_CLEAR = 0.6
"""Share of the knob's top that must have its own colour; below that something lies over it."""
FEW = 3
"""Strange places from which the picture as a whole is suspected."""
SAME_BOARD = 0.25
"""Share of the plain board that must have the calibrated colour; half of it does under a forearm or a big mug."""


class InfinityRecogniser(Recogniser):
    """See `vision.recogniser.Recogniser`."""

    def __init__(self, calibration: InfinityCalibration) -> None:
        super().__init__(calibration, lambda stand: InfinityReader(calibration, stand))
        self._own = calibration

    @property
    def calibration(self) -> InfinityCalibration:
        return self._own


class InfinityReader:
    """See `vision.recogniser.Reader`."""

    def __init__(self, calibration: InfinityCalibration, stand: Stand) -> None:
        self._calibration = calibration
        self._stand = stand
        self._names = tuple(calibration.board.slot_centres())
        self._maps: BoardMaps = board_maps(calibration.board, calibration.lens, stand.pose)
        self._wells: dict[int, Maps] = {}
        self._inside = _inside(self._maps.slots.reshape(len(self._names), -1, 2), calibration.size)
        self._signature = Signature(calibration, self._maps, self._well_maps(calibration.board.well_capacity()))
        self._reading: Reading | None = None
        self._gain: LightGain | None = None
        self._strange = False
        self._seen: dict[int, Sighting] = {}
        self._knob: PlaceReading | None = None
        self._well: dict[str, int] | None = None

    def look(self, picture: Picture) -> Reading:
        changes = self._signature.changes(picture)
        if changes is None or changes or self._reading is None:
            self._reading = self._read(picture, changes)
        return self._reading

    def forget(self) -> None:
        self._signature.forget()

    def _well_maps(self, marbles: int) -> Maps:
        if marbles not in self._wells:
            self._wells[marbles] = well_maps(self._calibration, self._stand.pose, marbles)
        return self._wells[marbles]

    def _unlit(self) -> Reading:
        """What is left where neither the grey patches nor the plain board tell the light: all of it is covered."""
        nothing = PlaceReading(dict.fromkeys(LABELS, 1.0), False, True)
        detail = Sentence(
            "the grey patches and the board between the channels are covered or too dark to compare the light"
        )
        return Reading(
            Status.OCCLUDED, dict.fromkeys(self._names, nothing), None, None, True, 0.0, self._stand.shift_px, detail
        )

    def _read(self, picture: Picture, changes: Changes | None) -> Reading:
        """Look closely at what has changed; at everything where the light did, or nothing is known yet."""
        look = self._calibration.appearance
        light = light_values(picture, self._maps)
        gain = estimate_gain(light.strip, light.plain, look.light)
        if gain is None:
            self._signature.forget()
            return self._unlit()
        self._strange = board_share(light.plain, gain, look.light) < SAME_BOARD
        if changes is None or changes.light or self._gain is None or not _same_light(gain, self._gain):
            changes = None
            self._gain = gain
        self._signature.keep(changes)
        which = np.arange(len(self._names)) if changes is None else changes.slots
        if len(which):
            seen = patches(picture, self._maps.slots[which], gain)
            judged = look_at_slots(seen, look.seats[which], look, ceiling(gain))
            self._seen.update(zip(which.tolist(), judged, strict=True))
            if changes is None and self._exchanged(picture, judged):
                self._signature.forget()
                return Reading(Status.BAD_IMAGE, detail=EXCHANGED)
        if changes is None or changes.knob:
            self._knob = self._read_knob(picture, gain)
        if changes is None or changes.well or len(which):
            self._well = self._read_well(picture, gain, self._sure())
        return self._reading_of(self._sure())

    def _exchanged(self, picture: Picture, judged: list[Sighting]) -> bool:
        """Whether most of what fits nothing fits with red and blue exchanged."""
        look = self._calibration.appearance
        strange = [index for index, place in enumerate(judged) if STRANGE in place.doubts]
        if not strange or (len(strange) < FEW and not self._strange):
            return False
        other = np.ascontiguousarray(picture[..., ::-1])
        gain = gain_of(other, self._maps, look.light)
        if gain is None:
            return False
        again = look_at_slots(patches(other, self._maps.slots, gain), look.seats, look, ceiling(gain))
        fits = [STRANGE not in place.doubts for place in again]
        # a thing over the board may fit either way, but not all over
        return sum(fits) > 0.75 * len(fits) and sum(fits[index] for index in strange) > len(strange) / 2

    def _sure(self) -> dict[str, str]:
        """The sure label of every slot, "?" where there is none."""
        if self._strange:
            return dict.fromkeys(self._names, "?")
        sure = {
            name: self._seen[index].label if not self._seen[index].doubts and inside else "?"
            for index, (name, inside) in enumerate(zip(self._names, self._inside, strict=True))
        }
        for place in contradictions(sure, SUPPLY):
            sure[place] = "?"
        return sure

    def _reading_of(self, sure: dict[str, str]) -> Reading:
        knob = self._knob
        if knob is not None and self._strange:
            knob = replace(knob, sure=False)
        seen = [self._seen[index] for index in range(len(self._names))]
        places = {
            name: PlaceReading(sighting.likelihoods(), sure[name] != "?", sighting.covered or not bool(inside))
            for name, sighting, inside in zip(self._names, seen, self._inside, strict=True)
        }
        judged = [*places.values(), *([knob] if knob else [])]
        covered = any(place.covered for place in judged)
        unsure = any(not place.sure for place in judged)
        status = Status.OCCLUDED if covered else Status.UNSURE if unsure else Status.OK
        posteriors = [1 / sum(place.likelihoods.values()) for place in places.values() if place.sure]
        foreign = covered or any("something is beside it" in sighting.doubts for sighting in seen)
        detail = self._stand.detail
        if self._strange:
            detail = Sentence(
                "the board's colour is not the calibrated one: calibrate again, or take away what covers the board"
            )
        return Reading(
            status,
            places,
            knob,
            self._well,
            foreign,
            min(posteriors, default=0.0),
            self._stand.shift_px,
            detail,
        )

    def _read_knob(self, picture: Picture, gain: LightGain) -> PlaceReading | None:
        look = self._calibration.appearance.knob
        if look is None:
            return None
        polar: Values = sample(picture, self._maps.knob) * gain.root
        scores = stop_scores(polar, look)
        first, second = sorted(scores.values(), reverse=True)[:2]
        clear = top_share(polar, look) >= KNOB_CLEAR
        if not clear:
            return PlaceReading({str(stop): 1.0 for stop in STOPS}, False, True)
        sure = first >= KNOB_AGREES * look.agreement and first - second >= KNOB_LEADS and not between_stops(polar, look)
        return PlaceReading({str(stop): float(np.exp(12 * (score - first))) for stop, score in scores.items()}, sure)

    def _read_well(self, picture: Picture, gain: LightGain, sure: dict[str, str]) -> dict[str, int] | None:
        """The well, where with the slots it makes a set that is complete or lacks one marble, held in a hand.

        A hand may cover some of it, so without all slots known its count cannot be checked and is not told.
        """
        look = self._calibration.appearance
        labels = list(sure.values())
        if "?" in labels:
            return None
        total = sum(SUPPLY.values()) - (len(labels) - labels.count(EMPTY))
        slots = {kind: labels.count(kind) for kind in SUPPLY}
        for away in (0, 1):
            well = read_well(picture, self._well_maps(total - away), gain, look)
            if well is not None:
                return well if fits_supply(slots, well, SUPPLY, away) else None
        return None


def _same_light(now: LightGain, then: LightGain) -> bool:
    """Whether places that were looked at in the one light need no new look in the other: within a percent."""
    return bool(np.abs(now.root / then.root - 1).max() < 0.01)


def _inside(px: Maps, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Whether all points (N, points, 2) of each place lie in the picture."""
    within = (px >= 0).all(axis=2) & (px[..., 0] <= size[0] - 1) & (px[..., 1] <= size[1] - 1)
    return np.asarray(within.all(axis=1))
