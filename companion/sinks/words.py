"""Every event as a line for people. What kind of event it is stands there as a word, never as a colour alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

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
from companion.games.game import Json

MOST_PLACES = 6
"""More covered places than these are counted, not named."""
TAG_WIDTH = 9
"""As wide as the longest tag, so that the texts stand below one another."""


RING_SIZES: Mapping[str, str] = {"S": "small", "M": "medium", "L": "large"}
SETUP_TOLD = ("pattern", "posts")
"""Of the set-up, what people check against their table; how many play is told by the players' names."""


class Weight(Enum):
    """How much an event asks to be looked at."""

    QUIET = "quiet"
    PLAIN = "plain"
    GOOD = "good"
    WARNING = "warning"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Words:
    """A tag of one word, and the text; more lines of text follow after a line feed."""

    tag: str
    text: str
    weight: Weight = Weight.PLAIN


def words_of(record: Record) -> str:
    """The event as lines of plain text: seconds, tag and words."""
    words = words_of_event(record.event)
    head = f"{record.t_s:8.1f}  {words.tag:{TAG_WIDTH}}  "
    first, *more = words.text.split("\n")
    return "\n".join((head + first, *(" " * len(head) + line for line in more)))


def words_of_event(event: Event) -> Words:
    match event:
        case GameStarted():
            return Words("start", _start(event))
        case MovePlayed():
            others = f"\n(or {', '.join(event.others)})" if event.others else ""
            return Words("move", _with(event.words or f"{event.by} plays {event.move}", event.explanation) + others)
        case Forfeited():
            return Words("forfeit", event.words or f"{event.by} forfeits the turn")
        case ScoreChanged():
            return Words("score", f"{event.score:+d}{_points(event.points)}" if event.score else "even")
        case OrphansFound():
            if not event.orphans:
                return Words("orphans", "none")
            return Words("orphans", f"take off {_rings(event.orphans)}: no path leads there any more", Weight.WARNING)
        case OrphansReminded():
            return Words("WARNING", f"still on the board: {_rings(event.orphans)}; take them off", Weight.WARNING)
        case OrphansRemoved():
            return Words("settled", f"off the board: {_rings(event.orphans)}", Weight.GOOD)
        case GameOver():
            return Words("GAME OVER", event.words, Weight.GOOD)
        case Corrected():
            return Words("corrected", _correction(event))
        case _:
            return _of_the_table(event)


def _of_the_table(event: Event) -> Words:
    """What is said of the table itself rather than of the game."""
    match event:
        case IllegalSeen():
            return Words("WARNING", _with(event.detail or event.reason, _also(event)), Weight.WARNING)
        case IllegalCleared():
            return Words("settled", "the table is as it should be again", Weight.GOOD)
        case QuestionAsked():
            choices = "\n".join(f"{number}. {words}" for number, words in enumerate(_choices(event), start=1))
            return Words("QUESTION", _with(event.text, choices), Weight.QUESTION)
        case QuestionClosed():
            return Words("answered", f"{event.answer or 'no longer a question'} (by {event.by})")
        case KnobMismatch():
            weight = Weight.GOOD if event.resolved else Weight.WARNING
            return Words("settled" if event.resolved else "WARNING", event.words, weight)
        case DeviceReported():
            return _device(event)
        case Occluded():
            return Words("covered", _covered(event.places), Weight.QUIET)
        case Cleared():
            return Words("clear", "the board is in view", Weight.QUIET)
        case BoardMoved(followed=True):
            return Words("moved", f"the board was moved by {event.shift_px:.0f} px and is followed")
        case BoardMoved():
            words = "the board was moved and cannot be followed; put it back, or run companion calibrate"
            return Words("WARNING", words, Weight.WARNING)
        case CalibrationDoubtful():
            return Words("WARNING", f"the calibration is doubtful: {event.detail}", Weight.WARNING)
        case _:
            raise TypeError(f"no words for {type(event).__name__}")


def _start(event: GameStarted) -> str:
    players = " against ".join(
        f"{event.names[player]} ({player})" if event.names.get(player, player) != player else player
        for player in event.players
    )
    told = ", ".join(f"{key} {_told(value)}" for key, value in event.setup.items() if key in SETUP_TOLD)
    return f"{event.game}: {players}{f' ({told})' if told else ''}"


def _told(value: Json) -> str:
    return ", ".join(f"{key} at {item}" for key, item in value.items()) if isinstance(value, Mapping) else str(value)


def _device(event: DeviceReported) -> Words:
    well = event.state in ("ok", "back")
    weight = Weight.QUIET if well else Weight.WARNING
    return Words("device" if well else "WARNING", _with(f"{event.device} is {event.state}", event.detail), weight)


def _correction(event: Corrected) -> str:
    old, new = (" ".join(moves) or "nothing" for moves in (event.old, event.new))
    score = "" if event.score is None else f"; score {event.score:+d}"
    why = f": {event.why}" if event.why else ""
    return f"from turn {event.ply} on {new} instead of {old}{score} (by {event.by}{why})"


def _rings(rings: Sequence[tuple[str, str, str]]) -> str:
    return ", ".join(f"{player}'s {RING_SIZES.get(size, size)} ring on {station}" for player, station, size in rings)


def _choices(event: QuestionAsked) -> tuple[str, ...]:
    return event.choice_words if len(event.choice_words) == len(event.choices) else event.choices


def _also(event: IllegalSeen) -> str:
    return f"(it looks the same as {', '.join(event.also)})" if event.also else ""


def _points(points: Mapping[str, int]) -> str:
    scored = [f"{player} {count}" for player, count in points.items() if count]
    return f" ({', '.join(scored)})" if scored else ""


def _with(text: str, more: str) -> str:
    return f"{text}\n{more}" if more else text


def _covered(places: tuple[str, ...]) -> str:
    if not places:
        return "a hand is over the board"
    if len(places) <= MOST_PLACES:
        return ", ".join(places)
    return f"{', '.join(places[:MOST_PLACES])} and {len(places) - MOST_PLACES} more places"
