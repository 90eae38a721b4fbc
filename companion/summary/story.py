"""The story of a game, from its events in the journal: what was played, what went wrong, what was put right.

Corrections are applied: the turns are those that stood in the end. The words of turns are made anew by the rules, so
they can be said in any language; of what else was told, only what the journal keeps is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from companion.errors import CompanionError, InputError, error_words
from companion.events import Corrected, GameOver, GameStarted, IllegalSeen, QuestionAsked, Record
from companion.games.game import TableGame
from companion.games.registry import game_named
from companion.journal.reader import Entry
from companion.page.layout import layout_for
from companion.record import GameRecord, score_of
from companion.referee import Referee
from companion.summary.board_drawing import Frame, well_frame
from companion.texts import Text, text, with_names


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as it stood in the end; `explanation` is empty where the move says all."""

    ply: int
    by: str
    move: str
    words: str
    explanation: str = ""
    forfeit: bool = False


@dataclass(frozen=True, slots=True)
class Breach:
    """Something against the rules that was seen; `after` is how many turns had been told by then."""

    after: int
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Amended:
    """A correction: which turn, the moves before and after it in the game's notation, who, and why."""

    ply: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class Course:
    """How the game went, by number of turns played; one line for each player, or one for a score between two.

    Attributes:
        goal: what wins.
        between: the players of a score that counts up for the first and down for the second; else empty.
    """

    lines: Mapping[str, tuple[int, ...]]
    goal: int
    between: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """All that is told of one game.

    Attributes:
        number: the journal's number of the game.
        frames: what the board showed at the start and after each turn.
        started, ended: by the wall clock; `ended` is when the last event of the game was kept.
        finished: the outcome in words, empty where the game was left before its end.
        winner: the player who won, None where nobody did.
    """

    number: int
    game: TableGame[Any]
    names: Mapping[str, str]
    layout: Mapping[str, Any]
    record: GameRecord[Any]
    turns: tuple[Turn, ...]
    frames: tuple[Frame, ...]
    course: Course | None
    breaches: tuple[Breach, ...]
    amended: tuple[Amended, ...]
    questions: int
    finished: str
    winner: str | None
    started: datetime
    ended: datetime

    @property
    def duration(self) -> timedelta:
        return max(self.ended - self.started, timedelta(0))


def story_of(number: int, entries: Iterable[Entry]) -> Story:
    """The story of a game.

    Args:
        entries: all events of the game in order, as `JournalReader.entries` gives them.
    Raises:
        InputError: where the game has no beginning in the journal, or its rules refuse what stands there.
    """
    kept = list(entries)
    records = [entry.record for entry in kept]
    started = next((record.event for record in records if isinstance(record.event, GameStarted)), None)
    if started is None:
        raise InputError(text("game {number} has no beginning in the journal, so it cannot be told", number=number))
    try:
        game = game_named(started.game, started.options, started.setup)
        referee: Referee[Any] = Referee.restore(game, "story", records)
    except CompanionError as error:
        raise InputError(
            text("game {number} does not fit the rules of this version: {why}", number=number, why=error_words(error))
        ) from error
    names, record = started.names, referee.record
    layout = _layout(game)
    outcome = game.outcome(record.position)
    return Story(
        number=number,
        game=game,
        names=names,
        layout=layout,
        record=record,
        turns=_turns(record, names),
        frames=_frames(record, layout),
        course=_course(record, layout),
        breaches=tuple(_breaches(records, names)),
        amended=tuple(_amended(records)),
        questions=sum(isinstance(each.event, QuestionAsked) for each in records),
        finished="" if outcome is None else with_names(referee.outcome_words(outcome), names),
        winner=None if outcome is None or outcome.winner is None else str(outcome.winner),
        started=datetime.fromisoformat(kept[0].utc),
        ended=datetime.fromisoformat(_last(kept).utc),
    )


def _last(entries: list[Entry]) -> Entry:
    """The end of the game, or its last event: what devices did afterwards is no part of it."""
    over = [entry for entry in entries if isinstance(entry.record.event, GameOver)]
    return over[-1] if over else entries[-1]


def _layout(game: TableGame[Any]) -> Mapping[str, Any]:
    """The drawing of the game's own board: where a copy's places lie does not matter to the story."""
    from calibration.board import load_board

    return layout_for(game.name, load_board(game.name).to_json(), game.setup)


def _turns(record: GameRecord[Any], names: Mapping[str, str]) -> tuple[Turn, ...]:
    return tuple(
        Turn(
            ply=number,
            by=str(ply.played.by),
            move=ply.move,
            words=with_names(ply.words, names),
            explanation=with_names(ply.played.explanation, names),
            forfeit=ply.played.forfeit,
        )
        for number, ply in enumerate(record.plies, start=1)
    )


def _positions(record: GameRecord[Any]) -> list[Any]:
    return [record.start, *(ply.played.after for ply in record.plies)]


def _frames(record: GameRecord[Any], layout: Mapping[str, Any]) -> tuple[Frame, ...]:
    game = record.game
    frames = []
    for position in _positions(record):
        shown = {str(place): str(label) for place, label in game.sight(position).items()}
        shown |= well_frame(layout, {str(label): n for label, n in (game.well(position) or {}).items()})
        stop = game.knob_stop(position)
        frames.append(shown if stop is None else {**shown, "knob": str(stop)})
    return tuple(frames)


def _course(record: GameRecord[Any], layout: Mapping[str, Any]) -> Course | None:
    """The score where the game has one, else how long each player's longest path was."""
    game, score = record.game, layout.get("score")
    if score:
        start = game.position_json(record.start).get("score")
        values = [start if isinstance(start, int) else 0]
        for ply in record.plies:
            now = score_of(ply.played)
            values.append(values[-1] if now is None else now)
        return Course({"": tuple(values)}, score["goal"], (score["positive"], score["negative"]))
    paths = [game.explain(position).get("partial_paths") for position in _positions(record)]
    if not all(isinstance(path, Mapping) for path in paths):
        return None
    lengths = {str(player): tuple(_length(path, str(player)) for path in paths) for player in game.players}
    return Course(lengths, len(layout.get("pattern") or ()))


def _length(paths: Any, player: str) -> int:
    return int(paths[player]["length"])


def _breaches(records: Iterable[Record], names: Mapping[str, str]) -> Iterable[Breach]:
    after = 0
    for record in records:
        after = getattr(record.event, "ply", after)
        if isinstance(record.event, IllegalSeen):
            yield Breach(after, record.event.reason, with_names(record.event.detail, names))


def _amended(records: Iterable[Record]) -> Iterable[Amended]:
    """What people put right; that a game is taken up again brings its moves back, and puts nothing right."""
    is_taken_up = False
    for record in records:
        event = record.event
        if isinstance(event, GameStarted):
            is_taken_up = bool(event.takes_up)
        elif isinstance(event, Corrected):
            if not is_taken_up:
                yield Amended(event.ply, event.old, event.new, _sentence(event.by), _sentence(event.why))
            is_taken_up = False


def _sentence(words: str) -> str:
    """Words that may be a person's own, or the program's, which an older journal keeps as plain words."""
    return words if isinstance(words, Text) else Text(words)
