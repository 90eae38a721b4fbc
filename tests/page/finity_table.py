"""A table of Finity that answers from memory, with what the real rules and the real referee say of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from calibration.board import load_board
from companion.events import record_json
from companion.games.game import Json
from companion.games.registry import game_named
from companion.page.layout import layout_for
from companion.reconciler.verdicts import FoundMove, MovesFound
from companion.table import Table
from tests.page.fake_table import FakePageTable

PATTERN = "bwbbwbww"


class FakeFinityTable(FakePageTable):
    """After some moves of a game."""

    def __init__(self, moves: Sequence[str] = (), players: int = 2, pattern: str = PATTERN) -> None:
        super().__init__()
        setup: dict[str, Json] = {"players": players, "pattern": pattern}
        self._game = game_named("finity", {}, setup)
        table = Table(self._game, names={"A": "Anna"})
        records = table.start(0.0)
        for number, move in enumerate(moves, start=1):
            records += table.referee.take(float(number), MovesFound((FoundMove(move),)))
        self._records = [record_json(record) for record in records]
        self._state = table.state_json()

    def layout(self) -> Mapping[str, Json]:
        return layout_for("finity", load_board("finity").to_json(), self._game.setup)
