"""Whether a journal's file is still the one that was opened: people delete files, pull sticks, put copies back."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

DEAD = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})
"""Errors after which an open file may never be written again, though its path can: a stick that was pulled and is
back. A full disk is not among them."""


class OpenedFile:
    """The file at a path as it was when this was made."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._identity = _identity(path)
        self._dead = False

    def failed(self, error: Exception) -> None:
        """Take note of why it could not be written."""
        code = getattr(error, "sqlite_errorcode", None)
        self._dead = isinstance(code, int) and code & 0xFF in DEAD

    @property
    def lost(self) -> bool:
        """Whether writing may end nowhere: another file lies at the path, none does, or this one is dead."""
        return self._dead or _identity(self._path) != self._identity


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def write_whole(path: Path, db: sqlite3.Connection) -> None:
    """Write all of a database to a path where nothing lies, whole or not at all.

    Raises:
        OSError, sqlite3.DatabaseError: if it cannot be read any more, or not be written there.
    """
    part = Path(f"{path}.part")
    part.unlink(missing_ok=True)
    with closing(sqlite3.connect(part)) as target:
        db.backup(target)
    with part.open("rb+") as written:
        os.fsync(written.fileno())
    for suffix in ("-wal", "-shm"):  # of the file that lay there: they would be poured into this one
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    part.replace(path)
