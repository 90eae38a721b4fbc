"""What can still be read of damaged journals, put together into a whole one.

Rows are read from both ends up to the first page that is broken, each is believed only with its own checksum, and
what one file has lost another may have.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.journal.schema import APPLICATION_ID, checksum, connect_to_read
from companion.journal.wal import PAGE_BYTES, put_together, read_wal
from companion.texts import text

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Salvage:
    """Rows that can be believed, by number; `state` is the newest whose game is whole up to it."""

    games: dict[int, Row] = field(default_factory=dict)
    records: dict[int, Row] = field(default_factory=dict)
    outbox: dict[int, Row] = field(default_factory=dict)
    states: dict[int, Row] = field(default_factory=dict)

    @property
    def state(self) -> Row | None:
        for seq in sorted(self.states, reverse=True):
            if self._whole_game_up_to(seq):
                return self.states[seq]
        return None

    @property
    def missing(self) -> int:
        """How many events up to the state are lost (of games before its own)."""
        state = self.state
        return 0 if state is None else sum(seq not in self.records for seq in range(1, state[1] + 1))

    def _whole_game_up_to(self, seq: int) -> bool:
        if seq == 0:
            return True
        if seq not in self.records:
            return False
        game = self.records[seq][2]
        first = seq
        while first - 1 in self.records and self.records[first - 1][2] == game:
            first -= 1
        return game is None or (game in self.games and self.records[first][5] == "game_started")


def why_damaged(path: Path) -> str | None:
    """What is wrong with the database file, or None where every page and every row is as it was written."""
    if path.stat().st_size == 0:
        return text("it is empty")
    if read_wal(path).damaged:
        return text("its write-ahead log is damaged")
    try:
        with closing(connect_to_read(path)) as db:
            found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                return text("its pages are damaged")
            if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                return None
            if not all(checksum(text) == kept for text, kept in _texts(db)):
                return text("some of its rows are damaged")
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return str(error)
    return None


def _texts(db: sqlite3.Connection) -> Iterator[tuple[str, int]]:
    yield from db.execute("SELECT payload, checksum FROM records")
    yield from db.execute("SELECT json, checksum FROM state")


def newest_state(path: Path) -> int:
    """The number of the last event that the file's state speaks of; 0 where that cannot be read."""
    try:
        with closing(connect_to_read(path)) as db:
            row = db.execute("SELECT seq FROM state").fetchone()
    except (OSError, sqlite3.Error):
        return 0
    return 0 if row is None else int(row[0])


def pieces(path: Path, copy: Path, folder: Path) -> list[Path]:
    """The journal with every commit of its log, as files in `folder`: with its damaged frame, and without it."""
    wal = read_wal(path)
    found = []
    for number, without in enumerate(((), (wal.sound,))):
        target = folder / str(number)
        with suppress(OSError):
            head = copy.read_bytes()[:PAGE_BYTES] if copy.exists() else b""
            put_together(path, wal, head, target, without=without)
            found.append(target)
    return found


def gather(paths: Iterable[Path]) -> Salvage:
    """All rows that can be read from these files; earlier files count for more."""
    salvage = Salvage()
    for path in paths:
        with suppress(sqlite3.Error, OSError), closing(connect_to_read(path)) as db:
            for row in _readable(db, "games", "id"):
                salvage.games.setdefault(row[0], row)
            for row in _readable(db, "records", "seq"):
                if _sound(row[6], row[7]):
                    salvage.records.setdefault(row[0], row)
            for row in _readable(db, "outbox", "seq"):
                before = salvage.outbox.get(row[0], row)
                salvage.outbox[row[0]] = (row[0], row[1], max(row[2], before[2]))
            for row in _readable(db, "state", "one"):
                if _sound(row[2], row[3]):
                    salvage.states.setdefault(row[1], row)
    return salvage


def _sound(text: object, kept: object) -> bool:
    return isinstance(text, str) and checksum(text) == kept


def _readable(db: sqlite3.Connection, table: str, key: str) -> Iterator[Row]:
    for direction in ("ASC", "DESC"):
        try:
            # INDEXED BY nothing: the table itself is walked, so that a broken index costs no row.
            yield from db.execute(f"SELECT * FROM {table} NOT INDEXED ORDER BY {key} {direction}")
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            continue
        return


def pour(salvage: Salvage, db: sqlite3.Connection) -> int:
    """Write what was salvaged, up to its state, into a new journal; returns the number of the last event."""
    state = salvage.state
    last = 0 if state is None else int(state[1])
    kept = {seq: row for seq, row in sorted(salvage.records.items()) if seq <= last}
    used = {row[2] for row in kept.values()}
    games = [row for id_, row in sorted(salvage.games.items()) if id_ in used]
    known = {row[0] for row in games}
    db.execute("BEGIN IMMEDIATE")
    db.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)", games)
    for seq, row in kept.items():
        game = row[2] if row[2] in known else None
        texts = row[8] if len(row) > 8 else None  # a file of the first version has none
        db.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row[:2], game, *row[3:8], texts))
        if seq in salvage.outbox:
            db.execute("INSERT INTO outbox VALUES (?, ?, ?)", salvage.outbox[seq])
    if state is not None:
        db.execute("INSERT INTO state VALUES (?, ?, ?, ?)", state)
    db.execute("COMMIT")
    return last
