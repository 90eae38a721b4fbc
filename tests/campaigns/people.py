"""People who help the referee of a real program over MQTT, as sensible people do, and whether they had to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FORFEIT = "pass"
"""A turn that the rules take away; nobody enters it."""


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Help:
    """Something that a person had to do; `why_allowed` is empty where the referee should have known by itself."""

    command: Command
    why_allowed: str
    told: str

    def __str__(self) -> str:
        return f"{self.command.name} {dict(self.command.args)} ({self.why_allowed or 'needlessly'}; {self.told})"


def moves_of(state: Mapping[str, Any]) -> list[str]:
    """The moves of a state's record, forfeits too."""
    return [move["move"] for move in state.get("moves", ())]


def putting_right(state: Mapping[str, Any], truth: Sequence[str]) -> Command | None:
    """The first thing that somebody does who reads the record and sees that it is wrong; None where it is right.

    A move that is missing at the end is entered; else the moves between what is right before and after them are
    replaced, put in or taken out, as the page's correction does.
    """
    told = [(move["ply"], move["move"]) for move in state.get("moves", ()) if not move.get("forfeit")]
    texts, made = [text for _, text in told], [move for move in truth if move != FORFEIT]
    first = _alike(texts, made)
    last = _alike(texts[first:][::-1], made[first:][::-1])
    gone, new = len(texts) - first - last, made[first : len(made) - last]
    if not gone and not new:
        return None
    if first == len(texts) and len(new) == 1:
        return Command("play", {"move": new[0]})
    ply = told[first][0] if first < len(told) else len(state["moves"]) + 1
    return Command("correct", {"ply": ply, "moves": new, "replaces": gone})


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many items are the same from the first on."""
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    return same
