"""Looks by name, and looks drawn at random from a seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from calibration.infinity.board import InfinityBoard
from hw_sim.camera.ground import table_plane
from hw_sim.camera.lens import Lens, Pose, View, looking_at
from hw_sim.camera.look import MARBLE_FINISHES, Finish, KnobStyle, Lamp, Look, Sensor, Table
from hw_sim.camera.textures import RGB, TableKind
from hw_sim.scene import MarbleKind

WARM: RGB = (1.35, 0.98, 0.50)
NEUTRAL: RGB = (1.0, 1.0, 1.0)
COLD: RGB = (0.82, 0.98, 1.28)
SKY: RGB = (0.80, 0.98, 1.30)

OAK = (TableKind.WOOD, (0.20, 0.115, 0.055), (0.42, 0.27, 0.15))
WALNUT = (TableKind.WOOD, (0.030, 0.016, 0.010), (0.085, 0.045, 0.026))
GREEN_FELT = (TableKind.FELT, (0.012, 0.060, 0.028), (0.030, 0.115, 0.055))
GRANITE = (TableKind.STONE, (0.020, 0.021, 0.023), (0.130, 0.132, 0.135))
WHITE_TOP = (TableKind.PLAIN, (0.52, 0.52, 0.50), (0.60, 0.60, 0.58))

CEILING = Lamp(110, 68, 1600, (520, 420), 0.55)
WINDOW = Lamp(165, 38, 1500, (420, 330), 0.72, SKY, (1.08, 1.0, 0.88))
DESK_LAMP = Lamp(-150, 40, 560, (28, 24), 0.80, (1.15, 1.0, 0.78), NEUTRAL)
WARM_ROOM = Lamp(30, 58, 1300, (160, 160), 0.60, WARM, (1.2, 1.0, 0.68))
COLD_TUBES = Lamp(75, 72, 1700, (650, 60), 0.60, COLD, COLD)
DUSK = Lamp(-35, 50, 1400, (380, 300), 0.45, (1.1, 1.0, 0.85), (0.95, 1.0, 1.12))

GREY_PLASTIC = Finish((0.21, 0.22, 0.26), 0.04, 0.14)
BLACK_PLASTIC = Finish((0.022, 0.022, 0.025), 0.04, 0.14)

PRESETS: Mapping[str, Look] = {
    look.name: look
    for look in (
        Look(
            "black_ceiling", Finish((0.016, 0.016, 0.018), 0.04, 0.24), GREY_PLASTIC, (0.80, 0.80, 0.78),
            Table(*OAK, turn_deg=25), CEILING, Lens(1120), looking_at(4, -80, 8, 446, (3, -3)), Sensor(), seed=1,
        ),
        Look(
            "slate_window", Finish((0.050, 0.046, 0.042), 0.045, 0.12), GREY_PLASTIC, (0.82, 0.82, 0.80),
            Table(*GRANITE, turn_deg=-12), WINDOW, Lens(1190, -0.02), looking_at(17, -85, -4, 470, (-2, -6)),
            Sensor(noise=1.1), knob_style=KnobStyle.FLUTED, seed=2,
        ),
        Look(
            "white_felt", Finish((0.70, 0.70, 0.68), 0.04, 0.22), BLACK_PLASTIC, (0.70, 0.07, 0.04),
            Table(*GREEN_FELT), replace(CEILING, azimuth_deg=-40), Lens(1060), looking_at(12, -70, -7, 420, (1, -4)),
            Sensor(ev=-0.25), seed=3,
        ),
        Look(
            "grey_dusk", Finish((0.22, 0.22, 0.23), 0.04, 0.25), GREY_PLASTIC, (0.80, 0.80, 0.78),
            Table(*WALNUT, turn_deg=-28), DUSK, Lens(1130), looking_at(18, -92, 1, 432, (-2, -6)),
            Sensor(noise=3.2, blur_px=0.8, ev=-1.0, white_balance=0.5), seed=4,
        ),
        Look(
            "green_desk_lamp", Finish((0.028, 0.135, 0.060), 0.045, 0.10), GREY_PLASTIC, (0.82, 0.82, 0.80),
            Table(*OAK, turn_deg=12), DESK_LAMP, Lens(1170), looking_at(10, -88, 1, 442),
            Sensor(noise=1.6, ev=-0.1), seed=5,
        ),
        Look(
            "blue_warm_sideways", Finish((0.020, 0.048, 0.20), 0.04, 0.18), Finish((0.58, 0.43, 0.03), 0.04, 0.15),
            (0.85, 0.85, 0.82), Table(*WALNUT, turn_deg=22), WARM_ROOM, Lens(1200, -0.075, 0.02),
            looking_at(11, 185, 84, 460, (-2, 6)), Sensor(vignette=0.19, white_balance=0.55), seed=6,
        ),
        Look(
            "red_cold_tubes", Finish((0.26, 0.022, 0.020), 0.045, 0.16), BLACK_PLASTIC, (0.82, 0.82, 0.80),
            Table(*WHITE_TOP), COLD_TUBES, Lens(1010, 0.03), looking_at(8, 60, 182, 402, (2, 2)),
            Sensor(noise=0.8, white_balance=0.6, sharpen=0.5), knob_style=KnobStyle.FLUTED, seed=7,
        ),
        Look(
            "beech_window", Finish((0.40, 0.27, 0.15), 0.04, 0.28), Finish((0.05, 0.05, 0.055), 0.04, 0.14),
            (0.82, 0.80, 0.72), Table(*GRANITE, turn_deg=40), replace(WINDOW, azimuth_deg=20, elevation_deg=45),
            Lens(1080, -0.04), looking_at(14, -110, -3, 425, (0, -5)), Sensor(noise=1.2), seed=8,
        ),
    )
}  # fmt: skip
"""Eight looks, easy and hard ones: dark boards on which black marbles hide, glare, dusk, coloured light, lenses that
bend, a board that lies sideways or upside down."""

BOARD_COLOURS: tuple[RGB, ...] = (
    (0.014, 0.014, 0.016), (0.05, 0.046, 0.042), (0.10, 0.10, 0.11), (0.22, 0.22, 0.23), (0.45, 0.44, 0.42),
    (0.70, 0.70, 0.68), (0.03, 0.14, 0.06), (0.02, 0.05, 0.20), (0.26, 0.02, 0.02), (0.40, 0.27, 0.15),
    (0.16, 0.05, 0.18), (0.03, 0.16, 0.18),
)  # fmt: skip
TABLES = (OAK, WALNUT, GREEN_FELT, GRANITE, WHITE_TOP)
LAMPS = (CEILING, WINDOW, DESK_LAMP, WARM_ROOM, COLD_TUBES, DUSK)


def is_whole(board: InfinityBoard, lens: Lens, pose: Pose, size: tuple[int, int] = (1280, 720)) -> bool:
    """Whether all of the board is in the picture, with room for a bump."""
    plane, room = table_plane(board), 14.0
    half_w, half_h = board.board.w / 2 + room, board.board.h / 2 + room
    corners = [(x, y) for x in (-half_w, half_w) for y in (-half_h, half_h)]
    seen = View(lens, pose, size).project(np.array([(x, y, z) for x, y in corners for z in (0.0, plane.z_at(x, y))]))
    return bool((seen > 0).all() and (seen[:, 0] < size[0] - 1).all() and (seen[:, 1] < size[1] - 1).all())


def _random_pose(board: InfinityBoard, lens: Lens, rng: np.random.Generator) -> Pose:
    """A camera over the board, as near as shows all of it."""
    tilt, to = rng.uniform(0, 22), rng.uniform(-150, -30)
    turn = float(rng.choice([0, 0, 0, 0, 180, 90, -90])) + rng.normal(0, 6)
    distance = lens.focal_px * 0.33
    while True:
        pose = looking_at(tilt, to, turn, distance, (float(rng.normal(0, 3)), float(rng.normal(-3, 3))))
        if is_whole(board, lens, pose):
            return pose
        distance *= 1.02


def _shifted(rgb: RGB, rng: np.random.Generator, spread: float) -> RGB:
    r, g, b = (float(min(part * np.exp(rng.normal(0, spread)), 0.9)) for part in rgb)
    return r, g, b


def random_look(seed: int, board: InfinityBoard) -> Look:
    """A look drawn from a seed: another board, lamp, table and camera; all of the board is in the picture."""
    rng = np.random.default_rng([seed, 11])
    lamp = LAMPS[rng.integers(len(LAMPS))]
    lamp = replace(
        lamp,
        azimuth_deg=float(rng.uniform(-180, 180)),
        elevation_deg=float(np.clip(lamp.elevation_deg + rng.normal(0, 6), 30, 80)),
        share=float(np.clip(lamp.share + rng.normal(0, 0.06), 0.3, 0.85)),
    )
    is_dusk = bool(rng.random() < 0.2)
    lens = Lens(float(rng.uniform(1000, 1200)), float(rng.choice([0.0, rng.uniform(-0.09, 0.04)])))
    marbles = {
        kind: replace(finish, rgb=_shifted(finish.rgb, rng, 0.08), roughness=float(rng.uniform(0.025, 0.07)))
        for kind, finish in MARBLE_FINISHES.items()
    }
    board_rgb = _shifted(BOARD_COLOURS[rng.integers(len(BOARD_COLOURS))], rng, 0.12)
    knob_is_dark = bool(rng.random() < 0.4)
    return Look(
        f"random_{seed}",
        Finish(board_rgb, 0.04, float(rng.uniform(0.10, 0.30))),
        BLACK_PLASTIC if knob_is_dark else GREY_PLASTIC,
        (0.70, 0.07, 0.04) if knob_is_dark and rng.random() < 0.4 else (0.82, 0.82, 0.80),
        Table(*TABLES[rng.integers(len(TABLES))], turn_deg=float(rng.uniform(-45, 45))),
        lamp,
        lens,
        _random_pose(board, lens, rng),
        Sensor(
            noise=float(rng.uniform(2, 3.5) if is_dusk else rng.uniform(0.7, 1.7)),
            blur_px=float(rng.uniform(0.5, 0.85)),
            sharpen=float(rng.uniform(0, 0.5)),
            vignette=float(rng.uniform(0, 0.22)),
            ev=float(rng.normal(-0.9, 0.15) if is_dusk else rng.normal(-0.15, 0.12)),
            white_balance=float(rng.uniform(0.5, 0.95)),
        ),
        KnobStyle.FLUTED if rng.random() < 0.5 else KnobStyle.SMOOTH,
        marbles,
        seed,
    )


__all__ = ["PRESETS", "MarbleKind", "is_whole", "random_look"]
