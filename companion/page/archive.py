"""What is kept of a table beside its running game: the journal with all games."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import InputError
from companion.events import GameOver
from companion.journal.reader import Entry, GameEntry, JournalReader, read_journal
from companion.summary import sentences
from companion.summary.exports import json_record, text_record
from companion.summary.pages import Row
from companion.summary.story import Story, story_of
from companion.texts import joined, text

if TYPE_CHECKING:
    from companion.recording.report import Reports

KEPT = 8
"""Stories that are kept ready: several people look at the game that has just ended."""

_drawing = threading.Lock()
"""Pictures are drawn one after another: each takes some tenths of a second and some megabytes."""


@dataclass(frozen=True, slots=True)
class Archive:
    """The games of one table.

    Attributes:
        journal: the file; a table whose journal is kept in memory has none.
        reports: records the table for bug reports; None where it has no devices to record.
    """

    journal: Path
    reports: Reports | None = None

    def newest(self) -> int | None:
        """The number of the game that was begun last; None where there is none."""
        if not self.journal.is_file():
            return None
        with closing(read_journal(self.journal)) as reader:
            return reader.last_game_id()

    def story(self, number: int) -> Story:
        """The story of a game.

        Raises:
            InputError: where there is no such game, or it cannot be told.
        """
        return _told(self.journal, number, self._last_seq(number))[0]

    def picture(self, number: int, language: str) -> bytes:
        """The picture of a game as PNG; raises as `story`."""
        return _picture(self.journal, number, self._last_seq(number), language)

    def text(self, number: int) -> str:
        """The record of a game as text; raises as `story`."""
        return text_record(self.story(number))

    def json(self, number: int) -> str:
        """The record of a game as JSON; raises as `story`."""
        story, entries = _told(self.journal, number, self._last_seq(number))
        return json_record(story, entries)

    def rows(self, table: str, limit: int, before: int | None = None) -> list[Row]:
        """Games, newest first.

        Args:
            table: the table's name in addresses.
            before: only games with a smaller number.
        """
        if not self.journal.is_file():
            return []
        with closing(read_journal(self.journal)) as reader:
            games = [game for game in reader.whole_games() if before is None or game.game_id < before]
            newest = games[: -limit - 1 : -1]
            return _rows(reader, table, newest)

    def _last_seq(self, number: int) -> int:
        with closing(read_journal(self.journal)) as reader:
            game = next((game for game in reader.games() if game.game_id == number), None)
        if game is None:
            raise InputError(text("there is no game {number} in this table's journal", number=number))
        return game.last_seq


def _rows(reader: JournalReader, table: str, games: Sequence[GameEntry]) -> list[Row]:
    ends = reader.last_words()
    rows = []
    for game in games:
        last = ends.get(game.game_id)
        result = ""
        if last is not None and isinstance(last.event, GameOver):
            result = last.event.words
        elif last is not None:  # put right after its end: only the whole story says how it stands now
            result = _result(reader, game)
        rows.append(Row(game.game_id, table, sentences.game_name(game.game), _when(game), _players(game), result))
    return rows


def _result(reader: JournalReader, game: GameEntry) -> str:
    try:
        return story_of(game.game_id, reader.entries(game.game_id)).finished
    except InputError:
        return text("It does not fit the rules of this version.")


def _when(game: GameEntry) -> str:
    when = datetime.fromisoformat(game.started_utc)
    return joined([sentences.day(when), sentences.hour(when)], ", ")


def _players(game: GameEntry) -> str:
    return joined(game.names.values(), ", ") or "–"


@lru_cache(KEPT)
def _told(journal: Path, number: int, last_seq: int) -> tuple[Story, tuple[Entry, ...]]:
    """A story and what it was made of; `last_seq` changes when the game goes on."""
    with closing(read_journal(journal)) as reader:
        entries = tuple(reader.entries(number))
    return story_of(number, entries), entries


@lru_cache(KEPT)
def _picture(journal: Path, number: int, last_seq: int, language: str) -> bytes:
    from companion.summary.picture import png_of
    from companion.summary.sheet import sheet

    with _drawing:
        return png_of(sheet(_told(journal, number, last_seq)[0], language))
