"""`companion import` and `companion export`, as people call them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from companion.cli.app import run
from companion.games.finity import Finity
from companion.journal.reader import read_journal
from companion.notation.game_text import format_game
from companion.record import GameRecord
from tests.finity.online_writer import log_of
from tests.finity.play import plies
from tests.notation.test_game_text import played

LOG = """Anna B: Added a White Bridge at Station [-1,1] => [0,1] Position:Right
nice to meet you
Bert: Added a White Bridge at Station [1,-1] => [0,-1] Position:Middle
Anna B: Added a Small Ring at Station [0,1]
Bert: Moved a Blocker at Station [1,-1] => [1,0] Position:Left
"""


def file(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_log_becomes_a_journal_that_replay_steps_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = file(tmp_path, "game.log", LOG)
    assert run(["import", log]) == 0
    said = capsys.readouterr().out
    assert "4 moves; Anna B is A, Bert is B." in said
    assert "inferred: 128 fit" in said
    assert "2 choices fit" in said
    assert "1 line was not understood and left alone (line 2: nice to meet you)" in said
    assert run(["replay", str(tmp_path / "game.sqlite")]) == 0
    told = capsys.readouterr().out
    assert "Anna B places a small ring on NE" in told
    assert "blockers  {'A':" in told
    reader = read_journal(tmp_path / "game.sqlite")
    assert [record.event.event for record in reader.records()] == ["game_started", "move", "move", "move", "move"]
    reader.close()


def test_the_answer_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = file(tmp_path, "game.log", LOG)
    journal = str(tmp_path / "j.sqlite")
    for number in (1, 2):
        arguments = ["import", log, "--journal", journal, "--pattern", "wbbbbbbb", "--json"]
        assert run(arguments) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["game_id"], told["journal"], told["moves"]) == (number, journal, 4)
        assert (told["pattern"], told["pattern_inferred"], told["patterns_fitting"]) == (
            "wbbbbbbb",
            False,
            ["wbbbbbbb"],
        )
        assert (told["blocker_choices"], told["not_understood"], told["conceded"]) == (2, [2], None)


@pytest.mark.parametrize("name", ["infinity", "finity"])
def test_export_and_import_go_round(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = played(name, {}, 3, most=150)
    text = format_game(record, {str(player): f"{player} x" for player in record.game.players})
    path = file(tmp_path, "game.txt", text)
    assert run(["import", path]) == 0
    assert run(["export", str(tmp_path / "game.sqlite"), "--out", str(tmp_path / "again.txt")]) == 0
    assert (tmp_path / "again.txt").read_text(encoding="utf-8") == text
    capsys.readouterr()
    assert run(["export", str(tmp_path / "game.sqlite"), "--game", "1"]) == 0
    assert capsys.readouterr().out == text
    assert run(["replay", str(tmp_path / "game.sqlite"), "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["move"] for event in events if event["event"] == "move"] == list(record.moves)


def test_a_whole_game_from_a_log_ends_in_the_journal_as_it_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Finity.of({"players": 3, "pattern": "bwbbwbww", "posts": {"A": "S", "B": "NW", "C": "NE"}})
    turns = [turn for _, turn in plies(game, random.Random(4), most=3000)]
    moves: list[dict[str, Any]] = []
    for turn in turns:
        lost: Any = turn.facts["orphans"]
        counts: dict[str, int] = {}
        for owner, _, _ in lost:
            counts[owner] = counts.get(owner, 0) + 1
        moves.append({"by": turn.by, "move": turn.move, "orphans": counts})
    outcome = game.outcome(turns[-1].after)
    assert outcome is not None
    end: dict[str, Any] = {"winner": outcome.winner} if outcome.winner else {"draw": outcome.draw}
    log = file(tmp_path, "three.log", log_of(moves, {"A": "a", "B": "b", "C": "c"}, end))
    assert run(["import", log, "--pattern", "bwbbwbww"]) == 0
    assert run(["replay", str(tmp_path / "three.sqlite"), "--json"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["event"] == "game_over"
    assert last["outcome"].get("winner") == outcome.winner


@pytest.mark.parametrize(
    ("text", "arguments", "said"),
    [
        ("hello", [], "game.log: there is no action in the log"),
        (LOG, ["--pattern", "bbbbbbbb"], "pattern bbbbbbbb does not fit: line 4"),
        (LOG, ["--pattern", "what"], "pattern must be letters b and w"),
        ("# companion game record 1\ngame: chess\n", [], "unknown game 'chess'"),
        ("# companion game record 1\n", ["--players", "2"], "leave --pattern and --players out"),
    ],
)
def test_what_cannot_be_imported_is_told_in_one_line(
    text: str, arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["import", file(tmp_path, "game.log", text), *arguments]) == 1
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not (tmp_path / "game.sqlite").exists()


def test_files_that_cannot_be_read_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "latin.txt").write_bytes(b"J\xf3zef: hello")
    assert run(["import", str(tmp_path / "latin.txt")]) == 1
    assert "no text in UTF-8" in capsys.readouterr().err
    assert run(["import", str(tmp_path / "absent.txt")]) == 1
    assert "give a file with a game's text" in capsys.readouterr().err
    assert run(["import", file(tmp_path, "game.log", LOG), "--pattern", "wbbbbbbb"]) == 0
    assert run(["export", str(tmp_path / "game.sqlite"), "--out", str(tmp_path / "no" / "where.txt")]) == 1
    assert "name a file that can be written" in capsys.readouterr().err
    assert run(["export", str(tmp_path / "game.sqlite"), "--game", "7"]) == 1
    assert "there is no game 7" in capsys.readouterr().err
    assert run(["export", str(tmp_path / "absent.sqlite")]) == 1


def test_corrections_are_exported_as_they_stand_in_the_end(tmp_path: Path) -> None:
    """A journal with a move put right: the text has the right one only."""
    from companion.games.registry import game_named
    from companion.journal.opening import open_journal
    from companion.table import Table

    table = Table(game_named("infinity", {"first": "blue"}), game_id="t")
    records = table.start(0.0)
    record: GameRecord[Any] = table.referee.record
    journal = open_journal(tmp_path / "j.sqlite", outbox=False).journal
    from companion.reconciler.verdicts import FoundMove, MovesFound

    records += table.referee.take(1.0, MovesFound((FoundMove("B1"),)))
    records += table.command("correct", {"ply": 1, "moves": ["B2"]}, 2.0)
    journal.append(records, table.state_json())
    journal.close()
    assert record.moves == ()
    assert run(["export", str(tmp_path / "j.sqlite"), "--out", str(tmp_path / "out.txt")]) == 0
    text = (tmp_path / "out.txt").read_text(encoding="utf-8")
    assert "  1. blue  B2" in text
    assert "B1" not in text
