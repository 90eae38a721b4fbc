"""Writes a game as the online platform logs it: the inverse of `companion import`, for its tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tests.finity.naive import AT

COLOUR = {"b": "Black", "w": "White"}
SIZE = {"S": "Small", "M": "Medium", "L": "Large"}
SIDE = {"L": "Left", "M": "Middle", "R": "Right"}


def at(station: str) -> str:
    i, j = AT[station]
    return f"[{i},{j}]"


def slot(pair: str, side: str) -> str:
    tail, tip = pair.split(">")
    return f"at Station {at(tail)} => {at(tip)} Position:{SIDE[side]}"


def action(move: str, colour: str = "") -> str:
    """A move in the words of the log; reversed and removed bridges need their colour."""
    match move.split(" "):
        case ["add", letter, pair, side]:
            return f"Added a {COLOUR[letter]} Bridge {slot(pair, side)}"
        case ["reverse", pair, side]:
            return f"Reversed a {COLOUR[colour]} Bridge {slot(pair, side)}"
        case ["remove", pair, side]:
            return f"Removed a {COLOUR[colour]} Bridge {slot(pair, side)}"
        case ["ring", station, size]:
            return f"Added a {SIZE[size]} Ring at Station {at(station)}"
        case ["post" | "teleport", station]:
            return f"Moved a Base Post at Station {at(station)}"
        case ["unblock", pair, side]:
            return f"Removed a Blocker {slot(pair, side)}"
        case ["blocker", *_, pair, side]:
            return f"Moved a Blocker {slot(pair, side)}"
    raise AssertionError(move)


def log_of(moves: Sequence[Mapping[str, Any]], names: Mapping[str, str], outcome: Mapping[str, Any]) -> str:
    """A log.

    Args:
        moves: each with `by`, `move` and perhaps `orphans` (counts by player), as in the recorded games.
        names: by player.
    """
    lines = []
    colours: dict[frozenset[tuple[str, ...]], str] = {}
    quiet = 0
    for number, each in enumerate(moves, 1):
        words = each["move"].split(" ")
        colour = ""
        if words[0] in ("add", "reverse", "remove"):
            key = place_key(words[-2], words[-1])
            colours.setdefault(key, words[1])
            colour = colours[key]
            if words[0] == "remove":
                del colours[key]
        lines += [f"Move {number} :", f"{names[each['by']]}: {action(each['move'], colour)}"]
        orphans = Counter(each.get("orphans", {}))
        lines += [
            f"{names[owner]} has to remove {count} orphaned ring{'s'[: count > 1]}" for owner, count in orphans.items()
        ]
        quiet = 0 if orphans or words[0] == "ring" else quiet + 1
        if quiet >= 10:
            lines.append(f"No rings placed or orphaned. {10 * len(names) - quiet} moves until a forced draw")
        lines.append(f"{10 + number // 60}:{number % 60:02d}:07 PM")
    if "winner" in outcome:
        lines.append(f"The end of the game: {names[outcome['winner']]} wins!")
    elif "draw" in outcome:
        lines.append("FORCED DRAW. No rings were placed or orphaned for 10 rounds.")
    return "\n".join(lines) + "\n"


def place_key(pair: str, side: str) -> frozenset[tuple[str, ...]]:
    """A slot by its two names."""
    tail, tip = pair.split(">")
    return frozenset({(tail, tip, side), (tip, tail, {"L": "R", "M": "M", "R": "L"}[side])})
