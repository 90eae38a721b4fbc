"""Sets of pictures with truth: one camera, light, table and colour set each, for calibrating and for checking.

empty.jpg                       channels empty, all marbles in the well, knob at 0
ref1.jpg ref1.json, ref2 ...    positions with their truth
frames/f01.jpg ..., truth.jsonl what is to be read, one kind of trouble a frame
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.board import Board, load_board
from companion.errors import InputError
from hw_sim.camera.camera import SimCamera
from hw_sim.camera.cover import Cover, cover_of
from hw_sim.camera.look import Look
from hw_sim.camera.positions import Layout, marbles_of, random_layout, start_layout
from hw_sim.camera.presets import random_look
from hw_sim.scene import Hand, Light, Marble, MarbleKind, Scene, Thing, ThingKind

KINDS = (*["plain"] * 5, "hand", "drift", "bump", "thing", "held", "half", "hand_bump", "no_board")
"""The frames of a set, in order."""
HIDDEN_BELOW = 0.4
"""A place of which less than this share is in sight counts as hidden."""
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


Maker = Callable[[Layout, Scene, Board, np.random.Generator], Frame]


def _hand(board: Board, rng: np.random.Generator, *, pinching: bool = False) -> Hand:
    """A hand over some seat or the knob, from any side but mostly from the players'."""
    places = [place[:2] for place in board.slot_centres().values()] + [(board.knob.cx, board.knob.cy)]
    x, y = places[rng.integers(len(places))]
    arm = float(rng.choice([-65, -110, 70, 110, 0, 180])) + float(rng.normal(0, 14))
    skin = SKINS[rng.integers(len(SKINS))]
    near = rng.normal(0, 5, 2)
    return Hand(float(x + near[0]), float(y + near[1]), float(rng.uniform(10, 34)), arm, skin, pinching)


def _plain(layout: Layout, scene: Scene, board: Board, rng: np.random.Generator) -> Frame:
    return Frame(layout, scene, Light())


def _with_hand(layout: Layout, scene: Scene, board: Board, rng: np.random.Generator) -> Frame:
    return Frame(layout, replace(scene, hands=(_hand(board, rng),)), Light())


def _drift(layout: Layout, scene: Scene, board: Board, rng: np.random.Generator) -> Frame:
    if rng.random() < 0.5:
        exposure = float(rng.choice([0.7, 0.75, 1.2]))
        return Frame(layout, scene, Light(exposure=exposure), note=f"exposure x{exposure}")
    red = float(rng.choice([0.88, 1.12]))
    return Frame(layout, scene, Light(white_balance=(red, 1.0, 2 - red)), note=f"white balance {red} 1 {2 - red:.2f}")


def _bumped(layout: Layout, scene: Scene, board: Board, rng: np.random.Generator) -> Frame:
    x, y, turn = (round(float(rng.uniform(-reach, reach)), 2) for reach in (8, 8, 3))
    return Frame(layout, replace(scene, bump_mm=(x, y), bump_deg=turn), Light(), note=f"bump {x} {y} mm {turn} deg")


def _hand_bump(layout: Layout, scene: Scene, board: Board, rng: np.random.Generator) -> Frame:
    bumped = _bumped(layout, scene, board, rng)
    return replace(bumped, scene=replace(bumped.scene, hands=(_hand(board, rng),)))


def _with_thing(layout: Layout, scene: Scene, board: Board, rng: np.random.Generator) -> Frame:
    kind = list(ThingKind)[rng.integers(len(ThingKind))]
    x, y = float(rng.uniform(-60, 60)), float(rng.uniform(-80, 100))
    colour = THING_COLOURS[rng.integers(len(THING_COLOURS))]
    thing = Thing(kind, x, y, RESTING_MM, float(rng.uniform(-180, 180)), colour)
    return Frame(layout, replace(scene, things=(thing,)), Light(), note=kind.value)


def _held(layout: Layout, scene: Scene, board: Board, rng: np.random.Generator) -> Frame:
    """A marble of the well between two fingers over some seat."""
    x, y, _ = list(board.slot_centres().values())[rng.integers(16)]
    z = float(rng.uniform(14, 34))
    letter = layout.well[rng.integers(len(layout.well))]
    well = layout.well.replace(letter, "", 1)
    left = replace(layout, well=well)
    hand = replace(_hand(board, rng, pinching=True), x_mm=x, y_mm=y, z_mm=z - 4)
    held = Marble(MarbleKind(letter), x, y, z)
    # Without fingers in the way it hangs from them at the camera's side as well: leave the hand out now and then.
    hands = () if rng.random() < 0.25 else (hand,)
    marbles = (*marbles_of(left, board), held)
    return Frame(left, replace(scene, marbles=marbles, hands=hands), Light(), note=f"{letter} held at {x} {y} {z:.1f}")


def _half(layout: Layout, scene: Scene, board: Board, rng: np.random.Generator) -> Frame:
    """The topmost marble of a channel pushed some way towards the next seat, or from the last towards the end."""
    channels = layout.board.split("|")
    filled = [i for i, letters in enumerate(channels) if letters.count(".") < 4]
    if not filled:
        channels[0] = layout.well[0] + "..."
        layout = Layout("|".join(channels), layout.well[1:], layout.knob_stop)
        filled = [0]
    channel = int(rng.choice(filled))
    count = 4 - channels[channel].count(".")
    way = float(rng.uniform(0.3, 0.7 if count < 4 else 0.5))
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


