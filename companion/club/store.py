"""What a club keeps: each game once, with its result, in an SQLite file of its own.

A game stands under its key, so a result that the broker tells twice is written over itself. A result that was kept is
on the disk (WAL, synchronous=FULL). What else is known of a game outlives a kill, but a power cut may take the last of
it (NORMAL): it is told anew by the next state.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.aside import set_aside
from companion.club.games import Change, Game, Place, Side, Voided
from companion.errors import DeviceError, InputError, system_words
from companion.journal.lock import Lock
from companion.journal.schema import connect, connect_to_read
from companion.texts import text

APPLICATION_ID = 0x436D7043
"""Marks the file as a club's ("CmpC"), so that another program's database is never written into."""
VERSION = 1
SCHEMA = f"""
    BEGIN;
    CREATE TABLE games (
        key TEXT PRIMARY KEY,
        node TEXT NOT NULL,
        place TEXT NOT NULL,
        name TEXT NOT NULL,
        game TEXT NOT NULL,
        sides TEXT NOT NULL,
        began TEXT NOT NULL,
        ended TEXT NOT NULL,
        winner TEXT,
        words TEXT NOT NULL,
        over INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        mark TEXT NOT NULL,
        by_state INTEGER NOT NULL
    );
    CREATE INDEX games_ended ON games (ended) WHERE over;
    CREATE INDEX games_of_place ON games (node, place);
    CREATE TABLE about (one INTEGER PRIMARY KEY CHECK (one = 1), client TEXT NOT NULL);
    PRAGMA application_id = {APPLICATION_ID};
    PRAGMA user_version = {VERSION};
    COMMIT;
"""
DAMAGES = ("no such", "Could not decode")
"""Of the errors that SQLite calls operational, mostly about disk and rights, these speak of the file itself."""
COLUMNS = "key, node, place, name, game, sides, began, ended, winner, words, over, seq, mark, by_state"


@dataclass(frozen=True, slots=True)
class Opened:
    """A store, and a line for people where something had to be done for it."""

    store: Store
    notice: str | None = None


class Store:
    """Keeps games; usable from any thread. Made by `open_store` or `open_to_read`."""

    def __init__(self, path: Path, db: sqlite3.Connection, file_lock: Lock | None = None) -> None:
        self.path = path
        self._db = db
        self._file_lock = file_lock
        self._lock = threading.Lock()
        self.trouble: str | None = None
        """Why the last changes could not be kept, in one line for people; None where they were."""

    @property
    def client(self) -> str:
        """A name for the broker's session: whoever has this store takes the session up."""
        with self._lock:
            return str(self._db.execute("SELECT client FROM about").fetchone()[0])

    def keep(self, changes: Sequence[Change]) -> bool:
        """Write changes, all of them or none; whether they are on the disk now."""
        if not changes:
            return True
        with self._lock:
            try:
                ends = any(isinstance(change, Voided) or change.over for change in changes)
                self._db.execute(f"PRAGMA synchronous = {'FULL' if ends else 'NORMAL'}")
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    for change in changes:
                        self._write(change)
                    self._db.execute("COMMIT")
                finally:
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
            except sqlite3.Error as error:
                self.trouble = text(
                    "{path}: results cannot be kept ({why}); make room or check the disk",
                    path=str(self.path),
                    why=str(error),
                )
                return False
            self.trouble = None
            return True

    def newest(self) -> list[Game]:
        """The newest game of each table that an event told of."""
        return self._games(
            "WHERE NOT by_state AND rowid IN (SELECT max(rowid) FROM games WHERE NOT by_state GROUP BY node, place)"
        )

    def results(self, since: str = "", until: str = "", limit: int = -1) -> list[Game]:
        """Games that are over, the newest first.

        Args:
            since, until: UTC in ISO 8601; `since` counts, `until` does not any more; empty is no limit.
        """
        return self._games(
            "WHERE over AND ended >= ? AND (? = '' OR ended < ?) ORDER BY ended DESC, key LIMIT ?",
            since,
            until,
            until,
            limit,
        )

    def close(self) -> None:
        """Let the file go."""
        with self._lock:
            self._db.close()
        if self._file_lock is not None:
            self._file_lock.release()

    def _games(self, where: str, *values: object) -> list[Game]:
        # by a connection of its own: whoever reads need not wait for a commit on a slow disk
        with closing(connect_to_read(self.path)) as db:
            rows = db.execute(f"SELECT {COLUMNS} FROM games {where}", values).fetchall()
        return [_game(row) for row in rows]

    def _write(self, change: Change) -> None:
        if isinstance(change, Voided):
            self._db.execute("UPDATE games SET over = 0 WHERE key = ?", (change.key,))
        elif not change.by_state:
            self._put(change)
            if change.over:
                # the event came after all: the state told of the same end, or of a later one that will come, too
                self._db.execute(
                    "DELETE FROM games WHERE by_state AND node = ? AND place = ? AND seq >= ?",
                    (change.place.node, change.place.table, change.seq),
                )
        elif not self._has(change):
            self._put(change)

    def _has(self, game: Game) -> bool:
        sql = "SELECT 1 FROM games WHERE over AND node = ? AND place = ? AND mark = ?"
        return self._db.execute(sql, (game.place.node, game.place.table, game.mark)).fetchone() is not None

    def _put(self, game: Game) -> None:
        sides = json.dumps([[side.player, side.name, side.points] for side in game.sides], ensure_ascii=False)
        self._db.execute(
            f"INSERT INTO games ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (key) DO UPDATE SET name = excluded.name, game = excluded.game, sides = excluded.sides,"
            " ended = excluded.ended, winner = excluded.winner, words = excluded.words, over = excluded.over,"
            " seq = excluded.seq, mark = excluded.mark",
            (
                game.key,
                game.place.node,
                game.place.table,
                game.table,
                game.game,
                sides,
                game.began,
                game.ended,
                game.winner,
                game.words,
                game.over,
                game.seq,
                game.mark,
                game.by_state,
            ),
        )


