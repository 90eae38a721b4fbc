"""Looks of Finity by name, and looks drawn at random from a seed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from calibration.finity.board import FinityBoard
from hw_sim.camera.lens import Lens, Pose, View, looking_at
from hw_sim.camera.look import Finish, Lamp, Sensor, Table
from hw_sim.camera.presets import (
    COLD,
    GRANITE,
    GREEN_FELT,
    NEUTRAL,
    OAK,
    SKY,
    TABLES,
    WALNUT,
    WARM,
    WHITE_TOP,
)
from hw_sim.camera.textures import RGB
from hw_sim.finity.camera.look import FinityLook

Colours = tuple[RGB, RGB, RGB, RGB]

CYAN, YELLOW, PURPLE, RED = (0.015, 0.30, 0.42), (0.66, 0.44, 0.02), (0.22, 0.025, 0.36), (0.44, 0.022, 0.025)
GREEN, BLUE, ORANGE, PINK = (0.03, 0.24, 0.05), (0.02, 0.055, 0.38), (0.62, 0.16, 0.012), (0.60, 0.12, 0.26)
TEAL, IVORY, BROWN, LIME = (0.012, 0.16, 0.15), (0.68, 0.62, 0.44), (0.13, 0.055, 0.025), (0.34, 0.46, 0.03)

FIRST_EDITION: Colours = (CYAN, YELLOW, PURPLE, RED)
SECOND_EDITION: Colours = (GREEN, RED, BLUE, YELLOW)
BRIGHT: Colours = (ORANGE, LIME, PINK, BLUE)
EARTHY: Colours = (TEAL, IVORY, BROWN, RED)
COLOUR_SETS = (FIRST_EDITION, SECOND_EDITION, BRIGHT, EARTHY)

GLOSSY = Finish((0.0, 0.0, 0.0), 0.045, 0.10)
SATIN = Finish((0.0, 0.0, 0.0), 0.04, 0.22)

BLACK_GLOSS, BLACK_MATT = Finish((0.013, 0.013, 0.014), 0.05, 0.09), Finish((0.022, 0.022, 0.023), 0.04, 0.32)
WHITE_GLOSS, WHITE_MATT = Finish((0.72, 0.72, 0.70), 0.05, 0.10), Finish((0.66, 0.66, 0.62), 0.04, 0.30)
CONES = {"b": Finish((0.016, 0.016, 0.017), 0.04, 0.25), "w": Finish((0.68, 0.68, 0.66), 0.04, 0.25)}
GLOSSY_BRIDGES = {"b": BLACK_GLOSS, "w": WHITE_GLOSS}
MATT_BRIDGES = {"b": BLACK_MATT, "w": WHITE_MATT}

CEILING = Lamp(110, 68, 1800, (520, 420), 0.55)
WINDOW = Lamp(165, 38, 1700, (420, 330), 0.72, SKY, (1.08, 1.0, 0.88))
SIDE_LAMP = Lamp(75, 36, 1200, (32, 28), 0.80, (1.15, 1.0, 0.80), NEUTRAL)
WARM_ROOM = Lamp(30, 58, 1500, (150, 150), 0.62, WARM, (1.2, 1.0, 0.68))
COLD_TUBES = Lamp(75, 70, 1800, (650, 60), 0.60, COLD, COLD)
DUSK = Lamp(-35, 50, 1600, (380, 300), 0.45, (1.1, 1.0, 0.85), (0.95, 1.0, 1.12))
LAMPS = (CEILING, WINDOW, SIDE_LAMP, WARM_ROOM, COLD_TUBES, DUSK)


def tile(grey: float, roughness: float = 0.3, tint: float = 0.0) -> Finish:
    """Grey plastic, bluish with a positive tint."""
    return Finish((grey, grey, grey * (1 + tint)), 0.04, roughness)


FINITY_LOOKS: Mapping[str, FinityLook] = {
    look.name: look
    for look in (
        FinityLook(
            "oak_ceiling", tile(0.13), MATT_BRIDGES, CONES, FIRST_EDITION, SATIN, 12.0, Table(*OAK, turn_deg=15),
            CEILING, Lens(1050), looking_at(4, -88, 1, 606, (-4, 2)), Sensor(), seed=1,
        ),
        FinityLook(
            "granite_window", tile(0.085, 0.22), GLOSSY_BRIDGES, CONES, SECOND_EDITION, GLOSSY, 13.5,
            Table(*GRANITE, turn_deg=-12), WINDOW, Lens(1080, -0.07, 0.015), looking_at(18, -78, 12, 676, (16, -20)),
            Sensor(noise=1.1), seed=2,
        ),
        FinityLook(
            "walnut_side_lamp", tile(0.11, 0.26), GLOSSY_BRIDGES, CONES, FIRST_EDITION, GLOSSY, 15.0,
            Table(*WALNUT, turn_deg=8), SIDE_LAMP, Lens(1050), looking_at(12, -100, -9, 656, (-20, -14)),
            Sensor(noise=1.2, white_balance=0.6), seed=3,
        ),
        FinityLook(
            "white_upside_down", tile(0.17, 0.3, -0.03), MATT_BRIDGES, CONES, SECOND_EDITION, SATIN, 11.0,
            Table(*WHITE_TOP), replace(CEILING, azimuth_deg=-50, elevation_deg=55, half_mm=(200, 160)), Lens(1050),
            looking_at(10, 84, 179, 600, (-2, 20)), Sensor(ev=-0.1), roundness=0.0, seed=4,
        ),
        FinityLook(
            "dusk", tile(0.10), GLOSSY_BRIDGES, CONES, FIRST_EDITION, SATIN, 12.5, Table(*WALNUT, turn_deg=-28), DUSK,
            Lens(1050), looking_at(8, -85, 5, 636, (-20, -10)),
            Sensor(noise=3.2, blur_px=0.8, ev=-1.1, white_balance=0.5), seed=5,
        ),
        FinityLook(
            "warm_felt", tile(0.06, 0.24, 0.05), MATT_BRIDGES, CONES, BRIGHT, SATIN, 11.0,
            Table(*GREEN_FELT), WARM_ROOM, Lens(1050, -0.05, 0.01), looking_at(23, -104, -13, 664, (-20, -20)),
            Sensor(white_balance=0.55, vignette=0.18), roundness=0.6, seed=6,
        ),
        FinityLook(
            "cold_tubes", tile(0.20, 0.34), GLOSSY_BRIDGES, CONES, EARTHY, GLOSSY, 18.0, Table(*WHITE_TOP),
            COLD_TUBES, Lens(980, 0.03), looking_at(14, 10, 4, 616, (12, -6)),
            Sensor(noise=0.8, white_balance=0.6, sharpen=0.5), seed=7,
        ),
        FinityLook(
            "dark_low_lamp", tile(0.06, 0.18), GLOSSY_BRIDGES, CONES, SECOND_EDITION, GLOSSY, 16.5,
            Table(*GRANITE, turn_deg=35), replace(SIDE_LAMP, azimuth_deg=-140, elevation_deg=30, share=0.75),
            Lens(1120, -0.09, 0.02), looking_at(20, -60, 22, 776, (18, -20)), Sensor(noise=1.8, ev=-0.15, blur_px=0.65),
            seed=8,
        ),
    )
}  # fmt: skip
"""Eight looks, easy and hard ones: gloss on black bridges over dark tiles, hard side light, dusk, coloured light,
lenses that bend, boards seen from the side or upside down, low and high towers."""

ROOM_MM = 12.0
"""A bump of so much leaves the mat's print in the picture."""


