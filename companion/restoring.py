"""A referee rebuilt from its own events, one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from companion.errors import UsageError
from companion.events import (
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
    Paused,
    QuestionAsked,
    QuestionClosed,
    Record,
    Resumed,
    ScoreChanged,
)
from companion.games.game import Illegal, P
from companion.questions import others_at
from companion.record import GameRecord
from companion.referee import Referee
from companion.texts import text


def apply(referee: Referee[P], record: Record) -> None:
    """Let one of its own records have been told.

    Raises:
        UsageError: where it does not fit the rules, as after a change of the house rules.
    """
    referee.seq = record.seq
    _to_game(referee, record)
    _to_orphans(referee, record.event)
    _to_signs(referee, record)


def _to_game(referee: Referee[P], record: Record) -> None:
    event = record.event
    match event:
        case GameStarted():
            referee.names = dict(event.names)
            referee.record = GameRecord(referee.game, referee.game.parse_position(event.position))
            referee.questions.open = None
            referee.begun(event.takes_up or record.id, event.rules_version)
        case MovePlayed():
            overlooked = event.facts.get("overlooked") is True
            _play(referee, referee.record, [event.move], [event.others], [overlooked])
        case Forfeited():
            referee.record = referee.record.with_forfeits()
        case ScoreChanged():
            referee.score = event.score
        case Corrected():
            _correct(referee, event)
        case GameOver():
            referee.over = referee.game.outcome(referee.record.position)


def _correct(referee: Referee[P], event: Corrected) -> None:
    last = referee.record.plies[-1:]
    turn = len(referee.record.moves) - len(event.old)
    overlooked = [number in event.overlooked for number in range(len(event.new))]
    _play(referee, referee.record.until(turn), event.new, (), overlooked)
    referee.score = event.score
    if referee.record.plies[-1:] != last:
        referee.orphans = referee.pointed_out = ()
    if referee.game.outcome(referee.record.position) is None:
        referee.over = None


def _play(
    referee: Referee[P],
    record: GameRecord[P],
    moves: Sequence[str],
    others: Sequence[tuple[str, ...]],
    overlooked: Sequence[bool],
) -> None:
    after = record.play_all(moves, others, overlooked)
    if isinstance(after, Illegal):
        raise UsageError(
            text("the journal has {move}, which these rules refuse: {detail}", move=after.move, detail=after.detail)
        )
    referee.record = after


def _to_orphans(referee: Referee[P], event: Event) -> None:
    match event:
        case OrphansFound():
            referee.orphans += event.orphans
            referee.pointed_out += event.orphans
        case OrphansReminded():
            referee.orphans = event.orphans
        case OrphansRemoved():
            referee.orphans = referee.pointed_out = ()


def _about(referee: Referee[P], asked: QuestionAsked) -> tuple[int, bool]:
    """The number (from 0) of the move that a question is about, and whether that was told already."""
    record = referee.record
    if asked.ply:
        turn = record.turn_of(asked.ply)
        return (len(record.moves), False) if turn is None else (turn, asked.told)
    last = len(record.moves) - 1
    told = last >= 0 and others_at(record, last) != () and record.moves[last] in asked.choices
    return (last if told else last + 1), told


def _to_signs(referee: Referee[P], record: Record) -> None:
    """What is open or shown beside the game itself."""
    event = record.event
    match event:
        case QuestionAsked():
            referee.questions.restored(event, *_about(referee, event))
        case QuestionClosed():
            referee.questions.open = None
        case IllegalSeen():
            referee.illegal = event
        case IllegalCleared():
            referee.illegal = None
        case KnobMismatch():
            referee.mismatch = None if event.resolved else event
        case DeviceReported():
            since = round(record.t_s, 3)
            referee.devices[event.device] = {"state": event.state, "detail": event.detail, "since": since}
        case Occluded():
            referee.covered = True
        case Cleared():
            referee.covered = False
        case Paused() | Resumed():
            referee.paused = isinstance(event, Paused)
