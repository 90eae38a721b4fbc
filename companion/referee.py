"""The referee: belief becomes record, record becomes events. It alone says what happened, and it deletes nothing.

A verdict goes through the rules move by move. Everything that is told is an event with a number and an id that follow
from the game's id alone, and the whole state can be rebuilt from the events (`Referee.restore`).
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic

from companion.errors import UsageError
from companion.events import (
    BoardMoved,
    CalibrationDoubtful,
    Cleared,
    Corrected,
    DeviceReported,
    Event,
    Forfeited,
    GameOver,
    GameStarted,
    IllegalCleared,
    IllegalSeen,
    KnobMismatch,
    MovePlayed,
    Occluded,
    OrphansFound,
    OrphansReminded,
    OrphansRemoved,
    QuestionAsked,
    QuestionClosed,
    Record,
    ScoreChanged,
)
from companion.evidence import DeviceChanged
from companion.games.game import Illegal, Json, Outcome, P, TableGame
from companion.reconciler.knob import KnobNews
from companion.reconciler.scene import CoveredNews, MovedNews, SceneNews
from companion.reconciler.verdicts import (
    Ambiguous,
    FoundMove,
    IllegalFound,
    MovesFound,
    Nothing,
    Restored,
    Unexplained,
    Verdict,
)
from companion.record import GameRecord, Ply, ply_json, score_of

RULES_VERSION = "1"
"""Which reading of the rules judged a game; raised when the same moves would be judged otherwise."""

EVIDENCE = "evidence"
"""Who closed a question, or put the record right, where no person did."""

NO_MOVE = "none"
"""The choice that nothing happened."""

LOOKS_LIKE: Mapping[str, tuple[str, ...]] = {"not_your_turn": ("wrong_player", "no_move")}
"""Whose hand pushed a marble, and whether a turn was let pass, nobody sees: these look the same."""

Orphan = tuple[str, str, str]
"""Player, station and size of a ring that must leave the board."""

_IDS = uuid.UUID("6a3f0f5e-2b1c-5d5e-9a44-0c7c1f1b7a10")


@dataclass(frozen=True, slots=True)
class Question:
    """An open question. `turn` is the move (from 0) that it is about; `told` whether that move was told already."""

    asked: QuestionAsked
    turn: int
    told: bool

    def moves_of(self, choice: str) -> tuple[str, ...]:
        return () if choice == NO_MOVE else tuple(choice.split(" "))


class Referee(Generic[P]):
    """Keeps the record of a table.

    Args:
        game: the rules.
        game_id: stable name of this table's record: ids of events follow from it.
        names: what the players are called, by player.
    """

    def __init__(self, game: TableGame[P], game_id: str, names: Mapping[str, str] | None = None) -> None:
        self.game = game
        self.game_id = game_id
        self.names = dict(names or {})
        self.seq = 0
        self.record = GameRecord(game, game.start())
        self.started = False
        self.paused = False
        self.question: Question | None = None
        self.illegal: IllegalSeen | None = None
        self.mismatch: KnobMismatch | None = None
        self.devices: dict[str, dict[str, Json]] = {}
        self.covered = False
        self.orphans: tuple[Orphan, ...] = ()
        self._explained = lru_cache(maxsize=2)(game.explain)
        self._score: int | None = None
        self._over: Outcome | None = None
        self._questions = 0
        self._asked: set[int] = set()

    # What people and evidence do

    def start(self, t_s: float, position: P | None = None) -> list[Record]:
        """A game begins, at the start of the rules or from a position."""
        self.record = GameRecord(self.game, self.game.start() if position is None else position)
        told = self._close_question(t_s, None, "new_game")
        told += self._tell(
            t_s,
            GameStarted(
                game=self.game.name,
                players=tuple(map(str, self.game.players)),
                names=self.names,
                options=self.game.options,
                position=self.game.position_json(self.record.start),
                rules_version=RULES_VERSION,
                setup=self.game.setup,
            ),
        )
        self._begun()
        return told + self._advance(t_s, self.record.with_forfeits())

    def take(self, t_s: float, verdict: Verdict, by: str = EVIDENCE, why: str = "") -> list[Record]:
        """What follows from a verdict; `by` and `why` where a person's answer led to it."""
        match verdict:
            case MovesFound():
                return self._moves(t_s, verdict, by, why)
            case IllegalFound():
                return self._illegal(t_s, verdict)
            case Ambiguous():
                return self._ask_which(t_s, verdict)
            case Unexplained():
                return self._ask_to_look(t_s, verdict)
            case Restored():
                return self._restored(t_s)
            case Nothing(confirmed=True) if self.question is not None and not self.question.told:
                return self._close_question(t_s, None, EVIDENCE)
        return []

    def take_knob(self, t_s: float, news: KnobNews) -> list[Record]:
        words = _knob_words(news)
        event = KnobMismatch(news.expected, news.seen, news.resolved, words)
        self.mismatch = None if news.resolved else event
        return self._tell(t_s, event)

    def take_scene(self, t_s: float, news: SceneNews) -> list[Record]:
        if isinstance(news, CoveredNews):
            self.covered = bool(news.places)
            return self._tell(t_s, Occluded(news.places) if news.places else Cleared())
        if isinstance(news, MovedNews):
            return self._tell(t_s, BoardMoved(round(news.shift_px, 1), news.followed))
        return self._tell(t_s, CalibrationDoubtful(news.detail))

    def take_device(self, change: DeviceChanged) -> list[Record]:
        state = str(change.state)
        known = self.devices.get(change.device)
        if known is not None and (known["state"], known["detail"]) == (state, change.detail):
            return []
        return self._tell(change.t_s, DeviceReported(change.device, state, change.detail))

    def correct(self, t_s: float, ply: int, moves: Sequence[str], by: str, why: str) -> list[Record]:
        """A person puts the record right: these moves stand in place of the one at `ply`; later ones stay if legal.

        Raises:
            UsageError: where there is no such move, or the new ones are illegal there.
        """
        turn = self.record.turn_of(ply)
        if turn is None:
            raise UsageError(f"there is no move {ply} to correct; the record has {len(self.record.plies)} plies")
        before = self.record.until(turn)
        record = before.play_all(moves)
        if isinstance(record, Illegal):
            raise UsageError(f"{record.move} cannot stand at ply {ply}: {record.detail}")
        for later in self.record.moves[turn + 1 :]:
            after = record.play(later)
            if isinstance(after, Illegal):
                break
            record = after
        return self._replace(t_s, turn, record, by, why)

    def undo(self, t_s: float, ply: int, by: str) -> list[Record]:
        """Take the last move back, with the forfeits that followed it.

        Raises:
            UsageError: where `ply` is not the last move's.
        """
        last = len(self.record.moves) - 1
        if last < 0:
            raise UsageError("there is no move to take back")
        newest = self.record.ply_of(last)
        if not newest <= ply <= len(self.record.plies):
            raise UsageError(f"only the last move can be taken back; that is ply {newest}, not {ply}")
        return self._replace(t_s, last, self.record.until(last), by, "taken back")

    def close_question(self, t_s: float, answer: str | None, by: str) -> list[Record]:
        return self._close_question(t_s, answer, by)

    # Verdicts

    def _moves(self, t_s: float, found: MovesFound, by: str, why: str) -> list[Record]:
        first = len(self.record.moves) - found.replaced
        old = self.record.moves[first:]
        same = 0
        while same < min(len(old), len(found.moves)) and old[same] == found.moves[same].move:
            self.record = self.record.with_others(first + same, found.moves[same].others)
            same += 1
        told: list[Record] = []
        new = found.moves[same:]
        if same < len(old):
            count = len(old) - same
            record = _played(self.record.until(first + same), new[:count])
            told += self._replace(t_s, first + same, record, by, why or "later evidence tells it so")
            new = new[count:]
        if new and self.illegal is not None:
            told += self._restored(t_s)
        for each in new:
            told += self._advance(t_s, _played(self.record, [each]))
        return told + self._question_after(t_s, found.moves, by)

    def _question_after(self, t_s: float, found: Sequence[FoundMove], by: str) -> list[Record]:
        """Close what is answered now, and ask about the last move that is open."""
        told: list[Record] = []
        moves = self.record.moves
        question = self.question
        if question is not None:
            now = moves[question.turn] if question.turn < len(moves) else None
            others = self._others(question.turn)
            if now is None:
                told += self._close_question(t_s, None, EVIDENCE)
            elif not others:
                told += self._close_question(t_s, self._choice_of(question), by)
        if self._over is not None:
            return told
        last = len(moves) - 1
        newest = bool(found) and bool(found[-1].others) and last not in self._asked
        if self.question is not None and not (newest and self.question.turn < last):
            return told
        turn = next((t for t in range(last, -1, -1) if self._others(t) and t not in self._asked), None)
        if turn is None:
            return told
        told += self._close_question(t_s, None, "overtaken")
        self._asked.add(turn)
        return told + self._ask(t_s, turn, [(each,) for each in (moves[turn], *self._others(turn))], told=True)

    def _others(self, turn: int) -> tuple[str, ...]:
        ply = self.record.ply_of(turn)
        return self.record.plies[ply - 1].others if ply <= len(self.record.plies) else ()

    def _choice_of(self, question: Question) -> str | None:
        played = self.record.moves[question.turn :]
        for choice in question.asked.choices:
            wanted = question.moves_of(choice)
            if wanted and played[: len(wanted)] == wanted:
                return choice
        return None

    def _illegal(self, t_s: float, found: IllegalFound) -> list[Record]:
        breach = found.breach
        to_move = self.game.to_move(self.record.position)
        looks_like = LOOKS_LIKE.get(breach.reason, ())
        event = IllegalSeen(
            reason=breach.reason,
            detail=breach.detail,
            by=None if looks_like or to_move is None else str(to_move),
            seen={str(place): str(label) for place, label in breach.changes.items()},
            moves=breach.moves,
            also=tuple(dict.fromkeys((*(other.reason for other in found.also), *looks_like))),
        )
        told = self._close_question(t_s, None, EVIDENCE)
        if self.illegal is not None:
            told += self._restored(t_s)
        self.illegal = event
        return told + self._tell(t_s, event)

    def _restored(self, t_s: float) -> list[Record]:
        illegal, self.illegal = self.illegal, None
        told = self._close_question(t_s, None, EVIDENCE)
        return told + ([] if illegal is None else self._tell(t_s, IllegalCleared(illegal.reason)))

    def _ask_which(self, t_s: float, found: Ambiguous) -> list[Record]:
        told = self._close_question(t_s, None, "overtaken")
        self._asked.add(len(self.record.moves) - found.replaces)
        return told + self._ask(t_s, len(self.record.moves) - found.replaces, found.choices, told=False)

    def _ask_to_look(self, t_s: float, found: Unexplained) -> list[Record]:
        places = ", ".join(f"{place} ({label})" for place, label in found.seen.items()) or "several places"
        text = f"The board does not show the position of the record: {places}. Put it right, or correct the record."
        told = self._close_question(t_s, None, "overtaken")
        return told + self._ask(t_s, len(self.record.moves), [()], told=False, text=text)

    def _ask(
        self, t_s: float, turn: int, choices: Sequence[tuple[str, ...]], *, told: bool, text: str = ""
    ) -> list[Record]:
        before = self.record.until(turn).with_forfeits()
        words = tuple(self._words_of(before, moves) for moves in choices)
        self._questions += 1
        asked = QuestionAsked(
            question=f"q{self._questions}",
            text=text or f"Which was move {self.record.ply_of(turn)}?",
            choices=tuple(" ".join(moves) or NO_MOVE for moves in choices),
            choice_words=words,
        )
        self.question = Question(asked, turn, told)
        return self._tell(t_s, asked)

    def _words_of(self, record: GameRecord[P], moves: Sequence[str]) -> str:
        words = []
        for move in moves:
            words.append(self.game.describe(record.position, move))
            after = record.play(move)
            record = record if isinstance(after, Illegal) else after
        return ", then ".join(words) or "Nothing was played; the record is right"

    def _close_question(self, t_s: float, answer: str | None, by: str) -> list[Record]:
        question, self.question = self.question, None
        return [] if question is None else self._tell(t_s, QuestionClosed(question.asked.question, answer, by))

    # The record

    def _advance(self, t_s: float, record: GameRecord[P]) -> list[Record]:
        """Tell the plies that `record` has more than the one so far."""
        told: list[Record] = []
        new = record.plies[len(self.record.plies) :]
        self.record = record
        for number, ply in enumerate(new, start=len(record.plies) - len(new) + 1):
            told += self._tell(t_s, _ply_event(number, ply))
            score = score_of(ply.played)
            if score is not None and score != self._score:
                self._score = score
                told += self._tell(t_s, ScoreChanged(score, _points(ply)))
        return told + self._ended(t_s)

    def _replace(self, t_s: float, turn: int, record: GameRecord[P], by: str, why: str) -> list[Record]:
        """One event for a correction: no score is told anew for it (its own is in the event)."""
        old, ply = self.record.moves[turn:], self.record.ply_of(turn)
        self.record = record
        self._score = score_of(record.plies[-1].played) if record.plies else None
        event = Corrected(
            ply=ply,
            old=old,
            new=record.moves[turn:],
            by=by,
            why=why,
            position=self.game.position_json(record.position),
            score=self._score,
        )
        told = self._tell(t_s, event)
        if self.game.outcome(record.position) is None:
            self._over = None
        return told + self._ended(t_s)

    def _ended(self, t_s: float) -> list[Record]:
        outcome = self.game.outcome(self.record.position)
        if outcome is None or outcome == self._over:
            return []
        told = self._close_question(t_s, None, "game_over")
        self._over = outcome
        return told + self._tell(t_s, GameOver(outcome_json(outcome), self._outcome_words(outcome)))

    def _outcome_words(self, outcome: Outcome) -> str:
        how = str(outcome.by or outcome.draw or "").replace("_", " ")
        if outcome.winner is None:
            return f"The game is a draw ({how})"
        return f"{self.names.get(outcome.winner) or str(outcome.winner).capitalize()} wins ({how})"

    def _begun(self) -> None:
        self.started = True
        self.illegal = None
        self.mismatch = None
        self._over = None
        self._asked.clear()
        score = self.game.position_json(self.record.start).get("score")
        self._score = score if isinstance(score, int) else None

    def _tell(self, t_s: float, event: Event) -> list[Record]:
        self.seq += 1
        record = Record(self.seq, str(uuid.uuid5(_IDS, f"{self.game_id}:{self.seq}")), t_s, event)
        if isinstance(event, DeviceReported):
            self.devices[event.device] = {"state": event.state, "detail": event.detail, "since": round(t_s, 3)}
        return [record]

    # Resume

    @classmethod
    def restore(
        cls, game: TableGame[P], game_id: str, records: Iterable[Record], names: Mapping[str, str] | None = None
    ) -> Referee[P]:
        """The referee as it was after these records of its own (of one table, from any `game_started` on).

        Raises:
            UsageError: where the records do not fit the rules, as after a change of the house rules.
        """
        referee = cls(game, game_id, names)
        for record in records:
            referee.seq = record.seq
            referee._apply_to_game(record.event)
            referee._apply_to_signs(record)
        return referee

    def _apply_to_game(self, event: Event) -> None:
        match event:
            case GameStarted():
                self.names = dict(event.names)
                self.record = GameRecord(self.game, self.game.parse_position(event.position))
                self.question = None
                self._begun()
            case MovePlayed():
                self._apply_moves(self.record, [event.move], [event.others])
            case Forfeited():
                self.record = self.record.with_forfeits()
            case ScoreChanged():
                self._score = event.score
            case Corrected():
                turn = len(self.record.moves) - len(event.old)
                self._apply_moves(self.record.until(turn), event.new)
                self._score = event.score
                if self.game.outcome(self.record.position) is None:
                    self._over = None
            case GameOver():
                self._over = self.game.outcome(self.record.position)

    def _apply_to_signs(self, record: Record) -> None:
        """What is open or shown beside the game itself."""
        event = record.event
        match event:
            case QuestionAsked():
                self._questions = int(event.question.removeprefix("q"))
                last = len(self.record.moves) - 1
                told = last >= 0 and self._others(last) != () and self.record.moves[last] in event.choices
                self.question = Question(event, last if told else last + 1, told)
            case QuestionClosed():
                self.question = None
            case IllegalSeen():
                self.illegal = event
            case IllegalCleared():
                self.illegal = None
            case KnobMismatch():
                self.mismatch = None if event.resolved else event
            case OrphansFound() | OrphansReminded():
                self.orphans = event.orphans
            case OrphansRemoved():
                self.orphans = ()
            case DeviceReported():
                since = round(record.t_s, 3)
                self.devices[event.device] = {"state": event.state, "detail": event.detail, "since": since}
            case Occluded():
                self.covered = True
            case Cleared():
                self.covered = False

    def _apply_moves(self, record: GameRecord[P], moves: Sequence[str], others: Sequence[tuple[str, ...]] = ()) -> None:
        after = record.play_all(moves, others)
        if isinstance(after, Illegal):
            raise UsageError(f"the journal has {after.move}, which these rules refuse: {after.detail}")
        self.record = after

    # For the page and MQTT

    def state_json(self) -> dict[str, Json]:
        """The whole state of the game; the table adds what its devices show."""
        position = self.record.position
        outcome = self.game.outcome(position)
        to_move = self.game.to_move(position)
        well = self.game.well(position)
        question = None
        if self.question is not None:
            asked = self.question.asked
            question = {
                "question": asked.question,
                "text": asked.text,
                "choices": list(asked.choices),
                "choice_words": list(asked.choice_words),
            }
        explanation = self._explained(position)
        explained: dict[str, Json] = {"explanation": explanation} if explanation else {}
        return {
            **explained,
            "seq": self.seq,
            "game": self.game.name,
            "players": [str(player) for player in self.game.players],
            "names": dict(self.names),
            "position": self.game.position_json(position),
            "sight": {str(place): str(label) for place, label in self.game.sight(position).items()},
            "score": self._score,
            "to_move": None if to_move is None else str(to_move),
            "ply": len(self.record.plies),
            "moves": [ply_json(number, ply) for number, ply in enumerate(self.record.plies, start=1)],
            "question": question,
            "illegal": self._illegal_json(),
            "well": None if well is None else {str(label): count for label, count in well.items()},
            "setup": dict(self.game.setup),
            "orphans": [list(orphan) for orphan in self.orphans],
            "devices": {name: dict(device) for name, device in self.devices.items()},
            "outcome": None if outcome is None else outcome_json(outcome),
            "outcome_words": "" if outcome is None else self._outcome_words(outcome),
            "paused": self.paused,
        }

    def _illegal_json(self) -> dict[str, Json] | None:
        illegal = self.illegal
        if illegal is None:
            return None
        return {
            "reason": illegal.reason,
            "detail": illegal.detail,
            "by": illegal.by,
            "seen": dict(illegal.seen),
            "also": list(illegal.also),
        }


