"""How marbles and empty seats look, learnt from pictures of known positions and checked against each other.

Every example is looked at with the others' mean only (leave one out). That tells how far true ones usually are from
what is learnt, how close the next label comes, and which state contradicts its picture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.camera import Lens, Pose
from calibration.errors import RefusedError
from calibration.infinity.appearance import EMPTY
from calibration.infinity.board import InfinityBoard
from calibration.infinity.grids import patch_maps
from calibration.infinity.look import BoardMaps, ceiling, patches
from calibration.infinity.matching import (
    DISC,
    RING,
    band_structure,
    deep_shade,
    fit_empty,
    fit_marble,
    marble_radius,
    unlike_board,
)
from calibration.infinity.states import KINDS, SUPPLY, State
from calibration.light import LightGain, Values
from calibration.sampling import Picture
from calibration.sentences import Sentence, several

OUTLIER = 3.0
"""An example this many times farther than its kind usually is does not show what its state says."""
LEAST_PLAY = np.array([0.9, 1.1])
"""Grid steps (0.6 mm) that marbles lie beside their seats' middles anyway; few examples may show less."""
RADIUS_PLAY = (0.09, 0.09, 0.06, 0.06, 0.02)
"""Play of an outline beyond three standard deviations, by how many were seen: 2 % is a marble 9 mm above its seat."""
FLOOR = 0.006
"""Distances below this are rounding and JPEG (root values); no kind is taken for more even than that."""


@dataclass(frozen=True, slots=True)
class Example:
    """A picture with its pose's maps, its light and its state."""

    name: str
    picture: Picture
    maps: BoardMaps
    gain: LightGain
    state: State


