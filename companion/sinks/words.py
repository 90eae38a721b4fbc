"""Every event as a line for people. What kind of event it is stands there as a word, never as a colour alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from companion.catalogues import page_texts
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
    QuestionAsked,
    QuestionClosed,
    Record,
    Resumed,
    ScoreChanged,
)
from companion.games.game import Json
from companion.games.shown import called, side
from companion.orphans import ring_words
from companion.texts import ENGLISH, Text, in_language, joined, plural, text, with_names

MOST_PLACES = 6
"""More covered places than these are counted, not named."""
TAG_WIDTH = 9
"""As wide as the longest tag of any language, so that the texts stand below one another."""

SETUP_TOLD: Mapping[str, str] = {"pattern": text("pattern"), "posts": text("posts")}
"""Of the set-up, what people check against their table; how many play is told by the players' names."""

DEVICES: Mapping[str, str] = {
    "camera": text("the camera"),
    "board": text("the board"),
    "gpio": text("the pins"),
    "journal": text("the journal's file"),
}
"""Devices in words; others are called as the config calls them."""

SOMEBODY: Mapping[str, str] = {
    "a person": text("a person"),
    "evidence": text("what was seen later"),
    "overtaken": text("something that came before the answer"),
    "new_game": text("a new game"),
    "game_over": text("the end of the game"),
}
"""Who did a thing, where nobody gave a name."""


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


def words_of(record: Record, language: str = ENGLISH, names: Mapping[str, str] | None = None) -> str:
    """The event as lines of plain text: seconds, tag and words.

    Args:
        names: what the players are called, by player.
    """
    words = words_of_event(record.event, language)
    tag, told = (str(in_language(with_names(each, names or {}), language)) for each in (words.tag, words.text))
    head = f"{record.t_s:8.1f}  {tag:{TAG_WIDTH}}  "
    first, *more = told.split("\n")
    return "\n".join((head + first, *(" " * len(head) + line for line in more)))


def words_of_event(event: Event, language: str = ENGLISH) -> Words:
    """What is said of an event, as texts; `language` is that of words which stand in the pages' catalogues."""
    match event:
        case GameStarted():
            return Words(text("start"), _start(event))
        case MovePlayed():
            others = text("(or {moves})", moves=", ".join(event.others)) if event.others else ""
            played = event.words or text("{player} plays {move}", player=called(event.by), move=event.move)
            return Words(text("move"), _lines(played, event.explanation, others))
        case Forfeited():
            words = event.words or text("{player} forfeits the turn", player=called(event.by))
            return Words(text("forfeit"), words)
        case ScoreChanged():
            return Words(text("score"), _score(event))
        case OrphansFound():
            if not event.orphans:
                return Words(text("orphans"), text("none"))
            words = text("take off {rings}: no path leads there any more", rings=_rings(event.orphans))
            return Words(text("orphans"), words, Weight.WARNING)
        case OrphansReminded():
            words = text("still on the board: {rings}; take them off", rings=_rings(event.orphans))
            return Words(text("WARNING"), words, Weight.WARNING)
        case OrphansRemoved():
            return Words(text("settled"), text("off the board: {rings}", rings=_rings(event.orphans)), Weight.GOOD)
        case GameOver():
            return Words(text("GAME OVER"), event.words, Weight.GOOD)
        case Corrected():
            return Words(text("corrected"), _correction(event))
        case _:
            return _of_the_table(event, language)


def _of_the_table(event: Event, language: str) -> Words:
    """What is said of the table itself rather than of the game."""
    match event:
        case IllegalSeen():
            return Words(text("WARNING"), _lines(event.detail or event.reason, _also(event, language)), Weight.WARNING)
        case IllegalCleared():
            return Words(text("settled"), text("the table is as it should be again"), Weight.GOOD)
        case QuestionAsked():
            choices = [joined([f"{number}.", words]) for number, words in enumerate(_choices(event), start=1)]
            return Words(text("QUESTION"), _lines(event.text, *choices), Weight.QUESTION)
        case QuestionClosed():
            answer = event.answer or text("no longer a question")
            return Words(text("answered"), text("{answer} (by {somebody})", answer=answer, somebody=_by(event.by)))
        case PlaceSaid():
            said = event.words or joined([event.place, event.label])
            return Words(text("answered"), text("{answer} (by {somebody})", answer=said, somebody=_by(event.by)))
        case KnobMismatch(resolved=True):
            return Words(text("settled"), event.words, Weight.GOOD)
        case KnobMismatch():
            return Words(text("WARNING"), event.words, Weight.WARNING)
        case KnobConfirmed():
            return Words(text("answered"), text("the knob is right (by {somebody})", somebody=_by(event.by)))
        case Paused():
            return Words(text("paused"), text("nobody judges now (by {somebody})", somebody=_by(event.by)))
        case Resumed():
            return Words(text("resumed"), text("the referee looks again (by {somebody})", somebody=_by(event.by)))
        case _:
            return _of_devices(event)