def _played(record: GameRecord[P], found: Sequence[FoundMove]) -> GameRecord[P]:
    after = record.play_all([each.move for each in found], [each.others for each in found])
    if isinstance(after, Illegal):
        raise ValueError(f"the reconciler found {after.move}, which the rules refuse: {after.detail}")
    return after


def _ply_event(number: int, ply: Ply[P]) -> Event:
    played = ply.played
    if played.forfeit:
        return Forfeited(str(played.by), number, ply.words, played.facts)
    return MovePlayed(
        str(played.by), played.move, number, ply.words, played.facts, played.explanation, others=ply.others
    )


def _points(ply: Ply[P]) -> dict[str, int]:
    points = ply.played.facts.get("points")
    if not isinstance(points, Mapping):
        return {}
    return {str(player): value for player, value in points.items() if isinstance(value, int)}


def outcome_json(outcome: Outcome) -> dict[str, Json]:
    """The `outcome` object of the contract."""
    if outcome.winner is None:
        return {"draw": outcome.draw}
    line: dict[str, Json] = {"winner": str(outcome.winner), "by": outcome.by}
    return {**line, "path": list(outcome.path)} if outcome.path else line


def _knob_words(news: KnobNews) -> str:
    if news.resolved:
        return "The knob shows the score again"
    if news.turned:
        return f"The knob was turned to stop {news.seen} without a move; it belongs at {news.expected}"
    return f"The knob stands at stop {news.seen}; the score belongs at {news.expected}"
