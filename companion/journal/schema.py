"""The journal's tables, their versions, and how a connection to them is set up.

Version n of the schema is what the first n migrations make; `PRAGMA user_version` says how many a file has had.
A migration is never changed once released: a new one is added below it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

from companion.errors import InputError
from companion.texts import text

APPLICATION_ID = 0x436D704A
"""Marks the file as ours ("CmpJ"), so that another program's database is never written into."""

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        game TEXT NOT NULL,
        options TEXT NOT NULL,
        names TEXT NOT NULL,
        rules_version TEXT NOT NULL,
        started_utc TEXT NOT NULL
    );
    CREATE TABLE records (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        game_id INTEGER REFERENCES games (id),
        t_s REAL NOT NULL,
        utc TEXT NOT NULL,
        event TEXT NOT NULL,
        payload TEXT NOT NULL,
        checksum INTEGER NOT NULL
    );
    CREATE INDEX records_of_game ON records (game_id);
    CREATE TABLE outbox (
        seq INTEGER PRIMARY KEY REFERENCES records (seq),
        kind TEXT NOT NULL,
        sent INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX outbox_unsent ON outbox (seq) WHERE sent = 0;
    CREATE TABLE state (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        seq INTEGER NOT NULL,
        json TEXT NOT NULL,
        checksum INTEGER NOT NULL
    );
    """,
    """
    ALTER TABLE records ADD COLUMN texts TEXT;
    """,
)

BUSY_TIMEOUT_MS = 2000
"""How long a commit waits for the other connection of this process; its longest hold is one slow fsync."""


def checksum(text: str) -> int:
    """SQLite keeps no checksums of its own: a flipped byte within a text would go unseen."""
    return crc32(text.encode())


def connect(path: Path, synchronous: str) -> sqlite3.Connection:
    """A connection that writes. FULL: a commit has reached the disk when it returns. NORMAL: it may be lost, whole."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_TIMEOUT_MS / 1000)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute(f"PRAGMA synchronous = {synchronous}")
    db.execute("PRAGMA foreign_keys = ON")
    return db


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, also on a disk that cannot be written."""
    db = _open_uri(f"{path.resolve().as_uri()}?mode=ro")
    try:
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError:
        # A WAL file needs a shared-memory file beside it, which a read-only folder refuses.
        db.close()
        db = _open_uri(f"{path.resolve().as_uri()}?immutable=1")
    return db


def _open_uri(address: str) -> sqlite3.Connection:
    return sqlite3.connect(
        address, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY_TIMEOUT_MS / 1000
    )


def migrate(db: sqlite3.Connection, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Bring the file to the newest version, each migration whole or not at all.

    Raises:
        InputError: if a newer companion wrote it, or another program did.
    """
    check_ours(db, newest=len(migrations))
    for version in range(_version(db) + 1, len(migrations) + 1):
        db.executescript(
            f"BEGIN IMMEDIATE; {migrations[version - 1]}\n"
            f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {version}; COMMIT;"
        )


def check_ours(db: sqlite3.Connection, newest: int = len(MIGRATIONS)) -> None:
    """Refuse a database that is whole but is not for this program to write."""
    application = db.execute("PRAGMA application_id").fetchone()[0]
    tables = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if tables and application != APPLICATION_ID:
        raise InputError(text("it is another program's database; name another file for the journal"))
    if _version(db) > newest:
        raise InputError(text("a newer companion wrote it; update this one, or name another file for the journal"))


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])
