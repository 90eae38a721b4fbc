"""A simulated game of Finity under a table's referee: sights in; complaints, orphans and answers back to the people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from companion.events import IllegalSeen, OrphansFound, OrphansReminded, QuestionAsked, Record
from companion.evidence import Sight
from companion.games.registry import game_named
from companion.table import Table
from hw_sim.faults import Faults
from hw_sim.finity.breaches import FinityBreachKind
from hw_sim.finity.game_run import FinityGame
from hw_sim.finity.happenings import BreachEnded, BreachMade, FrameTaken, Happening, MoveMade
from tests.hw_sim.readings_from_sim import reading_from

TICK_S = 0.25
ANSWER_S = 1.5
"""People read a question before they answer."""

PATTERN = "bwbbwbww"

NONE = "none"
"""The answer that nothing of what is offered was played, and the record is right."""


@dataclass(slots=True)
class Outcome:
    """What came of a refereed game: the moves that were told and made, and the breaches that were planted."""

    told: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    doubts: list[tuple[str, ...]] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    planted: list[tuple[BreachMade, BreachEnded]] = field(default_factory=list)
    corrected: int = 0

    def count(self, event: str) -> int:
        return sum(record.event.event == event for record in self.records)

    @property
    def right_or_asked(self) -> bool:
        """Whether the record has every move, or says of it that it may have been this one."""
        asked = [(move, *others) for move, others in zip(self.told, self.doubts, strict=True)]
        return len(asked) == len(self.made) and all(m in a for m, a in zip(self.made, asked, strict=True))

    @property
    def missed(self) -> list[str]:
        """The breaches that were not named, or named wrongly."""
        return [
            f"{made.t_s:.1f} {made.kind} {made.words} -> {ended.complaint}"
            for made, ended in self.planted
            if ended.complaint not in made.reasons
        ]

    @property
    def accused(self) -> list[str]:
        """The breaches that were told."""
        return [
            f"{record.t_s:.1f} {record.event.reason} {record.event.detail}"
            for record in self.records
            if isinstance(record.event, IllegalSeen)
        ]


class PlayingFinity:
    """Plays one game to its end."""

    def __init__(
        self,
        seed: int,
        *,
        players: int = 2,
        faults: Faults | None = None,
        breaches: Sequence[FinityBreachKind] = (),
        options: Mapping[str, Any] | None = None,
        frame_s: float = 0.5,
    ) -> None:
        setup: dict[str, Any] = {"players": players, "pattern": PATTERN}
        self.game = FinityGame(
            seed, setup=setup, options=options, faults=faults, breaches=breaches, frame_s=frame_s, sights=True
        )
        self.table = Table(game_named("finity", options or {}, self.game.setup), game_id=f"game {seed}")
        self.outcome = Outcome()
        self._questions: list[tuple[float, QuestionAsked]] = []
        self._begun: list[BreachMade] = []
        self._ticked_s = 0.0
        self.now_s = 0.0

    def run(self) -> Outcome:
        self._tell(self.table.start(0.0))
        for happening in self.game.run():
            self.now_s = happening.t_s
            self._pass(happening.t_s)
            if isinstance(happening, FrameTaken) and happening.seen is not None:
                self._tell(self.table.take(Sight(happening.t_s, "camera", reading_from(happening.seen))))
            self._note(happening)
        self._tell(self.table.finish(self.now_s))
        for _, asked in self._questions:
            self._answer(self.now_s, asked)
        moves = self.table.state_json()["moves"]
        assert isinstance(moves, list)
        self.outcome.doubts = [tuple(move.get("others", ())) for move in moves if isinstance(move, dict)]
        self.outcome.told = [str(move["move"]) for move in moves if isinstance(move, dict)]
        return self.outcome

    def _pass(self, t_s: float) -> None:
        if t_s - self._ticked_s < TICK_S:
            return
        self._ticked_s = t_s
        self._tell(self.table.tick(t_s))
        due = [asked for asked_s, asked in self._questions if t_s >= asked_s + ANSWER_S]
        self._questions = [item for item in self._questions if item[1] not in due]
        for asked in due:
            self._answer(t_s, asked)

    def _answer(self, t_s: float, asked: QuestionAsked) -> None:
        question = self.table.referee.question
        if question is None or question.asked != asked:
            return
        ply = self.table.referee.record.ply_of(question.turn) - 1
        choice = self.game.answer(asked.choices, ply)
        if choice is None and not self._put_record_right(t_s) and NONE in asked.choices:
            choice = NONE
        if choice is not None:
            self._tell(self.table.command("answer", {"question": asked.question, "choice": choice}, t_s))

    def _put_record_right(self, t_s: float) -> bool:
        """Where no answer is right because the record is wrong, people correct it; whether they had to."""
        truth, record = tuple(self.game.truth().moves), self.table.referee.record
        if record.moves == truth:
            return False
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(record.moves, truth, strict=False)))
        while len(record.moves) > same:
            last = record.ply_of(len(record.moves) - 1)
            self._tell(self.table.command("undo", {"ply": last}, t_s))
            record = self.table.referee.record
        if record.moves != truth:
            missed: dict[str, Any] = {"ply": len(record.plies) + 1, "moves": list(truth[same:]), "replaces": 0}
            self._tell(self.table.command("correct", missed, t_s))
        self.outcome.corrected += 1
        return True

    def _note(self, happening: Happening) -> None:
        match happening:
            case MoveMade():
                self.outcome.made.append(happening.move)
            case BreachMade():
                self._begun.append(happening)
            case BreachEnded():
                self.outcome.planted.append((self._begun[-1], happening))

    def _tell(self, records: Iterable[Record]) -> None:
        for record in records:
            self.outcome.records.append(record)
            match record.event:
                case IllegalSeen(reason=reason):
                    self.game.complain(reason, self.table.referee.record.position)
                case OrphansFound(orphans=orphans):
                    self.game.point_out(orphans)
                case OrphansReminded(orphans=orphans):
                    self.game.remind(orphans)
                case QuestionAsked() as asked:
                    self._questions.append((record.t_s, asked))
