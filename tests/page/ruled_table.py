"""A table that answers from memory, with what the real rules and the real referee say of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from calibration.board import load_board
from companion.errors import UsageError
from companion.events import Record, record_json
from companion.games.game import Json
from companion.games.registry import game_named
from companion.page.layout import layout_for
from companion.page.table import CommandResult
from companion.reconciler.verdicts import FoundMove, MovesFound
from companion.table import Table
from tests.page.fake_table import FakePageTable


class RuledTable(FakePageTable):
    """After some moves of a game. What else happens, the test tells; what is asked, the rules answer."""

    def __init__(
        self,
        game: str,
        moves: Sequence[str] = (),
        *,
        setup: Mapping[str, Json] | None = None,
        options: Mapping[str, Json] | None = None,
        names: Mapping[str, str] | None = None,
        colours: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__()
        self.game = game_named(game, dict(options or {}), dict(setup or {}))
        self.table = Table(self.game, names=names)
        self.colours = colours
        self._records = []
        self._keep(self.table.start(0.0))
        self.play(*moves)

    def play(self, *moves: str) -> None:
        """The referee finds moves."""
        for move in moves:
            self._keep(self.table.referee.take(3.0 * len(self._records), MovesFound((FoundMove(move),))))

    def obey(self, name: str, args: Mapping[str, Json]) -> None:
        """A person's command is carried out."""
        self._keep(self.table.command(name, args, 3.0 * len(self._records)))

    def _keep(self, records: Sequence[Record]) -> None:
        with self._lock:
            self._records += [record_json(record) for record in records]
            self._state = self.table.state_json()
        self._wake()

    def layout(self) -> Mapping[str, Json]:
        return layout_for(self.game.name, load_board(self.game.name).to_json(), self.game.setup, self.colours)

    def ask(self, name: str, args: Mapping[str, Json]) -> CommandResult:
        self.asked.append((name, args))
        try:
            return CommandResult(True, data=self.table.ask(name, args))
        except UsageError as error:
            return CommandResult(False, "refused", error.args[0])