def open_store(path: Path, now: datetime) -> Opened:
    """Open the store at `path`, making it where there is none; a damaged file is set aside whole.

    Args:
        now: for the name of a file that is set aside.
    Raises:
        DeviceError: where another program has it open, or it cannot be written.
        InputError: where it is a folder, another program's database or a newer version's.
    """
    path = path.absolute()
    if path.is_dir():
        raise InputError(
            text(
                "{path}: this is a folder; name a file for the results, such as {example}",
                path=str(path),
                example=str(path / "club.sqlite"),
            )
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = Lock(path)
    except OSError as error:
        raise DeviceError(
            text(
                "{path}: results cannot be kept here ({why}); name a file with --store",
                path=str(path),
                why=system_words(error),
            )
        ) from error
    try:
        aside = _without_damage(path, now)
        db = connect(path, "FULL")
        if db.execute("PRAGMA application_id").fetchone()[0] == 0:
            db.executescript(SCHEMA)
        db.execute("INSERT OR IGNORE INTO about VALUES (1, ?)", (secrets.token_hex(6),))
    except (OSError, sqlite3.Error) as error:
        lock.release()
        raise DeviceError(
            text(
                "{path}: results cannot be kept here ({why}); name a file with --store", path=str(path), why=str(error)
            )
        ) from error
    except BaseException:
        lock.release()
        raise
    notice = (
        None
        if aside is None
        else text("{path}: was damaged and is kept as {name}; results begin anew", path=str(path), name=aside.name)
    )
    return Opened(Store(path, db, lock), notice)


def open_to_read(path: Path) -> Store:
    """A store to look into, also while a club's program writes it.

    Raises:
        InputError: where there is none, or it cannot be read.
    """
    if not path.is_file():
        raise InputError(
            text("{path}: there are no results yet; `companion club` keeps them while it runs", path=str(path))
        )
    try:
        fault = _fault(path)
    except sqlite3.OperationalError as error:
        raise InputError(text("{path}: cannot be read ({why})", path=str(path), why=str(error))) from error
    if fault is not None:
        raise InputError(
            text(
                "{path}: cannot be read ({fault}); `companion club` sets it aside and begins anew",
                path=str(path),
                fault=fault,
            )
        )
    return Store(path, connect_to_read(path))


def _without_damage(path: Path, now: datetime) -> Path | None:
    """Set a damaged file aside; returns where it is now."""
    return set_aside(path, now) if path.exists() and _fault(path) is not None else None


def _fault(path: Path) -> str | None:
    """What is wrong with a file; None where it can be used.

    Raises:
        InputError: where it is sound and not ours.
    """
    if path.stat().st_size == 0:
        return text("it is empty")
    try:
        with closing(connect_to_read(path)) as db:
            found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
            whose = db.execute("PRAGMA application_id").fetchone()[0]
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if found == "ok" and whose == APPLICATION_ID and version == VERSION:
                _all_readable(db.execute(f"SELECT {COLUMNS} FROM games"))
                return None
    except sqlite3.OperationalError as error:
        if str(error).startswith(DAMAGES):
            return str(error)
        raise
    except (sqlite3.DatabaseError, ValueError, TypeError) as error:
        return str(error)
    if found != "ok":
        return text("its pages are damaged")
    if whose != APPLICATION_ID:
        raise InputError(text("{path}: is another program's database; name another file with --store", path=str(path)))
    raise InputError(
        text(
            "{path}: was written by a newer version of this program; use that, or another file with --store",
            path=str(path),
        )
    )


def _all_readable(rows: Iterable[Sequence[object]]) -> None:
    for row in rows:
        _game(row)


def _game(row: Sequence[object]) -> Game:
    key, node, place, name, game, sides, began, ended, winner, words, over, seq, mark, by_state = row
    return Game(
        str(key),
        Place(str(node), str(place)),
        str(name),
        str(game),
        tuple(Side(*side) for side in json.loads(str(sides))),
        str(began),
        str(ended),
        None if winner is None else str(winner),
        str(words),
        bool(over),
        int(str(seq)),
        str(mark),
        bool(by_state),
    )
