"""What the voice says of each event: one utterance, or nothing.

Whatever is said here is a `Text`, so that it can be said in any language that there is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from companion.events import (
    BoardMoved,
    CalibrationDoubtful,
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
    OrphansFound,
    OrphansReminded,
    QuestionAsked,
    Record,
    ScoreChanged,
)
from companion.games.game import Json
from companion.texts import capital, joined, listed, names_of, player_called, text, with_names


class Kind(StrEnum):
    """What sort of thing is said; each can be left out by the config."""

    MOVES = "moves"
    SCORES = "scores"
    WARNINGS = "warnings"
    QUESTIONS = "questions"
    RESULTS = "results"


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing to say.

    Attributes:
        about: what an utterance with the same word makes pointless, as long as it waits; empty where nothing does.
        clears: the kinds that still wait and are pointless after it.
    """

    kind: Kind
    words: str
    about: str = ""
    clears: frozenset[Kind] = frozenset()


STORY: Final = frozenset({Kind.MOVES, Kind.SCORES})
"""What another game makes pointless, and a correction, which may undo a result, too."""
SIDES: Final[Mapping[str, str]] = {"blue": text("Blue"), "yellow": text("Yellow")}


def utterance_of(record: Record, state: Mapping[str, Json]) -> Utterance | None:
    """What to say of an event.

    Args:
        state: the state after it, for names and for the words of corrected moves.
    """
    said = _of_the_game(record.event, state) or _of_the_table(record.event)
    if said is None:
        return None
    return Utterance(said.kind, with_names(said.words, names_of(state)), said.about, said.clears)


def _of_the_game(event: Event, state: Mapping[str, Json]) -> Utterance | None:
    match event:
        case GameStarted():
            words = text("The last game goes on.") if event.takes_up else text("A new game begins.")
            return Utterance(Kind.MOVES, words, clears=STORY)
        case MovePlayed() | Forfeited():
            return Utterance(Kind.MOVES, _sentence(event.words))
        case ScoreChanged():
            return Utterance(Kind.SCORES, _score(event.score, state), about="score")
        case Corrected(old=(), new=(_, _, *_)):
            return None  # a game that goes on: that it does was said
        case Corrected():
            return Utterance(Kind.MOVES, _correction(event, state), clears=STORY | {Kind.RESULTS})
        case GameOver():
            return Utterance(Kind.RESULTS, text("The game is over. {how}.", how=event.words))
        case OrphansFound(orphans=orphans) if orphans:
            return Utterance(
                Kind.WARNINGS, text("Take off {rings}: no path leads there any more.", rings=_rings(orphans))
            )
        case OrphansReminded():
            return Utterance(Kind.WARNINGS, text("Still on the board: {rings}.", rings=_rings(event.orphans)))
    return None


def _of_the_table(event: Event) -> Utterance | None:
    match event:
        case IllegalSeen():
            return Utterance(Kind.WARNINGS, text("Please put it right: {what}.", what=event.detail or event.reason))
        case IllegalCleared():
            return Utterance(Kind.WARNINGS, text("The table is as it should be again."))
        case QuestionAsked():
            choices = joined(
                [text("{number}: {choice}.", number=n, choice=c) for n, c in enumerate(event.choice_words, start=1)]
            )
            words = joined([text("A question: {question}", question=event.text), choices])
            return Utterance(Kind.QUESTIONS, words, about=question_of(event.question))
        case KnobMismatch(resolved=False):
            return Utterance(Kind.WARNINGS, _sentence(event.words), about="knob")
        case DeviceReported(state="lost"):
            words = text("The referee has lost a device: {device}.", device=event.device)
            return Utterance(Kind.WARNINGS, words, about=f"device {event.device}")
        case DeviceReported(state="back"):
            words = text("The device is back: {device}.", device=event.device)
            return Utterance(Kind.WARNINGS, words, about=f"device {event.device}")
        case BoardMoved(followed=False):
            return Utterance(Kind.WARNINGS, text("The board was moved and cannot be followed. Please put it back."))
        case CalibrationDoubtful():
            return Utterance(Kind.WARNINGS, text("The camera's calibration is doubtful."), about="calibration")
    return None


def question_of(name: str) -> str:
    """What an utterance is `about` that asks this question."""
    return f"question {name}"


def _sentence(words: str) -> str:
    return joined([capital(words), "."], "")


def _score(score: int, state: Mapping[str, Json]) -> str:
    """The score as people say it; a positive one is the first player's."""
    players = state.get("players")
    if score == 0 or not isinstance(players, Sequence) or len(players) != 2:
        return text("The score is even.")
    leader = str(players[0] if score > 0 else players[1])
    called = player_called(leader, SIDES.get(leader, leader))
    return text("{player} leads with {points}.", player=called, points=abs(score))


def _correction(event: Corrected, state: Mapping[str, Json]) -> str:
    """The corrected move as it stands now, and nothing of those after it."""
    moves = state.get("moves")
    told = moves if isinstance(moves, Sequence) and not isinstance(moves, str) else ()
    now = next((m for m in told if isinstance(m, Mapping) and m.get("ply") == event.ply), None)
    words = None if now is None or not event.new else now.get("words")
    what = (
        text("Correction: {move}.", move=words) if isinstance(words, str) else text("Correction: a move is taken back.")
    )
    return what if event.score is None else joined([what, _score(event.score, state)])


def _rings(rings: Sequence[tuple[str, str, str]]) -> str:
    sizes = {"S": text("small"), "M": text("medium"), "L": text("large")}
    return listed(
        text(
            "{player}'s {size} ring on {station}",
            player=player_called(player, player),
            size=sizes.get(size, size),
            station=station,
        )
        for player, station, size in rings
    )
