"""A simulated game under a table's referee: devices' evidence in, complaints and answers back to the people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from companion.events import IllegalSeen, KnobMismatch, QuestionAsked, Record
from companion.evidence import Evidence, Sight
from companion.games.registry import game_named
from companion.table import Table
from firmware_bridge.gpio import PinDecoder
from firmware_bridge.serial_decoder import SerialDecoder
from hw_sim.breaches import BreachKind, board_text
from hw_sim.faults import Faults
from hw_sim.game_run import SimGame
from hw_sim.happenings import (
    BreachEnded,
    BreachMade,
    BytesSent,
    FrameTaken,
    Happening,
    MoveMade,
    PortChanged,
)
from hw_sim.wires import Edge
from tests.hw_sim.readings_from_sim import reading_from

TICK_S = 0.1
ANSWER_S = 1.5
"""People read a question before they answer."""


@dataclass(slots=True)
class Outcome:
    """What came of a refereed game."""

    told: list[str] = field(default_factory=list)
    """The record's moves at the end, forfeits too."""
    made: list[str] = field(default_factory=list)
    """The moves that were really made."""
    doubts: list[tuple[str, ...]] = field(default_factory=list)
    """For each of the record's moves what else it may have been: a person was asked."""
    records: list[Record] = field(default_factory=list)
    planted: list[tuple[BreachMade, BreachEnded]] = field(default_factory=list)

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
            f"{made.words} -> {ended.complaint}" for made, ended in self.planted if ended.complaint not in made.reasons
        ]


class Playing:
    """Plays one game to its end.

    Args:
        wires: "gpio", "serial" or "" for none.
        sights: whether there is a camera.
    """

    def __init__(
        self,
        seed: int,
        *,
        faults: Faults | None = None,
        breaches: Sequence[BreachKind] = (),
        wires: str = "gpio",
        sights: bool = True,
    ) -> None:
        self.game = SimGame(
            seed,
            faults=faults,
            breaches=breaches,
            serial=wires == "serial",
            edges=wires == "gpio",
            sights=sights,
            frame_s=1 / 15 if sights else 0,
        )
        self.table = Table(game_named("infinity", {}), game_id=f"game {seed}")
        self.outcome = Outcome()
        self._pins = PinDecoder(self.game.table.wires.wiring) if wires == "gpio" else None
        if self._pins is not None:
            for line, pin in self.game.pins.items():
                self._pins.feed(0.0, pin, self.game.table.wires.levels[line])
        self._board = SerialDecoder("board", verified=True) if wires == "serial" else None
        if self._board is not None:
            self._board.opened(0.0)
        self._questions: list[tuple[float, QuestionAsked]] = []
        self._begun: list[BreachMade] = []
        self._ticked_s = 0.0

    def run(self) -> Outcome:
        self._tell(self.table.start(0.0))
        for happening in self.game.run():
            self._pass(happening.t_s)
            for evidence in self._evidence(happening):
                self._tell(self.table.take(evidence))
            self._note(happening)
        self._tell(self.table.finish(self.game.table.now_s))
        moves = self.table.state_json()["moves"]
        assert isinstance(moves, list)
        self.outcome.doubts = [tuple(move.get("others", ())) for move in moves if isinstance(move, dict)]
        self.outcome.told = [str(move["move"]) for move in moves if isinstance(move, dict)]
        return self.outcome

    def _pass(self, t_s: float) -> None:
        if t_s - self._ticked_s < TICK_S:
            return
        self._ticked_s = t_s
        decoders = [decoder for decoder in (self._pins, self._board) if decoder is not None]
        for decoder in decoders:
            for reading in decoder.tick(t_s):
                self._tell(self.table.take(reading))
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
        choice = self.game.answer(asked.choices, ply) or ("none" if "none" in asked.choices else None)
        if choice is not None:
            self._tell(self.table.command("answer", {"question": asked.question, "choice": choice}, t_s))

    def _evidence(self, happening: Happening) -> Iterator[Evidence]:
        match happening:
            case FrameTaken(t_s=t_s, seen=seen) if seen is not None:
                yield Sight(t_s, "camera", reading_from(seen))
            case Edge(t_s=t_s, line=line, level=level) if self._pins is not None and line in self.game.pins:
                yield from self._pins.feed(t_s, self.game.pins[line], level)
            case BytesSent(t_s=t_s, data=data) if self._board is not None:
                yield from self._board.feed(t_s, data)
            case PortChanged(t_s=t_s, plugged=plugged) if self._board is not None:
                if plugged:
                    self._board.opened(t_s)
                else:
                    yield from self._board.lost(t_s, "the cable was pulled")

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
                    game = self.table.referee.game
                    self.game.complain(reason, board_text(game, self.table.referee.record.position))
                case KnobMismatch(resolved=False):
                    self.game.complain("knob_mismatch")
                case QuestionAsked() as asked:
                    self._questions.append((record.t_s, asked))


def reasons(outcome: Outcome) -> Counter[str]:
    """How often each breach was told."""
    return Counter(record.event.reason for record in outcome.records if isinstance(record.event, IllegalSeen))
