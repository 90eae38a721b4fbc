"""The help of all commands, and what is wrong with a command line, in every language."""

from __future__ import annotations

import re

import pytest
import typer.main

from companion.catalogues import HELP, page_parts, read_part
from companion.cli.app import app
from companion.cli.help_words import helps_of, paragraphs, wrong_words
from companion.cli.language import VARIABLES
from companion.texts import Text, in_language, languages
from tests.cli.conftest import Command, companion

__all__ = ["companion"]

OTHERS = [language for language in languages() if language != "en"]
COMMANDS = sorted(getattr(typer.main.get_command(app), "commands"))  # noqa: B009 - a group has them


@pytest.fixture
def polish_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "pl_PL.UTF-8")
    monkeypatch.setenv("COLUMNS", "100")


@pytest.mark.parametrize("language", OTHERS)
def test_every_paragraph_of_every_help_has_a_translation_and_no_other_is_kept(language: str) -> None:
    said = set(helps_of(typer.main.get_command(app)))
    assert len(said) > 150
    assert set(read_part(language, HELP).messages) == said
    assert HELP not in page_parts(language)


@pytest.mark.usefixtures("polish_terminal")
@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_is_in_the_terminals_language_and_its_examples_are_the_same(
    name: str, companion: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    polish = companion(name, "--help").out
    monkeypatch.setenv("LANG", "en")
    english = companion(name, "--help").out
    assert polish.startswith(f"Użycie: companion {name}")
    assert english.startswith(f"Usage: companion {name}")
    assert "Pokaż tę pomoc i zakończ." in polish
    examples = re.findall(r"^ {4}\S.*$", english, re.M)
    assert examples
    assert re.findall(r"^ {4}\S.*$", polish, re.M) == examples
    assert "Options:" in english
    assert not re.search(r"\b(the|of|where|else)\b", re.sub(r"^    .*$", "", polish, flags=re.M))


def test_a_help_is_cut_into_what_is_said_and_what_is_typed() -> None:
    assert list(paragraphs("One\nsentence.\n\nExample:\n\n\b\n  companion x\n\n  companion y")) == [
        ("One sentence.", True),
        ("Example:", True),
        ("\b\n  companion x", False),
        ("  companion y", False),
    ]


@pytest.mark.usefixtures("polish_terminal")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("judge", "--nope"), "Nie ma opcji: --nope. Zobacz `companion judge --help`"),
        (("demo", "--no-camra"), "Nie ma opcji: --no-camra (możliwe opcje: --camera, --no-camera, --no-page)"),
        (("nope",), "Nie ma polecenia 'nope'"),
        (("calibrate",), "Brakuje opcji '--empty'"),
        (("judge", "a", "b"), "Podano zbędne argumenty (b)"),
        (("demo", "--speed", "x"), "Zła wartość dla '--speed': wartość powinna być liczbą"),
        (("mat", "--players", "9", "--out", "x"), "Zła wartość dla '--players': wartość powinna wynosić najwyżej 4"),
    ],
)
def test_a_wrong_command_line_is_told_in_the_terminals_language(
    companion: Command, arguments: tuple[str, ...], words: str
) -> None:
    told = companion(*arguments)
    assert told.code == 2
    assert words in told.errors[-1]


def test_what_nobody_knows_is_told_as_it_is() -> None:
    assert wrong_words("Something else") == "Something else"
    assert not isinstance(wrong_words("Something else"), Text)
    assert in_language(wrong_words("Missing command"), "pl") == "Brakuje polecenia"