@dataclass(frozen=True, slots=True)
class Learnt:
    """What `calibration.infinity.appearance.Appearance` keeps, and how sure it is."""

    marbles: Mapping[str, Values]
    seats: Values
    usual: Mapping[str, float]
    shift: tuple[float, float]
    radius: Mapping[str, tuple[float, float]]
    structure: tuple[float, float, float]
    shade: float
    board_noise: float
    margin: float
    closest: tuple[str, str]
    doubts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One place of one picture."""

    where: str
    index: int
    label: str
    patch: Values
    limit: Values


def learn(board: InfinityBoard, lens: Lens, empty: Example, empty_pose: Pose, references: Sequence[Example]) -> Learnt:
    """Learn from an empty picture and at least one reference.

    Raises:
        RefusedError: where a kind is nowhere to be seen, or a state contradicts its picture.
    """
    places = list(board.slot_centres())
    cases = [case for example in references for case in cases_of(example, places)]
    bare = patches(empty.picture, empty.maps.slots, empty.gain)
    limit = np.min([ceiling(example.gain) for example in (empty, *references)], axis=0)
    own = {kind: [case for case in cases if case.label == kind] for kind in KINDS}
    marbles = {kind: mean_marble([case.patch for case in found], limit) for kind, found in own.items() if found}
    doubts = []
    for kind in [kind for kind in KINDS if kind not in marbles]:
        marbles[kind] = _from_well(kind, marbles, board, lens, empty, empty_pose, limit)
        doubts.append(
            Sentence("no reference has a {kind} marble in a slot: its look was taken from the well", kind=KINDS[kind])
        )
    marbles = {kind: marbles[kind] for kind in KINDS}
    _check_channel_order(marbles)
    _check_names(marbles)
    _check_bare(places, bare, marbles, limit, empty.name)
    seats = _seats(bare, cases)
    distances = [_leave_one_out(case, own, marbles, bare, seats) for case in cases]
    usual = _usual(cases, distances)
    _check_states(cases, distances, usual)
    pairs = [
        (min((d[label] / max(d[case.label], FLOOR), label) for label in d if label != case.label), case.label)
        for case, d in zip(cases, distances, strict=True)
    ]
    (margin, other), label = min(pairs)
    doubts += [
        Sentence("{kind} was seen only once: a second reference with it elsewhere makes it surer", kind=KINDS[kind])
        for kind, found in own.items()
        if len(found) == 1
    ]
    return Learnt(
        marbles,
        seats,
        usual,
        play(cases, marbles, limit),
        outline_radius(cases, marbles, seats),
        least_structure(cases, bare),
        most_shade(cases, seats),
        board_noise(cases, seats),
        float(margin),
        (label, other),
        tuple(doubts),
    )


def cases_of(example: Example, places: Sequence[str]) -> list[Case]:
    seen = patches(example.picture, example.maps.slots, example.gain)
    return [
        Case(
            Sentence("{picture}: {place}", picture=example.name, place=place),
            index,
            example.state.slots[place],
            patch,
            ceiling(example.gain),
        )
        for index, (place, patch) in enumerate(zip(places, seen, strict=True))
        if place not in example.state.hidden
    ]


def mean_marble(seen: Sequence[Values], limit: Values) -> Values:
    """The usual look of marbles, each moved to the middle of the grid first."""
    stack = np.stack(seen)
    mean = _middle(stack)
    for _ in range(2):
        shifts = np.rint(fit_marble(stack, mean, limit).shift).astype(int)
        moved = [np.roll(patch, (-dy, -dx), (0, 1)) for patch, (dx, dy) in zip(stack, shifts, strict=True)]
        mean = _middle(np.stack(moved))
    return mean


def _middle(stack: Values) -> Values:
    """Median where there are enough to outvote a stray reflection, else mean."""
    middle = np.median(stack, axis=0) if len(stack) > 3 else np.mean(stack, axis=0)
    return np.asarray(middle, dtype=np.float32)


def _from_well(
    kind: str, known: Mapping[str, Values], board: InfinityBoard, lens: Lens, empty: Example, pose: Pose, limit: Values
) -> Values:
    """The look of a kind that no slot shows, from the full well of the empty picture: what no known kind fits."""
    only_one = [other for other in KINDS if SUPPLY[other] == 1]
    if kind not in only_one or any(other not in known for other in KINDS if other not in only_one):
        raise RefusedError(
            Sentence(
                "no {kind} marble stands in a slot of any reference: add a reference picture with one", kind=KINDS[kind]
            )
        )
    maps = patch_maps(board.well_centres(sum(SUPPLY.values())), board, lens, pose)
    seen = patches(empty.picture, maps, empty.gain)
    plain = {name: look for name, look in known.items() if name not in only_one}
    all_fits = [fit_marble(seen, look, limit) for look in known.values()]
    fits = np.stack([fit.distance for fit in all_fits])
    order = np.argsort(fits.min(axis=0))
    strangers = [int(index) for index in order[-len(only_one) :]] if len(plain) == len(known) else [int(order[-1])]
    if fits.min(axis=0)[strangers].min() < 1.5 * float(np.median(fits.min(axis=0))):
        raise RefusedError(
            Sentence(
                "no {kind} marble stands in a slot of any reference, and it cannot be told from the "
                "others in the empty picture's well: add a reference picture with one in a slot",
                kind=KINDS[kind],
            )
        )
    darkest = sorted(strangers, key=lambda index: float(seen[index][DISC].mean()))
    chosen = darkest[0] if kind == "K" else darkest[-1]
    # marbles in the well touch: a stranger has slid along the groove as far as those beside it
    beside = [index for index in (chosen - 1, chosen + 1) if 0 <= index < len(seen) and index not in strangers]
    nearest = fits.argmin(axis=0)
    slid = np.mean([all_fits[int(nearest[index])].shift[index] for index in beside], axis=0) if beside else np.zeros(2)
    right, down = np.rint(slid).astype(int)
    return np.roll(seen[chosen], (-down, -right), (0, 1))


def _check_channel_order(marbles: Mapping[str, Values]) -> None:
    """Blue is bluer than yellow; with red and blue exchanged it is not. Green tells that from exchanged names."""
    blue, yellow = (marbles[kind][DISC].mean(axis=0) for kind in "BY")
    if blue[2] / blue[0] > yellow[2] / yellow[0] and yellow[1] > blue[1]:
        raise RefusedError(
            Sentence(
                "the channel order of the pictures is wrong: blue marbles look red; save them as RGB pictures, not BGR"
            )
        )


def _check_names(marbles: Mapping[str, Values]) -> None:
    """States that exchange two kinds everywhere agree with each other, and only the colours' own names betray them."""
    blue, black, yellow, white = (marbles[kind][DISC].mean(axis=0) for kind in "BKYW")
    exchanged = Sentence("black and white") if black.sum() > white.sum() else ""
    if blue[0] / blue[2] < yellow[0] / yellow[2] and blue[1] > yellow[1]:
        exchanged = Sentence("blue and yellow")
    if exchanged:
        raise RefusedError(
            Sentence(
                "{exchanged} marbles look exchanged: write B, K, Y and W in the states as the pictures show",
                exchanged=exchanged,
            )
        )


def _check_bare(places: Sequence[str], bare: Values, marbles: Mapping[str, Values], limit: Values, name: str) -> None:
    """The empty picture must show no marble in a slot."""
    spread = fit_marble(bare, np.median(bare, axis=0), limit).distance
    for kind, look in marbles.items():
        distance = fit_marble(bare, look, limit).distance
        taken = [place for place, d, s in zip(places, distance, spread, strict=True) if d < 0.02 and s > 3 * d]
        if taken:
            raise RefusedError(
                Sentence(
                    "{picture}: a {kind} marble lies in {places}: take the empty picture with empty channels",
                    picture=name,
                    kind=KINDS[kind],
                    places=", ".join(taken),
                )
            )


def _seats(bare: Values, cases: Sequence[Case]) -> Values:
    """Each seat's mean over the empty picture and the references in which it is empty."""
    seats = []
    for index, patch in enumerate(bare):
        same = [case.patch for case in cases if case.label == EMPTY and case.index == index]
        seats.append(np.mean([patch, *same], axis=0))
    return np.asarray(seats, dtype=np.float32)


