"""One table: evidence and time go in, records come out. Single-threaded, and it never looks at a clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import UsageError
from companion.events import Record
from companion.evidence import DeviceChanged, Evidence, KnobAt, Sight
from companion.games.game import Json, TableGame
from companion.reconciler.knob import KnobCheck, KnobNews
from companion.reconciler.reconciler import Reconciler
from companion.reconciler.scene import SceneWatch
from companion.reconciler.verdicts import FoundMove, MovesFound, Nothing
from companion.referee import Referee

KNOB_GRACE_S = 10.0
"""For games whose options say nothing of a knob."""

MOST_VERDICTS = 8
"""Conclusions that one piece of evidence can lead to; each changes the belief, so the next may follow."""

A_PERSON = "a person"
"""Who gives a command that names nobody."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """How evidence is taken.

    Attributes:
        gap_settles: a single clear look before a long gap settles the scene: right for recordings, wrong for a live
            camera, whose silence means trouble.
    """

    gap_settles: bool = False


class Table:
    """A table under referee.

    Args:
        game: the rules, with what the table shows of them.
        settings: how evidence is taken.
        game_id: stable name of this table's record.
        names: what the players are called, by player.
        earlier: this table's records so far, where a game is resumed.
    """

    def __init__(
        self,
        game: TableGame[Any],
        settings: TableSettings | None = None,
        game_id: str = "table",
        names: Mapping[str, str] | None = None,
        *,
        earlier: Iterable[Record] = (),
    ) -> None:
        self._game = game
        self._settings = settings or TableSettings()
        earlier = tuple(earlier)
        self.referee: Referee[Any] = (
            Referee.restore(game, game_id, earlier, names) if earlier else Referee(game, game_id, names)
        )
        self._reconciler: Reconciler[Any] = Reconciler(
            game, self.referee.record.position, gap_settles=self._settings.gap_settles
        )
        grace = game.options.get("knob_grace_s", KNOB_GRACE_S)
        wrong = self.referee.mismatch
        self._knob = KnobCheck(
            float(grace) if isinstance(grace, int | float) else KNOB_GRACE_S,
            None if wrong is None else KnobNews(wrong.expected, wrong.seen, resolved=False),
        )
        self._scene = SceneWatch()
        self._now_s = float("-inf")

    @property
    def finished(self) -> bool:
        return self._game.outcome(self.referee.record.position) is not None

    @property
    def knob_stop(self) -> int | None:
        """The stop at which the knob belongs by the score; None for a game without a knob."""
        return self._game.knob_stop(self.referee.record.position)

    def start(self, t_s: float) -> list[Record]:
        """Begin: a new game, or where the earlier records end (the board is then looked at and compared)."""
        self._now_s = max(self._now_s, t_s)
        if self.referee.started:
            self._reconciler.reset(self.referee.record.position, lying=self.referee.lying, first_look=True)
            return []
        told = self.referee.start(t_s)
        self._reconciler.reset(self.referee.record.position, first_look=True)
        return told

    def take(self, evidence: Evidence) -> list[Record]:
        """Take one piece of evidence, in the order in which it arrives."""
        self._now_s = max(self._now_s, evidence.t_s)
        told: list[Record] = []
        if isinstance(evidence, DeviceChanged):
            told += self.referee.take_device(evidence)
        elif isinstance(evidence, Sight):
            for news in self._scene.take(evidence):
                told += self.referee.take_scene(evidence.t_s, news)
        if self.referee.paused and not isinstance(evidence, KnobAt | DeviceChanged):
            return told
        self._reconciler.take(evidence)
        return told + self._conclude()

    def tick(self, now_s: float) -> list[Record]:
        """Time has come to `now_s`."""
        self._now_s = max(self._now_s, now_s)
        return [] if self.referee.paused else self._conclude()

    def finish(self, now_s: float) -> list[Record]:
        """The evidence ends here: conclude what can be concluded."""
        told = self.tick(now_s)
        verdict = self._reconciler.finish(self._now_s)
        return told + self.referee.take(self._now_s, verdict)

    def _conclude(self) -> list[Record]:
        told: list[Record] = []
        for _ in range(MOST_VERDICTS):
            verdict = self._reconciler.conclude(self._now_s)
            told += self.referee.take(self._now_s, verdict)
            if isinstance(verdict, Nothing):
                break
        for news in self._reconciler.orphan_news(self._now_s):
            told += self.referee.take_orphans(self._now_s, news)
        return told + self._check_knob()

    def _check_knob(self) -> list[Record]:
        """Compare the knob with the score, unless the score itself is open."""
        if self._reconciler.doubtful:
            return []
        expected = self.knob_stop
        news = self._knob.check(self._now_s, expected, self._reconciler.knob.seen(self._now_s))
        return [] if news is None else self.referee.take_knob(self._now_s, news)

    # Commands

    def command(self, name: str, args: Mapping[str, Json], now_s: float, by: str = A_PERSON) -> list[Record]:
        """Carry out a person's command.

        Args:
            name: answer, undo, correct, new_game, pause, resume or confirm_knob.
            args: question and choice; ply; ply, moves and perhaps why; perhaps position; none; none; none.
            by: who gives it.
        Raises:
            UsageError: where it cannot be carried out, saying why.
        """
        self._now_s = max(self._now_s, now_s)
        match name, dict(args):
            case "answer", {"question": str(question), "choice": str(choice)}:
                return self._answer(question, choice, by)
            case "undo", {"ply": int(ply)}:
                return self._put_right(self.referee.undo(self._now_s, ply, by))
            case "correct", {"ply": int(ply), "moves": [*moves], **rest} if all(isinstance(m, str) for m in moves):
                why = str(rest.get("why") or "corrected by hand")
                return self._put_right(self.referee.correct(self._now_s, ply, [str(m) for m in moves], by, why))
            case "new_game", _:
                return self._new_game(args.get("position"))
            case "pause" | "resume", _:
                return self._pause(name == "pause")
            case "confirm_knob", _:
                return self._confirm_knob()
        raise UsageError(f"there is no command {name} with these arguments: {', '.join(args) or 'none'}")

    def _answer(self, question_id: str, choice: str, by: str) -> list[Record]:
        question = self.referee.question
        if question is None or question.asked.question != question_id:
            raise UsageError(f"question {question_id} is not open any more")
        if choice not in question.asked.choices:
            raise UsageError(f"{choice} is no choice of {question_id}; there are {', '.join(question.asked.choices)}")
        moves = question.moves_of(choice)
        told = self.referee.close_question(self._now_s, choice, by)
        other = next((start for start in self._game.other_starts() if start.name == choice), None)
        if other is not None:
            return told + self._new_game(self._game.position_json(other.position))
        if not moves:
            self._reconciler.dismiss()
            return told
        recorded = self.referee.record.moves
        why = f"answer to {question_id}"
        turn = question.turn - (len(recorded) - self._reconciler.told)
        verdict = self._reconciler.answered(turn, moves[0], self._now_s) if turn >= 0 else None
        if verdict is not None:
            return told + self.referee.take(self._now_s, verdict, by, why) + self._conclude()
        if not question.told:
            found = MovesFound(tuple(map(FoundMove, moves)), replaced=len(recorded) - question.turn)
            return self._put_right(told + self.referee.take(self._now_s, found, by, why))
        if recorded[question.turn] == moves[0]:
            return told
        ply = self.referee.record.ply_of(question.turn)
        return self._put_right(told + self.referee.correct(self._now_s, ply, moves, by, why))

    def _put_right(self, told: list[Record], *, first_look: bool = False) -> list[Record]:
        """The record was put right: belief starts anew from it."""
        referee = self.referee
        self._reconciler.reset(referee.record.position, lying=referee.lying, first_look=first_look)
        self._knob.forget()
        return told

    def _new_game(self, position: Json) -> list[Record]:
        if position is not None and not isinstance(position, Mapping):
            raise UsageError("the position of a new game is an object, as `companion judge` writes it")
        start = None if position is None else self._game.parse_position(position)
        return self._put_right(self.referee.start(self._now_s, start), first_look=True)

    def _pause(self, paused: bool) -> list[Record]:
        """While paused nobody judges; afterwards the board is looked at anew."""
        self.referee.paused = paused
        if not paused:
            self._reconciler.look_anew()
        return []

    def _confirm_knob(self) -> list[Record]:
        """A person says that the knob stands where the score is."""
        expected = self.knob_stop
        if expected is None:
            raise UsageError(f"{self._game.name} has no knob")
        self._reconciler.knob.confirm(expected)
        return self._check_knob()

    # For the page and MQTT

    def state_json(self) -> dict[str, Json]:
        """The whole state, `knob` with what devices show of it."""
        knob: dict[str, Json] = {
            "expected": self.knob_stop,
            "seen": self._reconciler.knob.shown(self._now_s),
            "verified": self._reconciler.knob.verified,
        }
        return {**self.referee.state_json(), "knob": knob}
