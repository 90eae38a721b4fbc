"""How one simulated table looks: colours, finishes, lamp, table top, sensor, lens and camera place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from hw_sim.camera.lens import Lens, Pose
from hw_sim.camera.textures import RGB, TableKind
from hw_sim.scene import MarbleKind


@dataclass(frozen=True, slots=True)
class Finish:
    """A surface.

    Attributes:
        rgb: linear reflectance.
        f0: share of light that is mirrored straight on; plastic has 0.04.
        roughness: width of the mirrored lobe in radians; 0.02 is polished, 0.3 satin.
    """

    rgb: RGB
    f0: float = 0.04
    roughness: float = 0.2


@dataclass(frozen=True, slots=True)
class Lamp:
    """A rectangular lamp (a ceiling light, a window, a desk lamp) and the light of the room around it.

    Attributes:
        azimuth_deg: where the lamp stands, counter-clockwise from the board's +x.
        elevation_deg: how high, 90 is straight above.
        distance_mm: from the board's centre; a near lamp fades across the table.
        half_mm: half its width and height; a large lamp casts soft shadows.
        share: of the light on the board, how much comes from the lamp and not from the room.
        rgb, room_rgb: the colours of the lamp's and the room's light, relative to neutral.
    """

    azimuth_deg: float
    elevation_deg: float
    distance_mm: float
    half_mm: tuple[float, float]
    share: float
    rgb: RGB = (1.0, 1.0, 1.0)
    room_rgb: RGB = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Table:
    kind: TableKind
    dark: RGB
    light: RGB
    turn_deg: float = 0.0
    finish: Finish = field(default=Finish((0.0, 0.0, 0.0), 0.035, 0.35))


@dataclass(frozen=True, slots=True)
class Sensor:
    """What the camera adds.

    Attributes:
        noise: factor on the noise of `hw_sim.scene.Light`.
        blur_px: standard deviation of the lens's blur.
        sharpen: strength of the camera's own sharpening.
        vignette: share of light lost in the corners.
        ev: exposure against neutral, in stops.
        white_balance: share of the light's colour that the camera took out when it was locked.
        jpeg: quality of a compressing camera, None for raw pictures.
    """

    noise: float = 1.0
    blur_px: float = 0.5
    sharpen: float = 0.3
    vignette: float = 0.1
    ev: float = 0.0
    white_balance: float = 0.75
    jpeg: int | None = None


class KnobStyle(StrEnum):
    SMOOTH = "smooth"
    FLUTED = "fluted"


MARBLE_FINISHES: Mapping[MarbleKind, Finish] = {
    MarbleKind.BLUE: Finish((0.014, 0.035, 0.30), 0.045, 0.035),
    MarbleKind.BLACK: Finish((0.010, 0.010, 0.011), 0.045, 0.035),
    MarbleKind.YELLOW: Finish((0.78, 0.46, 0.015), 0.045, 0.035),
    MarbleKind.WHITE: Finish((0.80, 0.80, 0.78), 0.045, 0.035),
}


@dataclass(frozen=True, slots=True)
class Look:
    """One set of colours, light and camera. `seed` draws the table's pattern and the board's grain."""

    name: str
    board: Finish
    knob: Finish
    pointer: RGB
    table: Table
    lamp: Lamp
    lens: Lens
    pose: Pose
    sensor: Sensor = field(default_factory=Sensor)
    knob_style: KnobStyle = KnobStyle.SMOOTH
    marbles: Mapping[MarbleKind, Finish] = field(default_factory=lambda: MARBLE_FINISHES)
    seed: int = 0
