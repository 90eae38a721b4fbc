"""The journal of one table: every event once, in order, with the state after it, on disk when `append` returns.

Events, their outbox rows and the state go in one transaction of an SQLite file (WAL, synchronous=FULL), so a kill or
a power cut at any moment leaves what the last committed `append` said. Where the disk refuses (full, read-only,
broken), the game goes on: events are held in memory, `append` says so in one line, and every later `append` tries the
held ones first. Events leave through the outbox only when they are kept, so no consumer ever sees an event that a
power cut could take back.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from companion.events import GameOver, GameStarted, Record, record_json
from companion.games.game import Json
from companion.journal.lock import Lock
from companion.journal.reader import Entry, JournalReader
from companion.journal.schema import checksum, connect_to_read
from companion.journal.texts_json import texts_json, with_texts

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
class _Batch:
    """What one `append` wants kept."""

    records: tuple[tuple[Record, int | None, str, str | None], ...]
    """Each with its game, its JSON, and how the texts in that were made."""
    seq: int
    state: str
    utc: str


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
    ) -> None:
        """Write to `db`.

        Args:
            path: where the copy goes beside; None for a journal in memory.
            db: the connection whose commits are on disk when they return.
            outbox_db: the connection that marks what was sent: a mark that is lost costs a repetition, no event.
            lock: what keeps other processes away, let go at `close`.
            outbox: whether events are meant for a sink that reads the outbox; without one it would only grow.
            utc: the wall clock, for people.
        """
        super().__init__(db)
        self._path = path
        self._outbox_db = outbox_db
        self._outbox_lock = self._lock if outbox_db is db else threading.RLock()
        self._process_lock = lock
        self._with_outbox = outbox
        self._utc = utc
        self._held: list[_Batch] = []
        self._marks: set[int] = set()
        self._copying: threading.Thread | None = None
        self._last_seq = super().last_seq()
        self._last_game_id = super().last_game_id()
        self.trouble: str | None = None
        """Why events are held in memory, in one line for people; None while all is kept."""

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
            batch = self._batch(records, state)
            self._held.append(batch)
            try:
                self.trouble = self._write_held()
            except sqlite3.IntegrityError as error:
                self._held.pop()
                raise ValueError(f"cannot append {[record.id for record in records]}: {error}") from error
            self._last_seq = batch.seq
            self._last_game_id = batch.records[-1][1] if batch.records else self._last_game_id
            if self.trouble is None and any(isinstance(r.event, GameStarted | GameOver) for r in records):
                self._copy_aside()
            return self.trouble

    def unsent(self, limit: int, after: int = 0) -> tuple[Outgoing, ...]:
        """The oldest events of the outbox beyond number `after` that were not marked as sent, in order."""
        with self._outbox_lock:
            rows = self._outbox_db.execute(
                "SELECT o.seq, o.kind, r.utc, r.payload, r.texts FROM outbox o JOIN records r ON r.seq = o.seq"
                " WHERE o.sent = 0 AND o.seq > ? ORDER BY o.seq LIMIT ?",
                (after, limit + len(self._marks)),
            ).fetchall()
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
        for batch in tuple(self._held):
            for record, game, *_ in batch.records:
                if game_id in (None, game):
                    yield Entry(record, game, batch.utc)

    def last_state(self) -> Mapping[str, Json] | None:
        with self._lock:
            if self._held:
                state: Mapping[str, Json] = json.loads(self._held[-1].state)
                return state
            return super().last_state()

    def last_seq(self) -> int:
        return self._last_seq

    def last_game_id(self) -> int | None:
        return self._last_game_id

    def close(self) -> None:
        """Try once more what is held, and let the file go; `trouble` then says what is lost, if anything is."""
        with self._lock:
            if self._held:
                self.trouble = self._write_held()
            if self._held:
                lost = sum(len(batch.records) for batch in self._held)
                self.trouble = f"{self.trouble}; the last {lost} events are lost"
        if self._copying is not None:
            self._copying.join()
        with self._outbox_lock, self._lock:
            self._outbox_db.close()
            self._db.close()
        if self._process_lock is not None:
            self._process_lock.release()

    def _check_numbers(self, records: Sequence[Record]) -> None:
        got = [record.seq for record in records]
        if got != list(range(self._last_seq + 1, self._last_seq + 1 + len(records))):
            raise ValueError(f"the journal stands at event {self._last_seq}; these cannot follow it: {got}")

    def _batch(self, records: Sequence[Record], state: Mapping[str, Json]) -> _Batch:
        game_id = self._last_game_id
        numbered = []
        for record in records:
            if isinstance(record.event, GameStarted):
                game_id = (game_id or 0) + 1
            line = record_json(record)
            numbered.append((record, game_id, _text(line), texts_json(line)))
        return _Batch(tuple(numbered), self._last_seq + len(records), _text(state), self._utc())

    def _write_held(self) -> str | None:
        try:
            with _transaction(self._db):
                for batch in self._held:
                    self._write(batch)
        except sqlite3.IntegrityError:
            raise
        except sqlite3.DatabaseError as error:
            where = self._path or "the journal"
            return f"{where}: events cannot be kept ({error}) and are held in memory; make room or check the disk"
        self._held.clear()
        return None

    def _write(self, batch: _Batch) -> None:
        for record, game_id, payload, texts in batch.records:
            event = record.event
            if isinstance(event, GameStarted):
                self._db.execute(
                    "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)",
                    (game_id, event.game, _text(event.options), _text(event.names), event.rules_version, batch.utc),
                )
            self._db.execute(
                "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (record.seq, record.id, game_id, record.t_s, batch.utc, event.event, payload, checksum(payload), texts),
            )
            if self._with_outbox:
                self._db.execute("INSERT INTO outbox (seq, kind) VALUES (?, 'event')", (record.seq,))
        self._db.execute(
            "INSERT OR REPLACE INTO state VALUES (1, ?, ?, ?)", (batch.seq, batch.state, checksum(batch.state))
        )

    def _copy_aside(self) -> None:
        """Keep a whole copy beside the journal, at the start and the end of a game, without holding up the table."""
        if self._path is None or (self._copying is not None and self._copying.is_alive()):
            return
        self._copying = threading.Thread(target=copy_journal, args=(self._path,), name="journal-copy", daemon=True)
        self._copying.start()


def copy_journal(path: Path) -> None:
    """Write `<path>.copy`, whole or not at all; a failure is only logged, for the journal itself is well."""
    part = Path(f"{path}.copy.part")
    try:
        part.unlink(missing_ok=True)
        with closing(connect_to_read(path)) as source, closing(sqlite3.connect(part)) as target:
            source.backup(target)
        with part.open("rb+") as written:
            os.fsync(written.fileno())
        part.replace(f"{path}.copy")
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
