"""`companion demo` and `record --simulated` with a table of Finity, whole; what is asked wrongly; recorded games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli.demo import planned
from companion.cli.plan import Sensors
from companion.cli.replayed import replayed_game
from companion.errors import InputError, UsageError
from tests.cli.conftest import Command

PATTERN = "bwbbwbww"
MOVES = ("add b N>NE M", "add b S>SW M", "ring NE S")
RECORD = """# companion game record 1
game: finity
setup: players = 2
setup: pattern = "bwbbwbww"
name: A = "Anna"

  1. A  add b N>NE M
  2. B  add b S>SW M
  3. A  ring NE S
"""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("demo --game chess", "known: infinity, finity"),
        ("demo --game finity --device pins", "no sensors"),
        ("demo --game finity --no-camera", "only a camera"),
        ("demo --game finity --look nowhere", "known: oak_ceiling"),
        ("demo --game finity --breach two_marbles", "known: "),
        ("demo --game finity --players 5", "--players"),
        ("demo --players 3", "--game finity"),
        ("demo --pattern bwbbwbww", "--game finity"),
        ("record new --simulated --pattern bwbbwbww", "--game finity"),
    ],
)
def test_wrong_usage_is_told_with_the_way_out(companion: Command, line: str, words: str) -> None:
    answer = companion(*line.split())
    assert answer.code == 2
    assert words in answer.errors[-1]


def test_a_pattern_that_is_none_is_told(companion: Command) -> None:
    answer = companion("demo", "--game", "finity", "--pattern", "bwx", "--no-page", "--no-mqtt")
    assert answer.code == 1
    assert "letters b and w" in answer.errors[-1]


def test_a_demo_of_finity_has_a_pattern_of_its_own() -> None:
    plan = planned("finity", {"players": 3})
    assert plan.setup == {"players": 3, "pattern": PATTERN}
    assert plan.sensors is Sensors.NONE
    assert planned("finity", {"pattern": "bbwbww"}).options == {"pattern_length": 6}


def test_a_text_record_is_replayed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORD, encoding="utf-8")
    game = replayed_game(file, None, None)
    assert (game.game, game.moves, game.names) == ("finity", MOVES, {"A": "Anna"})
    assert game.setup["pattern"] == PATTERN
    with pytest.raises(InputError, match="tells pattern and players itself"):
        replayed_game(file, PATTERN, None)


def test_an_online_log_is_replayed(tmp_path: Path) -> None:
    file = tmp_path / "log.txt"
    lines = (
        "Ann: Added a Black Bridge at Station [-1,1] => [0,1] Position:Middle",
        "Ben: Added a Black Bridge at Station [1,-1] => [0,-1] Position:Middle",
        "Ann: Added a Small Ring at Station [0,1]",
    )
    file.write_text("\n".join(lines), encoding="utf-8")
    game = replayed_game(file, PATTERN, None)
    assert (game.moves, game.names) == (MOVES, {"A": "Ann", "B": "Ben"})


def test_one_game_of_many_lines_is_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    cases = [
        {"id": "one", "game": "infinity", "moves": ["B1", "Y2"]},
        {"id": "two", "game": "finity", "players": 2, "pattern": PATTERN, "moves": [{"by": "A", "move": MOVES[0]}]},
        {"id": "bad", "game": "infinity", "moves": ["B1", "B2"]},
    ]
    file.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    assert replayed_game(file, None, None).moves == ("B1", "Y2")
    assert "playing one, the first game of the file" in capsys.readouterr().err
    assert replayed_game(file / "two", None, None).moves == MOVES[:1]
    with pytest.raises(InputError, match="there is no game three in it"):
        replayed_game(file / "three", None, None)
    with pytest.raises(InputError, match="B2"):
        replayed_game(file / "bad", None, None)
    with pytest.raises(UsageError, match="leave --pattern"):
        replayed_game(file / "two", PATTERN, None)
    with pytest.raises(InputError, match=r"none\.jsonl"):
        replayed_game(tmp_path / "none.jsonl", None, None)


def test_a_recorded_game_of_infinity_is_replayed_whole(companion: Command) -> None:
    Path("games.jsonl").write_text(
        json.dumps({"id": "x", "game": "infinity", "options": {}, "moves": ["Y1", "B1", "Y2", "B2"]}), encoding="utf-8"
    )
    answer = companion(
        *("demo", "--replay", "games.jsonl/x", "--speed", "20", "--no-camera", "--no-page", "--no-mqtt", "--json")
    )
    assert answer.code == 0, answer.errors
    told = [event["move"] for event in map(json.loads, answer.out.splitlines()) if event["event"] == "move"]
    assert told == ["Y1", "B1", "Y2", "B2"]
    assert "4 moves, all as made" in answer.errors[-1]


@pytest.mark.long
def test_a_demo_of_finity_is_refereed_as_it_was_played(companion: Command) -> None:
    Path("game.txt").write_text(RECORD, encoding="utf-8")
    answer = companion(*("demo", "--replay", "game.txt", "--no-page", "--no-mqtt", "--json"))
    assert answer.code == 0, answer.errors
    events = [json.loads(line) for line in answer.out.splitlines()]
    assert [event["move"] for event in events if event["event"] == "move"] == list(MOVES)
    assert events[0]["names"] == {"A": "Anna", "B": "Ben"}
    assert not [event for event in events if event["event"] == "illegal"]


@pytest.mark.long
def test_a_recording_of_finity_gives_the_same_moves(companion: Command) -> None:
    live = companion(
        *("record", "evening", "--simulated", "--game", "finity", "--speed", "2", "--seconds", "25", "--json")
    )
    assert live.code == 0, live.errors
    meta = json.loads(Path("evening/meta.json").read_text(encoding="utf-8"))
    assert (meta["game"], meta["players"], meta["pattern"]) == ("finity", 2, PATTERN)
    assert meta["posts"] == {"A": "N", "B": "S"}
    again = companion("referee", "--recording", "evening", "--json")
    assert again.code == 0
    told, later = (
        [event["move"] for event in map(json.loads, lines.splitlines()) if event["event"] == "move"]
        for lines in (live.out, again.out)
    )
    assert len(told) >= 2
    assert later[: len(told)] == told
