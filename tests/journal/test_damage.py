"""A damaged journal is set aside whole, the last good state is found where it can be, and a person is told."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.errors import DeviceError, InputError
from companion.events import GameOver, Record
from companion.journal.journal import Journal
from companion.journal.opening import open_journal
from companion.journal.salvage import why_damaged
from tests.journal.material import records, state

PAGE = 4096
UTC = "2030-01-02T03:04:05.678+00:00"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of 120 events in 3 games, each of them 40; the copy beside it was made at event 81."""
    path = tmp_path / "journal.sqlite"
    journal = open_journal(path, utc=lambda: UTC).journal
    for seq in range(1, 121):
        journal.append(records(1, first=seq), state(seq))
        if (seq - 1) % 40 == 0:
            _copied(journal)
    journal.mark_sent(*range(1, 101))
    journal.close()
    return path


def _copied(journal: Journal) -> None:
    copying = journal._copying
    assert copying is not None
    copying.join()


def reopened(path: Path) -> tuple[str | None, list[int], object]:
    opened = open_journal(path, utc=lambda: UTC)
    journal = opened.journal
    found = [record.seq for record in journal.records()], journal.last_state()
    # The journal goes on from wherever it stands, with nothing left to be found damaged next time.
    assert journal.append(records(1, first=journal.last_seq() + 1), state(journal.last_seq() + 1)) is None
    journal.close()
    again = open_journal(path)
    again.journal.close()
    assert again.notice is None
    return opened.notice, *found


def scribble(page: int) -> Callable[[Path], object]:
    def damage(path: Path) -> None:
        data = bytearray(path.read_bytes())
        start = page * PAGE if page >= 0 else len(data) + page * PAGE
        data[start : start + PAGE] = random.Random(1).randbytes(PAGE)
        path.write_bytes(data)

    return damage


def cut(keep: float) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(path.read_bytes()[: int(keep * path.stat().st_size)])


def flip_text(path: Path) -> None:
    """One letter within a row's text: SQLite itself does not see it."""
    data = path.read_bytes()
    assert b"move 100 with some words" in data
    path.write_bytes(data.replace(b"move 100 with some words", b"move 100 with some wurds", 1))


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "cut at byte 40": lambda path: path.write_bytes(path.read_bytes()[:40]),
    "cut in half": cut(0.5),
    "last page": scribble(-1),
    "first page": scribble(0),
    "a page within": scribble(5),
    "no database": lambda path: path.write_text("a text that came to lie here\n" * 300),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "a letter": flip_text,
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_told_and_the_last_good_state_loaded(path: Path, name: str) -> None:
    DAMAGES[name](path)
    damaged = path.read_bytes()
    notice, seqs, last = reopened(path)
    assert notice is not None
    assert "\n" not in notice
    aside = path.with_name(path.name + ".damaged-20300102T030405Z")
    assert aside.read_bytes() == damaged
    assert aside.name in notice
    # At worst what the copy of the third game's start holds; never less, and never a gap.
    assert len(seqs) >= 81
    assert seqs == list(range(1, len(seqs) + 1))
    assert last == state(len(seqs))
    assert f"event {len(seqs)}" in notice


def test_with_most_pages_readable_nothing_is_lost(path: Path) -> None:
    """A page of the index only: rows and state are all there."""
    db = sqlite3.connect(path)
    root = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'records_of_game'").fetchone()[0]
    db.close()
    scribble(root - 1)(path)
    _, seqs, last = reopened(path)
    assert seqs == list(range(1, 121))
    assert last == state(120)


def test_what_was_sent_is_not_sent_again_after_a_rescue(path: Path) -> None:
    flip_text(path)
    journal = open_journal(path).journal
    unsent = [out.seq for out in journal.unsent(1000)]
    assert unsent == [seq for seq in range(101, 121) if seq <= journal.last_seq()]
    journal.close()


def test_two_damages_in_one_second_are_both_kept(path: Path) -> None:
    for number in range(2):
        path.write_bytes(f"scribble {number}".encode() * 100)
        reopened(path)
    kept = sorted(file.read_bytes()[:10] for file in path.parent.glob("*.damaged-*"))
    assert kept == [b"scribble 0", b"scribble 1"]


