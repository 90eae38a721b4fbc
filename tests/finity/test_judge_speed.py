"""`companion bench` on the rules: what it plays, and files that are no games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli.judge_speed import judge_speed, recorded_cases, simulated_cases
from companion.errors import InputError

MOVES = ["add b N>NE M", {"by": "B", "move": "add b S>SW M"}]
GAME = {"game": "finity", "players": 2, "pattern": "bbwbww", "moves": MOVES}


@pytest.mark.parametrize("game", ["finity", "infinity"])
def test_simulated_games_are_measured(game: str) -> None:
    cases = simulated_cases(game, seed=1)
    assert simulated_cases(game, seed=1) == cases
    told = judge_speed(0.01, cases[:3])
    assert min(told.values()) > 0
    assert told["list_median_us"] <= told["list_max_us"]


def test_recorded_games_are_measured(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(f"{json.dumps(GAME)}\n\n{json.dumps(GAME)}\n", encoding="utf-8")
    cases = recorded_cases(path)
    assert [case.moves for case in cases] == [("add b N>NE M", "add b S>SW M")] * 2
    assert judge_speed(0.001, cases)["moves_per_s"] > 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no game in it"),
        ("what", "line 1: this is no game"),
        ('{"game":"finity"}', "line 1: this is no game"),
        ("[1]", "line 1: this is no game"),
    ],
)
def test_files_that_are_no_games(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        recorded_cases(path)
    with pytest.raises(InputError, match="No such file"):
        recorded_cases(tmp_path / "absent")


def test_an_illegal_recorded_move_is_told(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps({**GAME, "moves": ["ring NE S"]}), encoding="utf-8")
    with pytest.raises(InputError, match="move 1, ring NE S: No walk"):
        judge_speed(0.001, recorded_cases(path))
