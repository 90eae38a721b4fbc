"""What the referee asks people: at most one question is open, and none is put twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import zip_longest
from typing import Generic

from companion.events import Event, QuestionAsked, QuestionClosed, Record
from companion.games.game import Illegal, Label, P, Place, TableGame
from companion.reconciler.verdicts import Ambiguous, FoundMove, NotAsAtStart, Unexplained
from companion.record import GameRecord
from companion.texts import capital, joined, plural, text

EVIDENCE = "evidence"
"""Who closed a question, or put the record right, where no person did."""

OVERTAKEN = "overtaken"
"""Who closed a question that something else has come before."""

NO_MOVE = "none"
"""The choice that nothing happened."""

BETWEEN_MOVES = ", "
"""A choice of several moves: no move's text has a comma."""

TAKE_BACK = "take back"
"""The choice that the last move told was not played."""

AS_RECORDED = "as recorded"
"""The choice that the board is as the record has it, and the camera misreads it."""

NO_MOVES = frozenset({NO_MOVE, TAKE_BACK, AS_RECORDED})

MOST_MISREAD = 4
"""More places than these are not all misread; a person who says so has not looked."""

NOTHING = Label(".")
"""An empty place, in both games."""

MOST_INSTEAD = 4
"""Moves that are offered for what the board shows."""

MOST_NAMED = 12
"""Differences that are named one by one; a board set up for another game differs in a hundred."""

Tell = Callable[[float, Event], list[Record]]


