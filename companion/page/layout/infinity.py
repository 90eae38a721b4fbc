"""The drawing of Rubik's Infinity: four channels above a round groove with the knob in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from companion.errors import InputError
from companion.games.game import Json
from companion.texts import text

Layout = dict[str, Json]
Board = Mapping[str, Json]

INFINITY_LABELS: Layout = {
    "B": {
        "shape": "ball",
        "text": "B",
        "name": text("blue marble"),
        "fill": "#2f5fd0",
        "shade": "#16327c",
        "ink": "#ffffff",
        "star": False,
    },
    "K": {
        "shape": "ball",
        "text": "K",
        "name": text("black Joker"),
        "fill": "#3a3d44",
        "shade": "#0c0d10",
        "ink": "#ffffff",
        "star": True,
    },
    "Y": {
        "shape": "ball",
        "text": "Y",
        "name": text("yellow marble"),
        "fill": "#f5c518",
        "shade": "#a87a00",
        "ink": "#2b2100",
        "star": False,
    },
    "W": {
        "shape": "ball",
        "text": "W",
        "name": text("white Joker"),
        "fill": "#f4f5f7",
        "shade": "#a9adb8",
        "ink": "#1c1f26",
        "star": True,
    },
    "?": {
        "shape": "ball",
        "text": "?",
        "name": text("not known"),
        "fill": "#7d8696",
        "shade": "#555c69",
        "ink": "#ffffff",
        "star": False,
    },
}
INFINITY_PLAYERS: Layout = {"blue": {"label": "B"}, "yellow": {"label": "Y"}}
INFINITY_STOPS = {0: "★", 5: "∞"}
INFINITY_MARBLES = 18


def infinity_layout(board: Board) -> Layout:
    """The layout of a board of Rubik's Infinity.

    Raises:
        InputError: where the board file lacks a measure.
    """
    width, height = _number(board, "board.w"), _number(board, "board.h")

    def at(x_mm: float, y_mm: float) -> dict[str, Json]:
        return {"x_mm": round(width / 2 + x_mm, 2), "y_mm": round(height / 2 - y_mm, 2)}

    panel: Layout = {
        "kind": "panel", "x_mm": 0, "y_mm": 0, "width_mm": width, "height_mm": height,
        "r_mm": _number(board, "board.corner_r"),
    }  # fmt: skip
    return {
        "width_mm": width,
        "height_mm": height,
        "shapes": [panel, *_channels(board, at), *_groove(board, at), _dial(board, at)],
        "labels": INFINITY_LABELS,
        "players": INFINITY_PLAYERS,
        "score": {"positive": "blue", "negative": "yellow", "goal": 5},
        "pattern": None,
        "example": "B3",
    }


_At = Callable[[float, float], dict[str, Json]]


def _channels(board: Board, at: _At) -> list[Json]:
    count, slots = int(_number(board, "channels.count")), int(_number(board, "slots.count"))
    pitch, entry_y = _number(board, "channels.pitch"), _number(board, "channels.entry_y")
    shapes: list[Json] = []
    for channel in range(1, count + 1):
        x = (channel - (count + 1) / 2) * pitch
        start, end = at(x, entry_y), at(x, _number(board, "channels.end_y"))
        ends = {"x1_mm": start["x_mm"], "y1_mm": start["y_mm"], "x2_mm": end["x_mm"], "y2_mm": end["y_mm"]}
        shapes.append({"kind": "slot", **ends, "width_mm": _groove_width(board, "channels")})
        shapes.append({"kind": "text", **at(x, entry_y + 2), "text": str(channel)})
        for slot in range(1, slots + 1):
            y = _number(board, "slots.first_y") + (slot - 1) * _number(board, "slots.pitch")
            place = f"{channel}.{slot}"
            shapes.append({"kind": "disc", "place": place, **at(x, y), "r_mm": _number(board, "marble.d") / 2})
    return shapes


def _groove(board: Board, at: _At) -> list[Json]:
    x, y, r = (_number(board, f"groove.{key}") for key in ("cx", "cy", "r"))
    arc: Layout = {
        "kind": "arc", **at(x, y), "r_mm": r, "width_mm": _groove_width(board, "groove"),
        "from_deg": -_number(board, "groove.end_deg"), "to_deg": -_number(board, "groove.start_deg"),
    }  # fmt: skip
    # Marbles touch: the angle between two is that of their chord, and they rest round the lowest point, 270 degrees.
    step_deg = math.degrees(2 * math.asin(_number(board, "groove.marble_pitch") / (2 * r)))
    seats: list[Json] = []
    for place in range(INFINITY_MARBLES):
        angle = math.radians(270 + (place - (INFINITY_MARBLES - 1) / 2) * step_deg)
        seat = at(x + r * math.cos(angle), y + r * math.sin(angle))
        seats.append([seat["x_mm"], seat["y_mm"]])
    return [arc, {"kind": "well", "place": "well", "r_mm": _number(board, "marble.d") / 2, "seats": seats}]


def _dial(board: Board, at: _At) -> Layout:
    notches = int(_number(board, "knob.notches"))
    stops: list[Json] = [
        {"stop": stop, "deg": 360 / notches * stop, "text": INFINITY_STOPS.get(stop, str(abs(stop)))}
        for stop in range(1 - notches // 2, notches // 2 + 1)
    ]
    return {
        "kind": "dial", "place": "knob", **at(_number(board, "knob.cx"), _number(board, "knob.cy")),
        "r_mm": _number(board, "knob.r"), "ring_r_mm": _number(board, "knob.ring_r"), "stops": stops,
    }  # fmt: skip


def _groove_width(board: Board, groove: str) -> float:
    """How wide a round-bottomed groove is at the surface: the chord of its profile at its depth."""
    r, depth = _number(board, f"{groove}.profile_r"), _number(board, f"{groove}.depth")
    return round(2 * math.sqrt(max(0.0, r**2 - (r - depth) ** 2)), 2)


def _number(board: Board, path: str) -> float:
    value: object = board
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(
            text("the board file has no number {path}, so the page cannot draw the board", path=repr(path))
        )
    return value
