"""One copy of the board of Rubik's Infinity.

Sections of its file: `board` (outline), `channels`, `slots`, `marble`, `groove` (the well), `knob`, `aruco` (markers)
and `grey_strip`; `calibration/boards/infinity.json` says what each number means.

Frame: origin in the middle of the top surface, x right, y along the channels away from the entry end, z towards the
camera. Angles in degrees, counter-clockwise from +x, except the knob's, which count clockwise from +y.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from calibration.board import (
    ANY,
    LENGTH,
    NOT_NEGATIVE,
    SHARE,
    Markers,
    Point,
    built_in,
    count,
    digest_of,
    read_sections,
)
from calibration.errors import BoardError
from calibration.form import Form, points, texts
from calibration.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Outline:
    w: float
    h: float
    corner_r: float
    front_thickness: float
    slant_deg: float
    bevel: float


@dataclass(frozen=True, slots=True)
class Channels:
    count: int
    pitch: float
    entry_y: float
    end_y: float
    profile_r: float
    depth: float


@dataclass(frozen=True, slots=True)
class Slots:
    count: int
    pitch: float
    first_y: float
    r: float
    depth: float


@dataclass(frozen=True, slots=True)
class MarbleSize:
    d: float
    centre_z_in_seat: float
    centre_z_in_well: float


@dataclass(frozen=True, slots=True)
class Groove:
    cx: float
    cy: float
    r: float
    start_deg: float
    end_deg: float
    profile_r: float
    depth: float
    marble_pitch: float


@dataclass(frozen=True, slots=True)
class Knob:
    cx: float
    cy: float
    r: float
    h: float
    notches: int
    ring_r: float
    notch_r: float
    pointer_z: float


@dataclass(frozen=True, slots=True)
class GreyStrip:
    cx: float
    cy: float
    w: float
    h: float
    z: float
    patch: float
    patch_pitch: float
    centres: tuple[tuple[float, float], ...]
    reflectance_linear: tuple[float, ...]
    paper_linear: float


@dataclass(frozen=True, slots=True)
class InfinityBoard:
    """One copy of the board; fields as in its file."""

    board: Outline
    channels: Channels
    slots: Slots
    marble: MarbleSize
    groove: Groove
    knob: Knob
    aruco: Markers
    grey_strip: GreyStrip

    @property
    def game(self) -> str:
        return "infinity"

    @property
    def piece_mm(self) -> float:
        """A marble."""
        return self.marble.d

    def slot_centres(self) -> dict[str, Point]:
        """Centre of a marble seated in each slot, by place name: "1.1" is the leftmost channel's entry slot."""
        first_x = -self.channels.pitch * (self.channels.count - 1) / 2
        return {
            f"{channel + 1}.{slot + 1}": (
                first_x + channel * self.channels.pitch,
                self.slots.first_y + slot * self.slots.pitch,
                self.marble.centre_z_in_seat,
            )
            for channel in range(self.channels.count)
            for slot in range(self.slots.count)
        }

    def well_centres(self, marbles: int) -> tuple[Point, ...]:
        """Centres of that many marbles at rest in the well, left to right along the groove."""
        step_deg = math.degrees(self.groove.marble_pitch / self.groove.r)
        angles = (270 + (index - (marbles - 1) / 2) * step_deg for index in range(marbles))
        return tuple(self.groove_point(angle) for angle in angles)

    def groove_point(self, angle_deg: float) -> Point:
        """Centre of a marble that lies in the groove at this angle."""
        angle = math.radians(angle_deg)
        return (
            self.groove.cx + self.groove.r * math.cos(angle),
            self.groove.cy + self.groove.r * math.sin(angle),
            self.marble.centre_z_in_well,
        )

    def well_capacity(self) -> int:
        """How many marbles find room side by side in the groove."""
        span = math.radians(self.groove.end_deg - self.groove.start_deg)
        return int(span * self.groove.r / self.groove.marble_pitch) + 1

    def to_json(self) -> dict[str, Any]:
        """The board as its file says it, without the notes; `parse_board` takes it back."""
        data = asdict(self)
        del data["aruco"]["ids"]  # they count from 0
        if not self.aruco.turns_deg:
            del data["aruco"]["turns_deg"]
        return {"game": self.game, "units": "mm", **data}

    @property
    def digest(self) -> str:
        """Short text that is the same for boards of the same measures."""
        return digest_of(self.to_json())


