"""Infinity's template moved and scaled, as numbers of its board file."""

from __future__ import annotations

from typing import Any

from calibration.infinity.board import InfinityBoard
from calibration.placing import Placing, moved, turned_back

WELL_DEG, WELL_SIZE_DEG = 270.0, 360.0
"""Where on the groove the handles lie: its lowest point moves it, its right side makes it wider about that point."""

BY_WIDTH = {"board": ("w",), "channels": ("pitch",), "groove": ("cx",), "knob": ("cx",)}
BY_HEIGHT = {
    "board": ("h",),
    "channels": ("entry_y", "end_y"),
    "slots": ("pitch", "first_y"),
    "groove": ("cy",),
    "knob": ("cy",),
}
BY_BOTH = {
    "board": ("corner_r", "front_thickness", "bevel"),
    "channels": ("profile_r", "depth"),
    "slots": ("r", "depth"),
    "marble": ("d", "centre_z_in_seat", "centre_z_in_well"),
    "groove": ("r", "profile_r", "depth", "marble_pitch"),
    "knob": ("r", "h", "ring_r", "notch_r", "pointer_z"),
}
"""Which numbers grow with the template's width, its height, and its size on the whole."""


def placed(board: InfinityBoard, placing: Placing) -> dict[str, Any]:
    """The board's file after the template was scaled, turned and shifted under markers and patches that stay.

    The frame goes with the template, for its channels run along y: markers and patches are told anew.
    """
    data = board.to_json()
    for names, scale in ((BY_WIDTH, placing.scale_x), (BY_HEIGHT, placing.scale_y), (BY_BOTH, placing.scale)):
        for section, keys in names.items():
            data[section] |= {key: data[section][key] * scale for key in keys}
    strip = data["grey_strip"]
    strip["cx"], strip["cy"] = turned_back(placing, (strip["cx"], strip["cy"]))
    for section in ("aruco", "grey_strip"):
        data[section]["centres"] = [turned_back(placing, at) for at in data[section]["centres"]]
    if placing.turn_deg or board.aruco.turns_deg:
        turns = board.aruco.turns_deg or (0.0,) * len(board.aruco.ids)
        data["aruco"]["turns_deg"] = [turn - placing.turn_deg for turn in turns]
    return data


def handles(board: InfinityBoard) -> dict[str, tuple[str, tuple[float, float, float]]]:
    """What can be dragged alone: its kind and where, in board millimetres."""
    seats = board.slot_centres()
    columns, rows = sorted({1, board.channels.count}), sorted({1, board.slots.count})
    corners = {f"{column}.{row}": seats[f"{column}.{row}"] for column in columns for row in rows}
    places = {
        **corners,
        "knob": (board.knob.cx, board.knob.cy, board.knob.pointer_z),
        "well": board.groove_point(WELL_DEG),
        "well_size": board.groove_point(WELL_SIZE_DEG),
    }
    strip = board.grey_strip
    return {name: ("place", at) for name, at in places.items()} | {"patches": ("print", (strip.cx, strip.cy, strip.z))}


def dragged(board: InfinityBoard, place: str, x: float, y: float) -> dict[str, Any]:
    """The board's file with one handle moved to (x, y) mm, and everything else where it was.

    Slots stay in line and evenly apart: the outermost ones tell the pitch of channels and slots, and the first slots
    where the row begins.

    Raises:
        KeyError: where there is no such handle.
    """
    data = board.to_json()
    _, (was_x, was_y, _) = handles(board)[place]
    if place == "knob":
        data["knob"] |= {"cx": x, "cy": y}
    elif place == "well":
        data["groove"] |= {"cx": board.groove.cx + x - was_x, "cy": board.groove.cy + y - was_y}
    elif place == "well_size":
        r = x - board.groove.cx
        data["groove"] |= {"r": r, "cy": board.groove.cy - board.groove.r + r}
    elif place == "patches":
        strip = data["grey_strip"]
        strip |= {"cx": x, "cy": y}
        strip["centres"] = [moved(at, x - was_x, y - was_y) for at in strip["centres"]]
    else:
        channel, slot = (int(part) for part in place.split("."))
        off_middle = channel - (board.channels.count + 1) / 2
        if off_middle:
            data["channels"]["pitch"] = x / off_middle
        _move_slot(data["slots"], slot, y)
    return data


def _move_slot(slots: dict[str, Any], slot: int, y: float) -> None:
    """The first slots move the row's beginning, the last its end; the other end stays."""
    last_y = slots["first_y"] + (slots["count"] - 1) * slots["pitch"]
    if slot == 1:
        slots["first_y"] = y
    else:
        last_y = y
    if slots["count"] > 1:
        slots["pitch"] = (last_y - slots["first_y"]) / (slots["count"] - 1)
