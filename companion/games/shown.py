"""What stands in sentences: players, and values that somebody wrote, always short, always one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from companion.texts import Text, player_called, text
from companion.texts import listed as listed_texts

_LONGEST = 40
_SIDES = {"blue": text("Blue"), "yellow": text("Yellow")}


def side(player: str) -> str:
    """A player by the side alone: "Blue", "A"."""
    return _SIDES.get(player, player)


@cache
def called(player: str) -> Text:
    """A player in a sentence: by the own name where one is known, else by the side."""
    return player_called(player, side(player))


def shown(value: object) -> str:
    """A value as a person reads it: a text in quotes and cut, a number as it is, a list or object by its kind."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return repr(value if len(value) <= _LONGEST else value[:_LONGEST] + "…")
    if isinstance(value, Mapping):
        return text("an object")
    if isinstance(value, Sequence):
        return text("a list")
    words = str(value)
    return words if len(words) <= _LONGEST else words[:_LONGEST] + "…"


def listed(values: Iterable[object], last: str = "or") -> str:
    """Several values as a list in a sentence: `a, b or c`."""
    return listed_texts((value if isinstance(value, str) else shown(value) for value in values), last=last)