def _leave_one_out(
    case: Case, own: Mapping[str, Sequence[Case]], marbles: Mapping[str, Values], bare: Values, seats: Values
) -> dict[str, float]:
    """Distance of one example from every label, as if it had not been there to learn from."""
    patch = case.patch[None]
    seat = (bare if case.label == EMPTY else seats)[case.index][None]
    distances = {EMPTY: float(fit_empty(patch, seat, case.limit)[0])}
    for kind, look in marbles.items():
        others = [other.patch for other in own[kind] if other is not case] if case.label == kind else []
        model = mean_marble(others, case.limit) if others else look
        distances[kind] = float(fit_marble(patch, model, case.limit).distance[0])
    return distances


def _usual(cases: Sequence[Case], distances: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The distance at which nine of ten true ones are seen; kinds seen once or twice borrow from the others."""
    own: dict[str, list[float]] = {label: [] for label in (EMPTY, *KINDS)}
    for case, distance in zip(cases, distances, strict=True):
        own[case.label].append(distance[case.label])
    high = {label: float(np.quantile(values, 0.9)) for label, values in own.items() if len(values) > 2}
    borrowed = max(high.values(), default=2 * FLOOR)
    return {label: max(FLOOR, high.get(label, max([borrowed, *values]))) for label, values in own.items()}


def _check_states(cases: Sequence[Case], distances: Sequence[Mapping[str, float]], usual: Mapping[str, float]) -> None:
    """A state that says something else than its picture shows would teach wrong colours."""
    wrong = []
    for case, distance in zip(cases, distances, strict=True):
        best = min(distance, key=lambda label: distance[label])
        median = float(
            np.median([d[case.label] for c, d in zip(cases, distances, strict=True) if c.label == case.label])
        )
        if best != case.label:
            wrong.append(
                Sentence(
                    "{where} is said to be {label} and looks {best}",
                    where=case.where,
                    label=_word(case.label),
                    best=_word(best),
                )
            )
        elif distance[case.label] > OUTLIER * max(median, FLOOR) and distance[case.label] > 2 * usual[case.label]:
            wrong.append(
                Sentence(
                    "{where} does not look {label} (is something over it?)", where=case.where, label=_word(case.label)
                )
            )
    if wrong:
        named = several(wrong[:3])
        if len(wrong) > 3:
            named = Sentence("{named}, and {count} more", named=named, count=len(wrong) - 3)
        raise RefusedError(
            Sentence(
                '{named}: check that each state belongs to its picture, or list covered places in its "hidden"',
                named=named,
            )
        )


def _word(label: str) -> str:
    return KINDS.get(label, Sentence("empty"))


def play(cases: Sequence[Case], marbles: Mapping[str, Values], limit: Values) -> tuple[float, float]:
    """How far marbles lie from the middle of their seats at most, across and along the channel, in grid steps."""
    shifts = [
        np.abs(fit_marble(case.patch[None], marbles[case.label], limit).shift[0])
        for case in cases
        if case.label in marbles
    ]
    across, along = np.max([LEAST_PLAY, *shifts], axis=0)
    return float(across), float(along)


def outline_radius(
    cases: Sequence[Case], marbles: Mapping[str, Values], seats: Values
) -> dict[str, tuple[float, float]]:
    """Mean outline of each kind and how far from it one may be; wider where few were seen."""
    seen: dict[str, list[float]] = {kind: [] for kind in marbles}
    for case in cases:
        if case.label in marbles:
            kind = marbles[case.label]
            fit = fit_marble(case.patch[None], kind, case.limit)
            seen[case.label].append(marble_radius(case.patch, seats[case.index], kind, fit.shift[0]))
    everyone = [radius for radii in seen.values() for radius in radii]
    learnt = {}
    for name, radii in seen.items():
        play = RADIUS_PLAY[min(len(radii), len(RADIUS_PLAY) - 1)]
        learnt[name] = (float(np.mean(radii or everyone)), play + 3 * float(np.std(radii or everyone)))
    return learnt


def least_structure(cases: Sequence[Case], bare: Values) -> tuple[float, float, float]:
    """The least structure that a truly empty seat of the references showed in each band, 1 without any."""
    found = [band_structure(case.patch[None], bare[case.index][None])[0] for case in cases if case.label == EMPTY]
    low = np.minimum(1.0, np.min(found, axis=0)) if found else np.ones(3)
    return float(low[0]), float(low[1]), float(low[2])


def most_shade(cases: Sequence[Case], seats: Values) -> float:
    """How much deep shade marbles cast around themselves at most."""
    shares = [float(deep_shade(case.patch[None], seats[case.index][None])[0]) for case in cases if case.label != EMPTY]
    return max(shares, default=0.0)


def board_noise(cases: Sequence[Case], seats: Values) -> float:
    """How much the board around seats differs from the empty picture, apart from highlights, 98 of 100 points."""
    off = [unlike_board(case.patch[None], seats[case.index][None])[0][RING] for case in cases]
    return float(max(FLOOR, np.quantile(off, 0.98)))
