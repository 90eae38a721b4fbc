"""A damaged file, kept whole under another name: what is in it may still be wanted, and nothing is written over it."""

from __future__ import annotations

import itertools
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

WITH_IT = ("", "-wal", "-shm")
"""A file, and what SQLite keeps beside one of its own."""


def set_aside(path: Path, at: datetime) -> Path:
    """Rename a file and what belongs to it, as far as they are there; never onto a file that is there.

    Args:
        at: the time for its new name.
    Returns:
        Where it is now.
    Raises:
        OSError: where it cannot be renamed.
    """
    stamp = f"{path}.damaged-{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    names = (Path(stamp + (f"-{number}" if number else "")) for number in itertools.count())
    aside = next(name for name in names if not name.exists())
    for suffix in WITH_IT:
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").rename(f"{aside}{suffix}")
    return aside


def kept_aside(path: Path) -> str:
    """The same for a file that can be done without, with where it is now in words; nothing where it stays."""
    try:
        return f"; the file is kept as {set_aside(path, datetime.now(UTC)).name}"
    except OSError:
        return ""