def is_whole(board: FinityBoard, lens: Lens, pose: Pose, size: tuple[int, int] = (1280, 720)) -> bool:
    """Whether markers, patches and tiles are in the picture, with room for a bump; the mat's rim may be cut off."""
    half = board.aruco.size / 2 + 2
    print_mm = [(x + sx * half, y + sy * half) for x, y in board.aruco.centres for sx in (-1, 1) for sy in (-1, 1)]
    far = board.patches.size * len(board.patches.order) / 2
    print_mm += [(side * far, board.patches.y + board.patches.size / 2) for side in (-1, 1)]
    print_mm += [
        (x + board.hex_side * math.cos(turn), y + board.hex_side * math.sin(turn))
        for x, y in board.station_centres.values()
        for turn in np.linspace(0, 2 * math.pi, 6, endpoint=False)
    ]
    points = np.array([(x, y, 0.0) for x, y in print_mm])
    outwards = points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1) * ROOM_MM
    seen = View(lens, pose, size).project(points + outwards)
    return bool((seen > 0).all() and (seen[:, 0] < size[0] - 1).all() and (seen[:, 1] < size[1] - 1).all())


def _random_pose(board: FinityBoard, lens: Lens, rng: np.random.Generator) -> Pose:
    """A camera over the board, as near as shows all that counts."""
    tilt, to = float(rng.uniform(0, 25)), float(rng.uniform(-130, -50))
    turn = float(rng.choice([0, 0, 0, 180])) + float(rng.normal(0, 7))
    # Upside down the camera stands on the far side, with its picture upright again for whoever sits there.
    to += 180.0 if abs(turn) > 90 else 0.0
    distance = lens.focal_px * 0.50
    while True:
        # People move board and camera until both ends are in the picture.
        pose = looking_at(tilt, to, turn, distance, (float(rng.normal(0, 10)), float(rng.normal(0, 10))))
        if is_whole(board, lens, pose):
            return pose
        distance *= 1.008


