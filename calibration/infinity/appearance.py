"""What a calibrated camera has learnt of a board's look: its kinds of marbles, empty seats, knob, and noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calibration.camera import Lens, Pose
from calibration.file import packed, unpacked
from calibration.infinity.board import InfinityBoard
from calibration.light import LightReference, Values

EMPTY = "."
STOPS = tuple(range(-4, 6))
"""The knob's stops, clockwise from `*`; 5 is infinity."""


@dataclass(frozen=True, slots=True)
class KnobLook:
    """The knob's top as a polar picture, turned so that the pointer stands at 0.

    Attributes:
        template: (angles, radii, 3) contrast of the pointer against what lies beside it.
        resting: (angles, radii, 3) contrast that does not turn with the knob: a lamp's mirror image.
        top: (radii, 3) the top's usual colour at each radius.
        agreement: the smallest correlation of a calibration picture with the template.
        top_noise: how much points of the top differ from `top` at most, apart from the pointer.
    """

    template: Values
    resting: Values
    top: Values
    agreement: float
    top_noise: float


@dataclass(frozen=True, slots=True)
class Appearance:
    """Roots of linear light in the empty picture's light (see `calibration.light`).

    Attributes:
        light: grey patches and plain board in the empty picture.
        marbles: (SIDE, SIDE, 3) by kind.
        seats: (slots, SIDE, SIDE, 3), empty, in board order.
        usual: by kind and "." the distance at which a true one is usually seen.
        shift: (across, along) grid steps that marbles lie from their seats' middles at most.
        radius: by kind how wide a marble's outline is seen, and how far off a true one may be (see
            `matching.marble_radius`).
        structure: the least of `band_structure` that an empty seat showed in each of the three bands.
        shade: share of deep shade that a marble casts around itself at most (see `matching.deep_shade`).
        board_noise: how much points of the uncovered board differ from the empty picture at most, shadows allowed.
        knob: None where the pointer cannot be told from the knob.
    """

    light: LightReference
    marbles: Mapping[str, Values]
    seats: Values
    usual: Mapping[str, float]
    shift: tuple[float, float]
    radius: Mapping[str, tuple[float, float]]
    structure: tuple[float, float, float]
    shade: float
    board_noise: float
    knob: KnobLook | None


@dataclass(frozen=True, slots=True)
class InfinityCalibration:
    """See `calibration.file.Calibration`."""

    board: InfinityBoard
    lens: Lens
    pose: Pose
    shrink: float
    appearance: Appearance
    opencv: str

    @property
    def game(self) -> str:
        return self.board.game

    @property
    def size(self) -> tuple[int, int]:
        return self.lens.width, self.lens.height

    def look_json(self) -> dict[str, Any]:
        look = self.appearance
        return {
            "light": {"strip": packed(look.light.strip), "plain": packed(look.light.plain)},
            "marbles": {kind: packed(values) for kind, values in look.marbles.items()},
            "seats": packed(look.seats),
            "usual": dict(look.usual),
            "shift": list(look.shift),
            "radius": {kind: list(values) for kind, values in look.radius.items()},
            "structure": list(look.structure),
            "shade": look.shade,
            "board_noise": look.board_noise,
            "knob": look.knob
            and {
                "template": packed(look.knob.template),
                "resting": packed(look.knob.resting),
                "top": packed(look.knob.top),
                "agreement": look.knob.agreement,
                "top_noise": look.knob.top_noise,
            },
        }

    @classmethod
    def from_json(
        cls, board: InfinityBoard, lens: Lens, pose: Pose, shrink: float, opencv: str, data: Mapping[str, Any]
    ) -> InfinityCalibration:
        """The calibration of a file's data; what is damaged in it raises KeyError, TypeError or ValueError."""
        knob = data["knob"]
        appearance = Appearance(
            LightReference(unpacked(data["light"]["strip"]), unpacked(data["light"]["plain"])),
            {kind: unpacked(values) for kind, values in data["marbles"].items()},
            unpacked(data["seats"]),
            {label: float(value) for label, value in data["usual"].items()},
            (float(data["shift"][0]), float(data["shift"][1])),
            {kind: (float(mean), float(play)) for kind, (mean, play) in data["radius"].items()},
            (float(data["structure"][0]), float(data["structure"][1]), float(data["structure"][2])),
            float(data["shade"]),
            float(data["board_noise"]),
            knob
            and KnobLook(
                unpacked(knob["template"]),
                unpacked(knob["resting"]),
                unpacked(knob["top"]),
                knob["agreement"],
                knob["top_noise"],
            ),
        )
        return cls(board, lens, pose, shrink, appearance, opencv)
