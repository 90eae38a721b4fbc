"""The write-ahead log read beside SQLite itself: the same frames, and the damage of which SQLite says nothing."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal.schema import connect, migrate
from companion.journal.wal import FRAME, HEADER, PAGE_BYTES, put_together, read_wal

STEP = FRAME.size + PAGE_BYTES
ROWS = 40


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """A journal as a killed program leaves it: everything is in the log, and the first rows in the file, too."""
    path, killed = tmp_path / "journal.sqlite", tmp_path / "killed" / "journal.sqlite"
    killed.parent.mkdir()
    with closing(connect(path, "FULL")) as db:
        migrate(db)
        for number in range(1, ROWS + 1):
            write(db, number)
            if number == ROWS // 4:
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{killed}{suffix}")
    return killed


def write(db: sqlite3.Connection, number: int) -> None:
    row = (number, f"id {number}", None, 0.0, "", "move", os.urandom(400).hex(), 0, None)
    db.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def rows(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("SELECT count(*) FROM records").fetchone()[0])


def spoil(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0xFF
    path.write_bytes(data)


def pieced(path: Path, head: bytes = b"") -> Path:
    target = path.with_suffix(".pieced")
    put_together(path, read_wal(path), head, target)
    return target


def test_a_whole_log_is_read_as_sqlite_reads_it(left: Path) -> None:
    log = read_wal(left)
    assert len(log.frames) == log.sound == (Path(f"{left}-wal").stat().st_size - HEADER.size) // STEP
    assert not log.damaged
    assert rows(pieced(left)) == rows(left) == ROWS


def test_a_log_that_was_begun_anew_has_none_of_the_old_frames(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with closing(connect(path, "FULL")) as db:
        migrate(db)
        for number in range(1, 30):
            write(db, number)
        db.execute("PRAGMA wal_checkpoint(RESTART)")
        write(db, 30)
        log = read_wal(path)
    assert 0 < len(log.frames) == log.sound < 10
    assert not log.damaged


@pytest.mark.parametrize("at", [0, HEADER.size, HEADER.size + 3 * STEP + 2, HEADER.size + 5 * STEP + FRAME.size + 99])
def test_one_damaged_byte_is_found_and_what_stands_behind_it_is_there(left: Path, at: int) -> None:
    spoil(Path(f"{left}-wal"), at)
    assert read_wal(left).damaged
    found = pieced(left)
    assert rows(left) < ROWS - 10, "SQLite itself drops them"
    assert rows(found) >= ROWS - 2


def test_a_write_that_power_cut_off_is_no_damage(left: Path) -> None:
    log = Path(f"{left}-wal")
    data = log.read_bytes()
    last = data[-STEP:]
    head = FRAME.pack(*FRAME.unpack(last[: FRAME.size])[:1], 0, *FRAME.unpack(last[: FRAME.size])[2:])
    log.write_bytes(data + head + last[FRAME.size :] + last[: STEP // 2])
    assert not read_wal(left).damaged
    assert rows(left) == ROWS


def test_a_file_without_its_first_page_is_read_with_that_of_its_copy(tmp_path: Path) -> None:
    path, killed = tmp_path / "journal.sqlite", tmp_path / "killed.sqlite"
    with closing(connect(path, "FULL")) as db:
        migrate(db)
        write(db, 1)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("UPDATE records SET payload = 'later'")
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{killed}{suffix}")
    head = killed.read_bytes()[:PAGE_BYTES]
    killed.write_bytes(os.urandom(PAGE_BYTES) + killed.read_bytes()[PAGE_BYTES:])
    with pytest.raises(sqlite3.DatabaseError):
        rows(killed)
    with closing(sqlite3.connect(pieced(killed, head))) as db:
        assert db.execute("SELECT payload FROM records").fetchall() == [("later",)]


def test_no_log_has_no_frames(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    assert read_wal(path).frames == ()
    Path(f"{path}-wal").write_bytes(b"")
    assert not read_wal(path).damaged
    Path(f"{path}-wal").write_bytes(os.urandom(3 * STEP))
    assert not pieced(path).read_bytes().startswith(b"SQLite format 3")
