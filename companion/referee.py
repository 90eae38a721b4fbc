"""The referee: belief becomes record, record becomes events. It alone says what happened, and it deletes nothing.

A verdict goes through the rules move by move. Everything that is told is an event with a number and an id that follow
from the game's id alone, and the whole state can be rebuilt from the events (`Referee.restore`).
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Generic

from companion.correcting import Correction, corrected, taken_back
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
    KnobConfirmed,
    KnobMismatch,
    MovePlayed,
    Occluded,
    OrphansFound,
    OrphansReminded,
    OrphansRemoved,
    Paused,
    PlaceSaid,
    Record,
    Resumed,
    ScoreChanged,
)
from companion.evidence import DeviceChanged
from companion.games.game import Illegal, Json, Label, Outcome, P, Place, TableGame
from companion.orphans import RING_NOT_REMOVED, Orphan, not_removed, of_wrong_ring, orphan_place, orphans_of
from companion.questions import EVIDENCE, OVERTAKEN, Question, Questions
from companion.reconciler.knob import KnobNews
from companion.reconciler.orphans import OrphanNews, OrphansFewer, OrphansGone, OrphansStay
from companion.reconciler.scene import CoveredNews, MovedNews, SceneNews
from companion.reconciler.verdicts import (
    Ambiguous,
    FoundMove,
    IllegalFound,
    MovesFound,
    NotAsAtStart,
    Nothing,
    Restored,
    Unexplained,
    Verdict,
)
from companion.record import GameRecord, Ply, score_of, start_score
from companion.state import outcome_json, state_json
from companion.texts import in_words, joined, text, with_names
from companion.wording import knob_words, named, other_rules, outcome_words

RULES_VERSION = "1"
"""Which reading of the rules judged a game; raised when the same moves would be judged otherwise."""

LOOKS_LIKE: Mapping[str, tuple[str, ...]] = {"not_your_turn": ("wrong_player", "no_move")}
"""Whose hand pushed a marble, and whether a turn was let pass, nobody sees: these look the same."""

_IDS = uuid.UUID("6a3f0f5e-2b1c-5d5e-9a44-0c7c1f1b7a10")


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
        self.told_s = float("-inf")
        self.record = GameRecord(game, game.start())
        self.started = False
        self.begun_by = ""
        self.rules_version = RULES_VERSION
        self.paused = False
        self.questions = Questions(game, self._tell)
        self.illegal: IllegalSeen | None = None
        self.mismatch: KnobMismatch | None = None
        self.devices: dict[str, dict[str, Json]] = {}
        self.covered = False
        self.orphans: tuple[Orphan, ...] = ()
        self.pointed_out: tuple[Orphan, ...] = ()
        self.explain = lru_cache(maxsize=2)(game.explain)
        self.score: int | None = None
        self.over: Outcome | None = None
        self.told_plies: list[tuple[Ply[P], Json]] = []

    @property
    def question(self) -> Question | None:
        """The question that waits for an answer."""
        return self.questions.open

    @property
    def lying(self) -> dict[Place, Label]:
        """The rings that must leave the board and may still lie there, as they show."""
        return {orphan_place(orphan): Label(orphan[0]) for orphan in self.orphans}

    # What people and evidence do

    def start(self, t_s: float, position: P | None = None, by: str = "", takes_up: str = "") -> list[Record]:
        """A game begins, at the start of the rules or from a position; `by` where a person says so."""
        self.record = GameRecord(self.game, self.game.start() if position is None else position)
        told = self.questions.close(t_s, None, "new_game")
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
                by=by,
                takes_up=takes_up,
            ),
        )
        self.begun(takes_up or told[-1].id, RULES_VERSION)
        return told + self._advance(t_s, self.record.with_forfeits())

    def take_up(self, t_s: float, record: GameRecord[P], begun_by: str, by: str, rules_version: str) -> list[Record]:
        """A person has an earlier game go on from where it was left.

        Args:
            begun_by: the id of the event that began it.
            rules_version: the reading of the rules that it was begun under.
        """
        told = self.start(t_s, record.start, by, begun_by)
        why = [text("the last game is taken up again"), other_rules(rules_version, RULES_VERSION)]
        return told + self._replace(t_s, 0, record, by, joined(filter(None, why), "; "))

    def take(self, t_s: float, verdict: Verdict, by: str = EVIDENCE, why: str = "") -> list[Record]:
        """What follows from a verdict; `by` and `why` where a person's answer led to it."""
        match verdict:
            case MovesFound():
                return self._moves(t_s, verdict, by, why)
            case IllegalFound():
                return self._illegal(t_s, verdict)
            case Ambiguous():
                return self.questions.which(t_s, self.record, verdict)
            case Unexplained():
                return self.questions.look(t_s, self.record, verdict)
            case NotAsAtStart():
                return self.questions.start(t_s, self.record, verdict)
            case Restored():
                return self._restored(t_s)
            case Nothing(confirmed=True) if self.question is not None and not self.question.told:
                return self.questions.close(t_s, None, EVIDENCE)
        return []

    def take_knob(self, t_s: float, news: KnobNews) -> list[Record]:
        words = knob_words(news)
        event = KnobMismatch(news.expected, news.seen, news.resolved, words)
        self.mismatch = None if news.resolved else event
        return self._tell(t_s, event)

    def confirm_knob(self, t_s: float, stop: int, by: str) -> list[Record]:
        return self._tell(t_s, KnobConfirmed(stop, by))

    def pause(self, t_s: float, by: str) -> list[Record]:
        """Stop judging; told only where that is news, as `resume`."""
        was, self.paused = self.paused, True
        return [] if was else self._tell(t_s, Paused(by))

    def resume(self, t_s: float, by: str) -> list[Record]:
        was, self.paused = self.paused, False
        return self._tell(t_s, Resumed(by)) if was else []

    def take_orphans(self, t_s: float, news: OrphanNews) -> list[Record]:
        if isinstance(news, OrphansGone):
            return self._orphans_gone(t_s)
        left = tuple(orphan for orphan in self.orphans if orphan_place(orphan) in news.places)
        if isinstance(news, OrphansFewer):
            self.orphans = left
            return []
        if isinstance(news, OrphansStay):
            return self._tell(t_s, OrphansReminded(left))
        told = [] if self.illegal is None else self._restored(t_s)
        self.illegal = not_removed(left)
        return told + self._tell(t_s, self.illegal)

    def take_scene(self, t_s: float, news: SceneNews) -> list[Record]:
        if isinstance(news, CoveredNews):
            self.covered = bool(news.places)
            return self._tell(t_s, Occluded(news.places) if news.places else Cleared())
        if isinstance(news, MovedNews):
            return self._tell(t_s, BoardMoved(round(news.shift_px, 1), news.followed))
        return self._tell(t_s, CalibrationDoubtful(in_words(news.detail)))

    def take_device(self, change: DeviceChanged) -> list[Record]:
        state = str(change.state)
        known = self.devices.get(change.device)
        if known is not None and (known["state"], known["detail"]) == (state, change.detail):
            return []
        return self._tell(change.t_s, DeviceReported(change.device, state, in_words(change.detail)))

    def enter(self, t_s: float, move: str, by: str) -> list[Record]:
        """A person says which move was played, where nothing saw it.

        Raises:
            UsageError: where it is illegal.
        """
        after = self.record.play(move)
        if isinstance(after, Illegal):
            raise UsageError(after.detail)
        told = self._settled_by_person(t_s, but_told=True)
        return told + self._advance(t_s, after, by)

    def correct(self, t_s: float, ply: int, moves: Sequence[str], by: str, why: str, replaces: int = 1) -> list[Record]:
        """A person puts the record right, as `companion.correcting.corrected` says.

        Raises:
            UsageError: where there is no such move, or the new ones are illegal there.
        """
        return self._correct(t_s, corrected(self.record, ply, moves, replaces), by, why)

    def undo(self, t_s: float, ply: int, by: str) -> list[Record]:
        """Take the last move back, with the forfeits that followed it.

        Raises:
            UsageError: where `ply` is not the last move's.
        """
        return self._correct(t_s, taken_back(self.record, ply), by, text("taken back"))

    def _correct(self, t_s: float, correction: Correction[P], by: str, why: str) -> list[Record]:
        told = self._settled_by_person(t_s)
        return told + self._replace(t_s, correction.turn, correction.after, by, why)

    def _settled_by_person(self, t_s: float, *, but_told: bool = False) -> list[Record]:
        """A person's word stands in place of what was asked and accused; the board is compared with it anew.

        Args:
            but_told: whether a question about a move that was told stays open.
        """
        keeps = but_told and self.question is not None and self.question.told
        told = [] if keeps else self.questions.close(t_s, None, OVERTAKEN)
        illegal, self.illegal = self.illegal, None
        return told + ([] if illegal is None else self._tell(t_s, IllegalCleared(illegal.reason)))

    def take_said(self, t_s: float, said: PlaceSaid) -> list[Record]:
        return self._tell(t_s, said)

    def close_question(self, t_s: float, answer: str | None, by: str) -> list[Record]:
        return self.questions.close(t_s, answer, by)

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
        if new and self.illegal is not None and self.illegal.reason != RING_NOT_REMOVED:
            told += self._restored(t_s)
        for each in new:
            told += self._advance(t_s, _played(self.record, [each]))
        return told + self.questions.after_moves(t_s, self.record, found.moves, by, over=self.over is not None)

    def _illegal(self, t_s: float, found: IllegalFound) -> list[Record]:
        breach = of_wrong_ring(self.game, self.record.position, found.breach, self.orphans)
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
        told = self.questions.close(t_s, None, EVIDENCE)
        if self.illegal is not None:
            told += self._restored(t_s)
        self.illegal = event
        return told + self._tell(t_s, event)

    def _restored(self, t_s: float) -> list[Record]:
        illegal, self.illegal = self.illegal, None
        told = self.questions.close(t_s, None, EVIDENCE)
        return told + ([] if illegal is None else self._tell(t_s, IllegalCleared(illegal.reason)))

    # The record

    def _advance(self, t_s: float, record: GameRecord[P], person: str = "") -> list[Record]:
        """Tell the plies that `record` has more than the one so far; `person` where one entered the move."""
        told: list[Record] = []
        new = record.plies[len(self.record.plies) :]
        self.record = record
        for number, ply in enumerate(new, start=len(record.plies) - len(new) + 1):
            told += self._tell(t_s, _ply_event(number, ply, person))
            told += self._point_out(t_s, ply)
            score = score_of(ply.played)
            if score is not None and score != self.score:
                self.score = score
                told += self._tell(t_s, ScoreChanged(score, _points(ply)))
        return told + self._ended(t_s)

    def _point_out(self, t_s: float, ply: Ply[P]) -> list[Record]:
        """One event for the rings that a move has cut off."""
        found = orphans_of(ply)
        self.orphans += found
        self.pointed_out += found
        return self._tell(t_s, OrphansFound(found)) if found else []

    def _orphans_gone(self, t_s: float) -> list[Record]:
        gone, self.orphans, self.pointed_out = self.pointed_out, (), ()
        told = self._tell(t_s, OrphansRemoved(gone)) if gone else []
        return told + (self._restored(t_s) if self.illegal and self.illegal.reason == RING_NOT_REMOVED else [])

    def _replace(self, t_s: float, turn: int, record: GameRecord[P], by: str, why: str) -> list[Record]:
        """One event for a correction: no score is told anew for it (its own is in the event)."""
        old, ply = self.record.moves[turn:], self.record.ply_of(turn)
        last = self.record.plies[-1:]
        self.record = record
        self.score = score_of(record.plies[-1].played) if record.plies else start_score(self.game, record.start)
        event = Corrected(
            ply=ply,
            old=old,
            new=record.moves[turn:],
            by=by,
            why=why,
            position=self.game.position_json(record.position),
            score=self.score,
            overlooked=tuple(number for number, each in enumerate(record.overlooked[turn:]) if each),
        )
        told = self._tell(t_s, event)
        if record.plies[-1:] != last:
            self.orphans = self.pointed_out = ()
            told += self._point_out(t_s, record.plies[-1]) if record.moves[turn:] else []
        if self.game.outcome(record.position) is None:
            self.over = None
        return told + self._ended(t_s)

    def _ended(self, t_s: float) -> list[Record]:
        outcome = self.game.outcome(self.record.position)
        if outcome is None or outcome == self.over:
            return []
        told = self.questions.close(t_s, None, "game_over")
        self.over = outcome
        return told + self._tell(t_s, GameOver(outcome_json(outcome), self.outcome_words(outcome)))

    def outcome_words(self, outcome: Outcome) -> str:
        return with_names(outcome_words(outcome), self.names)

    def begun(self, by_event: str, rules_version: str) -> None:
        """A game has just begun, by the event of that id and under that reading of the rules."""
        self.started = True
        self.begun_by = by_event
        self.rules_version = rules_version
        self.illegal = None
        self.mismatch = None
        self.orphans = self.pointed_out = ()
        self.over = None
        self.questions.new_game()
        self.score = start_score(self.game, self.record.start)

    def _tell(self, t_s: float, event: Event) -> list[Record]:
        event = named(event, self.names)
        self.seq += 1
        t_s = self.told_s = max(self.told_s, t_s)  # a late picture bears the time of its taking, and came later
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
        from companion.restoring import apply

        referee = cls(game, game_id, names)
        for record in records:
            apply(referee, record)
        return referee

    # For the page and MQTT

    def state_json(self) -> dict[str, Json]:
        """The whole state of the game; the table adds what its devices show."""
        return state_json(self)


def _played(record: GameRecord[P], found: Sequence[FoundMove]) -> GameRecord[P]:
    after = record.play_all(
        [each.move for each in found], [each.others for each in found], [each.overlooked for each in found]
    )
    if isinstance(after, Illegal):
        raise ValueError(f"the reconciler found {after.move}, which the rules refuse: {after.detail}")
    return after


def _ply_event(number: int, ply: Ply[P], person: str) -> Event:
    played = ply.played
    if played.forfeit:
        return Forfeited(str(played.by), number, ply.words, played.facts)
    return MovePlayed(
        str(played.by), played.move, number, ply.words, played.facts, played.explanation, ply.others, person
    )


def _points(ply: Ply[P]) -> dict[str, int]:
    points = ply.played.facts.get("points")
    if not isinstance(points, Mapping):
        return {}
    return {str(player): value for player, value in points.items() if isinstance(value, int)}