@dataclass(frozen=True, slots=True)
class Question:
    """An open question.

    Attributes:
        turn: the move (from 0) that it is about; `told` whether that move was told already.
        seen: what the board shows otherwise than the record has it, where that is asked about.
        asks, points: the text in parts where it has many: a sentence without them, and each by itself.
    """

    asked: QuestionAsked
    turn: int
    told: bool
    seen: Mapping[Place, Label] = field(default_factory=dict)
    asks: str = ""
    points: tuple[str, ...] = ()

    def moves_of(self, choice: str) -> tuple[str, ...]:
        return () if choice in NO_MOVES else tuple(choice.split(BETWEEN_MOVES))


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

    def restored(self, asked: QuestionAsked, turn: int, told: bool) -> None:
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
        told += self.close(t_s, None, OVERTAKEN)
        self._asked.add(turn)
        choices = [(each,) for each in (moves[turn], *others_at(record, turn))]
        return told + self._ask(t_s, record, turn, choices, told=True)

    def which(self, t_s: float, record: GameRecord[P], found: Ambiguous) -> list[Record]:
        told = self.close(t_s, None, OVERTAKEN)
        turn = len(record.moves) - found.replaces
        self._asked.add(turn)
        return told + self._ask(t_s, record, turn, found.choices, told=False)

    def look(self, t_s: float, record: GameRecord[P], found: Unexplained) -> list[Record]:
        """Nothing explains the board: ask people to look."""
        return self._differs(t_s, record, found.seen)

    def start(self, t_s: float, record: GameRecord[P], found: NotAsAtStart) -> list[Record]:
        """The board is not set up as the record has it: name every difference, and what it would be instead."""
        others = [other for other in self._game.other_starts() if other.name in found.others and not record.plies]
        return self._differs(t_s, record, found.seen, {other.name: other.words for other in others})

    def _differs(
        self, t_s: float, record: GameRecord[P], seen: Mapping[Place, Label], others: Mapping[str, str] | None = None
    ) -> list[Record]:
        """The board shows another position than the record's: what would explain it, likeliest first."""
        points = self._differences(record, seen)
        said = joined(points, "; ") or text("several places")
        if record.plies:
            asks = text("The board does not show the position of the record. Put it right, or say how it came about.")
            asked = text(
                "The board does not show the position of the record: {differences}. "
                "Put it right, or say how it came about.",
                differences=said,
            )
        else:
            asks = text("The board is not set up as the record has it. Put it right.")
            asked = text("The board is not set up as the record has it: {differences}. Put it right.", differences=said)
        last = len(record.moves) - 1
        choices, about_last = self._explaining(record, {**self._game.sight(record.position), **seen})
        choices = {**(others or {}), **choices}
        if 0 < len(seen) <= MOST_MISREAD:
            choices[AS_RECORDED] = text("The board is as the record has it; the camera misreads it")
        choices[NO_MOVE] = text("The board will be put right")
        told = self.close(t_s, None, OVERTAKEN)
        turn = last if about_last else last + 1
        told += self._put(t_s, record, turn, choices, asked, told=about_last)
        if self.open is not None:
            self.open = replace(self.open, seen=seen, asks=asks, points=points)
        return told

    def _explaining(self, record: GameRecord[P], wanted: Mapping[Place, Label]) -> tuple[dict[str, str], bool]:
        """Moves that would lead to what the board shows, and whether they stand in place of the last one."""
        nexts = self._leading_to(record, wanted)
        if nexts or not record.moves:
            return nexts, False
        last = len(record.moves) - 1
        before = record.until(last).with_forfeits()
        instead = self._leading_to(before, wanted, but=record.moves[last])
        if self._shows(before, wanted):
            instead[TAKE_BACK] = text("Move {ply} was not played", ply=record.ply_of(last))
        return instead, bool(instead)

    def _leading_to(self, record: GameRecord[P], wanted: Mapping[Place, Label], but: str = "") -> dict[str, str]:
        """The next moves after which the board would show what it shows, with their words."""
        found: dict[str, str] = {}
        for move in self._game.legal_moves(record.position):
            if move != but and len(found) < MOST_INSTEAD:
                after = record.play(move)
                if not isinstance(after, Illegal) and self._shows(after, wanted):
                    found[move] = self._words_of(record, (move,))
        return found

    def _shows(self, record: GameRecord[P], wanted: Mapping[Place, Label]) -> bool:
        return dict(self._game.sight(record.position)) == dict(wanted)

    def _differences(self, record: GameRecord[P], seen: Mapping[Place, Label]) -> tuple[str, ...]:
        sight = self._game.sight(record.position)
        each = [self._difference(place, label, sight[place]) for place, label in seen.items() if label != sight[place]]
        beyond = len(each) - MOST_NAMED
        more = [plural("{n} more place", "{n} more places", beyond)] if beyond > 0 else []
        return (*each[:MOST_NAMED], *more)

    def _difference(self, place: Place, seen: Label, due: Label) -> str:
        words = self._game.place_words
        if seen == NOTHING:
            return text("missing: {due}", due=words(place, due))
        if due == NOTHING:
            return text("too much: {seen}", seen=words(place, seen))
        return text("{seen} instead of {due}", seen=words(place, seen), due=words(place, due))

    def _ask(
        self, t_s: float, record: GameRecord[P], turn: int, choices: Sequence[tuple[str, ...]], *, told: bool
    ) -> list[Record]:
        before = record.until(turn).with_forfeits()
        each = [self._said(before, moves) for moves in choices]
        shared = {place for place, said in enumerate(zip_longest(*each)) if len(set(said)) == 1}
        sure = [said for place, said in enumerate(each[0]) if place in shared]
        left = [[said for place, said in enumerate(moves) if place not in shared] for moves in each]
        names = [BETWEEN_MOVES.join(moves) or NO_MOVE for moves in choices]
        words = {name: _in_words(moves, numbered=bool(sure)) for name, moves in zip(names, left, strict=True)}
        first = min((ply for moves in left for ply, _ in moves), default=record.ply_of(turn))
        asked = text("Which was move {ply}?", ply=first)
        if sure and any(len(moves) > 1 for moves in left):
            asked = text("What was played from move {ply} on?", ply=first)
        if sure:
            asked = text("{question} Already sure: {moves}.", question=asked, moves=_numbered(sure))
        return self._put(t_s, record, turn, words, asked, told=told)

    def _put(
        self,
        t_s: float,
        record: GameRecord[P],
        turn: int,
        choices: Mapping[str, str],
        words: str,
        *,
        told: bool = False,
    ) -> list[Record]:
        self._count += 1
        asked = QuestionAsked(
            f"q{self._count}", words, tuple(choices), tuple(choices.values()), record.ply_of(turn), told
        )
        self.open = Question(asked, turn, told)
        return self._tell(t_s, asked)

    def _words_of(self, record: GameRecord[P], moves: Sequence[str]) -> str:
        return _in_words(self._said(record, moves))

    def _said(self, record: GameRecord[P], moves: Sequence[str]) -> list[tuple[int, str]]:
        """The ply and the words of each of these moves."""
        said = []
        for move in moves:
            record = record.with_forfeits()
            said.append((len(record.plies) + 1, self._game.describe(record.position, move)))
            after = record.play(move)
            record = record if isinstance(after, Illegal) else after
        return said


def _in_words(said: Sequence[tuple[int, str]], *, numbered: bool = False) -> str:
    """Moves in a row; `numbered` where others, which all choices have, are left out between them."""
    if not said:
        return text("Nothing more was played") if numbered else text("Nothing was played; the record is right")
    if numbered and len(said) > 1:
        return capital(_numbered(said))
    words = [each for _, each in said]
    return reduce(lambda first, second: text("{first}, then {second}", first=first, second=second), words)


def _numbered(said: Sequence[tuple[int, str]]) -> str:
    return joined([text("move {ply}: {move}", ply=ply, move=words) for ply, words in said], "; ")


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
