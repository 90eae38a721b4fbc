"""What is said of events, and what is dropped when the voice falls behind."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion.events import (
    Cleared,
    Corrected,
    DeviceReported,
    Event,
    GameOver,
    GameStarted,
    IllegalSeen,
    KnobMismatch,
    MovePlayed,
    Occluded,
    OrphansFound,
    QuestionAsked,
    Record,
    ScoreChanged,
)
from companion.games.game import Json
from companion.sinks.voice_queue import MOST_MOVES, VoiceQueue
from companion.sinks.voice_words import Kind, Utterance, utterance_of
from companion.texts import in_language

NAMES: Mapping[str, Json] = {"players": ["blue", "yellow"], "names": {"yellow": "Józef"}}


def said(event: Event, state: Mapping[str, Json] = NAMES, language: str = "en") -> str:
    utterance = utterance_of(Record(1, "id", 0.0, event), state)
    return "" if utterance is None else str(in_language(utterance.words, language))


@pytest.mark.parametrize(
    ("event", "english", "polish"),
    [
        (ScoreChanged(0, {}), "The score is even.", "Jest remis."),
        (ScoreChanged(2, {}), "Blue leads with 2.", "Prowadzi Niebieski, punkty: 2."),
        (ScoreChanged(-3, {}), "Józef leads with 3.", "Prowadzi Józef, punkty: 3."),
        (
            OrphansFound((("A", "NE", "S"), ("B", "E", "L"))),
            "Take off A's small ring on NE and B's large ring on E: no path leads there any more.",
            "Zdejmijcie z planszy: mały pierścień gracza A na NE i duży pierścień gracza B na E. Nie ma już tam drogi.",
        ),
        (
            DeviceReported("camera", "lost", "unplugged"),
            "The referee has lost a device: camera.",
            "Sędzia stracił urządzenie: camera.",
        ),
        (
            QuestionAsked("q1", "Which one?", ("B1", "K1"), ("a marble", "the Joker")),
            "A question: Which one? 1: a marble. 2: the Joker.",
            "Pytanie: Which one? 1: a marble. 2: the Joker.",
        ),
    ],
)
def test_events_are_said_in_both_languages(event: Event, english: str, polish: str) -> None:
    assert said(event) == english
    assert said(event, language="pl") == polish


@pytest.mark.parametrize(
    "event",
    [
        Occluded(("1.1",)),
        Cleared(),
        DeviceReported("camera", "ok"),
        DeviceReported("camera", "stale"),
        KnobMismatch(1, 1, True, "right again"),
    ],
)
def test_what_asks_for_nothing_is_not_said(event: Event) -> None:
    assert said(event) == ""


def test_a_correction_says_the_corrected_move_and_the_score_and_no_other_move() -> None:
    event = Corrected(2, ("Y1", "B2"), ("Y3", "B2"), "a person", "", {}, score=-1)
    moves: list[Json] = [
        {"ply": 1, "words": "Blue pushes"},
        {"ply": 2, "words": "Yellow pushes a marble into channel 3"},
        {"ply": 3, "words": "Blue pushes again"},
    ]
    words = said(event, {**NAMES, "moves": moves})
    assert words == "Correction: Yellow pushes a marble into channel 3. Józef leads with 1."


def test_a_move_taken_back_is_a_correction_too() -> None:
    event = Corrected(3, ("B2",), (), "a person", "", {})
    assert said(event, {**NAMES, "moves": []}) == "Correction: a move is taken back."


def waiting(queue: VoiceQueue) -> list[str]:
    return [utterance.words for utterance in iter(queue.take, None)]


def move(words: str) -> Utterance:
    return Utterance(Kind.MOVES, words)


def test_what_does_not_fall_behind_is_said_in_order() -> None:
    queue = VoiceQueue()
    for utterance in (
        move("one"),
        Utterance(Kind.SCORES, "1", about="score"),
        Utterance(Kind.WARNINGS, "no"),
        move("two"),
    ):
        queue.put(utterance)
    assert waiting(queue) == ["one", "1", "no", "two"]


def test_old_moves_and_scores_are_overtaken_and_warnings_never() -> None:
    queue = VoiceQueue()
    for number in range(20):
        queue.put(move(f"move {number}"))
        queue.put(Utterance(Kind.SCORES, f"score {number}", about="score"))
        queue.put(Utterance(Kind.WARNINGS, f"warning {number % 10}"))
    said = waiting(queue)
    assert [words for words in said if words.startswith("warning")] == [f"warning {n}" for n in range(10)]
    assert [words for words in said if words.startswith("move")] == ["move 18", "move 19"]
    assert MOST_MOVES == 2
    assert [words for words in said if words.startswith("score")] == ["score 19"]


def test_a_correction_takes_back_what_waits_of_the_story_and_an_answer_the_question() -> None:
    queue = VoiceQueue()
    queue.put(move("wrong"))
    queue.put(Utterance(Kind.QUESTIONS, "which?", about="question q1"))
    queue.put(Utterance(Kind.WARNINGS, "careful"))
    queue.put(Utterance(Kind.RESULTS, "over"))
    event = Corrected(1, ("B1",), ("K1",), "a person", "", {})
    correction = utterance_of(Record(1, "id", 0.0, event), NAMES)
    assert correction is not None
    queue.put(correction)
    queue.drop("question q1")
    assert waiting(queue) == ["careful", "Correction: a move is taken back."]


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (GameStarted("infinity", ("blue", "yellow"), {}, {}, {}, "1"), Kind.MOVES),
        (MovePlayed("blue", "B1", 1, "Blue pushes"), Kind.MOVES),
        (GameOver({}, "Blue wins"), Kind.RESULTS),
        (IllegalSeen("two_moves", "two marbles", None, {}), Kind.WARNINGS),
    ],
)
def test_every_kind_can_be_left_out_by_its_name(event: Event, kind: Kind) -> None:
    utterance = utterance_of(Record(1, "id", 0.0, event), NAMES)
    assert utterance is not None
    assert utterance.kind is kind
