"""How a game of Finity is set up: config, command line, recording; and what a resumed game compares."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli.game_options import setup_of
from companion.config import Config, load_config
from companion.errors import InputError, UsageError
from companion.events import GameStarted
from companion.recording import open_recording
from companion.station import Station
from tests.cli.conftest import Command
from tests.cli.test_wrong_input import one_line

SERIAL = '[serial]\nport="/dev/nothing"\n'
PATTERN = "bwbbwbww"


def table(text: str, rest: str = SERIAL) -> Path:
    path = Path("table.toml")
    path.write_text(f'[table]\ngame = "finity"\n{text}\n{rest}', encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_config_tells_the_set_up() -> None:
    text = f'players = 3\npattern = "{PATTERN}"\nposts = {{ A = "NE", B = "S", C = "NW" }}'
    game = load_config(table(text, f'{SERIAL}[players]\nC = "Cleo"\n')).make_game()
    assert game.setup == {"players": 3, "pattern": PATTERN, "posts": {"A": "NE", "B": "S", "C": "NW"}}


def test_the_command_line_stands_in_place_of_the_config() -> None:
    path = table(f'players = 2\npattern = "{PATTERN}"\nposts = {{ A = "N", B = "S" }}')
    game = load_config(path, setup_of(4, "wwwwbbbb", "A=SW,B=NW, C = NE ,D=SE")).make_game()
    assert game.setup == {
        "players": 4,
        "pattern": "wwwwbbbb",
        "posts": {"A": "SW", "B": "NW", "C": "NE", "D": "SE"},
    }
    assert load_config(path).make_game().setup["pattern"] == PATTERN


def test_the_pattern_may_be_told_on_the_command_line_alone() -> None:
    assert load_config(table(""), setup_of(None, PATTERN)).make_game().setup["pattern"] == PATTERN


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["table: pattern is missing", "such as 'bwbbwbww'", "--pattern"]),
        ('pattern = "bwx"', ["table: pattern must be letters b and w"]),
        ('pattern = "bwbbwb"', ["6 cones", "pattern_length"]),
        (f'players = 5\npattern = "{PATTERN}"', ["players must be 2, 3 or 4, not 5"]),
        (f'players = "two"\npattern = "{PATTERN}"', ["table.players"]),
        (f'pattern = "{PATTERN}"\nposts = {{ A = "Q", B = "S" }}', ["posts: A must be a base station (N or S)"]),
        (f'pattern = "{PATTERN}"\npaterns = 1', ["unknown key table.paterns", "did you mean pattern?"]),
        (f'pattern = "{PATTERN}"\n[players]\nC = "Cleo"', ["there is no player 'C'", "known: A, B"]),
        (f'pattern = "{PATTERN}"\n[rules]\ndraw_round = 1', ["rules: ", "did you mean draw_rounds?"]),
    ],
)
def test_a_set_up_that_cannot_be_is_told_with_its_key(companion: Command, text: str, words: list[str]) -> None:
    table(text)
    one_line(companion("referee", "--config", "table.toml"), 1, "table.toml", *words)


def test_infinity_has_no_pattern(companion: Command) -> None:
    Path("table.toml").write_text(SERIAL, encoding="utf-8")
    answer = companion("referee", "--config", "table.toml", "--pattern", PATTERN)
    one_line(answer, 1, "table.pattern: infinity has none")


@pytest.mark.parametrize("text", ["A", "A=", "A=N,A=S", "A=N;B=S", ""])
def test_posts_that_are_not_written_as_they_should_be(text: str) -> None:
    with pytest.raises(UsageError, match="A=N,B=S"):
        setup_of(None, None, text)


def test_a_recording_plays_with_its_own_set_up_or_with_another_that_is_given() -> None:
    folder = Path("evening")
    folder.mkdir()
    (folder / "serial.jsonl").write_text('{"t": 0.5, "port": "board", "hex": ""}\n', encoding="utf-8")
    meta: dict[str, Any] = {"game": "finity", "players": 2, "pattern": PATTERN, "options": {}, "calibration": None}
    (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    assert open_recording(folder).game.setup["pattern"] == PATTERN
    assert open_recording(folder, setup_of(3, "wwwwbbbb")).game.setup["pattern"] == "wwwwbbbb"
    del meta["pattern"]
    (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    with pytest.raises(InputError, match="pattern is missing"):
        open_recording(folder)


def started(tell: Callable[[str], object] = print, **setup: Any) -> tuple[bool, dict[str, Any]]:
    """Begin a table whose journal stays, and say whether it went on with the game there, and with which set-up."""
    config = Config.model_validate(
        {
            "table": {"game": "finity", "pattern": PATTERN, **setup},
            "rules": {"turn_order": "clockwise"},
            "serial": {"port": "/dev/nothing"},
            "page": {"enabled": False},
            "journal": {"path": Path("journal.sqlite").absolute()},
        }
    )
    with Station(config, [], tell=tell) as station:
        station.run(lambda state: True)
        begun = [record.event for record in station.journal.records() if isinstance(record.event, GameStarted)]
    return station.resumed, dict(begun[-1].setup)


def test_a_game_is_gone_on_with_only_under_the_same_set_up() -> None:
    assert started() == (False, {"players": 2, "pattern": PATTERN, "posts": {"A": "N", "B": "S"}})
    assert started()[0]
    assert started(posts={"A": "S", "B": "N"}) == (
        False,
        {"players": 2, "pattern": PATTERN, "posts": {"A": "S", "B": "N"}},
    )
    assert started(players=3)[0] is False
    assert started(players=3, pattern="wwwwbbbb")[0] is False
    assert started(players=3, pattern="wwwwbbbb")[0]


def test_an_unfinished_game_that_is_left_is_told_with_what_differs() -> None:
    said: list[str] = []
    started(said.append)
    started(said.append)
    assert said == []
    started(said.append, posts={"A": "S", "B": "N"}, pattern="wwwwbbbb")
    [line] = said
    assert "set up otherwise (pattern, posts)" in line