def _no_board(layout: Layout, scene: Scene, board: Board, rng: np.random.Generator) -> Frame:
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


def resting_scene(layout: Layout, board: Board, off_stop_deg: float = 0.0) -> Scene:
    """A layout at rest, without hands; the knob may point a little beside its stop."""
    step_deg = 360 / board.knob.notches
    return Scene(marbles_of(layout, board), layout.knob_stop * step_deg + off_stop_deg)


def truth_of(camera: SimCamera, frame: Frame, image: str, kind: str) -> dict[str, Any]:
    """One line of truth; for a picture without the board the places are null and hidden."""
    truth: dict[str, Any] = {"image": image, "game": "infinity", "kind": kind, "hand": bool(frame.scene.hands)}
    if frame.note:
        truth["note"] = frame.note
    slots = list(camera.board.slot_centres())
    if not frame.scene.board_present:
        nothing = {"board": None, "well": None, "well_counts": None, "knob_stop": None}
        return {**truth, **nothing, "hidden": [*slots, "knob"], "well_hidden": 0, "visible": {}, "doubtful": []}
    cover = cover_of(camera, frame.scene)
    shares = {**cover.slots, "knob": cover.knob}
    return {
        **truth,
        "board": frame.layout.board,
        "well": frame.layout.well,
        "well_counts": frame.layout.well_counts(),
        "knob_stop": frame.layout.knob_stop,
        "hidden": [name for name, share in shares.items() if share < HIDDEN_BELOW],
        "well_hidden": sum(share < HIDDEN_BELOW for share in cover.well),
        "visible": {name: round(share, 3) for name, share in shares.items() if share < 0.995},
        "doubtful": sorted({*frame.doubtful, *_behind_held(camera, frame.scene, cover)}),
    }


def _behind_held(camera: SimCamera, scene: Scene, cover: Cover) -> list[str]:
    """Slots before which a marble hangs in the air."""
    top_mm = camera.board.marble.d / 2
    held = tuple(marble for marble in scene.marbles if marble.z_mm > top_mm)
    if not held:
        return []
    alone = cover_of(camera, replace(scene, marbles=held), balls_only=True)
    return [name for name in cover.slots if alone.slots[name] < 0.995]


def render_set(
    folder: Path,
    seed: int,
    *,
    look: Look | None = None,
    board: Board | None = None,
    kinds: Sequence[str] = KINDS,
    references: int = 2,
    jpeg_quality: int = 90,
) -> list[dict[str, Any]]:
    """Write a set of pictures and their truth; the same arguments write the same bytes.

    Args:
        folder: made where it is absent; files of the same names are written over.
        seed: of positions, troubles and noise, and of the look where none is given.
        look: colours, light and camera.
        board: the built-in board of Infinity where not given.
        kinds: what happens in each frame, from `MAKERS`.
        references: how many pictures to calibrate from, besides the empty one.
        jpeg_quality: of the files, 1 to 100.
    Returns:
        The lines of truth.jsonl.
    Raises:
        ValueError: if a kind is not known.
        InputError: if the folder cannot be written.
    """
    unknown = [kind for kind in kinds if kind not in MAKERS]
    if unknown:
        raise ValueError(f"no kind of frame is called {unknown[0]!r}; there are {', '.join(MAKERS)}")
    board = board or load_board("infinity")
    camera = SimCamera(board, look=look or random_look(seed, board), seed=seed)
    rng = np.random.default_rng([seed, 5])

    def write(name: str, frame: Frame) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        picture = camera.picture(frame.scene, frame.light)
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, jpeg_quality])[1]
        path.write_bytes(packed.tobytes())

    def at_rest(layout: Layout) -> Frame:
        return Frame(layout, resting_scene(layout, board, float(rng.uniform(-3, 3))), Light())

    try:
        write("empty.jpg", at_rest(start_layout(rng)))
        for number in range(1, references + 1):
            frame = at_rest(_with_every_kind(rng))
            write(f"ref{number}.jpg", frame)
            state = truth_of(camera, frame, f"ref{number}.jpg", "plain")
            (folder / f"ref{number}.json").write_text(json.dumps(state), encoding="utf-8")
        truths = []
        for number, kind in enumerate(kinds, 1):
            name = f"frames/f{number:02d}.jpg"
            rest = at_rest(random_layout(rng))
            frame = MAKERS[kind](rest.layout, rest.scene, board, rng)
            write(name, frame)
            truths.append(truth_of(camera, frame, name, kind))
        lines = "".join(json.dumps(truth) + "\n" for truth in truths)
        (folder / "truth.jsonl").write_text(lines, encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"the pictures cannot be written to {folder}: {error.strerror}; give another folder"
        ) from error
    return truths


def _with_every_kind(rng: np.random.Generator) -> Layout:
    """A random layout with both Jokers on the board, as somebody lays it out to calibrate."""
    while True:
        layout = random_layout(rng)
        if "K" in layout.board and "W" in layout.board:
            return layout