def _shifted(rgb: RGB, rng: np.random.Generator, spread: float) -> RGB:
    r, g, b = (float(min(part * np.exp(rng.normal(0, spread)), 0.85)) for part in rgb)
    return r, g, b


def random_finity_look(seed: int, board: FinityBoard) -> FinityLook:
    """A look drawn from a seed: other colours, finishes, tower, lamp, table and camera."""
    rng = np.random.default_rng([seed, 13])
    lamp = LAMPS[rng.integers(len(LAMPS))]
    lamp = replace(
        lamp,
        azimuth_deg=float(rng.uniform(-180, 180)),
        elevation_deg=float(np.clip(lamp.elevation_deg + rng.normal(0, 6), 28, 80)),
        share=float(np.clip(lamp.share + rng.normal(0, 0.06), 0.3, 0.85)),
    )
    is_dusk = bool(rng.random() < 0.2)
    bends = bool(rng.random() < 0.5)
    lens = Lens(float(rng.uniform(980, 1130)), float(rng.uniform(-0.09, 0.04)) if bends else 0.0)
    colour_set = COLOUR_SETS[rng.integers(len(COLOUR_SETS))]
    a, b, c, d = (_shifted(colour_set[i], rng, 0.10) for i in rng.permutation(4))
    gloss = float(rng.uniform(0.08, 0.32))
    bridges = {
        "b": Finish(_shifted((0.016, 0.016, 0.016), rng, 0.15), 0.045, gloss),
        "w": Finish(_shifted((0.69, 0.69, 0.66), rng, 0.05), 0.045, gloss),
    }
    grey = tile(float(np.exp(rng.uniform(math.log(0.06), math.log(0.2)))), float(rng.uniform(0.18, 0.36)))
    return FinityLook(
        f"random_{seed}", replace(grey, rgb=_shifted(grey.rgb, rng, 0.03)), bridges, CONES, (a, b, c, d),
        Finish((0.0, 0.0, 0.0), 0.045, float(rng.uniform(0.08, 0.28))), float(rng.uniform(11, 18)),
        Table(*TABLES[rng.integers(len(TABLES))], turn_deg=float(rng.uniform(-45, 45))),
        lamp, lens, _random_pose(board, lens, rng),
        Sensor(
            noise=float(rng.uniform(2, 3.5) if is_dusk else rng.uniform(0.7, 1.7)),
            blur_px=float(rng.uniform(0.5, 0.8)),
            sharpen=float(rng.uniform(0, 0.5)),
            vignette=float(rng.uniform(0, 0.2)),
            ev=float(rng.normal(-1.0, 0.15) if is_dusk else rng.normal(-0.1, 0.12)),
            white_balance=float(rng.uniform(0.5, 0.95)),
        ),
        roundness=float(rng.choice([0.0, 0.6, 1.0, 1.0])),
        seed=seed,
    )  # fmt: skip
