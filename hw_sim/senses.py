"""Sight without pictures: what a good but fallible reader of pictures would say of a scene.

For fast games, thousands of times faster than drawing. The words are those of `companion recognise`, as plain data:
places with likelihoods, sure or not, covered or not; the knob; the count of the well; a status.

What a fault does:
    misread         one place in one picture favours a wrong label. Two in three are told as unsure, with the right
                    label nearly as likely; the others as sure, and still with the right label possible.
    glare           one place favours a wrong label for some seconds, unsurely: nobody reads glare with confidence.
    exposure step   for `ADAPTING_S` every likelihood is flatter, and some places are unsure.
    bump            while the board slides nothing can be read; then it is followed.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from calibration.infinity.board import InfinityBoard
from companion.texts import text
from hw_sim.faults import Faults
from hw_sim.footprint import covered
from hw_sim.knob import DETENT_DEG, stop_of
from hw_sim.marbles import Slot
from hw_sim.scene import Light, Marble, Scene
from hw_sim.wires import SLOTS

EMPTY = "."
LABELS = (EMPTY, "B", "K", "Y", "W")
TAKEN_FOR = {EMPTY: "KKWYB", "B": "KKYW.", "K": "..BB", "Y": "WWB.", "W": "YY.B"}
"""What a label is misread as: black and an empty dark seat, white and glare, blue and black are the close pairs."""

SURE_WHEN_WRONG = 1 / 3
ADAPTING_S = 0.8
"""A camera's automatics need about this long after a step."""
IN_SEAT_MM = 4.0
"""A marble this near to a seat's middle is seen in it; up to `NEAR_SEAT_MM` it might be."""
NEAR_SEAT_MM = 14.0
LIFTED_MM = 4.0
"""A marble this much above its seat looks too large for it."""
KNOB_PLAY_DEG = 9.0
PX_PER_MM = 2.5
"""Of a 720p picture that shows the whole board."""
POOL = 24
"""Different readings kept of each label: enough that no two pictures look alike, made once."""


@dataclass(frozen=True, slots=True)
class PlaceSeen:
    """One place: P(what is seen | label), the largest 1; whether that may be told as certain; whether it is covered."""

    likelihoods: Mapping[str, float]
    sure: bool
    covered: bool = False


COVERED = PlaceSeen({}, sure=False, covered=True)


@dataclass(frozen=True, slots=True)
class Seen:
    """One picture as read.

    Attributes:
        status: "ok", "unsure", "occluded", "no_board" or "moved"; the last two report no places.
        knob: labels are the stops, "-4" to "5"; None where it cannot be seen.
        well: marbles by kind, None where they cannot be counted.
        foreign: whether a hand or a thing is in the picture.
        shift_px: how far the board lies from where it lay at the start.
        blind: places that this camera can never see; they stand in `places` as covered and make no status.
    """

    status: str
    places: Mapping[str, PlaceSeen] = field(default_factory=dict)
    knob: PlaceSeen | None = None
    well: Mapping[str, int] | None = None
    foreign: bool = False
    confidence: float = 0.0
    shift_px: float = 0.0
    detail: str = ""
    blind: tuple[str, ...] = ()


