"""The program starts on a journal that a power cut or a bad disk has damaged: the game goes on, and people are told.

What the damage has taken lies on the board still, and is seen there or asked for.
"""

from __future__ import annotations

import itertools
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from companion.errors import InputError
from companion.journal.opening import open_journal
from companion.journal.reader import read_journal
from companion.journal.schema import APPLICATION_ID, MIGRATIONS
from companion.page.archive import Archive
from companion.station import Station
from tests.mqtt.material import until
from tests.station.material import (
    BOARD,
    MOVES,
    SOON_S,
    command,
    config,
    journal_device,
    kept_moves,
    look_at,
    moves_of,
    play,
    running,
)

PAGE = 4096


def cut_off(folder: Path) -> Path:
    """What lies on the disk when the power fails after the last move."""
    played, left = folder / "played", folder / "left"
    with running(config(played)) as station:
        play(station, *MOVES)
        assert until((played / "journal.sqlite.copy").exists)
        shutil.copytree(played, left)
    return left


def cut(file: str, keep: float) -> Callable[[Path], object]:
    def damage(folder: Path) -> None:
        data = (folder / file).read_bytes()
        assert len(data) > PAGE
        (folder / file).write_bytes(data[: int(keep * len(data))])

    return damage


def emptied(folder: Path) -> None:
    (folder / "journal.sqlite").write_bytes(b"")


def last_page(folder: Path) -> None:
    data = in_one_file(folder)
    (folder / "journal.sqlite").write_bytes(data[:-PAGE] + random.Random(1).randbytes(PAGE))


def in_one_file(folder: Path) -> bytes:
    """The journal as after an orderly end, with nothing left in its log."""
    with closing(sqlite3.connect(folder / "journal.sqlite")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return (folder / "journal.sqlite").read_bytes()


DAMAGES: dict[str, tuple[Callable[[Path], object], bool]] = {
    "the log cut in its last event": (cut("journal.sqlite-wal", 0.97), False),
    "the log cut in half": (cut("journal.sqlite-wal", 0.5), False),
    "an empty file": (emptied, True),
    "a last page of noise": (last_page, True),
}
"""How, and whether people are told: of what a power cut kept from the disk, nothing says that it ever was."""


@pytest.mark.parametrize("name", DAMAGES)
def test_the_last_good_state_is_loaded_and_the_board_tells_the_rest(tmp_path: Path, name: str) -> None:
    folder = cut_off(tmp_path)
    damage, is_told = DAMAGES[name]
    damage(folder)
    told: list[str] = []
    with running(config(folder), tell=told.append) as station:
        known = moves_of(station.loop.state())
        assert known == list(MOVES[: len(known)])
        if len(known) < len(MOVES) - 1:  # a single move is seen without a person
            command(station, "correct", ply=len(known) + 1, moves=list(MOVES[len(known) :]), replaces=0)
        look_at(station, BOARD, 1.0, 4.0)
        assert until(lambda: moves_of(station.loop.state()) == list(MOVES), SOON_S)
        assert station.loop.state()["question"] is None
        play(station, "B4")
    assert kept_moves(folder / "journal.sqlite") == [*MOVES, "B4"]
    assert len(told) == is_told
    for line in told:
        assert "\n" not in line
        assert "is kept as" in line
        assert list(folder.glob("*.damaged-*"))


def byte_of_the_log(folder: Path) -> None:
    log = folder / "journal.sqlite-wal"
    data = bytearray(log.read_bytes())
    data[len(data) // 2] ^= 0xFF
    log.write_bytes(data)


def first_page(folder: Path) -> None:
    data = in_one_file(folder)
    (folder / "journal.sqlite").write_bytes(random.Random(1).randbytes(PAGE) + data[PAGE:])


@pytest.mark.parametrize("damage", [byte_of_the_log, first_page])
def test_moves_that_can_still_be_read_are_not_lost_and_people_at_the_table_are_told(
    tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    folder = cut_off(tmp_path)
    damage(folder)
    told: list[str] = []
    with running(config(folder), tell=told.append) as station:
        assert moves_of(station.loop.state()) == list(MOVES)
        assert until(lambda: journal_device(station).get("state") == "back", SOON_S)
        assert told == [journal_device(station)["detail"]]
        play(station, "B4")
    assert kept_moves(folder / "journal.sqlite") == [*MOVES, "B4"]


def test_a_journal_of_the_first_version_is_gone_on_with(tmp_path: Path) -> None:
    with running(config(tmp_path)) as station:
        play(station, *MOVES[:3])
    path = tmp_path / "journal.sqlite"
    _as_first_version(path)
    told: list[str] = []
    with running(config(tmp_path), tell=told.append) as station:
        assert station.resumed
        play(station, *MOVES[3:])
    assert kept_moves(path) == list(MOVES)
    assert told == []


def _as_first_version(path: Path) -> None:
    """The same journal as the first version of the program would have written it."""
    new = path.with_name("new")
    path.rename(new)
    for more in ("-wal", "-shm", ".copy"):
        Path(f"{path}{more}").unlink(missing_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(f"{MIGRATIONS[0]}; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1;")
        db.execute("ATTACH ? AS new", (str(new),))
        for table in ("games", "records", "outbox", "state"):
            columns = ", ".join(row[1] for row in db.execute(f"PRAGMA main.table_info({table})"))
            db.execute(f"INSERT INTO main.{table} SELECT {columns} FROM new.{table}")


def test_a_journal_of_a_newer_version_is_refused_in_one_line_and_left_as_it_is(tmp_path: Path) -> None:
    with running(config(tmp_path)) as station:
        play(station, *MOVES[:3])
    path = tmp_path / "journal.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(InputError, match="newer") as refused:
        Station(config(tmp_path), [])
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("*.damaged-*"))


DAYS = ("2031-05-20", "2031-01-01", "2031-03-04", "1970-01-01", "2031-02-02")


def test_a_clock_that_jumps_by_weeks_changes_nothing_but_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    days = itertools.cycle(DAYS)
    jumping = partial(open_journal, utc=lambda: f"{next(days)}T20:00:00.000+00:00")
    monkeypatch.setattr("companion.station.open_journal", jumping)
    path = tmp_path / "journal.sqlite"
    for number in range(0, len(MOVES), 2):
        with running(config(tmp_path)) as station:
            assert station.resumed == (number > 0)
            play(station, *MOVES[number : number + 2])
    assert kept_moves(path) == list(MOVES)
    with closing(read_journal(path)) as reader:
        assert {entry.utc[:10] for entry in reader.entries()} == set(DAYS), "each as the clock had it"
    story = Archive(path).story(1)
    assert [turn.move for turn in story.turns] == list(MOVES)
    assert story.duration >= timedelta(0)
