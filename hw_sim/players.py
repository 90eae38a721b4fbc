"""Who plays, and how people behave at the table."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from companion.games.game import Illegal, Outcome, Played, TableGame

Span = tuple[float, float]
"""Shortest and longest, in seconds; everything between is as likely."""


class Player(Protocol):
    """Chooses moves."""

    def choose(self, game: TableGame[Any], position: Any, rng: random.Random) -> str | None:
        """One of the legal moves, or None to stop playing."""
        ...


class RandomPlayer:
    """Any legal move."""

    def choose(self, game: TableGame[Any], position: Any, rng: random.Random) -> str | None:
        return rng.choice(game.legal_moves(position))


class ScriptedPlayers:
    """Plays the moves of a list in turn, for both sides, and stops after them.

    Raises:
        ValueError: from `choose`, where the next move is not legal.
    """

    def __init__(self, moves: Iterable[str]) -> None:
        self._moves = iter(tuple(moves))

    def choose(self, game: TableGame[Any], position: Any, rng: random.Random) -> str | None:
        move = next(self._moves, None)
        played = None if move is None else game.play(position, move)
        if isinstance(played, Illegal):
            raise ValueError(f"{move} is not legal here ({game.position_json(position)}): {played.detail}")
        return move


class HeuristicPlayer:
    """Looks one move ahead: wins where it can, else takes the best score, and leaves no win to the other side."""

    def choose(self, game: TableGame[Any], position: Any, rng: random.Random) -> str | None:
        moves = list(game.legal_moves(position))
        rng.shuffle(moves)
        return max(moves, key=lambda move: self._worth(game, position, move))

    def _worth(self, game: TableGame[Any], position: Any, move: str) -> float:
        played = game.play(position, move)
        if not isinstance(played, Played):
            raise ValueError(f"{move} is not legal here: {played.detail}")
        outcome = game.outcome(played.after)
        if outcome is not None:
            return _win(outcome, played.by)
        replies = (game.play(played.after, reply) for reply in game.legal_moves(played.after))
        losses = (game.outcome(reply.after) for reply in replies if isinstance(reply, Played))
        score = played.facts.get("score", 0)
        ahead = float(score) if isinstance(score, int) else 0.0
        worst = min((_win(loss, played.by) for loss in losses if loss), default=0.0)
        return worst + (ahead if played.by == "blue" else -ahead)


def _win(outcome: Outcome, player: str) -> float:
    if outcome.winner is None:
        return 0.0
    return 100.0 if outcome.winner == player else -100.0


@dataclass(frozen=True, slots=True)
class Habits:
    """How people behave. Times in seconds, shares from 0 to 1.

    Attributes:
        think_s: before a move.
        quick_reply: share of moves that follow as soon as the other hand has left; never two in a row.
        knob_delay_s: from a move that changes the score to the hand that turns the knob.
        late_knob: share of such moves where the other side plays first and the knob is turned after that.
        forgets_knob, wrong_knob: share of such moves where nobody turns the knob, or somebody turns it wrong.
        reaction_s: from the referee's complaint to the hand that puts it right.
        patience_s: how long people wait for a complaint before they see the breach themselves.
        clear_up: whether the marbles are taken off the board after the game.
    """

    think_s: Span = (1.5, 4.5)
    quick_reply: float = 0.1
    knob_delay_s: Span = (0.5, 3.5)
    late_knob: float = 0.15
    forgets_knob: float = 0.0
    wrong_knob: float = 0.0
    reaction_s: Span = (0.6, 2.0)
    patience_s: float = 16.0
    clear_up: bool = False
