"""A table of Finity after some moves of a game."""

from __future__ import annotations

from collections.abc import Sequence

from tests.page.ruled_table import RuledTable

PATTERN = "bwbbwbww"


class FakeFinityTable(RuledTable):
    """A game of Anna's against somebody without a name."""

    def __init__(self, moves: Sequence[str] = (), players: int = 2, pattern: str = PATTERN) -> None:
        super().__init__("finity", moves, setup={"players": players, "pattern": pattern}, names={"A": "Anna"})
