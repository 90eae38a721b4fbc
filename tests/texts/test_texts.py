"""A text is a string in English that can say itself in another language, wherever it is kept."""

from __future__ import annotations

import copy
import errno
import json
import os
import pickle
from dataclasses import dataclass

import pytest

from calibration.errors import BoardError
from calibration.sentences import Sentence, several
from companion.errors import InputError, error_words, system_words
from companion.texts import Text, best_language, capital, in_language, in_words, joined, languages, listed, text


@dataclass(frozen=True)
class Event:
    words: str


def test_a_text_is_the_english_string() -> None:
    said = text("{player} wins by {n}", player="Ann", n=2)
    assert said == "Ann wins by 2"
    assert hash(said) == hash("Ann wins by 2")
    assert json.dumps({"words": said}) == '{"words": "Ann wins by 2"}'


def test_a_list_is_said_in_the_language_wherever_it_is_kept() -> None:
    said = Event(listed(["red", "green", "blue"]))
    assert said.words == "red, green and blue"
    kept = {"deep": [{"words": (said.words, 5, None)}]}
    assert in_language(kept, "pl") == {"deep": [{"words": ("red, green i blue", 5, None)}]}
    assert in_language(kept, "en") is kept


def test_texts_within_texts_are_said_too() -> None:
    said = joined([listed(["A", "B"], last="or"), capital(listed(["c", "d"]))], ": ")
    assert said == "A or B: C and d"
    assert in_language(said, "pl") == "A lub B: C i d"


def test_what_nobody_has_translated_stays_english() -> None:
    assert in_language(Text("No such sentence"), "pl") == "No such sentence"
    assert in_language(listed(["a", "b"]), "xx") == "a and b"


def test_names_with_braces_are_only_names() -> None:
    assert in_language(listed(["{end}", "{0.__class__}"]), "pl") == "{end} i {0.__class__}"


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_copies_remember(copied: object) -> None:
    assert callable(copied)
    assert in_language(copied(listed(["a", "b"])), "pl") == "a i b"


def test_a_value_that_is_missing_is_a_mistake_of_the_program() -> None:
    with pytest.raises(KeyError):
        text("{player} wins", n=1)


def test_polish_is_there_and_chosen_by_any_of_its_names() -> None:
    assert languages()[0] == "en"
    assert "pl" in languages()
    assert best_language(["pl_PL.UTF-8"]) == "pl"
    assert best_language(["xx", "PL-pl;q=0.8", "en"]) == "pl"
    assert best_language(["C", ""], "en") == "en"


# Sentences of packages that know no catalogues, and errors


def test_a_sentence_is_said_in_another_language_with_the_sentences_in_it() -> None:
    said = in_words(
        Sentence(
            "{picture}: a {kind} marble lies in {places}: take the empty picture with empty channels",
            picture=Sentence("the empty picture"),
            kind=Sentence("blue"),
            places="1.1",
        )
    )
    assert said == "the empty picture: a blue marble lies in 1.1: take the empty picture with empty channels"
    assert in_language(said, "pl") == (
        "puste zdjęcie: w miejscach 1.1 leży kulka (niebieski): zrób zdjęcie z pustymi kanałami"
    )


def test_several_sentences_are_one_that_says_each() -> None:
    faults = several([Sentence("units must be mm"), Sentence("{key} is not known", key="x")])
    assert faults == "units must be mm; x is not known"
    assert in_language(in_words(faults), "pl") == "units musi być mm; nieznany klucz x"
    assert several(["one"]) == "one"
    assert several([]) == ""


def test_an_error_says_its_text_and_the_systems_words_in_every_language() -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/a")
    told = error_words(InputError(text("{path}: cannot be read: {why}", path="/a", why=system_words(full))))
    assert told == "/a: cannot be read: No space left on device"
    assert in_language(told, "pl") == "/a: nie można odczytać: brak miejsca na urządzeniu"
    faults = BoardError("b.json", (Sentence("units must be mm"),))
    assert str(faults) == "board file b.json: units must be mm"
    assert in_language(error_words(faults), "pl") == "plik planszy b.json: units musi być mm"
    assert in_language(error_words(OSError(5, "own words", "/a")), "pl") == "[Errno 5] own words: '/a'"
    assert in_language(system_words(OSError(5, "own words")), "pl") == "own words"
