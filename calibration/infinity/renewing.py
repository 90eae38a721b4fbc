"""Infinity's calibration renewed from a picture of a known position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.camera import Pose
from calibration.errors import RefusedError
from calibration.infinity.appearance import EMPTY, STOPS, Appearance, InfinityCalibration
from calibration.infinity.grids import patch_maps
from calibration.infinity.knob import learn_knob
from calibration.infinity.learning import (
    Case,
    Example,
    board_noise,
    cases_of,
    least_structure,
    mean_marble,
    most_shade,
    outline_radius,
    play,
)
from calibration.infinity.look import board_maps, gain_of, light_values, patches
from calibration.infinity.matching import DISC, RING, fit_empty, fit_marble
from calibration.infinity.states import SUPPLY, State
from calibration.light import LightGain, LightReference, Values
from calibration.sampling import Picture, sample
from calibration.sentences import Sentence

STALE = 1.5
"""How much farther off kinds may be that the picture does not show: they are known in the old light alone."""
ENOUGH = 2
"""Examples that say how a kind looks now; a single one is averaged with what was known."""
HAND_TINT = 0.03
"""How far the colour of the board around one seat may change otherwise than around the others (logarithm of a channel's
root light): on simulated tables other lamps came to 0.007, hands over a seat to 0.06 and more."""
STRAY = 0.03
"""Root of linear light added before dividing: stray light and noise decide what is darker, not colour."""
LEAST_SEATS = 3
"""Empty seats that say how all seats have changed."""


def renew_infinity(old: InfinityCalibration, picture: Picture, pose: Pose, state: State) -> InfinityCalibration:
    """See `calibration.renewing.renew`.

    Raises:
        RefusedError: where the light cannot be compared with the old one.
    """
    maps, look = board_maps(old.board, old.lens, pose), old.appearance
    gain = gain_of(picture, maps, look.light)
    if gain is None:
        raise RefusedError(
            Sentence(
                "the light is too far from what it was, or the grey patches are covered: bring light "
                "to the board, or calibrate anew"
            )
        )
    example = Example(Sentence("the board now"), picture, maps, gain, state)
    cases = cases_of(example, list(old.board.slot_centres()))
    _check(cases, look.seats)
    limit = np.min([case.limit for case in cases], axis=0) if cases else np.ones(3, dtype=np.float32)
    well = _from_well(old, picture, pose, gain, state)
    marbles = {kind: _marble(_shown(kind, cases, well), was, limit) for kind, was in look.marbles.items()}
    seats = _seats(cases, look.seats)
    shown = light_values(picture, maps)
    polar = sample(picture, maps.knob) * gain.root
    knob = look.knob
    if state.knob_stop in STOPS and "knob" not in state.hidden:
        knob = learn_knob([polar], [state.knob_stop]) or knob
    shift = play(cases, marbles, limit)
    appearance = Appearance(
        light=LightReference(shown.strip * gain.root, shown.plain * gain.root),
        marbles=marbles,
        seats=seats,
        usual=_usual(cases, look.usual, marbles, seats),
        shift=(max(shift[0], look.shift[0]), max(shift[1], look.shift[1])),
        radius=_radius(cases, look, marbles, seats),
        structure=_lower(least_structure(cases, seats), look.structure),
        shade=max(most_shade(cases, seats), look.shade),
        board_noise=max(board_noise(cases, seats), look.board_noise) if cases else look.board_noise,
        knob=knob,
    )
    return replace(old, pose=pose, appearance=appearance, opencv=cv2.__version__)


def _check(cases: Sequence[Case], was: Values) -> None:
    """Refuse what looks like a hand: lamps change how bright the board around a seat is, and all colours alike."""
    if not cases:
        return
    logs = [np.log((case.patch + STRAY) / (was[case.index] + STRAY))[RING].mean(axis=0) for case in cases]
    tint = np.array(logs) - np.mean(logs, axis=1, keepdims=True)
    off = np.abs(tint - np.median(tint, axis=0)).max(axis=1)
    strange = [case.where for case, by in zip(cases, off, strict=True) if by > HAND_TINT]
    if strange:
        raise RefusedError(
            Sentence(
                "{places}: something of another colour is there; take hands and things off the board",
                places=", ".join(strange[:3]),
            )
        )


def _shown(kind: str, cases: Sequence[Case], well: Mapping[str, Sequence[Values]]) -> list[Values]:
    """How a kind looks now: in slots, and in the well where slots show it too seldom."""
    shown = [case.patch for case in cases if case.label == kind]
    return shown if len(shown) >= ENOUGH else [*shown, *well.get(kind, ())]


def _from_well(
    old: InfinityCalibration, picture: Picture, pose: Pose, gain: LightGain, state: State
) -> dict[str, list[Values]]:
    """The marbles in the well, by kind; none where they are not just those that the slots lack.

    Kinds differ so much in colour that the mean of each tells them in any light.
    """
    left = {kind: count - list(state.slots.values()).count(kind) for kind, count in SUPPLY.items()}
    centres = old.board.well_centres(sum(left.values()))
    if not centres or state.hidden:
        return {}
    seen = patches(picture, patch_maps(centres, old.board, old.lens, pose), gain)
    known = {kind: np.median(values[DISC], axis=0) for kind, values in old.appearance.marbles.items()}
    found: dict[str, list[Values]] = {kind: [] for kind in left}
    for patch in seen:
        middle = np.median(patch[DISC], axis=0)
        found[min(known, key=lambda kind: float(np.abs(known[kind] - middle).sum()))].append(patch)
    return found if {kind: len(shown) for kind, shown in found.items()} == left else {}


def _marble(shown: Sequence[Values], was: Values, limit: Values) -> Values:
    if len(shown) >= ENOUGH:
        return mean_marble(shown, limit)
    return mean_marble([*shown, was], limit) if shown else was


def _seats(cases: Sequence[Case], was: Values) -> Values:
    """Empty seats as they are seen; those under marbles changed as the empty ones did."""
    seats = was.copy()
    empty = {case.index: case.patch for case in cases if case.label == EMPTY}
    if len(empty) >= LEAST_SEATS:
        seats += np.median([patch - was[index] for index, patch in empty.items()], axis=0)
    for index, patch in empty.items():
        seats[index] = patch
    return np.asarray(np.maximum(seats, 0), dtype=np.float32)


def _usual(
    cases: Sequence[Case], was: Mapping[str, float], marbles: Mapping[str, Values], seats: Values
) -> dict[str, float]:
    """How far true ones are usually off: no less than before, and more for what is not shown."""
    usual = {}
    for label, before in was.items():
        shown = [case for case in cases if case.label == label]
        if label == EMPTY:
            off = [float(fit_empty(case.patch[None], seats[case.index][None], case.limit)[0]) for case in shown]
        else:
            off = [float(fit_marble(case.patch[None], marbles[label], case.limit).distance[0]) for case in shown]
        usual[label] = max([before, *off]) if shown else STALE * before
    return usual


def _radius(
    cases: Sequence[Case], look: Appearance, marbles: Mapping[str, Values], seats: Values
) -> dict[str, tuple[float, float]]:
    """The outlines that are shown, with as much play as they ever had."""
    shown = {case.label for case in cases}
    seen = outline_radius([case for case in cases if case.label in marbles], marbles, seats) if shown - {EMPTY} else {}
    return {
        kind: (seen[kind][0], max(seen[kind][1], before[1])) if kind in shown and kind in seen else before
        for kind, before in look.radius.items()
    }


def _lower(a: tuple[float, float, float], b: tuple[float, float, float]) -> tuple[float, float, float]:
    return min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2])
