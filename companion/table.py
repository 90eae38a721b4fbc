"""One table: evidence and time go in, records come out. Single-threaded, and it never looks at a clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.correcting import corrected, preview_json, taken_back
from companion.doubts import Doubt, Doubts
from companion.entering import legal_moves_json
from companion.errors import UsageError
from companion.events import PlaceSaid, Record
from companion.evidence import DeviceChanged, Evidence, KnobAt, Sight
from companion.games.game import Json, Label, Place, TableGame
from companion.owed import Owed
from companion.positions import position_json, what_if_json
from companion.questions import AS_RECORDED, TAKE_BACK, Question
from companion.reconciler.knob import KnobCheck, KnobNews
from companion.reconciler.reconciler import Reconciler
from companion.reconciler.scene import SceneWatch
from companion.reconciler.traces import Traced
from companion.reconciler.verdicts import Ambiguous, FoundMove, MovesFound, Nothing
from companion.record import GameRecord
from companion.referee import Referee
from companion.texts import names_in, text

KNOB_GRACE_S = 10.0
"""For games whose options say nothing of a knob."""

MOST_VERDICTS = 8
"""Conclusions that one piece of evidence can lead to; each changes the belief, so the next may follow."""

A_PERSON = text("a person")
"""Who gives a command that names nobody."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """How evidence is taken.

    Attributes:
        gap_settles: a single clear look before a long gap settles the scene: right for recordings, wrong for a live
            camera, whose silence means trouble.
    """

    gap_settles: bool = False


@dataclass(frozen=True, slots=True)
class LastGame:
    """The game before the running one; `begun_by` is the id of the event that began it, `rules_version` what judged."""

    record: GameRecord[Any]
    begun_by: str
    rules_version: str


class Table:
    """A table under referee.

    Args:
        game: the rules, with what the table shows of them.
        settings: how evidence is taken.
        game_id: stable name of this table's record.
        names: what the players are called, by player.
        earlier: this table's records so far, where a game is resumed.
        last: the game before the one that begins; it may be taken up again.
    """

    def __init__(
        self,
        game: TableGame[Any],
        settings: TableSettings | None = None,
        game_id: str = "table",
        names: Mapping[str, str] | None = None,
        *,
        earlier: Iterable[Record] = (),
        last: LastGame | None = None,
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
        self._doubts = Doubts()
        self._owed: Owed[Any] = Owed(game)
        self._last = last
        self._now_s = float("-inf")

    @property
    def finished(self) -> bool:
        return self._game.outcome(self.referee.record.position) is not None

    @property
    def pending_beams(self) -> tuple[Traced, ...] | None:
        """The broken beams that the record does not account for yet; None while moves or beams wait for an answer."""
        return None if self._owed.question is not None else self._reconciler.pending

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
            evidence = self._doubts.take(evidence)
        if self.referee.paused and not isinstance(evidence, KnobAt | DeviceChanged):
            return told
        if self._owed.keeps(evidence):
            return told
        if not self._reconciler.sees(self._now_s):
            choices = self._owed.choices(evidence, self.referee.record.position)
            if choices:
                return told + self._ask_whether_entered(choices)
        self._reconciler.take(evidence)
        return told + self._conclude()

    def _ask_whether_entered(self, choices: tuple[tuple[str, ...], ...]) -> list[Record]:
        """A beam was broken that a move entered by hand would break: was it that move, or the next?"""
        told = self.referee.take(self._now_s, Ambiguous(choices))
        question = self.referee.question
        self._owed.question = None if question is None else question.asked.question
        return told

    def _released(self) -> list[Record]:
        """What had to wait for the answer to a question that is closed now."""
        question = self.referee.question
        if self._owed.question is None or (question and question.asked.question == self._owed.question):
            return []
        return [record for evidence in self._owed.release() for record in self.take(evidence)]

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
        before = self.referee.record.position
        for _ in range(MOST_VERDICTS):
            verdict = self._reconciler.conclude(self._now_s)
            told += self.referee.take(self._now_s, verdict)
            if isinstance(verdict, Nothing):
                break
        self._follow(before)
        for news in self._reconciler.orphan_news(self._now_s):
            told += self.referee.take_orphans(self._now_s, news)
        return told + self._check_knob()

    def _follow(self, before: Any) -> None:
        """What people said of places is void where the record has another piece come there."""
        now = self.referee.record.position
        if now is not before:
            self._doubts.follow(self._game.sight(before), self._game.sight(now))

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
            name: answer, undo, correct, play, place, new_game, take_up, pause, resume, confirm_knob or recalibrate
                (whoever has the camera does it, with `lying_for_sure`).
            args: question and choice; ply; ply and moves, and perhaps how many it `replaces` (1) and why; move; place
                and label (empty takes back what was said); perhaps position; none for the others.
            by: who gives it.
        Raises:
            UsageError: where it cannot be carried out, saying why.
        """
        self._now_s = max(self._now_s, now_s)
        told = self._command(name, dict(args), by)
        return told + self._released()

    def _command(self, name: str, args: Mapping[str, Json], by: str) -> list[Record]:
        match name, args:
            case "answer", {"question": str(question), "choice": str(choice)}:
                return self._answer(question, choice, by)
            case "undo", {"ply": int(ply)}:
                return self._correct(lambda: self.referee.undo(self._now_s, ply, by))
            case "correct", {"ply": int(ply), "moves": [*moves], **rest} if all(isinstance(m, str) for m in moves):
                why, replaces = str(rest.get("why") or text("corrected by hand")), _count(rest.get("replaces", 1))
                texts = [str(move) for move in moves]
                return self._correct(lambda: self.referee.correct(self._now_s, ply, texts, by, why, replaces))
            case "play", {"move": str(move)}:
                return self._play(move, by)
            case "place", {"place": str(place), "label": str(label)}:
                return self._say(Place(place), Label(label), by)
            case "new_game", _:
                return self._new_game(args.get("position"), by)
            case "take_up", _:
                return self._take_up(by)
            case "pause", _:
                return self.referee.pause(self._now_s, by)
            case "resume", _:
                return self._resume(by)
            case "confirm_knob", _:
                return self._confirm_knob(by)
            case "recalibrate", _:
                self.lying_for_sure()
                return []
        raise UsageError(
            text(
                "there is no command {name} with these arguments: {given}",
                name=name,
                given=", ".join(args) or text("none"),
            )
        )

    def _answer(self, question_id: str, choice: str, by: str) -> list[Record]:
        question = self.referee.question
        if question is None or question.asked.question != question_id:
            raise UsageError(text("question {question} is not open any more", question=question_id))
        if choice not in question.asked.choices:
            choices = ", ".join(question.asked.choices)
            raise UsageError(
                text("{choice} is no choice of {question}; there are {choices}",
                     choice=choice, question=question_id, choices=choices)
            )  # fmt: skip
        told = self.referee.close_question(self._now_s, choice, by)
        other = next((start for start in self._game.other_starts() if start.name == choice), None)
        if other is not None:
            return told + self._new_game(self._game.position_json(other.position), by)
        if choice == TAKE_BACK:
            ply = self.referee.record.ply_of(question.turn)
            return told + self._correct(lambda: self.referee.undo(self._now_s, ply, by))
        if choice == AS_RECORDED:
            told += self._misread(question.seen, by)
        moves = question.moves_of(choice)
        if not moves:
            self._reconciler.dismiss()
            return told
        return told + self._answered(question, moves, by)

    def _answered(self, question: Question, moves: tuple[str, ...], by: str) -> list[Record]:
        """A person says that these moves were played where a question was open."""
        recorded = self.referee.record.moves
        why = text("answer to {question}", question=question.asked.question)
        turn = question.turn - (len(recorded) - self._reconciler.told)
        verdict = self._reconciler.answered(turn, moves[0], self._now_s) if turn >= 0 else None
        if verdict is not None:
            return self.referee.take(self._now_s, verdict, by, why) + self._conclude()
        if not question.told:
            found = MovesFound(tuple(map(FoundMove, moves)), replaced=len(recorded) - question.turn)
            return self._correct(lambda: self.referee.take(self._now_s, found, by, why))
        if recorded[question.turn] == moves[0]:
            return []
        ply = self.referee.record.ply_of(question.turn)
        return self._correct(lambda: self.referee.correct(self._now_s, ply, moves, by, why))

    def _correct(self, change: Callable[[], list[Record]]) -> list[Record]:
        """Let the record be put right; the board may show for a while what it showed before."""
        before = self.referee.record.position
        told = change()
        return self._put_right(told, before)

    def _play(self, move: str, by: str) -> list[Record]:
        """A move that a person enters: what the beams will tell of it is no other move."""
        before, unseen = self.referee.record.position, not self._reconciler.sees(self._now_s)
        told = self._correct(lambda: self.referee.enter(self._now_s, move, by))
        if unseen:
            self._owed.expect(self._game.traces(before, move))
        return told

    def _put_right(self, told: list[Record], before: Any = None) -> list[Record]:
        """The record was put right: belief starts anew from it, and the board is compared with it.

        Args:
            before: the position that was believed so far, where the board may still show it; None for a new game.
        """
        referee = self.referee
        awaited = None if before is None else self._game.sight(before)
        if awaited == self._game.sight(referee.record.position):
            awaited = None  # a marble of a kind pushed one of the same out: the board shows both
        self._reconciler.reset(referee.record.position, lying=referee.lying, first_look=True, awaited=awaited)
        self._knob.forget()
        self._owed.forget()
        if before is None:
            self._doubts.forget()
        else:
            self._follow(before)
        return told

    def _say(self, place: Place, label: Label, by: str) -> list[Record]:
        """A person says what stands at a place."""
        words = self._game.place_words
        if not label:
            if not self._doubts.unsay(place):
                raise UsageError(text("nobody has said what stands at {place}", place=place))
            return self.referee.take_said(self._now_s, PlaceSaid(place, "", by))
        if not self._doubts.say(place, label, by):
            raise UsageError(
                text("the camera does not see {place}, or knows no {label} there", place=place, label=label)
            )
        return self.referee.take_said(self._now_s, PlaceSaid(place, label, by, words(place, label)))

    def _misread(self, seen: Mapping[Place, Label], by: str) -> list[Record]:
        """A person says that the board is as the record has it: the camera misreads these places."""
        sight = self._game.sight(self.referee.record.position)
        told: list[Record] = []
        for place in seen:
            if self._doubts.say(place, sight[place], by):
                words = self._game.place_words(place, sight[place])
                told += self.referee.take_said(self._now_s, PlaceSaid(place, sight[place], by, words))
        return told

    def _new_game(self, position: Json, by: str) -> list[Record]:
        if position is not None and not isinstance(position, Mapping):
            raise UsageError(text("the position of a new game is an object, as `companion judge` writes it"))
        start = None if position is None else self._game.parse_position(position)
        self._last = last_game(self.referee) or self._last
        return self._put_right(self.referee.start(self._now_s, start, by))

    def _take_up(self, by: str) -> list[Record]:
        """The game before goes on from where it was left, with nothing lost: none of the running one was played yet."""
        last = self._offered()
        if last is None:
            raise UsageError(text("there is no last game to take up again, or a new one is under way"))
        self._last = None
        told = self.referee.take_up(self._now_s, last.record, last.begun_by, by, last.rules_version)
        return self._put_right(told)

    def _offered(self) -> LastGame | None:
        """The game that may be taken up again, until the first move of the running one."""
        return None if self.referee.record.moves else self._last

    def _resume(self, by: str) -> list[Record]:
        """While paused nobody judged; now the board is looked at anew."""
        self._reconciler.look_anew()
        return self.referee.resume(self._now_s, by)

    def _confirm_knob(self, by: str) -> list[Record]:
        """A person says that the knob stands where the score is."""
        expected = self.knob_stop
        if expected is None:
            raise UsageError(text("{name} has no knob", name=self._game.name))
        self._reconciler.knob.confirm(expected)
        return self.referee.confirm_knob(self._now_s, expected, by) + self._check_knob()

    def lying_for_sure(self) -> dict[str, Json]:
        """What lies on the board, as a reference state has it.

        Raises:
            UsageError: while a question is open or orphans lie there: then the record may not say it.
        """
        if self.referee.question is not None:
            raise UsageError(text("answer the open question first, then recalibrate"))
        if self.referee.lying:
            raise UsageError(text("take the orphaned rings off the board first, then recalibrate"))
        return {**self._game.setup, **self._game.position_json(self.referee.record.position)}

    # For the page and MQTT

    def ask(self, name: str, args: Mapping[str, Json]) -> dict[str, Json]:
        """What a person asks before deciding; nothing changes by it.

        Args:
            name: legal_moves, preview_correct, preview_undo, position or what_if.
            args: perhaps the ply before which (now); those of `correct` without the reason; ply; ply; ply and move.
        Returns:
            `seq`, and `companion.entering.legal_moves_json`, `companion.correcting.preview_json`, or a position of
            `companion.positions`.
        Raises:
            UsageError: where there is no such ply, or a correction that cannot be, saying why.
        """
        record, words = self.referee.record, self.referee.outcome_words
        match name, dict(args):
            case "legal_moves", {**rest}:
                found = legal_moves_json(record, rest.get("ply"))
            case "position", {"ply": int(ply)}:
                found = position_json(record, ply)
            case "what_if", {"ply": int(ply), "move": str(move)}:
                found = what_if_json(record, ply, move)
            case "preview_undo", {"ply": int(ply)}:
                found = preview_json(taken_back(record, ply), words)
            case "preview_correct", {"ply": int(ply), "moves": [*moves], **rest}:
                count = _count(rest.get("replaces", 1))
                found = preview_json(corrected(record, ply, [str(move) for move in moves], count), words)
            case _:
                raise UsageError(
                    text(
                        "nobody can ask {name} with these arguments: {given}",
                        name=name,
                        given=", ".join(args) or text("none"),
                    )
                )
        named = {key: names_in(value, self.referee.names) for key, value in found.items()}
        return {"seq": self.referee.seq, **named}

    def state_json(self) -> dict[str, Json]:
        """The whole state, `knob` with what devices show of it, `doubtful` places with their likely labels, and
        `last_game` as long as that may be taken up again."""
        knob: dict[str, Json] = {
            "expected": self.knob_stop,
            "seen": self._reconciler.knob.shown(self._now_s),
            "verified": self._reconciler.knob.verified,
            "wrong": self.referee.mismatch is not None,
        }
        return {
            **self.referee.state_json(),
            "knob": knob,
            "doubtful": [*map(self._doubt_json, self._doubts.now())],
            "last_game": self._last_json(),
        }

    def _last_json(self) -> Json:
        last = self._offered()
        if last is None:
            return None
        outcome = self._game.outcome(last.record.position)
        words = text("It was not over yet") if outcome is None else self.referee.outcome_words(outcome)
        return {"words": words, "plies": len(last.record.plies)}

    def _doubt_json(self, doubt: Doubt) -> Json:
        words = self._game.place_words
        return {
            "place": doubt.place,
            "choices": [*doubt.labels],
            "choice_words": [words(doubt.place, label) for label in doubt.labels],
            "said": doubt.said,
            "by": doubt.by,
        }


def last_game(referee: Referee[Any]) -> LastGame | None:
    """The game that a referee is at, where something was played in it."""
    return LastGame(referee.record, referee.begun_by, referee.rules_version) if referee.record.moves else None


def _count(value: Json) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 1
