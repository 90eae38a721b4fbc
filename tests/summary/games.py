"""Journals with whole games, as a table leaves them: a breach, a correction, names that look like markup."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.games.registry import game_named
from companion.journal.journal import Journal
from companion.journal.opening import open_journal
from companion.reconciler.verdicts import FoundMove, IllegalFound, MovesFound, Restored
from companion.record import GameRecord
from companion.table import Table

HOSTILE = {"blue": "Józef <script>alert(1)</script>", "yellow": '"><img src=x onerror=alert(1)> & Żaneta'}
PATTERN = "bwbbwbww"


class Evening:
    """Plays games into a journal, one after the other."""

    def __init__(self, path: Path) -> None:
        self.journal: Journal = open_journal(path, outbox=False).journal
        self.seq = 0

    def play(
        self,
        game: Any,
        names: Mapping[str, str],
        moves: Sequence[str] | None = None,
        *,
        seed: int = 1,
        most: int = 300,
        amiss: bool = False,
    ) -> GameRecord[Any]:
        """One game: these moves, or random ones; `amiss` lets a breach and a correction happen on the way."""
        table = Table(game, game_id=f"game {self.seq}", names=names)
        referee = table.referee
        referee.seq = self.seq
        chance = random.Random(seed)

        def tell(records: Sequence[Any]) -> None:
            self.journal.append(records, table.state_json())

        tell(table.start(0.0))
        for number in range(most if moves is None else len(moves)):
            position = referee.record.position
            if game.outcome(position) is not None:
                break
            move = chance.choice(game.legal_moves(position)) if moves is None else moves[number]
            tell(referee.take(float(number), MovesFound((FoundMove(move),), replaced=0)))
            if amiss and number == 3:
                tell(referee.take(float(number), IllegalFound(next(iter(game.breaches(referee.record.position))))))
                tell(referee.take(float(number), Restored()))
            if amiss and number == 5:
                turn = len(referee.record.moves) - 1
                others = game.legal_moves(referee.record.until(turn).position)
                other = next(each for each in others if each != move)
                tell(referee.correct(float(number), referee.record.ply_of(turn), [other], "Ola <i>", "wrong & channel"))
        self.seq = referee.seq
        return referee.record

    def close(self) -> None:
        self.journal.close()


def infinity(**options: Any) -> Any:
    return game_named("infinity", {"first": "blue", **options})


def finity(players: int = 2) -> Any:
    return game_named("finity", {}, {"players": players, "pattern": PATTERN})