def _of_devices(event: Event) -> Words:
    match event:
        case DeviceReported():
            return _device(event)
        case Occluded():
            return Words(text("covered"), _covered(event.places), Weight.QUIET)
        case Cleared():
            return Words(text("clear"), text("the board is in view"), Weight.QUIET)
        case BoardMoved(followed=True):
            words = text("the board was moved by {shift} px and is followed", shift=round(event.shift_px))
            return Words(text("moved"), words)
        case BoardMoved():
            words = text("the board was moved and cannot be followed; put it back, or run companion calibrate")
            return Words(text("WARNING"), words, Weight.WARNING)
        case CalibrationDoubtful():
            words = text("the calibration is doubtful: {why}", why=event.detail)
            return Words(text("WARNING"), words, Weight.WARNING)
        case _:
            raise TypeError(f"no words for {type(event).__name__}")


def _start(event: GameStarted) -> Text:
    first, *others = [_who(event, player) for player in event.players]
    players = [first, *(text("against {player}", player=other) for other in others)]
    told = [joined([words, _told(event.setup[key])]) for key, words in SETUP_TOLD.items() if key in event.setup]
    by = text("(by {somebody})", somebody=_by(event.by)) if event.by else ""
    again = text("taken up again") if event.takes_up else ""
    what = joined(["(", joined(told, ", "), ")"], "") if told else ""
    return joined([f"{event.game}:", *players, what, again, by])


def _who(event: GameStarted, player: str) -> str:
    """A player's own name, with the side behind it."""
    name = event.names.get(player, player)
    return side(player) if name == player else joined([name, joined(["(", side(player), ")"], "")])


def _told(value: Json) -> str:
    if not isinstance(value, Mapping):
        return str(value)
    each = [text("{player} at {station}", player=called(player), station=str(at)) for player, at in value.items()]
    return joined(each, ", ")


def _score(event: ScoreChanged) -> Text:
    if not event.score:
        return text("even")
    scored = [joined([called(player), str(count)]) for player, count in event.points.items() if count]
    return joined([f"{event.score:+d}", joined(["(", joined(scored, ", "), ")"], "") if scored else ""])


def _device(event: DeviceReported) -> Words:
    name = DEVICES.get(event.device, event.device)
    match event.state:
        case "ok":
            said = text("{device} is ok", device=name)
        case "back":
            said = text("{device} is back", device=name)
        case "stale":
            said = text("{device} is silent", device=name)
        case _:
            said = text("{device} is lost", device=name)
    if event.state in ("ok", "back"):
        return Words(text("device"), _lines(said, event.detail), Weight.QUIET)
    return Words(text("WARNING"), _lines(said, event.detail), Weight.WARNING)


def _correction(event: Corrected) -> Text:
    old, new = (" ".join(moves) or text("nothing") for moves in (event.old, event.new))
    said = text("from turn {ply} on {new} instead of {old}", ply=event.ply, new=new, old=old)
    score = "" if event.score is None else text("score {score:+d}", score=event.score)
    by = text("(by {somebody})", somebody=_by(event.by))
    if event.why:
        by = text("(by {somebody}: {why})", somebody=_by(event.by), why=event.why)
    return joined([joined([said, score], "; "), by])


def _by(somebody: str) -> str:
    return SOMEBODY.get(somebody, somebody)


def _rings(rings: Sequence[tuple[str, str, str]]) -> Text:
    return joined(map(ring_words, rings), ", ")


def _choices(event: QuestionAsked) -> tuple[str, ...]:
    return event.choice_words if len(event.choice_words) == len(event.choices) else event.choices


def _also(event: IllegalSeen, language: str) -> str:
    """What looks just the same, in the words that the page has for it."""
    if not event.also:
        return ""
    words = page_texts(language)
    reasons = [str(words.get(f"reason.{reason}", reason)) for reason in event.also]
    return text("(it looks the same as: {reasons})", reasons=", ".join(reasons))


def _lines(*lines: str) -> Text:
    return joined(lines, "\n")


def _covered(places: tuple[str, ...]) -> Text:
    if not places:
        return text("a hand is over the board")
    more = len(places) - MOST_PLACES
    if more <= 0:
        return joined(places, ", ")
    first = ", ".join(places[:MOST_PLACES])
    return plural("{places} and {n} more place", "{places} and {n} more places", more, places=first)
