"""A whole table whose disk fails in the middle of a game: people are told at once, play on, and lose nothing."""

from __future__ import annotations

import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.config import Config
from companion.events import DeviceReported, Record
from companion.journal.opening import open_journal
from companion.journal.reader import read_journal
from companion.page.table import Request
from companion.station import Station
from tests.mqtt.material import until

MOVES = ("B1", "Y2", "B3", "Y4", "B2", "Y1")
SOON_S = 2.0
"""Within this a fault is told."""


def config(folder: Path, **more: Any) -> Config:
    told = {"page": {"port": 0}, "rules": {"first": "blue"}, "journal": {"path": folder / "journal.sqlite"}}
    return Config.model_validate({**told, **more})


@contextmanager
def running(chosen: Config, **more: Any) -> Iterator[Station]:
    with Station(chosen, [], **more) as station:
        thread = threading.Thread(target=station.run)
        thread.start()
        try:
            assert until(lambda: station.loop.state()["seq"])
            yield station
        finally:
            station.loop.stop()
            thread.join(10)
            assert not thread.is_alive()


def play(station: Station, *moves: str) -> None:
    for move in moves:
        seq = station.loop.state()["seq"]
        assert isinstance(seq, int)
        assert station.loop.command(Request("play", seq, f"{seq}", {"move": move}, "Ada")).ok


def journal_device(station: Station) -> Mapping[str, Any]:
    devices = station.loop.state()["devices"]
    assert isinstance(devices, Mapping)
    device = devices.get("journal", {})
    assert isinstance(device, Mapping)
    return device


def kept_moves(path: Path) -> list[str]:
    with closing(read_journal(path)) as journal:
        seqs = [record.seq for record in journal.records()]
        assert seqs == list(range(1, len(seqs) + 1))
        return moves_of(journal.last_state() or {})


def moves_of(state: Mapping[str, Any]) -> list[str]:
    return [move["move"] for move in state["moves"]]


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


@pytest.mark.parametrize("trouble", [pulled, barred])
def test_a_disk_that_fails_is_told_on_the_page_and_the_game_goes_on(
    tmp_path: Path, trouble: Callable[[Path], Callable[[], object]]
) -> None:
    folder = tmp_path / "stick"
    with running(config(folder)) as station:
        play(station, *MOVES[:2])
        mend = trouble(folder)
        play(station, MOVES[2])
        assert until(lambda: journal_device(station).get("state") == "lost", SOON_S + 4.0)  # 2 s of it SQLite waits
        assert "held in memory" in journal_device(station)["detail"]
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
        assert time.monotonic() - began_s < 2.0
        free()
    assert kept_moves(tmp_path / "journal.sqlite") == list(MOVES)
