"""What the referee asks people: at most one question is open, and none is put twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from companion.events import Event, QuestionAsked, QuestionClosed, Record
from companion.games.game import Illegal, Label, P, Place, TableGame
from companion.reconciler.verdicts import Ambiguous, FoundMove, NotAsAtStart, Unexplained
from companion.record import GameRecord

EVIDENCE = "evidence"
"""Who closed a question, or put the record right, where no person did."""

NO_MOVE = "none"
"""The choice that nothing happened."""

BETWEEN_MOVES = ", "
"""A choice of several moves: no move's text has a comma."""

MOST_NAMED = 12
"""Differences that are named one by one; a board set up for another game differs in a hundred."""

Tell = Callable[[float, Event], list[Record]]


@dataclass(frozen=True, slots=True)
class Question:
    """An open question. `turn` is the move (from 0) that it is about; `told` whether that move was told already."""

    asked: QuestionAsked
    turn: int
    told: bool

    def moves_of(self, choice: str) -> tuple[str, ...]:
        return () if choice == NO_MOVE else tuple(choice.split(BETWEEN_MOVES))


class Questions(Generic[P]):
    """Attributes:
    open: the question that waits for an answer.
    """

    def __init__(self, game: TableGame[P], tell: Tell) -> None:
        self._game = game
        self._tell = tell
        self._count = 0
        self._asked: set[int] = set()
        self.open: Question | None = None

    def new_game(self) -> None:
        self._asked.clear()

    def restored(self, asked: QuestionAsked, turn: int, *, told: bool) -> None:
        """A question that was open before a restart."""
        self._count = int(asked.question.removeprefix("q"))
        self.open = Question(asked, turn, told)

    def close(self, t_s: float, answer: str | None, by: str) -> list[Record]:
        question, self.open = self.open, None
        return [] if question is None else self._tell(t_s, QuestionClosed(question.asked.question, answer, by))

    def after_moves(
        self, t_s: float, record: GameRecord[P], found: Sequence[FoundMove], by: str, *, over: bool
    ) -> list[Record]:
        """Close what is answered now, and ask about the last move that is open."""
        told: list[Record] = []
        moves, question = record.moves, self.open
        if question is not None:
            now = moves[question.turn] if question.turn < len(moves) else None
            if now is None:
                told += self.close(t_s, None, EVIDENCE)
            elif not others_at(record, question.turn):
                told += self.close(t_s, _choice_of(question, record), by)
        if over:
            return told
        last = len(moves) - 1
        newest = bool(found) and bool(found[-1].others) and last not in self._asked
        if self.open is not None and not (newest and self.open.turn < last):
            return told
        turn = next((t for t in range(last, -1, -1) if others_at(record, t) and t not in self._asked), None)
        if turn is None:
            return told
        told += self.close(t_s, None, "overtaken")
        self._asked.add(turn)
        choices = [(each,) for each in (moves[turn], *others_at(record, turn))]
        return told + self._ask(t_s, record, turn, choices, told=True)

    def which(self, t_s: float, record: GameRecord[P], found: Ambiguous) -> list[Record]:
        told = self.close(t_s, None, "overtaken")
        turn = len(record.moves) - found.replaces
        self._asked.add(turn)
        return told + self._ask(t_s, record, turn, found.choices, told=False)

    def look(self, t_s: float, record: GameRecord[P], found: Unexplained) -> list[Record]:
        """Nothing explains the board: ask people to look."""
        said = self._differences(record, found.seen) or "several places"
        text = f"The board does not show the position of the record: {said}. Put it right, or correct the record."
        told = self.close(t_s, None, "overtaken")
        return told + self._ask(t_s, record, len(record.moves), [()], told=False, text=text)

    def start(self, t_s: float, record: GameRecord[P], found: NotAsAtStart) -> list[Record]:
        """The board is not set up as the record has it: name every difference, and the start that it would be."""
        said = self._differences(record, found.seen)
        text = f"The board is not set up as the record has it: {said}. Put it right."
        others = [other for other in self._game.other_starts() if other.name in found.others]
        choices = {other.name: other.words for other in others} if not record.plies else {}
        told = self.close(t_s, None, "overtaken")
        return told + self._put(t_s, len(record.moves), {**choices, NO_MOVE: "The board will be put right"}, text)

    def _differences(self, record: GameRecord[P], seen: Mapping[Place, Label]) -> str:
        sight = self._game.sight(record.position)
        words = self._game.place_words
        each = [f"{words(place, label)} instead of {words(place, sight[place])}" for place, label in seen.items()]
        more = [f"{len(each) - MOST_NAMED} more places"] if len(each) > MOST_NAMED else []
        return "; ".join([*each[:MOST_NAMED], *more])

    def _ask(
        self,
        t_s: float,
        record: GameRecord[P],
        turn: int,
        choices: Sequence[tuple[str, ...]],
        *,
        told: bool,
        text: str = "",
    ) -> list[Record]:
        before = record.until(turn).with_forfeits()
        words = {BETWEEN_MOVES.join(moves) or NO_MOVE: self._words_of(before, moves) for moves in choices}
        return self._put(t_s, turn, words, text or f"Which was move {record.ply_of(turn)}?", told=told)

    def _put(self, t_s: float, turn: int, choices: Mapping[str, str], text: str, *, told: bool = False) -> list[Record]:
        self._count += 1
        asked = QuestionAsked(f"q{self._count}", text, tuple(choices), tuple(choices.values()))
        self.open = Question(asked, turn, told)
        return self._tell(t_s, asked)

    def _words_of(self, record: GameRecord[P], moves: Sequence[str]) -> str:
        words = []
        for move in moves:
            words.append(self._game.describe(record.position, move))
            after = record.play(move)
            record = record if isinstance(after, Illegal) else after
        return ", then ".join(words) or "Nothing was played; the record is right"


def others_at(record: GameRecord[P], turn: int) -> tuple[str, ...]:
    """What else the move numbered `turn` (from 0) may have been."""
    ply = record.ply_of(turn)
    return record.plies[ply - 1].others if ply <= len(record.plies) else ()


def _choice_of(question: Question, record: GameRecord[P]) -> str | None:
    played = record.moves[question.turn :]
    for choice in question.asked.choices:
        wanted = question.moves_of(choice)
        if wanted and played[: len(wanted)] == wanted:
            return choice
    return None
