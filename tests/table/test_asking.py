"""What a question says: once what all its choices share, in the choices what differs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.events import QuestionAsked
from companion.games.registry import game_named
from companion.questions import Questions
from companion.reconciler.verdicts import Ambiguous
from companion.record import GameRecord
from companion.texts import in_language

A, B, C, D = "add b N>NE M", "add w S>SW M", "add b N>NW M", "add w S>SE M"


def asked(*choices: Sequence[str]) -> QuestionAsked:
    game = game_named("finity", {}, {"players": 2, "pattern": "bwbbwbww"})
    questions = Questions(game, lambda _t_s, _event: [])
    questions.which(0.0, GameRecord(game, game.start()), Ambiguous(tuple(map(tuple, choices))))
    assert questions.open is not None
    return questions.open.asked


def test_what_all_choices_share_is_said_once() -> None:
    question = asked((A, B, C), (A, D, C))
    assert question.choices == (f"{A}, {B}, {C}", f"{A}, {D}, {C}")
    assert question.text.startswith("Which was move 2? Already sure: move 1: ")
    assert "; move 3: " in question.text
    assert all("then" not in words and "NE" not in words for words in question.choice_words)
    assert "SW" in question.choice_words[0]
    assert "SE" in question.choice_words[1]
    assert str(in_language(question.text, "pl")).startswith("Który to był ruch 2? Pewne jest już: ruch 1: ")


def test_moves_that_differ_have_their_numbers_where_others_lie_between() -> None:
    question = asked((A, B, C), (C, B, A))
    assert question.text.startswith("What was played from move 1 on? Already sure: move 2: ")
    assert question.choice_words[0].startswith("Move 1: ")
    assert "; move 3: " in question.choice_words[0]


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        (((A, B), (A,)), ("", "Nothing more was played")),
        (((A, B), (C, D)), ("then", "then")),
        (((A,), ()), ("", "Nothing was played; the record is right")),
    ],
)
def test_choices_of_other_lengths_and_with_nothing_in_common(
    choices: Sequence[Sequence[str]], words: Sequence[str]
) -> None:
    question = asked(*choices)
    assert len(set(question.choice_words)) == 2
    assert all(said in each for said, each in zip(words, question.choice_words, strict=True))
