"""Sets of pictures of Finity with truth: one camera, light, table and colour set each.

A set is a folder:

    empty.jpg empty.json            bare tiles and the tower
    ref1.jpg ref1.json, ref2 ...    positions with their truth
    frames/f01.jpg ..., truth.jsonl what is to be read, one kind of trouble a frame
    detail/f01.json ...             how much of every place can be seen
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.finity.board import PLAYER_COUNTS, FinityBoard, reference_board
from companion.errors import InputError, system_words
from companion.texts import text
from hw_sim.finity.camera.camera import FinityCamera
from hw_sim.finity.camera.cover import cover_of
from hw_sim.finity.camera.look import PLAYERS, FinityLook
from hw_sim.finity.camera.looks import random_finity_look
from hw_sim.finity.camera.positions import Standing, played, random_pattern, random_tiles, scene_of, shows_all
from hw_sim.finity.camera.troubles import MAKERS, Frame
from hw_sim.finity.scene import FinityScene
from hw_sim.scene import Light

KINDS = (
    *["plain"] * 5, "hand", "drift", "bump", "thing", "nudged", "pile", "held", "fallen", "hand_bump", "no_board",
)  # fmt: skip
"""The frames of a set, in order."""
HIDDEN_BELOW = 0.4
"""A place of which less than this share is in sight counts as hidden."""
MOST_MOVES = 70


class _Table:
    """One set's table: its camera, tower, tiles and the rings around the tower stay as they are."""

    def __init__(self, board: FinityBoard, look: FinityLook, players: int, seed: int) -> None:
        self.board = board
        self.camera = FinityCamera(board, look=look, seed=seed)
        self.players = players
        self.rng = np.random.default_rng([seed, 5])
        self.pattern = random_pattern(self.rng)
        self.tiles = random_tiles(board, players, self.rng)
        self.centre = "".join(self.rng.permutation(list(PLAYERS[:players])))

    def bare(self) -> Frame:
        scene = FinityScene(self.players, self.pattern, tiles=dict(self.tiles))
        return Frame(Standing(), scene, Light())

    def at_rest(self, standing: Standing) -> Frame:
        scene = scene_of(
            standing, self.board, self.players, self.pattern, tiles=self.tiles, rng=self.rng, centre_rings=self.centre
        )
        return Frame(standing, scene, Light())

    def any_position(self) -> Standing:
        return played(self.players, self.pattern, self.rng, int(self.rng.integers(2, MOST_MOVES)))

    def telling_position(self) -> Standing:
        """A position that shows every colour and kind of piece, as somebody lays it out to calibrate."""
        while True:
            standing = played(self.players, self.pattern, self.rng, int(self.rng.integers(30, MOST_MOVES)))
            if shows_all(standing, self.players, self.board):
                return standing

    def truth(self, frame: Frame, image: str, kind: str) -> tuple[dict[str, Any], dict[str, float]]:
        """One line of truth, and the shares of places that can be seen."""
        truth: dict[str, Any] = {"image": image, "game": "finity", "players": self.players, "pattern": self.pattern}
        if frame.scene.board_present:
            shares = cover_of(self.camera, frame.scene, frame.standing.labels(self.board))
        else:
            shares = dict.fromkeys(self.board.places(self.players), 0.0)
        hidden = [name for name, share in shares.items() if share < HIDDEN_BELOW]
        truth |= {**frame.standing.to_json(), "hidden": hidden, "hand": bool(frame.scene.hands), "kind": kind}
        if not frame.scene.board_present:
            truth |= {"bridges": None, "rings": None, "posts": None, "blockers": None}
        if frame.doubtful:
            truth["doubtful"] = list(frame.doubtful)
        if frame.note:
            truth["note"] = frame.note
        return truth, shares


def render_finity_set(
    folder: Path,
    seed: int,
    *,
    look: FinityLook | None = None,
    board: FinityBoard | None = None,
    players: int | None = None,
    kinds: Sequence[str] = KINDS,
    references: int = 2,
    jpeg_quality: int = 90,
) -> list[dict[str, Any]]:
    """Write a set of pictures and their truth; the same arguments write the same bytes.

    Args:
        folder: made where it is absent; files of the same names are written over.
        seed: of positions, troubles and noise, and of the look and the number of players where none is given.
        look: colours, light and camera.
        board: the built-in board of Finity where not given.
        players: 2, 3 or 4.
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
    players = players or PLAYER_COUNTS[seed % len(PLAYER_COUNTS)]
    table = _Table(board, look or random_finity_look(seed, board), players, seed)
    try:
        return _written(folder, table, kinds, references, jpeg_quality)
    except OSError as error:
        raise InputError(
            text(
                "the pictures cannot be written to {folder}: {why}; give another folder",
                folder=str(folder),
                why=system_words(error),
            )
        ) from error


def _written(
    folder: Path, table: _Table, kinds: Sequence[str], references: int, jpeg_quality: int
) -> list[dict[str, Any]]:
    def picture(name: str, frame: Frame) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        drawn = table.camera.picture(frame.scene, frame.light)
        packed = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, jpeg_quality])[1]
        path.write_bytes(packed.tobytes())

    def as_json(name: str, data: dict[str, Any]) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(data), encoding="utf-8")

    rests = [("empty", table.bare())]
    rests += [(f"ref{number}", table.at_rest(table.telling_position())) for number in range(1, references + 1)]
    for name, frame in rests:
        picture(f"{name}.jpg", frame)
        as_json(f"{name}.json", table.truth(frame, f"{name}.jpg", "plain")[0])
    truths = []
    for number, kind in enumerate(kinds, 1):
        rest = table.at_rest(table.any_position())
        frame = MAKERS[kind](rest.standing, rest.scene, table.board, table.rng)
        picture(f"frames/f{number:02d}.jpg", frame)
        truth, shares = table.truth(frame, f"frames/f{number:02d}.jpg", kind)
        truths.append(truth)
        seen = [{"place": name, "visible_fraction": round(share, 3)} for name, share in shares.items()]
        as_json(f"detail/f{number:02d}.json", {"places": seen})
    lines = "".join(json.dumps(truth) + "\n" for truth in truths)
    (folder / "truth.jsonl").write_text(lines, encoding="utf-8")
    return truths
