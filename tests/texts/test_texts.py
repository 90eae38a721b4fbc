"""A text is a string in English that can say itself in another language, wherever it is kept."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import dataclass

import pytest

from companion.texts import Text, best_language, capital, in_language, joined, languages, listed, text


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
