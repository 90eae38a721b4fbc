"""Every sentence that the source says stands in every language with the same places, and nothing else does."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from companion.catalogues import LOCALE, PROGRAM, catalogue, read_catalogue, read_part
from companion.errors import InputError
from companion.texts import in_language, languages, plural

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("companion", "calibration", "vision", "firmware_bridge", "hw_sim")
OTHERS = [language for language in languages() if language != "en"]
KEYWORDS = {"text": None, "plural": (1, 2), "noted": None, "Sentence": None}


def said() -> set[str | tuple[str, ...]]:
    """Every message of the source."""
    found = (extract_from_dir(ROOT / package, [("**.py", "python")], keywords=dict(KEYWORDS)) for package in PACKAGES)
    return {message for each in found for _, _, message, _, _ in each}


def places(*messages: str) -> set[str]:
    return {name for message in messages for _, name, _, _ in string.Formatter().parse(message) if name}


@pytest.fixture(scope="module")
def messages() -> set[str | tuple[str, ...]]:
    return said()


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_has_a_translation_and_no_other_is_kept(
    language: str, messages: set[str | tuple[str, ...]]
) -> None:
    ones = {message if isinstance(message, str) else message[0] for message in messages}
    assert len(ones) > 300
    assert set(read_part(language, PROGRAM).messages) == ones


@pytest.mark.parametrize("language", OTHERS)
def test_translations_have_the_places_of_the_sentence(language: str, messages: set[str | tuple[str, ...]]) -> None:
    translated = read_part(language, PROGRAM).messages
    for message in messages:
        english = (message,) if isinstance(message, str) else message
        forms = translated[english[0]]
        # A language may leave a number out where its words say it ("one marble"), and never knows more than English.
        assert places(*forms) == places(*english) - ({"n"} - places(*forms)), english


@pytest.mark.parametrize("language", OTHERS)
def test_there_is_a_form_for_every_number(language: str, messages: set[str | tuple[str, ...]]) -> None:
    found = read_part(language, PROGRAM)
    wanted = {found.form_of(n) for n in range(200)}
    for message in messages:
        if not isinstance(message, str):
            assert set(range(len(found.messages[message[0]]))) == wanted, message


@pytest.mark.parametrize(
    ("n", "words"),
    [(1, "1 minuta"), (2, "2 minuty"), (5, "5 minut"), (12, "12 minut"), (22, "22 minuty"), (0, "0 minut")],
)
def test_polish_plurals(n: int, words: str) -> None:
    assert in_language(plural("{n} minute", "{n} minutes", n), "pl") == words


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call that says a message."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            imported = {
                (name.asname or name.name): name.name
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom) and node.module in ("companion.texts", "calibration.sentences")
                for name in node.names
            }
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    name = imported.get(node.func.id)
                    if name in KEYWORDS:
                        assert node.func.id == name, f"{path}: {name} under another name is not found in the source"
                        yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def test_messages_stand_in_the_source_as_they_are() -> None:
    found = list(calls())
    assert len(found) > 300
    for where, call in found:
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        for message in call.args[: 2 if name == "plural" else 1]:
            assert isinstance(message, ast.Constant), f"{where}: catalogues cannot know what this says"
            assert isinstance(message.value, str), where


def test_every_value_is_given() -> None:
    for where, call in calls():
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name == "noted":
            continue
        messages = [each.value for each in call.args[: 2 if name == "plural" else 1] if isinstance(each, ast.Constant)]
        given = {keyword.arg for keyword in call.keywords if keyword.arg} | ({"n"} if name == "plural" else set())
        if all(keyword.arg for keyword in call.keywords):
            assert places(*map(str, messages)) - given == set(), where


# The reader of catalogues


@pytest.mark.parametrize(
    "path", sorted(LOCALE.glob("*/LC_MESSAGES/*.po")), ids=lambda path: f"{path.parts[-3]}/{path.name}"
)
def test_it_reads_what_gettexts_own_readers_read(path: Path) -> None:
    with path.open("rb") as file:
        theirs = read_po(file, abort_invalid=True)
    ours = read_catalogue(path.read_text(encoding="utf-8"))
    assert ours.messages == {
        (message.id if isinstance(message.id, str) else message.id[0]): (
            (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
        )
        for message in theirs
        if message.id and message.string and not message.fuzzy
    }


SMALL = """
msgid ""
msgstr "Plural-Forms: nplurals=2; plural=n>1;\\n"

# words
#. more words
#: a/file.py:3
msgid "two \\"lines\\""
msgstr ""
"zwei\\n"
"Zeilen"

#, fuzzy
msgid "doubtful"
msgstr "zweifelhaft"

msgid "{n} day"
msgid_plural "{n} days"
msgstr[0] "{n} Tag"
msgstr[1] "{n} Tage"

msgid "empty"
msgstr ""

#~ msgid "gone"
#~ msgstr "weg"
"""


def test_fuzzy_empty_and_old_entries_are_left_out() -> None:
    found = read_catalogue(SMALL)
    assert found.messages == {'two "lines"': ("zwei\nZeilen",), "{n} day": ("{n} Tag", "{n} Tage")}
    assert [found.counted("{n} day", "{n} days", n) for n in (0, 1, 2)] == ["{n} Tag", "{n} Tag", "{n} Tage"]
    assert found.one("doubtful") == "doubtful"
    assert found.counted("one", "many", 2) == "many"


@pytest.mark.parametrize("wrong", ['msgid "a', 'nonsense "a"', '"begins in the middle"', 'msgid "\\q"'])
def test_a_line_that_is_wrong_is_named(wrong: str) -> None:
    with pytest.raises(InputError, match=re.escape("pl/x.po, line 2")):
        read_catalogue(f"\n{wrong}\n", "pl/x.po")


def test_english_and_unknown_languages_need_no_catalogue() -> None:
    assert catalogue("en").one("x") == "x"
    assert catalogue("xx").counted("one", "many", 3) == "many"
