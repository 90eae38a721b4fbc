"""The board editor: a board file's template laid over a camera picture, dragged until it fits, and saved.

A template is what a board file says. Where the picture shows markers, they tell the scale and the plane, so every drag
is in true millimetres. What is printed (markers, grey and colour patches) stays where it is in the picture; the places
of the game are dragged.

What a page shows, `Editing.to_json()`; all points are picture pixels [x, y], centre of the top left pixel (0, 0):

    {"game": "infinity",
     "source": "infinity",               the board it was begun from: a game's name or a path
     "size": [1280, 720],                pixels of the picture that all points are for
     "corners": [[x, y] * 4],            the template's corners: top left, top right, bottom right, bottom left as seen
                                         on the board (entry end of Infinity's channels and S of Finity below)
     "handles": [{"place": "knob", "kind": "place" | "print", "x": 640.2, "y": 401.7}],
                                         what can be dragged alone
     "outlines": [{"place": "1.1", "kind": KIND, "points": [[x, y], ...], "closed": true}],
                                         KIND: board, channel, slot, well, knob, station, seat, bridge, tower, marker,
                                         patch
     "markers": {"seen": [0, 1], "missing": [2, 3]},
     "error_px": 0.31 | null,            how far the markers lie from where the board file has them; null without any
     "advice": [sentence],               what to do next, the most urgent first
     "board": {...},                     the board file as it would be saved
     "undo": 2,                          how many edits can be taken back
     "saved": null | "/path/my_board.json"}

An edit, the arguments of the page's command `edit_board`; `do` is one of:

    {"do": "begin", "board": ...}                                 begin, or begin anew, with a fresh picture
    {"do": "corners", "corners": [[x, y] * 4]}                    the corners were dragged there, in the order above
    {"do": "move", "place": "knob", "to": [x, y]}                 a handle was dragged there
    {"do": "set", "what": "channels.pitch", "value": 26.5}        a number of the board file
    {"do": "shape", "scale": 1.02, "scale_x": 1, "scale_y": 1, "shift_mm": [dx, dy], "turn_deg": 0.5}
                                                                  the whole template by numbers, each may be left out
    {"do": "measure_markers"}                                     the markers lie where the picture has them
    {"do": "undo"}
    {"do": "save", "path": "/path/my_board.json"}
    {"do": "close"}

`begin` and `close` belong to whoever holds the picture (`begin`, and forgetting the `Editing`); all others go to
`edit`. An edit that cannot be raises `BoardError` with every fault, and leaves the board as it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import cv2
import numpy as np

from calibration.board import parse_board
from calibration.camera import Floats, Pose
from calibration.errors import EDIT, BoardError
from calibration.finity.board import FinityBoard
from calibration.measuring import measure_markers
from calibration.outlines import template_corners
from calibration.placing import Placing, checked, placing_of
from calibration.sentences import Sentence
from calibration.template import Editing, begin, game_of, save_board, seen_anew

MOST_UNDO: Final = 100

__all__ = ["Editing", "begin", "edit", "moved_to_mm", "save_board"]


def edit(editing: Editing, arguments: Mapping[str, Any]) -> Editing:
    """Carry one edit out; see the module's head for what there is.

    Raises:
        BoardError: where it cannot be, with every fault; the board stays as it was.
        CalibrationError: where a file cannot be written.
    """
    do = arguments.get("do")
    if not isinstance(do, str) or do not in _EDITS:
        raise BoardError(EDIT, (Sentence("do must be one of {known}, not {do}", known=", ".join(_EDITS), do=repr(do)),))
    return _EDITS[do](editing, arguments)


def _corners(editing: Editing, arguments: Mapping[str, Any]) -> Editing:
    wanted = _numbers(arguments.get("corners"), (4, 2), Sentence("corners must be four points [x, y]"))
    was = template_corners(editing.board)
    placing = placing_of([(x, y) for x, y, _ in was], editing.mm(wanted, was[0][2]))
    if editing.error_px is not None:
        return _placed(editing, placing)
    # no marker says where the board lies: it lies where it was dragged, and is as large as it is
    _, rvec, tvec = cv2.solvePnP(
        np.array(was), wanted, editing.lens.K, np.array(editing.lens.dist), flags=cv2.SOLVEPNP_SQPNP
    )
    (r0, r1, r2), (t0, t1, t2) = np.ravel(rvec).tolist(), np.ravel(tvec).tolist()
    return replace(_kept(editing), pose=Pose((r0, r1, r2), (t0, t1, t2)))


def _shape(editing: Editing, arguments: Mapping[str, Any]) -> Editing:
    allowed = ("do", "scale", "scale_x", "scale_y", "shift_mm", "turn_deg")
    if strange := [str(key) for key in arguments if key not in allowed]:
        raise BoardError(
            EDIT, (Sentence("{keys}: shape takes {known}", keys=", ".join(strange), known=", ".join(allowed[1:])),)
        )
    scale, x, y, turn = (
        float(_numbers(arguments.get(key, usual), (), Sentence("{key} must be a number", key=key)))
        for key, usual in (("scale", 1.0), ("scale_x", 1.0), ("scale_y", 1.0), ("turn_deg", 0.0))
    )
    dx, dy = _numbers(arguments.get("shift_mm", (0, 0)), (2,), Sentence("shift_mm must be two numbers")).tolist()
    return _placed(editing, checked(Placing(scale * x, scale * y, turn, (dx, dy))))


def _placed(editing: Editing, placing: Placing) -> Editing:
    return _edited(editing, game_of(editing.board).placed(editing.board, placing))


def _move(editing: Editing, arguments: Mapping[str, Any]) -> Editing:
    place = arguments.get("place")
    handles = game_of(editing.board).handles(editing.board)
    if not isinstance(place, str) or place not in handles:
        raise BoardError(
            EDIT,
            (
                Sentence(
                    "there is no place {place} to move; there are {known}", place=repr(place), known=", ".join(handles)
                ),
            ),
        )
    to = _numbers(arguments.get("to"), (2,), Sentence("to must be a point [x, y]"))
    ((x, y),) = editing.mm([to], handles[place][1][2])
    return _edited(editing, game_of(editing.board).dragged(editing.board, place, x, y))


def moved_to_mm(editing: Editing, place: str, x_mm: float, y_mm: float) -> Editing:
    """A handle moved to a place given in millimetres, for those who have a ruler.

    Raises:
        BoardError: where there is no such handle, or the board cannot be so.
    """
    game = game_of(editing.board)
    if place not in game.handles(editing.board):
        known = ", ".join(game.handles(editing.board))
        raise BoardError(
            EDIT, (Sentence("there is no place {place} to move; there are {known}", place=repr(place), known=known),)
        )
    return _edited(editing, game.dragged(editing.board, place, x_mm, y_mm))


def _set(editing: Editing, arguments: Mapping[str, Any]) -> Editing:
    what, value = arguments.get("what"), arguments.get("value")
    data = json.loads(json.dumps(editing.board.to_json()))
    *way, last = str(what).split(".")
    section: Any = data
    for key in way:
        section = section.get(key) if isinstance(section, dict) else None
    if not isinstance(section, dict) or last not in section or last == "game":
        raise BoardError(EDIT, (Sentence("there is no number {what} in the board file", what=repr(what)),))
    section[last] = value
    return _edited(editing, data)


def _measure(editing: Editing, _: Mapping[str, Any]) -> Editing:
    measured = measure_markers(editing.seen, editing.board.aruco, editing.size)
    data = json.loads(json.dumps(editing.board.to_json()))
    markers, turns = measured.markers, measured.markers.turns_deg
    if isinstance(editing.board, FinityBoard):
        named = [str(marker) for marker in markers.ids]
        data["markers"] |= {
            "centres": dict(zip(named, markers.centres, strict=True)),
            "turns_deg": dict(zip(named, turns, strict=True)),
        }
    else:
        data["aruco"] |= {"centres": markers.centres, "turns_deg": turns}
    return _edited(editing, data)


def _undo(editing: Editing, _: Mapping[str, Any]) -> Editing:
    if not editing.earlier:
        raise BoardError(EDIT, (Sentence("there is nothing to take back"),))
    board, pose = editing.earlier[-1]
    return seen_anew(replace(editing, board=board, pose=pose, earlier=editing.earlier[:-1], saved=None))


def _save(editing: Editing, arguments: Mapping[str, Any]) -> Editing:
    path = arguments.get("path")
    if not isinstance(path, str) or not path.strip():
        raise BoardError(EDIT, (Sentence("path must name a file"),))
    save_board(editing.board, path)
    return replace(editing, saved=path)


_EDITS: Final[Mapping[str, Callable[[Editing, Mapping[str, Any]], Editing]]] = {
    "corners": _corners,
    "move": _move,
    "set": _set,
    "shape": _shape,
    "measure_markers": _measure,
    "undo": _undo,
    "save": _save,
}


def _edited(editing: Editing, data: Mapping[str, Any]) -> Editing:
    """The same with another board, if that can be one."""
    board = parse_board(data, EDIT)
    if board == editing.board:
        return editing
    return seen_anew(replace(_kept(editing), board=board))


def _kept(editing: Editing) -> Editing:
    """The same, remembering what it is now."""
    earlier = (*editing.earlier, (editing.board, editing.pose))[-MOST_UNDO:]
    return replace(editing, earlier=earlier, saved=None)


def _numbers(value: Any, shape: tuple[int, ...], fault: str) -> Floats:
    try:
        numbers = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise BoardError(EDIT, (fault,)) from None
    if numbers.shape != shape or not np.isfinite(numbers).all() or isinstance(value, bool | str):
        raise BoardError(EDIT, (fault,))
    return numbers
