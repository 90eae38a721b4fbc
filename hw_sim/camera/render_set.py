"""Sets of pictures with truth: one camera, light, table and colour set each, for calibrating and for checking.

A set is a folder:

    empty.jpg                       channels empty, all marbles in the well, knob at 0
    ref1.jpg ref1.json, ref2 ...    positions with their truth
    frames/f01.jpg ..., truth.jsonl what is to be read, one kind of trouble a frame
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.infinity.board import InfinityBoard, reference_board
from companion.errors import InputError, system_words
from companion.texts import text
from hw_sim.camera.camera import SimCamera
from hw_sim.camera.cover import Cover, cover_of
from hw_sim.camera.look import Look
from hw_sim.camera.positions import Layout, random_layout, start_layout
from hw_sim.camera.presets import random_look
from hw_sim.camera.troubles import MAKERS, Frame, resting_scene
from hw_sim.scene import Light, Scene

KINDS = (*["plain"] * 5, "hand", "drift", "bump", "thing", "held", "half", "hand_bump", "no_board")
"""The frames of a set, in order."""
HIDDEN_BELOW = 0.4
"""A place of which less than this share is in sight counts as hidden."""


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
    board: InfinityBoard | None = None,
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
    board = board or reference_board()
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
            text(
                "the pictures cannot be written to {folder}: {why}; give another folder",
                folder=str(folder),
                why=system_words(error),
            )
        ) from error
    return truths


def _with_every_kind(rng: np.random.Generator) -> Layout:
    """A random layout with both Jokers on the board, as somebody lays it out to calibrate."""
    while True:
        layout = random_layout(rng)
        if "K" in layout.board and "W" in layout.board:
            return layout
