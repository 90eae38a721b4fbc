"""A real table behind a real server: rules, reconciler, referee and loop, with whatever evidence the test puts in."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page

from calibration.board import load_board
from companion.evidence import Sight
from companion.games.registry import game_named
from companion.live import TableLoop
from companion.page.app import create_app
from companion.page.layout import layout_for
from companion.page.server import PageServer
from companion.page.table import CommandResult, Request
from companion.table import Table
from tests.page.conftest import PATIENCE_MS
from tests.page.fake_table import TOKEN

NAMES = {"blue": "Anna", "yellow": "Józef", "A": "Anna", "B": "Józef"}
SETUP: dict[str, dict[str, Any]] = {"infinity": {}, "finity": {"players": 2, "pattern": "bwbbwbww"}}
OPTIONS: dict[str, dict[str, Any]] = {"infinity": {"first": "blue"}, "finity": {}}


class LiveTable:
    """Attributes:
    loop: the running loop.
    link: the page's address with its token.
    """

    def __init__(self, loop: TableLoop, server: PageServer) -> None:
        self.loop = loop
        self.link = server.link(TOKEN)

    @property
    def seq(self) -> int:
        seq = self.loop.state()["seq"]
        assert isinstance(seq, int)
        return seq

    @property
    def moves(self) -> list[str]:
        moves = self.loop.state()["moves"]
        assert isinstance(moves, Sequence)
        return [str(move["move"]) for move in moves if isinstance(move, dict)]

    def command(self, name: str, **args: Any) -> CommandResult:
        return self.loop.command(Request(name, self.seq, f"{name} {time.monotonic()}", args))

    def play(self, *moves: str) -> None:
        for move in moves:
            assert self.command("play", move=move).ok

    def look(self, sight: Sight) -> None:
        self.loop.put(sight)

    def wait_for(self, page: Page, moves: Sequence[str]) -> None:
        for _ in range(PATIENCE_MS // 20):
            if self.moves == list(moves):
                return
            page.wait_for_timeout(20)
        raise AssertionError(f"{moves} was awaited, the table has {self.moves}")


@contextmanager
def live_table(game: str, position: dict[str, Any] | None = None) -> Iterator[LiveTable]:
    """A table of a game, from a position where one is given."""
    rules = game_named(game, OPTIONS[game], SETUP[game])
    table = Table(rules, names={player: NAMES[player] for player in rules.players})
    if position is not None:
        table.start(0.0)
        table.command("new_game", {"position": position}, 0.0)
    layout = layout_for(game, load_board(game).to_json(), rules.setup)
    loop = TableLoop(table, [], clock=time.monotonic, layout=layout)
    thread = threading.Thread(target=loop.run)
    thread.start()
    try:
        with PageServer(create_app({"table": loop}, token=TOKEN), port=0) as server:
            yield LiveTable(loop, server)
    finally:
        loop.stop()
        thread.join(10.0)
