"""Pictures from which a board's look is learnt, with what stands on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from calibration.finity.board import FinityBoard
from calibration.finity.tiles import Tiles
from calibration.finity.view import View


@dataclass(frozen=True, slots=True)
class State:
    """A known position: the label of every place of `players`, and the places from which nothing may be learnt."""

    players: int
    labels: Mapping[str, str]
    hidden: frozenset[str] = field(default=frozenset())

    @property
    def letters(self) -> tuple[str, ...]:
        """The players' letters."""
        return tuple("ABCD"[: self.players])


@dataclass(frozen=True, slots=True)
class Example:
    """A picture of a known position; `name` is told in messages."""

    name: str
    view: View
    state: State


@dataclass(frozen=True, slots=True)
class Bare:
    """The empty board: nothing but its tiles and the tower, and how they stand."""

    board: FinityBoard
    players: int
    tiles: Tiles
    view: View
