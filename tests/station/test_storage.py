"""A whole table whose disk fails in the middle of a game: people are told at once, play on, and lose nothing."""

from __future__ import annotations

import json
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.events import DeviceReported, Record
from companion.journal.opening import open_journal
from companion.journal.schema import BUSY_TIMEOUT_MS
from tests.cli.processes import ROOT
from tests.mqtt.material import until
from tests.station.material import MOVES, SOON_S, config, journal_device, kept_moves, moves_of, play, running


def pulled(folder: Path) -> Callable[[], object]:
    """The stick with the journal is pulled; returns what puts it in again."""
    away = folder.with_name("pulled")
    folder.rename(away)
    return lambda: shutil.copytree(away, folder)


def barred(folder: Path) -> Callable[[], object]:
    """Somebody else holds the file for ever."""
    other = sqlite3.connect(folder / "journal.sqlite", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")

    def free() -> None:
        other.execute("ROLLBACK")
        other.close()

    return free


def full(folder: Path) -> Callable[[], object]:
    """No file may grow: for SQLite that is a disk without room, and it needs no right that people have not."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((folder / "journal.sqlite-wal").stat().st_size, before[1]))
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("trouble", [pulled, barred, full])
def test_a_disk_that_fails_is_told_on_the_page_and_the_game_goes_on(
    tmp_path: Path, trouble: Callable[[Path], Callable[[], object]]
) -> None:
    folder = tmp_path / "stick"
    with running(config(folder)) as station:
        play(station, *MOVES[:2])
        mend = trouble(folder)
        try:
            play(station, MOVES[2])
            assert until(lambda: journal_device(station).get("state") == "lost", SOON_S + 4.0)  # 2 s of it SQLite waits
            assert "held in memory" in journal_device(station)["detail"]
        finally:
            mend()
        # Nobody plays meanwhile: it is noticed without an event.
        assert until(lambda: journal_device(station).get("state") == "back", 10.0)
        play(station, *MOVES[3:])
    assert kept_moves(folder / "journal.sqlite") == list(MOVES)
    with running(config(folder)) as station:
        assert station.resumed
        assert moves_of(station.loop.state()) == list(MOVES)


def test_a_folder_that_cannot_be_written_at_the_start_is_told_on_the_page(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    told: list[str] = []
    with running(config(tmp_path / "file"), tell=told.append) as station:
        assert until(lambda: journal_device(station).get("state") == "lost", SOON_S)
        assert "memory only" in journal_device(station)["detail"]
        assert any("memory only" in line for line in told)
        play(station, *MOVES)
        assert journal_device(station)["state"] == "lost"


READ_ONLY = """
import json, os, pathlib, sys
from tests.station.material import *
folder, told = pathlib.Path(sys.argv[1]), []
chosen = config(folder, page={"enabled": False})
with running(chosen) as station:
    play(station, *MOVES[:3])
for file in folder.iterdir():
    file.chmod(0o444)
folder.chmod(0o555)
if os.geteuid() == 0:  # the superuser is refused nothing; somebody else plays on
    os.setuid(65534)
with running(chosen, tell=told.append) as station:
    before = moves_of(station.loop.state())
    play(station, *MOVES[3:])
    until(lambda: journal_device(station).get("state") == "lost", SOON_S)
    after, said = moves_of(station.loop.state()), dict(journal_device(station))
    print(json.dumps({"told": told, "resumed": station.resumed, "before": before, "said": said, "after": after}))
"""


def test_a_journal_that_may_only_be_read_is_gone_on_with_in_memory() -> None:
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are for its user alone
        command = [sys.executable, "-c", READ_ONLY, name]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
        Path(name).chmod(0o755)
        assert kept_moves(Path(name) / "journal.sqlite") == list(MOVES[:3])
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["resumed"], said["before"], said["after"]) == (True, list(MOVES[:3]), list(MOVES))
    (told,) = said["told"]
    assert "memory only" in told
    assert (said["said"]["state"], said["said"]["detail"]) == ("lost", told)


def test_what_was_told_of_the_disk_before_a_restart_is_put_right_after_it(tmp_path: Path) -> None:
    with running(config(tmp_path)) as station:
        play(station, *MOVES)
    journal = open_journal(tmp_path / "journal.sqlite").journal
    seq = journal.last_seq() + 1
    journal.append([Record(seq, "an id", 9.0, DeviceReported("journal", "lost", "it was full"))], {"seq": seq})
    journal.close()
    with running(config(tmp_path)) as station:
        assert until(lambda: journal_device(station).get("state") == "back", SOON_S)


def test_a_file_that_another_program_holds_does_not_slow_the_table_down(tmp_path: Path) -> None:
    with running(config(tmp_path)) as station:
        play(station, MOVES[0])
        free = barred(tmp_path)
        play(station, MOVES[1])
        began_s = time.monotonic()
        play(station, *MOVES[2:])
        assert time.monotonic() - began_s < 3 * BUSY_TIMEOUT_MS / 1000, "each of four moves waited for the file"
        free()
    assert kept_moves(tmp_path / "journal.sqlite") == list(MOVES)
