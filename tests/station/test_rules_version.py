"""The version of the rules is kept with each game; where it is another than the program's, people are told."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from companion.cli.app import app
from companion.events import MovePlayed, Record
from companion.journal.opening import open_journal
from companion.journal.reader import read_journal
from companion.page.archive import Archive
from tests.table.test_taking_up import Evening, played

SAID = "the game was begun under version 0 of the rules; it is judged by version 1 here"


@pytest.fixture
def of_old(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Evening:
    """An evening whose first game was begun by an older program, and not ended."""
    evening = Evening(tmp_path)
    with monkeypatch.context() as older:
        older.setattr("companion.referee.RULES_VERSION", "0")
        with evening.program() as station:
            assert evening.command(station, "play", move="B1").ok
    assert evening.notices == []
    return evening


def test_it_is_said_where_a_game_goes_on(of_old: Evening) -> None:
    for move in ("Y2", "B3"):
        of_old.notices.clear()
        with of_old.program() as station:
            assert station.resumed
            assert of_old.command(station, "play", move=move).ok
        assert of_old.notices == [SAID]
    with of_old.program() as station:
        assert played(station) == ["B1", "Y2", "B3"]


def test_it_is_said_where_a_game_is_taken_up_again(of_old: Evening) -> None:
    with of_old.program(new_game=True) as station:
        assert of_old.command(station, "take_up").ok
        said = [line["why"] for line in station.loop.records(0) if line["event"] == "correction"]
        assert said == [f"the last game is taken up again; {SAID}"]
    of_old.notices.clear()
    with of_old.program() as station:
        assert played(station) == ["B1"]
    assert of_old.notices == [], "it has been begun anew by the rules of now"


def test_it_is_said_where_a_game_is_replayed(of_old: Evening) -> None:
    journal = str(of_old.config.journal.path)
    for more in ([], ["--json"]):
        shown = CliRunner().invoke(app, ["replay", journal, *more])
        assert (shown.exit_code, shown.stderr) == (0, f"companion: {SAID}\n")
    assert json.loads(shown.stdout.splitlines()[0])["rules_version"] == "0"


def test_nothing_is_said_of_a_game_of_this_version(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    for _ in range(2):
        with evening.program():
            pass
    assert evening.notices == []
    assert CliRunner().invoke(app, ["replay", str(evening.config.journal.path)]).stderr == ""


def test_a_game_that_the_rules_of_now_refuse_is_left_and_a_new_one_begins(of_old: Evening) -> None:
    path = of_old.config.journal.path
    assert path is not None
    journal = open_journal(path).journal
    seq = journal.last_seq() + 1
    journal.append([Record(seq, "once legal", 9.0, MovePlayed("yellow", "Y9", 2, "Yellow plays Y9", {}))], {})
    journal.close()
    with of_old.program() as station:
        assert not station.resumed
        assert of_old.command(station, "play", move="B3").ok
        assert played(station) == ["B3"]
    (notice,) = of_old.notices
    assert notice.startswith("the unfinished game does not fit the rules of this version")
    with closing(read_journal(path)) as reader:
        assert [entry.rules_version for entry in reader.games()] == ["0", "1"]


def test_a_game_that_was_taken_up_again_is_one_row(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    with evening.program() as station:
        evening.win(station)
    for _ in range(2):
        with evening.program() as station:
            assert evening.command(station, "take_up").ok
            assert evening.command(station, "undo", ply=1).ok
            assert evening.command(station, "play", move="B4").ok
    rows = _rows(evening)
    won = [row for row in rows if row[1] == "Blue wins (two rows)"]
    assert len(won) == 1
    assert won[0][0] == max(row[0] for row in rows)
    with closing(read_journal(_path(evening))) as reader:
        began = {entry.game_id: entry.started_utc for entry in reader.games()}
        assert reader.whole_games()[-1].started_utc == began[2], "it began when it first did"
    assert Archive(_path(evening)).story(1).number == 1, "the address of its first part still shows that"
    listed = CliRunner().invoke(app, ["replay", "--list", "--json", str(_path(evening))]).stdout.splitlines()
    assert [json.loads(line)["game"] for line in listed] == sorted(row[0] for row in rows)


def _path(evening: Evening) -> Path:
    assert evening.config.journal.path is not None
    return evening.config.journal.path


def _rows(evening: Evening) -> list[tuple[int, str]]:
    return [(row.number, row.result) for row in Archive(_path(evening)).rows("table", 50)]
