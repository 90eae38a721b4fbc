"""The journal of one table: every event once, in order, with the state after it, on disk when `append` returns.

Events, their outbox rows and the state go in one transaction of an SQLite file (WAL, synchronous=FULL), so a kill or
a power cut at any moment leaves what the last committed `append` said. Where the disk refuses (full, read-only,
broken, pulled, the file taken away), the game goes on: events are held in memory, `append` says so in one line, and
`retry` and every later `append` try the held ones first. Events leave through the outbox only when they are kept, so
no consumer ever sees an event that a power cut could take back.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from companion.events import GameOver, GameStarted, Record, record_json
from companion.games.game import Json
from companion.journal.file import OpenedFile, write_whole
from companion.journal.lock import Lock
from companion.journal.reader import Entry, JournalReader
from companion.journal.schema import BUSY_TIMEOUT_MS, checksum, connect, connect_to_read
from companion.journal.texts_json import texts_json, with_texts
from companion.texts import text

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """An event that waits in the outbox. `payload` is the line of `record_json`; `kind` says what sort of topic.

    `texts` says how the texts in the line were made.
    """

    seq: int
    kind: str
    utc: str
    payload: str
    texts: str | None = None

    @property
    def line(self) -> Mapping[str, Json]:
        """The line, whose texts can be said in any language."""
        line: dict[str, Json] = json.loads(self.payload)
        return with_texts(line, self.texts)


@dataclass(frozen=True, slots=True)
class _Line:
    """An event to be kept, with its game, its JSON, how the texts in that were made, and the time on the wall."""

    record: Record
    game_id: int | None
    payload: str
    texts: str | None
    utc: str


@dataclass(frozen=True, slots=True)
class _State:
    """The state to be kept with the held events: only the newest one counts."""

    seq: int
    json: str


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal(JournalReader):
    """A journal opened for writing; make one with `open_journal`. Usable from any thread."""

    def __init__(
        self,
        path: Path | None,
        db: sqlite3.Connection,
        outbox_db: sqlite3.Connection,
        lock: Lock | None = None,
        outbox: bool = True,
        utc: Callable[[], str] = utc_now,
        trouble: str | None = None,
    ) -> None:
        """Write to `db`.

        Args:
            path: where the copy goes beside; None for a journal in memory.
            db: the connection whose commits are on disk when they return.
            outbox_db: the connection that marks what was sent: a mark that is lost costs a repetition, no event.
            lock: what keeps other processes away, let go at `close`.
            outbox: whether events are meant for a sink that reads the outbox; without one it would only grow.
            utc: the wall clock, for people.
            trouble: why this journal is in memory.
        """
        super().__init__(db)
        self._path = path
        self._outbox_db = outbox_db
        self._outbox_lock = self._lock if outbox_db is db else threading.RLock()
        self._process_lock = lock
        self._with_outbox = outbox
        self._utc = utc
        self._file = None if path is None else OpenedFile(path)
        self._held: list[_Line] = []
        self._held_state: _State | None = None
        self._marks: set[int] = set()
        self._copying: threading.Thread | None = None
        self._last_seq = super().last_seq()
        self._last_game_id = super().last_game_id()
        self.trouble = trouble
        """Why events are in memory alone, in one line for people; None while all is kept."""
        self._always = trouble

    def append(self, records: Sequence[Record], state: Mapping[str, Json]) -> str | None:
        """Keep events and the state after them, all or nothing.

        Returns:
            None when they are on disk; else one line for people that says why they are held in memory.
        Raises:
            ValueError: if a record's number does not follow the last one's, or its id was used before.
            TypeError: if a record or the state is no JSON.
        """
        with self._lock:
            self._check_numbers(records)
            lines, newest = self._lines(records), _State(self._last_seq + len(records), _text(state))
            before, state_before = len(self._held), self._held_state
            self._held += lines
            self._held_state = newest
            try:
                self.trouble = self._write_held()
            except sqlite3.IntegrityError as error:
                del self._held[before:]
                self._held_state = state_before
                raise ValueError(f"cannot append {[record.id for record in records]}: {error}") from error
            self._last_seq += len(lines)
            self._last_game_id = lines[-1].game_id if lines else self._last_game_id
            if self.trouble is None and any(isinstance(r.event, GameStarted | GameOver) for r in records):
                self._copy_aside()
            return self.trouble

    def retry(self) -> str | None:
        """Try again to keep what is held in memory, and see that the file is there; returns what `append` does."""
        with self._lock:
            if self._held_state is not None or (self._file is not None and self._file.lost):
                self.trouble = self._write_held()
            return self.trouble

    def unsent(self, limit: int, after: int = 0) -> tuple[Outgoing, ...]:
        """The oldest events of the outbox beyond number `after` that were not marked as sent, in order."""
        with self._outbox_lock:
            try:
                rows = self._outbox_db.execute(
                    "SELECT o.seq, o.kind, r.utc, r.payload, r.texts FROM outbox o JOIN records r ON r.seq = o.seq"
                    " WHERE o.sent = 0 AND o.seq > ? ORDER BY o.seq LIMIT ?",
                    (after, limit + len(self._marks)),
                ).fetchall()
            except sqlite3.DatabaseError as error:
                log.warning("the journal's outbox cannot be read (%s); its events are sent when it can", error)
                return ()
            return tuple(Outgoing(*row) for row in rows if row[0] not in self._marks)[:limit]

    def mark_sent(self, *seqs: int) -> None:
        """Note that the broker has taken these events over; where the disk refuses, noted in memory and tried again."""
        with self._outbox_lock:
            self._marks.update(seqs)
            try:
                with _transaction(self._outbox_db):
                    self._outbox_db.executemany(
                        "UPDATE outbox SET sent = 1 WHERE seq = ?", [(seq,) for seq in sorted(self._marks)]
                    )
            except sqlite3.DatabaseError as error:
                log.warning("the journal cannot note what was sent (%s); it may be sent twice", error)
                return
            self._marks.clear()

    def entries(self, game_id: int | None = None) -> Iterator[Entry]:
        yield from super().entries(game_id)
        for line in tuple(self._held):
            if game_id in (None, line.game_id):
                yield Entry(line.record, line.game_id, line.utc)

    def last_state(self) -> Mapping[str, Json] | None:
        with self._lock:
            if self._held_state is not None:
                state: Mapping[str, Json] = json.loads(self._held_state.json)
                return state
            return super().last_state()

    def last_seq(self) -> int:
        return self._last_seq

    def last_game_id(self) -> int | None:
        return self._last_game_id

    def close(self) -> None:
        """Try once more what is held, and let the file go; `trouble` then says what is lost, if anything is."""
        with self._lock:
            if self.retry() is not None and self._held:
                self.trouble = f"{self.trouble}; the last {len(self._held)} events are lost"
        if self._copying is not None:
            self._copying.join()
        with self._lock, self._outbox_lock:
            self._outbox_db.close()
            self._db.close()
        if self._process_lock is not None:
            self._process_lock.release()

    def _check_numbers(self, records: Sequence[Record]) -> None:
        got = [record.seq for record in records]
        if got != list(range(self._last_seq + 1, self._last_seq + 1 + len(records))):
            raise ValueError(f"the journal stands at event {self._last_seq}; these cannot follow it: {got}")

    def _lines(self, records: Sequence[Record]) -> list[_Line]:
        game_id, utc = self._last_game_id, self._utc()
        lines = []
        for record in records:
            if isinstance(record.event, GameStarted):
                game_id = (game_id or 0) + 1
            told = record_json(record)
            lines.append(_Line(record, game_id, _text(told), texts_json(told), utc))
        return lines

    def _write_held(self) -> str | None:
        state = self._held_state
        try:
            if self._file is not None and self._file.lost:
                self._take_file_anew()
            # Who holds the file for long is not waited for again and again: the table has other things to do.
            self._db.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS if self.trouble is None else 50}")
            with _transaction(self._db):
                for line in self._held:
                    self._write(line)
                if state is not None:
                    told = (state.seq, state.json, checksum(state.json))
                    self._db.execute("INSERT OR REPLACE INTO state VALUES (1, ?, ?, ?)", told)
        except sqlite3.IntegrityError:
            raise
        except (sqlite3.DatabaseError, OSError) as error:
            if self._file is not None:
                self._file.failed(error)
            where = self._path or "the journal"
            return text(
                "{file}: events cannot be kept ({error}) and are held in memory; make room or check the disk",
                file=str(where),
                error=str(error),
            )
        self._held.clear()
        self._held_state = None
        return self._always

    def _take_file_anew(self) -> None:
        """Go on in the file that lies there now, or write all of the journal there where nothing does.

        Raises:
            OSError, sqlite3.DatabaseError: if that cannot be.
        """
        path = self._path
        assert path is not None  # a journal in memory has no file
        if not path.exists():
            write_whole(path, self._db)
        db, outbox_db = connect(path, "FULL"), connect(path, "NORMAL")
        kept = self._last_seq if not self._held else self._held[0].record.seq - 1
        if JournalReader(db).last_seq() != kept:
            for opened in (db, outbox_db):
                opened.close()
            raise sqlite3.OperationalError("another journal lies there now")
        with self._outbox_lock:
            for old in (self._db, self._outbox_db):
                old.close()
            self._db, self._outbox_db = db, outbox_db
        self._file = OpenedFile(path)

    def _write(self, line: _Line) -> None:
        event, game_id, seq = line.record.event, line.game_id, line.record.seq
        if isinstance(event, GameStarted):
            self._db.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)",
                (game_id, event.game, _text(event.options), _text(event.names), event.rules_version, line.utc),
            )
        told = (seq, line.record.id, game_id, line.record.t_s, line.utc, event.event, line.payload)
        self._db.execute(
            "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*told, checksum(line.payload), line.texts)
        )
        if self._with_outbox:
            self._db.execute("INSERT INTO outbox (seq, kind) VALUES (?, 'event')", (seq,))

    def _copy_aside(self) -> None:
        """Keep a whole copy beside the journal, at the start and the end of a game, without holding up the table."""
        if self._path is None or (self._copying is not None and self._copying.is_alive()):
            return
        self._copying = threading.Thread(target=copy_journal, args=(self._path,), name="journal-copy", daemon=True)
        self._copying.start()


def copy_journal(path: Path) -> None:
    """Write `<path>.copy`, whole or not at all; a failure is only logged, for the journal itself is well."""
    try:
        with closing(connect_to_read(path)) as source:
            write_whole(Path(f"{path}.copy"), source)
    except (OSError, sqlite3.Error) as error:
        log.warning("%s: no copy could be written beside the journal: %s", path, error)


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    """BEGIN IMMEDIATE to COMMIT; rolled back on any error, whatever the error left."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict)