SECTIONS: Mapping[str, tuple[type, Mapping[str, Form]]] = {
    "board": (
        Outline,
        {
            "w": LENGTH,
            "h": LENGTH,
            "corner_r": NOT_NEGATIVE,
            "front_thickness": NOT_NEGATIVE,
            "slant_deg": ANY,
            "bevel": NOT_NEGATIVE,
        },
    ),
    "channels": (
        Channels,
        {"count": count(1, 9), "pitch": LENGTH, "entry_y": ANY, "end_y": ANY, "profile_r": LENGTH, "depth": LENGTH},
    ),
    "slots": (Slots, {"count": count(1, 9), "pitch": LENGTH, "first_y": ANY, "r": LENGTH, "depth": LENGTH}),
    "marble": (MarbleSize, {"d": LENGTH, "centre_z_in_seat": ANY, "centre_z_in_well": ANY}),
    "groove": (
        Groove,
        {
            "cx": ANY,
            "cy": ANY,
            "r": LENGTH,
            "start_deg": ANY,
            "end_deg": ANY,
            "profile_r": LENGTH,
            "depth": LENGTH,
            "marble_pitch": LENGTH,
        },
    ),
    "knob": (
        Knob,
        {
            "cx": ANY,
            "cy": ANY,
            "r": LENGTH,
            "h": NOT_NEGATIVE,
            "notches": count(2, 99),
            "ring_r": LENGTH,
            "notch_r": NOT_NEGATIVE,
            "angle0": texts(),
            "pointer_z": ANY,
        },
    ),
    "aruco": (
        Markers,
        {
            "dict": texts("DICT_APRILTAG_36h11"),
            "size": LENGTH,
            "z": ANY,
            "white_border_mm": NOT_NEGATIVE,
            "centres": points(at_least=2),
            "turns_deg": points(at_least=2, each=ANY),
            "order": texts(),
        },
    ),
    "grey_strip": (
        GreyStrip,
        {
            "cx": ANY,
            "cy": ANY,
            "w": LENGTH,
            "h": LENGTH,
            "z": ANY,
            "patch": LENGTH,
            "patch_pitch": LENGTH,
            "centres": points(at_least=2),
            "reflectance_linear": points(at_least=2, each=SHARE),
            "paper_linear": SHARE,
            "order": texts(),
        },
    ),
}
SAID_TWICE = ("angle0", "order")
"""Keys that only explain a convention: they may be there, and are not kept."""
OPTIONAL = ("turns_deg",)


def reference_board() -> InfinityBoard:
    """The board that comes with the program."""
    return parse_infinity_board(built_in("infinity"), "infinity")


def parse_infinity_board(data: Mapping[str, Any], where: str = "") -> InfinityBoard:
    """Check a board description and make a board of it; `where` is told in errors.

    Raises:
        BoardError: with every fault.
    """
    forms = {name: each for name, (_, each) in SECTIONS.items()}
    sections, faults = read_sections(data, forms, SAID_TWICE, OPTIONAL)
    if not faults:
        faults += _contradictions(sections)
    if faults:
        raise BoardError(where, tuple(faults))
    sections["aruco"]["ids"] = tuple(range(len(sections["aruco"]["centres"])))
    return InfinityBoard(**{name: SECTIONS[name][0](**values) for name, values in sections.items()})


def _contradictions(s: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What cannot be true together, each number for itself being possible."""
    faults: list[str] = []
    if s["slots"]["pitch"] < s["marble"]["d"]:
        faults.append(Sentence("slots.pitch is smaller than marble.d: the marbles would overlap"))
    if s["channels"]["pitch"] < s["marble"]["d"]:
        faults.append(Sentence("channels.pitch is smaller than marble.d: the marbles would overlap"))
    if s["groove"]["marble_pitch"] < s["marble"]["d"]:
        faults.append(Sentence("groove.marble_pitch is smaller than marble.d: the marbles would overlap"))
    if s["groove"]["end_deg"] <= s["groove"]["start_deg"]:
        faults.append(Sentence("groove.end_deg must be greater than groove.start_deg"))
    if s["channels"]["end_y"] <= s["channels"]["entry_y"]:
        faults.append(Sentence("channels.end_y must be greater than channels.entry_y"))
    if len(s["grey_strip"]["centres"]) != len(s["grey_strip"]["reflectance_linear"]):
        faults.append(Sentence("grey_strip needs one reflectance for each of its centres"))
    if len(s["aruco"].get("turns_deg", s["aruco"]["centres"])) != len(s["aruco"]["centres"]):
        faults.append(Sentence("aruco.turns_deg needs one turn for each of its centres"))
    half = (s["board"]["w"] / 2, s["board"]["h"] / 2)
    for section in ("aruco", "grey_strip"):
        for index, (x, y) in enumerate(s[section]["centres"]):
            if abs(x) > half[0] or abs(y) > half[1]:
                faults.append(
                    Sentence("{section}.centres[{index}] lies outside the board", section=section, index=index)
                )
    centres = s["aruco"]["centres"]
    faults += [
        Sentence("aruco.centres[{index}] overlaps another marker", index=index)
        for index, a in enumerate(centres)
        if any(max(abs(a[0] - b[0]), abs(a[1] - b[1])) < s["aruco"]["size"] for b in centres[:index])
    ]
    return faults
