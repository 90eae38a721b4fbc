"""What may trouble a picture: a hand, other light, a bump, a thing, a marble held or half pushed, no board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration.infinity.board import InfinityBoard
from hw_sim.camera.positions import Layout, marbles_of
from hw_sim.scene import Hand, Light, Marble, MarbleKind, Scene, Thing, ThingKind

SKINS = ((0.56, 0.35, 0.25), (0.68, 0.47, 0.37), (0.36, 0.20, 0.12), (0.16, 0.085, 0.05))
THING_COLOURS = ((0.40, 0.03, 0.02), (0.02, 0.05, 0.35), (0.72, 0.71, 0.66), (0.05, 0.05, 0.05), (0.03, 0.20, 0.10))
RESTING_MM = 10.2
"""Underside of a thing that lies on the marbles of a board."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture to be: what is seen, and what is true of it."""

    layout: Layout
    scene: Scene
    light: Light
    doubtful: tuple[str, ...] = ()
    """Slots between which a marble is held or pushed: no reader may be sure and wrong about them."""
    note: str = ""


Maker = Callable[[Layout, Scene, InfinityBoard, np.random.Generator], Frame]


def _hand(board: InfinityBoard, rng: np.random.Generator, *, pinching: bool = False) -> Hand:
    """A hand over some seat or the knob, from any side but mostly from the players'."""
    places = [place[:2] for place in board.slot_centres().values()] + [(board.knob.cx, board.knob.cy)]
    x, y = places[rng.integers(len(places))]
    arm = float(rng.choice([-65, -110, 70, 110, 0, 180])) + float(rng.normal(0, 14))
    skin = SKINS[rng.integers(len(SKINS))]
    near = rng.normal(0, 5, 2)
    return Hand(float(x + near[0]), float(y + near[1]), float(rng.uniform(10, 34)), arm, skin, pinching)


def _plain(layout: Layout, scene: Scene, board: InfinityBoard, rng: np.random.Generator) -> Frame:
    return Frame(layout, scene, Light())


def _with_hand(layout: Layout, scene: Scene, board: InfinityBoard, rng: np.random.Generator) -> Frame:
    return Frame(layout, replace(scene, hands=(_hand(board, rng),)), Light())


def _drift(layout: Layout, scene: Scene, board: InfinityBoard, rng: np.random.Generator) -> Frame:
    if rng.random() < 0.5:
        exposure = float(rng.choice([0.7, 0.75, 1.2]))
        return Frame(layout, scene, Light(exposure=exposure), note=f"exposure x{exposure}")
    red = float(rng.choice([0.88, 1.12]))
    return Frame(layout, scene, Light(white_balance=(red, 1.0, 2 - red)), note=f"white balance {red} 1 {2 - red:.2f}")


def _bumped(layout: Layout, scene: Scene, board: InfinityBoard, rng: np.random.Generator) -> Frame:
    x, y, turn = (round(float(rng.uniform(-reach, reach)), 2) for reach in (8, 8, 3))
    return Frame(layout, replace(scene, bump_mm=(x, y), bump_deg=turn), Light(), note=f"bump {x} {y} mm {turn} deg")


def _hand_bump(layout: Layout, scene: Scene, board: InfinityBoard, rng: np.random.Generator) -> Frame:
    bumped = _bumped(layout, scene, board, rng)
    return replace(bumped, scene=replace(bumped.scene, hands=(_hand(board, rng),)))


def _with_thing(layout: Layout, scene: Scene, board: InfinityBoard, rng: np.random.Generator) -> Frame:
    kind = list(ThingKind)[rng.integers(len(ThingKind))]
    x, y = float(rng.uniform(-60, 60)), float(rng.uniform(-80, 100))
    colour = THING_COLOURS[rng.integers(len(THING_COLOURS))]
    thing = Thing(kind, x, y, RESTING_MM, float(rng.uniform(-180, 180)), colour)
    return Frame(layout, replace(scene, things=(thing,)), Light(), note=kind.value)


def _held(layout: Layout, scene: Scene, board: InfinityBoard, rng: np.random.Generator) -> Frame:
    """A marble of the well between two fingers over some seat."""
    x, y, _ = list(board.slot_centres().values())[rng.integers(16)]
    z = float(rng.uniform(14, 34))
    letter = layout.well[rng.integers(len(layout.well))]
    well = layout.well.replace(letter, "", 1)
    left = replace(layout, well=well)
    hand = replace(_hand(board, rng, pinching=True), x_mm=x, y_mm=y, z_mm=z - 4)
    held = Marble(MarbleKind(letter), x, y, z)
    marbles = (*marbles_of(left, board), held)
    return Frame(
        left, replace(scene, marbles=marbles, hands=(hand,)), Light(), note=f"{letter} held at {x} {y} {z:.1f}"
    )


def _half(layout: Layout, scene: Scene, board: InfinityBoard, rng: np.random.Generator) -> Frame:
    """The topmost marble of a channel pushed some way towards the next seat, or from the last towards the end."""
    channels = layout.board.split("|")
    filled = [i for i, letters in enumerate(channels) if letters.count(".") < 4]
    if not filled:
        channels[0] = layout.well[0] + "..."
        layout = Layout("|".join(channels), layout.well[1:], layout.knob_stop)
        filled = [0]
    channel = int(rng.choice(filled))
    count = 4 - channels[channel].count(".")
    way = float(rng.uniform(0.3, 0.55))
    name = f"{channel + 1}.{count}"
    seat = board.slot_centres()[name]
    marbles = []
    for marble in marbles_of(layout, board):
        if (marble.x_mm, marble.y_mm) == seat[:2]:
            on_ridge = board.marble.d / 2 - board.channels.depth
            marbles.append(replace(marble, y_mm=marble.y_mm + way * board.slots.pitch, z_mm=on_ridge))
        else:
            marbles.append(marble)
    doubtful = (name, f"{channel + 1}.{count + 1}") if count < 4 else (name,)
    return Frame(
        layout, replace(scene, marbles=tuple(marbles)), Light(), doubtful, f"{name} moved {way:.2f} of a pitch"
    )


def _no_board(layout: Layout, scene: Scene, board: InfinityBoard, rng: np.random.Generator) -> Frame:
    return Frame(layout, replace(scene, board_present=False), Light())


MAKERS: Mapping[str, Maker] = {
    "plain": _plain,
    "hand": _with_hand,
    "drift": _drift,
    "bump": _bumped,
    "thing": _with_thing,
    "held": _held,
    "half": _half,
    "hand_bump": _hand_bump,
    "no_board": _no_board,
}


def resting_scene(layout: Layout, board: InfinityBoard, off_stop_deg: float = 0.0) -> Scene:
    """A layout at rest, without hands; the knob may point a little beside its stop."""
    step_deg = 360 / board.knob.notches
    return Scene(marbles_of(layout, board), layout.knob_stop * step_deg + off_stop_deg)