def test_without_a_copy_a_hopeless_file_is_kept_and_a_new_journal_begun(path: Path) -> None:
    Path(f"{path}.copy").unlink()
    path.write_bytes(b"")
    notice, seqs, last = reopened(path)
    assert notice is not None
    assert "A new one is begun" in notice
    assert (seqs, last) == ([], None)


def test_a_journal_that_is_gone_comes_back_from_its_copy(path: Path) -> None:
    path.unlink()
    notice, seqs, _ = reopened(path)
    assert notice is not None
    assert "missing" in notice
    assert seqs == list(range(1, 82))


def test_a_journal_older_than_its_copy_is_replaced(path: Path) -> None:
    old = path.with_name("old")
    journal = open_journal(old).journal
    journal.append(records(30), state(30))
    journal.close()
    path.write_bytes(old.read_bytes())
    notice, seqs, last = reopened(path)
    assert notice is not None
    assert "older than its copy" in notice
    assert len(seqs) == 81
    assert last == state(81)


def test_a_damaged_copy_is_kept_too(path: Path) -> None:
    path.write_bytes(b"")
    Path(f"{path}.copy").write_bytes(b"rubbish")
    reopened(path)
    assert {file.read_bytes() for file in path.parent.glob("*.damaged-*")} == {b"", b"rubbish"}
    assert why_damaged(Path(f"{path}.copy")) is None


def test_damage_in_an_older_game_costs_only_that(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    journal = open_journal(path).journal
    for seq in range(1, 121):
        journal.append(records(1, first=seq), state(seq))
    journal.close()
    Path(f"{path}.copy").unlink()
    data = path.read_bytes()
    path.write_bytes(data.replace(b"move 20 with some words", b"move 20 with some wurds", 1))
    notice, seqs, last = reopened(path)
    assert notice is not None
    assert "1 older events are lost" in notice
    assert seqs == [seq for seq in range(1, 121) if seq != 20]
    assert last == state(120)


def test_a_log_left_without_its_database_is_not_poured_into_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    script = (
        "import os, pathlib, sys; from companion.journal.opening import open_journal;"
        "from tests.journal.material import *;"
        "open_journal(pathlib.Path(sys.argv[1])).journal.append([record(1, 9)], state(1)); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=True, timeout=60)
    assert Path(f"{path}-wal").stat().st_size > 0
    path.unlink()
    Path(f"{path}.copy").unlink(missing_ok=True)
    opened = open_journal(path)
    assert opened.journal.last_seq() == 0
    opened.journal.close()


def test_random_damage_never_costs_more_than_the_copy_knows(path: Path) -> None:
    whole = path.read_bytes()
    random_ = random.Random(7)
    for _ in range(25):
        data = bytearray(whole)
        start = random_.randrange(len(data))
        size = random_.choice([1, 16, 512, 4096])
        data[start : start + size] = random_.randbytes(len(data[start : start + size]))
        path.write_bytes(data)
        opened = open_journal(path)
        assert opened.journal.last_seq() >= 81
        assert opened.journal.last_state() == state(opened.journal.last_seq())
        opened.journal.close()


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE songs (name TEXT)")
    db.commit()
    db.close()
    before = path.read_bytes()
    with pytest.raises(InputError, match="another program's database"):
        open_journal(path)
    assert path.read_bytes() == before


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is a folder"):
        open_journal(tmp_path)


def test_a_second_companion_is_told_in_one_line(path: Path) -> None:
    first = open_journal(path).journal
    script = (
        "import pathlib, sys; from companion.journal.opening import open_journal;"
        "open_journal(pathlib.Path(sys.argv[1]))"
    )
    second = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert "already running" in second.stderr.splitlines()[-1]
    with pytest.raises(DeviceError, match="already running"):
        open_journal(path)
    assert first.append(records(1, first=121), state(121)) is None
    first.close()
    open_journal(path).journal.close()


def test_the_copy_follows_the_games(path: Path) -> None:
    journal = open_journal(path).journal
    journal.append([Record(121, "end", 1.0, GameOver({"winner": "blue"}, "Blue wins"))], state(121))
    journal.close()
    path.unlink()
    assert reopened(path)[1] == list(range(1, 122))
