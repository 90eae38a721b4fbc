"""Beams that a move entered by hand may still break.

Without a camera nobody sees whether the marble that goes into a channel now is the one that was entered a moment ago,
or the next player's. Neither is taken for granted: a person is asked, and what beams tell meanwhile waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from companion.evidence import Evidence, MarbleEntered, MarbleLeft
from companion.games.game import P, TableGame, Trace


class Owed(Generic[P]):
    """Attributes:
    question: the question whether it was the entered move; None where none is open.
    """

    def __init__(self, game: TableGame[P]) -> None:
        self._game = game
        self._due: list[Trace] = []
        self._held: list[Evidence] = []
        self.question: str | None = None

    def forget(self) -> None:
        self._due, self._held, self.question = [], [], None

    def expect(self, traces: Sequence[Trace]) -> None:
        """A move was entered that breaks these beams, in order, when it is made."""
        self._due = [*traces]

    def choices(self, evidence: Evidence, position: P) -> tuple[tuple[str, ...], ...]:
        """What a broken beam may mean, the entered move first; nothing where it is none that is owed."""
        trace = _trace(evidence)
        if self.question is not None or trace is None or not self._due:
            return ()
        if trace != self._due[0]:
            self._due = []
            return ()
        del self._due[0]
        moves = self._game.legal_moves(position)
        return (), *((move,) for move in moves if self._game.traces(position, move)[:1] == (trace,))

    def keeps(self, evidence: Evidence) -> bool:
        """Whether a beam belongs to what is asked about, or has to wait for the answer."""
        trace = _trace(evidence)
        if self.question is None or trace is None:
            return False
        if self._due[:1] == [trace]:
            del self._due[0]
        else:
            self._held.append(evidence)
        return True

    def release(self) -> list[Evidence]:
        """The question is closed: what has waited."""
        held = self._held
        self.forget()
        return held


def _trace(evidence: Evidence) -> Trace | None:
    match evidence:
        case MarbleEntered(channel=channel):
            return Trace("entered", channel)
        case MarbleLeft(channel=channel):
            return Trace("left", channel)
    return None
