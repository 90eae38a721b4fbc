"""What is appended is kept, in order, with its outbox rows and its state, or said to be held."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import InputError
from companion.events import GameOver, Record
from companion.journal.journal import Journal
from companion.journal.opening import open_journal
from companion.journal.reader import read_journal
from companion.journal.schema import MIGRATIONS, migrate
from tests.journal.material import records, state


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = open_journal(tmp_path / "journal.sqlite", utc=lambda: "2030-01-02T03:04:05.678+00:00")
    assert opened.notice is None
    yield opened.journal
    opened.journal.close()


def test_a_new_journal_is_empty(journal: Journal) -> None:
    assert (journal.last_seq(), journal.last_state(), journal.last_game_id()) == (0, None, None)
    assert list(journal.records()) == []
    assert journal.unsent(10) == ()


def test_what_is_appended_is_there_after_opening_again(journal: Journal, tmp_path: Path) -> None:
    kept = records(5) + records(5, first=6)
    assert journal.append(kept[:5], state(5)) is None
    journal.append(kept[5:], state(10))
    journal.close()
    again = open_journal(tmp_path / "journal.sqlite").journal
    assert list(again.records()) == kept
    assert again.last_state() == state(10)
    assert (again.last_seq(), again.last_game_id()) == (10, 1)
    again.close()


def test_games_are_told_apart(journal: Journal) -> None:
    journal.append(records(9, game_of=4), state(9))
    assert [(g.game_id, g.first_seq, g.last_seq, g.names["blue"]) for g in journal.games()] == [
        (1, 1, 4, "Żaneta"),
        (2, 5, 8, "Żaneta"),
        (3, 9, 9, "Żaneta"),
    ]
    assert [record.seq for record in journal.records(2)] == [5, 6, 7, 8]
    assert journal.last_game_id() == 3
    assert {entry.utc for entry in journal.entries()} == {"2030-01-02T03:04:05.678+00:00"}


def test_events_before_the_first_game_belong_to_none(journal: Journal) -> None:
    journal.append([Record(1, "a", 0.0, GameOver({}, "words"))], state(1))
    assert [entry.game_id for entry in journal.entries()] == [None]


@pytest.mark.parametrize("first", [1, 4, 7])
def test_numbers_never_jump(journal: Journal, first: int) -> None:
    journal.append(records(4), state(4))
    with pytest.raises(ValueError, match="stands at event 4"):
        journal.append(records(2, first=first), state(9))
    assert journal.last_seq() == 4


def test_an_id_is_used_once_and_the_journal_goes_on(journal: Journal) -> None:
    journal.append(records(2), state(2))
    with pytest.raises(ValueError, match="id-2"):
        journal.append([Record(3, "id-2", 0.0, records(3)[2].event)], state(3))
    assert journal.append(records(1, first=3), state(3)) is None
    assert [record.seq for record in journal.records()] == [1, 2, 3]


def test_what_is_no_json_is_refused_and_the_journal_goes_on(journal: Journal) -> None:
    strange = Record(1, "a", 0.0, GameOver({"winner": object()}, ""))  # type: ignore[dict-item]
    with pytest.raises(TypeError):
        journal.append([strange], state(1))
    with pytest.raises(TypeError):
        journal.append(records(1), {"seq": {1, 2}})  # type: ignore[dict-item]
    assert journal.append(records(1), state(1)) is None
    assert list(journal.records()) == records(1)
    assert journal.last_game_id() == 1


def test_a_state_alone_can_be_kept(journal: Journal) -> None:
    journal.append(records(2), state(2))
    journal.append([], {"seq": 2, "score": 99})
    assert journal.last_state() == {"seq": 2, "score": 99}


def test_the_outbox_gives_the_oldest_first_until_marked(journal: Journal) -> None:
    journal.append(records(5), state(5))
    assert [out.seq for out in journal.unsent(3)] == [1, 2, 3]
    journal.mark_sent(2, 1)
    assert [out.seq for out in journal.unsent(9)] == [3, 4, 5]
    assert [out.seq for out in journal.unsent(9, after=3)] == [4, 5]
    assert journal.unsent(1)[0].payload.startswith('{"seq":3,"id":"id-3",')


def test_without_a_sink_no_outbox_grows(tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "j", outbox=False).journal
    journal.append(records(3), state(3))
    assert journal.unsent(9) == ()
    journal.close()


def test_a_sink_marks_while_the_table_appends(journal: Journal) -> None:
    done = threading.Event()
    marked: list[int] = []

    def send() -> None:
        while not (done.is_set() and not journal.unsent(1)):
            seqs = [out.seq for out in journal.unsent(16)]
            journal.mark_sent(*seqs)
            marked.extend(seqs)

    sender = threading.Thread(target=send)
    sender.start()
    for seq in range(1, 201):
        assert journal.append(records(1, first=seq), state(seq)) is None
    done.set()
    sender.join(30)
    assert marked == list(range(1, 201))


def test_reading_needs_no_lock_and_changes_nothing(journal: Journal, tmp_path: Path) -> None:
    journal.append(records(3), state(3))
    reader = read_journal(tmp_path / "journal.sqlite")
    assert [record.seq for record in reader.records()] == [1, 2, 3]
    journal.append(records(1, first=4), state(4))
    assert reader.last_state() == state(4)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader._db.execute("DELETE FROM records")
    reader.close()


@pytest.mark.parametrize("content", [None, b"", b"no database at all, but a text" * 100])
def test_reading_what_is_no_journal_is_one_clear_line(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "journal.sqlite"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=r"journal\.sqlite: "):
        read_journal(path)


def test_migrations_run_in_order_and_once(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    journal = open_journal(path).journal
    journal.append(records(2), state(2))
    journal.close()
    more = (
        *MIGRATIONS,
        "ALTER TABLE games ADD COLUMN place TEXT; CREATE TABLE log (word TEXT); INSERT INTO log VALUES ('two');",
        "UPDATE games SET place = (SELECT word FROM log); INSERT INTO log VALUES ('three');",
    )
    db = sqlite3.connect(path, isolation_level=None)
    for _ in range(2):
        migrate(db, more)
        assert db.execute("SELECT place FROM games").fetchall() == [("two",)]
        assert [word for (word,) in db.execute("SELECT word FROM log ORDER BY rowid")] == ["two", "three"]
        assert db.execute("PRAGMA user_version").fetchone() == (len(more),)
    db.close()
    with pytest.raises(InputError, match="newer companion"):
        open_journal(path)


def test_a_migration_is_whole_or_not_at_all(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "j", isolation_level=None)
    migrate(db)
    with pytest.raises(sqlite3.OperationalError):
        migrate(db, (*MIGRATIONS, "CREATE TABLE half (x); SELECT nonsense;"))
    db.close()
    db = sqlite3.connect(tmp_path / "j", isolation_level=None)
    assert db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'half'").fetchone() == (0,)
    assert db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    db.close()
