"""A board file's template laid over a camera picture: what a page shows of it is told in `calibration.editing`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from calibration.board import Board
from calibration.camera import (
    SHARP_ERROR_PX,
    Corners,
    Floats,
    Lens,
    Pose,
    board_mm_from_px,
    fit_one,
    project,
    usual_lens,
)
from calibration.errors import EDIT, BoardError, CalibrationError
from calibration.finity.board import FinityBoard
from calibration.infinity.board import InfinityBoard
from calibration.markers import find_markers, gray
from calibration.outlines import outlines, template_corners
from calibration.placing import Placing
from calibration.sampling import Picture
from calibration.sentences import Sentence, system_sentence
from calibration.whole_file import write_whole

ROOM: Final = 0.8
"""Share of the picture's height that a template fills where nothing says where the board lies."""


@dataclass(frozen=True, slots=True)
class Editing:
    """A board over a picture, being edited.

    Attributes:
        board: with all edits so far.
        source: what it was begun from: a game's name or a path.
        size: width and height of the picture in pixels.
        seen: the markers in the picture; empty without a picture.
        lens, pose: where the camera sees the board's frame.
        error_px: how far the markers lie from where the board has them; None where they tell no pose.
        earlier: the boards before each edit that can be taken back, and their poses, oldest first.
        saved: where the board was last saved.
    """

    board: Board
    source: str
    size: tuple[int, int]
    seen: Corners
    lens: Lens
    pose: Pose
    error_px: float | None
    players: int | None = None
    earlier: tuple[tuple[Board, Pose], ...] = ()
    saved: str | None = None

    def to_json(self) -> dict[str, Any]:
        """What a page shows; see the module's head."""
        handles = game_of(self.board).handles(self.board)
        lines = outlines(self.board, self.players)
        points = _rounded(self.px([point for line in lines for point in line.points]))
        ends = np.cumsum([len(line.points) for line in lines]).tolist()
        at = zip(handles.items(), _rounded(self.px([mm for _, mm in handles.values()])), strict=True)
        return {
            "game": self.board.game,
            "source": self.source,
            "size": list(self.size),
            "corners": _rounded(self.px(template_corners(self.board))),
            "handles": [{"place": name, "kind": kind, "x": x, "y": y} for (name, (kind, _)), (x, y) in at],
            "outlines": [
                {"place": line.place, "kind": line.kind, "points": points[start:end], "closed": line.closed}
                for line, start, end in zip(lines, [0, *ends], ends, strict=False)
            ],
            "markers": {
                "seen": list(self.seen),
                "missing": [marker for marker in self.board.aruco.ids if marker not in self.seen],
            },
            "error_px": None if self.error_px is None else round(self.error_px, 2),
            "advice": list(self.advice),
            "board": self.board.to_json(),
            "undo": len(self.earlier),
            "saved": self.saved,
        }

    @property
    def advice(self) -> tuple[Sentence, ...]:
        """What to do next, the most urgent first."""
        if self.error_px is None:
            return (
                Sentence(
                    "the picture shows fewer than two of the board's markers: drag the corners by eye, and measure "
                    "the board with a ruler"
                ),
            )
        if self.error_px > SHARP_ERROR_PX:
            return (
                Sentence(
                    "the markers do not lie where the board file has them ({px:.1f} px off): measure them from the "
                    "picture, then drag the corners of the board to where they are",
                    px=round(self.error_px, 1),
                ),
            )
        return ()

    def px(self, points_mm: Any) -> Floats:
        return project(np.array(points_mm, dtype=np.float64), self.lens, self.pose)

    def mm(self, points_px: Any, z_mm: float) -> list[tuple[float, float]]:
        found = board_mm_from_px(np.array(points_px, dtype=np.float64), self.lens, self.pose, z_mm)
        if not np.isfinite(found).all():
            raise BoardError(EDIT, (Sentence("that point of the picture is no point of the board"),))
        return [(float(x), float(y)) for x, y in found]


def begin(
    picture: Picture | None,
    board: Board,
    *,
    source: str | None = None,
    players: int | None = None,
    lens: Lens | None = None,
    size: tuple[int, int] = (1280, 720),
) -> Editing:
    """Lay a board's template over a picture.

    Args:
        picture: (H, W, 3) uint8, BGR; without one, a camera straight above is thought of.
        source: what is told of where the board comes from; else its game's name.
        players: of Finity, whose layout is drawn; the most where it is not said.
        lens: the camera's lens where it is known; else it is estimated.
        size: of the picture that is not there.
    """
    if picture is not None:
        size = (picture.shape[1], picture.shape[0])
    seen = {} if picture is None else find_markers(gray(picture), board)
    fit = fit_one(seen, board, size, lens) if len(seen) > 1 else None
    lens = lens or (usual_lens(*size) if fit is None else fit.lens)
    return Editing(
        board,
        source or board.game,
        size,
        seen,
        lens,
        _straight_above(board, lens) if fit is None else fit.poses[0],
        None if fit is None else fit.error_px,
        players,
    )


def save_board(board: Board, path: str | Path) -> None:
    """Write a board file in one step: a crash leaves the old file or the new one, never half of one.

    Raises:
        CalibrationError: where it cannot be written.
    """
    try:
        write_whole(path, json.dumps(board.to_json(), indent=1) + "\n")
    except OSError as error:
        raise CalibrationError(
            Sentence("{path}: the board file cannot be written: {why}", path=str(path), why=system_sentence(error))
        ) from None


def seen_anew(editing: Editing) -> Editing:
    """Markers stay where they are in the picture: with another board, the camera sees its frame elsewhere."""
    if len(editing.seen) < 2:
        return editing
    fit = fit_one(editing.seen, editing.board, editing.size)
    return replace(editing, lens=fit.lens, pose=fit.poses[0], error_px=fit.error_px)


def _rounded(points: Floats) -> list[list[float]]:
    rounded: list[list[float]] = np.round(points, 1).tolist()
    return rounded


def _straight_above(board: Board, lens: Lens) -> Pose:
    """A camera above the template's middle, as near as shows all of it; north up in the picture."""
    corners = np.array(template_corners(board))
    (x, y, z), (wide, high) = corners.mean(axis=0), np.ptp(corners[:, :2], axis=0)
    distance = max(wide * lens.fx / lens.width, high * lens.fy / lens.height) / ROOM
    return Pose((float(np.pi), 0.0, 0.0), (-float(x), float(y), float(distance + z)))


@dataclass(frozen=True, slots=True)
class Game:
    """How one game's template is changed."""

    handles: Callable[[Any], dict[str, tuple[str, tuple[float, float, float]]]]
    placed: Callable[[Any, Placing], dict[str, Any]]
    dragged: Callable[[Any, str, float, float], dict[str, Any]]


def game_of(board: Board) -> Game:
    if isinstance(board, InfinityBoard):
        from calibration.infinity import editing as infinity

        return Game(infinity.handles, infinity.placed, infinity.dragged)
    if isinstance(board, FinityBoard):
        from calibration.finity import editing as finity

        return Game(finity.handles, finity.placed, finity.dragged)
    raise TypeError(f"nobody edits boards of {board.game}")
