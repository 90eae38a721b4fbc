"""Opening a journal whatever state its file is in: nothing is overwritten, and a person is told what was done.

A damaged file (empty, cut, scribbled over, no database) is set aside whole under a name with the time. What can be
read of it and of the copy beside it makes the new journal. Where the folder cannot be written, the journal is kept in
memory. Another companion on the same journal, another program's database and a newer companion's are errors.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.aside import set_aside
from companion.errors import InputError, error_words, system_words
from companion.journal.journal import Journal, copy_journal, utc_now
from companion.journal.lock import Lock
from companion.journal.salvage import Salvage, gather, newest_state, pieces, pour, why_damaged
from companion.journal.schema import check_ours, connect, connect_to_read, migrate
from companion.texts import joined, text


@dataclass(frozen=True, slots=True)
class JournalOpened:
    """A journal ready to write, and one line for people where something had to be done for it."""

    journal: Journal
    notice: str | None = None


def open_journal(path: Path, *, outbox: bool = True, utc: Callable[[], str] = utc_now) -> JournalOpened:
    """Open the journal at `path`, making it and its folder where there is none.

    Args:
        outbox: keep outbox rows for a sink that will send them.
        utc: the wall clock, for people.
    Raises:
        DeviceError: if another companion writes this journal.
        InputError: if the path is a folder, another program's database or a newer companion's journal.
    """
    path = path.absolute()
    if path.is_dir():
        raise InputError(
            text(
                "{path}: this is a folder; name a file for the journal, such as {example}",
                path=str(path),
                example=str(path / "journal.sqlite"),
            )
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = Lock(path)
    except OSError as error:
        return _in_memory(path, system_words(error), outbox, utc)
    try:
        notice = _made_whole(path, utc)
        db = connect(path, "FULL")
        migrate(db)
        return JournalOpened(Journal(path, db, connect(path, "NORMAL"), lock, outbox, utc), notice)
    except InputError as error:
        lock.release()
        raise InputError(text("{path}: {why}", path=str(path), why=error_words(error))) from error
    except (OSError, sqlite3.OperationalError) as error:
        lock.release()
        return _in_memory(path, system_words(error) if isinstance(error, OSError) else str(error), outbox, utc)
    except BaseException:
        lock.release()
        raise


def _made_whole(path: Path, utc: Callable[[], str]) -> str | None:
    """Leave a sound journal at `path`, or none where there was none; returns the notice."""
    copy, now = Path(f"{path}.copy"), datetime.fromisoformat(utc())
    if path.exists():
        _refuse_others(path)
    elif not copy.exists():
        set_aside(path, now)  # a log without its database would be poured into the new one
        return None
    fault = _fault(path, copy)
    if fault is None:
        return None
    with TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as scratch:
        found = pieces(path, copy, Path(scratch)) if path.exists() else []
        salvage = gather([*found, *(file for file in (path, copy) if file.exists())])
    part, last = _rebuilt(path, salvage)
    kept = text("The damaged file is kept as {name}.", name=set_aside(path, now).name) if path.exists() else ""
    if copy.exists() and why_damaged(copy) is not None:
        set_aside(copy, now)
    part.replace(path)
    copy_journal(path)
    if last == 0:
        begun = text(
            "{path}: the journal cannot be used, for {fault}. A new one is begun.", path=str(path), fault=fault
        )
        return joined([begun, kept])
    restored = text(
        "{path}: the journal cannot be used, for {fault}. It is restored up to event {last}.",
        path=str(path),
        fault=fault,
        last=last,
    )
    lost = text("{count} older events are lost.", count=salvage.missing) if salvage.missing else ""
    return joined([restored, lost, kept])


def _fault(path: Path, copy: Path) -> str | None:
    if not path.exists():
        return text("it is missing")
    fault = why_damaged(path)
    if fault is None and copy.exists() and newest_state(copy) > newest_state(path):
        return text("it is older than its copy")
    return fault


def _refuse_others(path: Path) -> None:
    """Leave another program's database alone; a file that cannot be read as one is left to the next step.

    Raises:
        InputError: saying whose it is.
    """
    with suppress(sqlite3.DatabaseError), closing(connect_to_read(path)) as db:
        check_ours(db)


def _rebuilt(path: Path, salvage: Salvage) -> tuple[Path, int]:
    """Write what was salvaged as a journal under another name; returns it and the number of its last event."""
    part = Path(f"{path}.part")
    part.unlink(missing_ok=True)
    with closing(sqlite3.connect(part, isolation_level=None)) as db:
        migrate(db)
        last = pour(salvage, db)
    with part.open("rb+") as written:
        os.fsync(written.fileno())
    return part, last


def _in_memory(path: Path, reason: str, outbox: bool, utc: Callable[[], str]) -> JournalOpened:
    """A journal that begins where the file on an unwritable disk ends, and is lost with the power."""
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    last = 0
    if path.is_file() and why_damaged(path) is None:
        with closing(connect_to_read(path)) as source:
            source.backup(db)
        last = db.execute("SELECT coalesce(max(seq), 0) FROM records").fetchone()[0]
    migrate(db)
    notice = text(
        "{file}: the journal cannot be written ({reason}); events are kept in memory only and are lost when the "
        "program ends. Make the folder writable or name another file. It goes on from event {last}.",
        file=str(path),
        reason=reason,
        last=last,
    )
    return JournalOpened(Journal(None, db, db, None, outbox, utc, notice), notice)
