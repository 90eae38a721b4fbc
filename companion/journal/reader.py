"""What a journal says: games, events in order, the last state. Reading changes nothing."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.errors import InputError, error_words
from companion.events import Record
from companion.games.game import Json
from companion.journal.events_json import record_from_json
from companion.journal.schema import check_ours, connect_to_read
from companion.journal.texts_json import with_texts
from companion.texts import text


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game of the journal. `started_utc` is the wall clock's word, for people; the order is that of `game_id`."""

    game_id: int
    game: str
    options: Mapping[str, Json]
    names: Mapping[str, str]
    rules_version: str
    started_utc: str
    first_seq: int
    last_seq: int


@dataclass(frozen=True, slots=True)
class Entry:
    """An event as it was kept. `utc` is the wall clock's word, for people, never for order."""

    record: Record
    game_id: int | None
    utc: str


class JournalReader:
    """The reading half of a journal; usable from any thread."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._lock = threading.RLock()

    def games(self) -> tuple[GameEntry, ...]:
        """All games, oldest first."""
        rows = self._rows(
            "SELECT g.id, g.game, g.options, g.names, g.rules_version, g.started_utc, min(r.seq), max(r.seq)"
            " FROM games g JOIN records r ON r.game_id = g.id GROUP BY g.id ORDER BY g.id"
        )
        return tuple(
            GameEntry(id_, game, json.loads(options), json.loads(names), version, utc, first, last)
            for id_, game, options, names, version, utc, first, last in rows
        )

    def whole_games(self) -> tuple[GameEntry, ...]:
        """The games as people played them, oldest first: one that was taken up again is one game.

        It stands under the number that it has now, with all that was played in it, and began when it first did.
        """
        rows = self._rows("SELECT game_id, id, payload FROM records WHERE event = 'game_started' ORDER BY seq")
        begun_by = {game: json.loads(payload).get("takes_up") or id_ for game, id_, payload in rows}
        whole: dict[str, GameEntry] = {}
        for game in self.games():
            # a journal that was rescued may lack the beginning
            key = begun_by.get(game.game_id, f"game {game.game_id}")
            before = whole.pop(key, None)
            whole[key] = game if before is None else replace(game, started_utc=before.started_utc)
        return tuple(whole.values())

    def entries(self, game_id: int | None = None) -> Iterator[Entry]:
        """The events of one game, or of all and between them, in order."""
        where, values = ("", ()) if game_id is None else (" WHERE game_id = ?", (game_id,))
        texts = "texts" if self._keeps_texts() else "NULL"
        query = f"SELECT payload, {texts}, game_id, utc FROM records{where} ORDER BY seq"
        for payload, recipes, game, utc in self._rows(query, values):
            yield Entry(record_from_json(with_texts(json.loads(payload), recipes)), game, utc)

    def last_words(self) -> Mapping[int, Record]:
        """For each game the last event that said how it ended, or that put it right after that."""
        texts = "texts" if self._keeps_texts() else "NULL"
        query = (
            f"SELECT game_id, payload, {texts}, max(seq) FROM records WHERE event IN ('game_over', 'correction')"
            " AND game_id IS NOT NULL GROUP BY game_id"
        )
        rows = self._rows(query)
        return {game: record_from_json(with_texts(json.loads(payload), recipes)) for game, payload, recipes, _ in rows}

    def records(self, game_id: int | None = None) -> Iterator[Record]:
        """As `entries`, without what was noted beside the events."""
        return (entry.record for entry in self.entries(game_id))

    def last_state(self) -> Mapping[str, Json] | None:
        """The state after the last event that was kept; None in a new journal."""
        row = self._row("SELECT json FROM state")
        return None if row is None else json.loads(row[0])

    def last_seq(self) -> int:
        """The number of the last event; 0 in a new journal."""
        return int(self._row("SELECT coalesce(max(seq), 0) FROM records")[0])

    def last_game_id(self) -> int | None:
        """The game that was started last, whether it is over or not."""
        found: int | None = self._row("SELECT max(id) FROM games")[0]
        return found

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def _keeps_texts(self) -> bool:
        """Whether the file is of a version that keeps how texts were made; one that is only read is not changed."""
        return any(row[1] == "texts" for row in self._rows("PRAGMA table_info(records)"))

    def _rows(self, query: str, values: tuple[object, ...] = ()) -> list[Any]:
        with self._lock:
            return self._db.execute(query, values).fetchall()

    def _row(self, query: str) -> Any:
        with self._lock:
            return self._db.execute(query).fetchone()


def read_journal(path: Path) -> JournalReader:
    """Open a journal to look at it, also while a companion writes it.

    Raises:
        InputError: if there is no journal of ours there.
    """
    if not path.is_file():
        raise InputError(text("{path}: there is no journal here; give the path of one", path=str(path)))
    try:
        db = connect_to_read(path)
        check_ours(db)
        if not db.execute("PRAGMA application_id").fetchone()[0]:
            raise InputError(text("it is empty; there is nothing to read"))
    except sqlite3.DatabaseError as error:
        copy = Path(f"{path}.copy")
        if not copy.exists():
            raise InputError(
                text("{path}: no journal can be read here ({why})", path=str(path), why=str(error))
            ) from error
        raise InputError(
            text(
                "{path}: this journal cannot be read ({why}); its copy may: {copy}",
                path=str(path),
                why=str(error),
                copy=str(copy),
            )
        ) from error
    except InputError as error:
        raise InputError(text("{path}: {why}", path=str(path), why=error_words(error))) from error
    return JournalReader(db)