class SimEyes:
    """Looks at scenes. Call `look` in the order of time: glare and a camera that adapts last longer than a picture."""

    def __init__(self, board: InfinityBoard, faults: Faults, rng: random.Random) -> None:
        self._board = board
        self._faults = faults
        self._rng = rng
        self._seats = {(int(n[0]), int(n[2])): (n, point) for n, point in board.slot_centres().items()}
        self._pools = {label: [clearly(label, LABELS, rng) for _ in range(POOL)] for label in LABELS}
        self._light = Light()
        self._adapting_until_s = 0.0
        self._glare: dict[Slot, tuple[float, PlaceSeen]] = {}
        self._glare_due_s = self._next_glare_s(0.0)

    def look(self, t_s: float, scene: Scene, light: Light, *, sliding: bool = False) -> Seen:
        """Read the scene at `t_s`; `sliding` while the board is on its way after a bump."""
        if not scene.board_present:
            return Seen("no_board", detail=text("no marker of the board is in the picture"))
        shift_px = max(abs(scene.bump_mm[0]), abs(scene.bump_mm[1])) * PX_PER_MM
        foreign = bool(scene.hands or scene.things)
        if sliding:
            return Seen("moved", foreign=foreign, shift_px=shift_px, detail=text("the board is moving"))
        self._notice_light(t_s, light)
        self._notice_glare(t_s)
        places = {self._seats[slot][0]: seen for slot, seen in self._slots(t_s, scene)}
        knob = self._knob(t_s, scene)
        return Seen(
            status=status_of((*places.values(), knob)),
            places=places,
            knob=None if knob.covered else knob,
            well=self._well(scene),
            foreign=foreign,
            confidence=min((posterior(seen) for seen in places.values() if seen.sure), default=0.0),
            shift_px=shift_px,
        )

    def _slots(self, t_s: float, scene: Scene) -> Iterator[tuple[Slot, PlaceSeen]]:
        near = dict(self._near_seats(scene.marbles))
        adapting = t_s < self._adapting_until_s
        for slot in SLOTS:
            _, (x, y, _) = self._seats[slot]
            if covered(scene, x, y):
                yield slot, COVERED
                continue
            label, half = near.get(slot, (EMPTY, False))
            seen = self._half(label) if half else self._rng.choice(self._pools[label])
            yield slot, self._spoilt(slot, label, seen, adapting)

    def _near_seats(self, marbles: tuple[Marble, ...]) -> Iterator[tuple[Slot, tuple[str, bool]]]:
        """(slot, (kind, whether it is only half there)) for every marble near a seat."""
        channels, slots = self._board.channels, self._board.slots
        for marble in sorted(marbles, key=lambda m: -m.z_mm):
            channel = round(marble.x_mm / channels.pitch + (channels.count + 1) / 2)
            slot = round((marble.y_mm - slots.first_y) / slots.pitch) + 1
            if (channel, slot) not in self._seats:
                continue
            x, y, z = self._seats[channel, slot][1]
            off_mm = max(abs(marble.x_mm - x), abs(marble.y_mm - y))
            if off_mm < NEAR_SEAT_MM:
                half = off_mm > IN_SEAT_MM or marble.z_mm - z > LIFTED_MM
                yield (channel, slot), (str(marble.kind), half)

    def _half(self, label: str) -> PlaceSeen:
        """A marble on its way or held over a seat: it or nothing, and not surely."""
        less = self._rng.uniform(0.2, 0.9)
        pair = (label, EMPTY) if self._rng.random() < 0.5 else (EMPTY, label)
        return PlaceSeen(dict.fromkeys(LABELS, 0.002) | {pair[0]: 1.0, pair[1]: less}, sure=False)

    def _spoilt(self, slot: Slot, label: str, seen: PlaceSeen, adapting: bool) -> PlaceSeen:
        if self._rng.random() < self._faults.misread:
            wrong = self._rng.choice(TAKEN_FOR[label])
            sure = self._rng.random() < SURE_WHEN_WRONG
            seen = self._wrongly(wrong, label, LABELS, sure=sure)
        elif slot in self._glare:
            glared = self._glare[slot][1]
            seen = PlaceSeen({**glared.likelihoods, label: max(0.4, glared.likelihoods[label])}, sure=False)
        return flattened(seen, self._rng) if adapting else seen

    def _wrongly(self, wrong: str, right: str, labels: tuple[str, ...], *, sure: bool) -> PlaceSeen:
        return wrongly(wrong, right, labels, self._rng, sure=sure)

    def _knob(self, t_s: float, scene: Scene) -> PlaceSeen:
        if self._pointer_covered(scene):
            return COVERED
        detents = round(scene.knob_deg / DETENT_DEG)
        stop, off_deg = stop_of(detents), scene.knob_deg - detents * DETENT_DEG
        if abs(off_deg) > KNOB_PLAY_DEG:
            other = stop_of(detents + (1 if off_deg > 0 else -1))
            return self._wrongly(str(stop), str(other), STOPS, sure=False)
        if self._rng.random() < self._faults.misread:
            other = stop_of(detents + self._rng.choice((-1, 1, 5)))
            return self._wrongly(str(other), str(stop), STOPS, sure=self._rng.random() < SURE_WHEN_WRONG)
        seen = clearly(str(stop), STOPS, self._rng)
        return seen if t_s >= self._adapting_until_s else PlaceSeen(seen.likelihoods, sure=False)

    def _pointer_covered(self, scene: Scene) -> bool:
        knob, turn = self._board.knob, math.radians(scene.knob_deg)
        middle = (knob.cx + knob.r / 2 * math.sin(turn), knob.cy + knob.r / 2 * math.cos(turn))
        return covered(scene, knob.cx, knob.cy) or covered(scene, *middle)

    def _well(self, scene: Scene) -> dict[str, int] | None:
        """The marbles in the groove by kind; None where something lies over it or a marble is on its way."""
        groove = self._board.groove
        if any(covered(scene, *self._board.groove_point(deg)[:2]) for deg in range(160, 390, 20)):
            return None
        counts = {"B": 0, "K": 0, "Y": 0, "W": 0}
        for marble in scene.marbles:
            off_mm = abs(math.hypot(marble.x_mm - groove.cx, marble.y_mm - groove.cy) - groove.r)
            low = marble.z_mm < self._board.marble.centre_z_in_well + LIFTED_MM
            # The two middle channels' entry slots lie on the groove's circle, but above its ends.
            if off_mm < IN_SEAT_MM and low and marble.y_mm < self._board.channels.entry_y:
                counts[marble.kind] += 1
        if self._rng.random() >= self._faults.misread:
            return counts
        if self._rng.random() < 0.5:
            return None
        kind = self._rng.choice([kind for kind, count in counts.items() if count])
        counts[kind] -= 1
        counts[self._rng.choice(TAKEN_FOR[kind].replace(EMPTY, "") or kind)] += 1
        return counts

    def _notice_light(self, t_s: float, light: Light) -> None:
        if light != self._light:
            self._light = light
            self._adapting_until_s = t_s + ADAPTING_S

    def _notice_glare(self, t_s: float) -> None:
        self._glare = {slot: glare for slot, glare in self._glare.items() if glare[0] > t_s}
        while t_s >= self._glare_due_s:
            wrong = self._rng.choice("WWY.")
            seen = PlaceSeen({label: self._rng.uniform(0.05, 0.6) for label in LABELS} | {wrong: 1.0}, sure=False)
            self._glare[self._rng.choice(SLOTS)] = (self._glare_due_s + self._rng.uniform(1.0, 6.0), seen)
            self._glare_due_s = self._next_glare_s(self._glare_due_s)

    def _next_glare_s(self, t_s: float) -> float:
        rate = self._faults.glare_rate
        return t_s + self._rng.expovariate(rate / 60.0) if rate else float("inf")


