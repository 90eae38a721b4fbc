"""The record of one game: the start and the plies, and how to play a list of moves through the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Generic

from companion.games.game import Illegal, Json, P, Played, TableGame


@dataclass(frozen=True, slots=True)
class Ply(Generic[P]):
    """One turn: a move or a forfeit.

    Attributes:
        others: the moves that it may have been instead.
        overlooked: whether what should have left the board after it stayed, for nobody noticed before the next move.
    """

    played: Played[P]
    words: str
    others: tuple[str, ...] = ()
    overlooked: bool = False

    @property
    def move(self) -> str:
        return self.played.move


@dataclass(frozen=True, slots=True)
class GameRecord(Generic[P]):
    """A game so far. Never changed: playing and correcting make a new one."""

    game: TableGame[P]
    start: P
    plies: tuple[Ply[P], ...] = field(default=())

    @property
    def position(self) -> P:
        return self.plies[-1].played.after if self.plies else self.start

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that people made; forfeits follow from them."""
        return tuple(ply.move for ply in self.plies if not ply.played.forfeit)

    @property
    def overlooked(self) -> tuple[bool, ...]:
        """For each of `moves`, whether what should have left the board after it stayed."""
        return tuple(ply.overlooked for ply in self.plies if not ply.played.forfeit)

    def ply_of(self, turn: int) -> int:
        """The number (from 1) of the ply of the move numbered `turn` (from 0); the next ply's beyond the end."""
        count = -1
        for number, ply in enumerate(self.plies, start=1):
            count += not ply.played.forfeit
            if count == turn:
                return number
        return len(self.plies) + 1

    def turn_of(self, ply: int) -> int | None:
        """The number (from 0) of the move at a ply; None for a forfeit or where there is no such ply."""
        if not 1 <= ply <= len(self.plies) or self.plies[ply - 1].played.forfeit:
            return None
        return sum(not earlier.played.forfeit for earlier in self.plies[: ply - 1])

    def play(self, move: str, others: tuple[str, ...] = (), *, overlooked: bool = False) -> GameRecord[P] | Illegal:
        """Play one more move, and the forfeits that follow it."""
        record = self.with_forfeits()
        play = self.game.play_overlooking_orphans if overlooked else self.game.play
        played = play(record.position, move)
        if isinstance(played, Illegal):
            return played
        ply = Ply(played, self.game.describe(record.position, move), others, overlooked)
        return replace(record, plies=(*record.plies, ply)).with_forfeits()

    def with_forfeits(self) -> GameRecord[P]:
        record = self
        while (forced := self.game.forced(record.position)) is not None:
            words = self.game.describe(record.position, forced.move)
            record = replace(record, plies=(*record.plies, Ply(forced, words)))
        return record

    def until(self, turn: int) -> GameRecord[P]:
        """The game before the move numbered `turn` (from 0)."""
        return replace(self, plies=self.plies[: self.ply_of(turn) - 1])

    def play_all(
        self,
        moves: Sequence[str],
        others: Sequence[tuple[str, ...]] = (),
        overlooked: Sequence[bool] = (),
    ) -> GameRecord[P] | Illegal:
        """Play several moves; the first that is illegal ends it with its reason."""
        record = self
        for index, move in enumerate(moves):
            after = record.play(
                move,
                others[index] if index < len(others) else (),
                overlooked=index < len(overlooked) and overlooked[index],
            )
            if isinstance(after, Illegal):
                return after
            record = after
        return record

    def with_others(self, turn: int, others: tuple[str, ...]) -> GameRecord[P]:
        index = self.ply_of(turn) - 1
        plies = (*self.plies[:index], replace(self.plies[index], others=others), *self.plies[index + 1 :])
        return replace(self, plies=plies)


def score_of(played: Played[P]) -> int | None:
    """The score that a game states among its facts; None in a game without one."""
    score = played.facts.get("score")
    return score if isinstance(score, int) and not isinstance(score, bool) else None


def start_score(game: TableGame[P], start: P) -> int | None:
    """The score before the first move."""
    score = game.position_json(start).get("score")
    return score if isinstance(score, int) and not isinstance(score, bool) else None


def ply_json(number: int, ply: Ply[P]) -> dict[str, Json]:
    line: dict[str, Json] = {"ply": number, "by": str(ply.played.by), "move": ply.move, "words": ply.words}
    if ply.played.forfeit:
        line["forfeit"] = True
    if ply.others:
        line["others"] = list(ply.others)
    return line
