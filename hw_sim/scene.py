"""What is on the simulated table at one moment: the seam between the table's physics and its camera.

Board millimetres: origin at the board's centre on its top surface, x right, y up along the channels from the
entry end, z out of the board towards the camera (the frame of the board file).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class MarbleKind(StrEnum):
    BLUE = "B"
    BLACK = "K"
    YELLOW = "Y"
    WHITE = "W"


@dataclass(frozen=True, slots=True)
class Marble:
    """A marble by the centre of its ball."""

    kind: MarbleKind
    x_mm: float
    y_mm: float
    z_mm: float


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand and its forearm: the fingertip's place and where the arm comes from.

    Attributes:
        x_mm, y_mm, z_mm: the tip of the index finger.
        arm_deg: direction from the tip towards the elbow, counter-clockwise from +x.
        skin: linear RGB reflectance.
        pinching: thumb and index finger hold something; the place is then that between their tips.
    """

    x_mm: float
    y_mm: float
    z_mm: float
    arm_deg: float
    skin: tuple[float, float, float] = (0.55, 0.33, 0.22)
    pinching: bool = False


class ThingKind(StrEnum):
    MUG = "mug"
    PEN = "pen"
    CARD = "card"
    SLEEVE = "sleeve"
    PHONE = "phone"


@dataclass(frozen=True, slots=True)
class Thing:
    """An object that is no hand, lying on or beside the board."""

    kind: ThingKind
    x_mm: float
    y_mm: float
    z_mm: float
    turn_deg: float
    colour: tuple[float, float, float]
    """Linear RGB reflectance."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that a camera could see of a table.

    Marbles, knob and hands are in the frame of the board as it lies now, things in that of the board as it lay at the
    start; both are the same until a bump. Without the board its marbles and its knob are out of sight too.

    Attributes:
        marbles: all marbles in sight (in slots, in the well, rolling, held in a hand).
        knob_deg: the pointer, clockwise positive from the `*`; stop k stands at 36*k degrees.
        bump_mm, bump_deg: how the board lies against where it lay at the start (x, y; counter-clockwise).
        board_present: False when somebody took the board away.
    """

    marbles: tuple[Marble, ...]
    knob_deg: float = 0.0
    hands: tuple[Hand, ...] = ()
    things: tuple[Thing, ...] = ()
    bump_mm: tuple[float, float] = (0.0, 0.0)
    bump_deg: float = 0.0
    board_present: bool = True


@dataclass(frozen=True, slots=True)
class Light:
    """Faults of the light and of the camera's automatics, relative to the start: 1 and 0 mean no change.

    Attributes:
        exposure: factor on the picture's linear brightness.
        white_balance: factors on linear red, green and blue.
        noise: standard deviation of sensor noise at mid grey, in parts of full scale.
    """

    exposure: float = 1.0
    white_balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    noise: float = field(default=0.01)