STOPS = tuple(str(stop) for stop in range(-4, 6))


def clearly(label: str, labels: Collection[str], rng: random.Random, close: Collection[str] | None = None) -> PlaceSeen:
    """A place well read: the close labels some hundred times less likely, the others far less."""
    close = TAKEN_FOR.get(label, "") if close is None else close
    others = {other: 10 ** -(rng.uniform(2, 4) if other in close else rng.uniform(4, 6)) for other in labels}
    return PlaceSeen(others | {label: 1.0}, sure=True)


def wrongly(wrong: str, right: str, labels: tuple[str, ...], rng: random.Random, *, sure: bool) -> PlaceSeen:
    """A place that favours a wrong label; the right one stays possible."""
    doubt = rng.uniform(0.03, 0.2) if sure else rng.uniform(0.3, 0.95)
    return PlaceSeen(dict.fromkeys(labels, 0.003) | {wrong: 1.0, right: doubt}, sure=sure)


def flattened(seen: PlaceSeen, rng: random.Random) -> PlaceSeen:
    """A place while the camera's automatics adapt: every likelihood is flatter."""
    flat = {other: value**0.4 for other, value in seen.likelihoods.items()}
    return PlaceSeen(flat, seen.sure and rng.random() < 0.7)


def posterior(seen: PlaceSeen) -> float:
    return max(seen.likelihoods.values()) / sum(seen.likelihoods.values())


def status_of(seen: Collection[PlaceSeen]) -> str:
    if any(place.covered for place in seen):
        return "occluded"
    return "ok" if all(place.sure for place in seen) else "unsure"
