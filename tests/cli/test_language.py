"""Commands talk as they are told to, else as the config says, else as the terminal has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.language import VARIABLES, language_of
from companion.config import Config
from companion.games.registry import game_named
from companion.journal.opening import open_journal
from companion.reconciler.verdicts import FoundMove, MovesFound
from companion.referee import Referee
from tests.cli.conftest import Command


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A game of one move, in a journal."""
    path = tmp_path / "journal.sqlite"
    referee = Referee(game_named("infinity", {}, {}), "g", {"blue": "Żaneta"})
    records = [*referee.start(0.0), *referee.take(1.0, MovesFound((FoundMove("B3"),)))]
    opened = open_journal(path).journal
    opened.append(records, referee.state_json())
    opened.close()
    return path


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def test_an_old_game_is_shown_in_the_language_asked_for(companion: Command, journal: Path) -> None:
    english = companion("replay", journal)
    polish = companion("replay", journal, "--language", "pl")
    assert "move       Żaneta pushes a marble into channel 3" in english.out
    assert "ruch       Żaneta wsuwa kulkę do kanału 3" in polish.out
    assert "infinity: Żaneta (Niebieski) kontra Żółty" in polish.out
    assert companion("replay", journal, "--language", "pl", "--json").out == companion("replay", journal, "--json").out


def test_the_terminals_language_counts_where_none_is_asked_for(
    companion: Command, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "pl_PL.UTF-8")
    assert "wsuwa kulkę" in companion("replay", journal).out
    monkeypatch.setenv("LC_ALL", "C")
    assert "wsuwa kulkę" not in companion("replay", journal).out


def test_a_language_that_is_not_there_is_refused(companion: Command, journal: Path) -> None:
    refused = companion("replay", journal, "--language", "xx")
    assert refused.code == 2
    assert "there are en, pl" in " ".join(refused.errors)


def test_the_config_comes_before_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "pl_PL.UTF-8")
    english = Config.model_validate({"table": {"language": "en"}})
    assert language_of(None, english) == "en"
    assert language_of("pl", english) == "pl"
    assert language_of(None, Config()) == "pl"
