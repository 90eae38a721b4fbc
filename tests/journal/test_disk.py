"""A disk that is full or cannot be written: the game goes on, nothing is lost that need not be, a person is told."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import tracemalloc
from pathlib import Path

from companion.journal.opening import open_journal
from tests.journal.material import records, state

FULL = """
import json, pathlib, resource, signal, sys
from companion.journal.opening import open_journal
from tests.journal.material import records, state

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path = pathlib.Path(sys.argv[1])
journal = open_journal(path).journal
troubles = [journal.append(records(1, first=1), state(1))]
# From here no file may grow beyond what it has: for SQLite that is a disk without room.
resource.setrlimit(resource.RLIMIT_FSIZE, (pathlib.Path(f"{path}-wal").stat().st_size, resource.RLIM_INFINITY))
for seq in range(2, 12):
    troubles.append(journal.append(records(1, first=seq), state(seq)))
seen = [r.seq for r in journal.records()], journal.last_seq(), journal.last_state()["seq"]
unsent = [o.seq for o in journal.unsent(99)]
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
troubles.append(journal.append(records(1, first=12), state(12)))
journal.close()
print(json.dumps({"troubles": troubles, "seen": seen, "unsent": unsent}))
"""


def test_a_full_disk_holds_events_in_memory_until_there_is_room(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, timeout=60, check=True
    )
    said = json.loads(done.stdout)
    assert said["troubles"][0] is None
    assert all("held in memory" in trouble for trouble in said["troubles"][1:11])
    assert said["troubles"][11] is None
    assert said["seen"] == [list(range(1, 12)), 11, 11]
    # Only what is on disk leaves through the outbox.
    assert said["unsent"] == [1]
    journal = open_journal(path).journal
    assert [record.seq for record in journal.records()] == list(range(1, 13))
    assert [out.seq for out in journal.unsent(99)] == list(range(1, 13))
    assert journal.last_state() == state(12)
    journal.close()


def test_a_disk_that_stays_full_is_said_at_the_end(tmp_path: Path) -> None:
    script = FULL.replace(
        "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\n", ""
    ).replace('"unsent": unsent', '"unsent": journal.trouble')
    path = tmp_path / "journal.sqlite"
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, timeout=60, check=True
    )
    assert "the last 11 events are lost" in done.stdout
    journal = open_journal(path).journal
    assert [record.seq for record in journal.records()] == [1]
    journal.close()


def test_where_no_file_can_be_made_the_journal_is_in_memory() -> None:
    opened = open_journal(Path("/proc/companion/journal.sqlite"))
    assert opened.notice is not None
    assert "memory only" in opened.notice
    assert opened.journal.append(records(3), state(3)) == opened.notice
    assert [record.seq for record in opened.journal.records()] == [1, 2, 3]
    assert [out.seq for out in opened.journal.unsent(9)] == [1, 2, 3]
    opened.journal.mark_sent(1, 2)
    assert [out.seq for out in opened.journal.unsent(9)] == [3]
    opened.journal.close()


READ_ONLY = """
import os, pathlib, sys
from companion.journal.opening import open_journal
from tests.journal.material import records, state
if os.geteuid() == 0:  # the superuser is refused nothing; somebody else asks
    os.setuid(65534)
opened = open_journal(pathlib.Path(sys.argv[1]))
journal = opened.journal
print(opened.notice)
print(journal.last_seq(), journal.last_state()["seq"], journal.append(records(1, first=4), state(4)) == opened.notice)
"""


def test_a_read_only_journal_is_gone_on_with_in_memory() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "journal.sqlite"
        journal = open_journal(path).journal
        journal.append(records(3), state(3))
        journal.close()
        before = path.read_bytes()
        for file in folder.iterdir():
            file.chmod(0o444)
        folder.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", READ_ONLY, str(path)], capture_output=True, text=True, timeout=60, check=False
        )
        assert path.read_bytes() == before
        folder.chmod(0o755)
    assert "It goes on from event 3" in done.stdout, done.stderr
    assert "3 3 True" in done.stdout


def test_a_file_that_is_deleted_in_the_middle_of_a_game_is_written_whole_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    journal = open_journal(path).journal
    journal.append(records(3), state(3))
    for file in tmp_path.iterdir():
        file.unlink()
    assert journal.append(records(1, first=4), state(4)) is None
    assert [out.seq for out in journal.unsent(9)] == [1, 2, 3, 4]
    journal.close()
    again = open_journal(path)
    assert again.notice is None
    assert list(again.journal.records()) == records(4)
    assert again.journal.last_state() == state(4)
    again.journal.close()


def test_a_folder_that_goes_away_and_comes_back_is_gone_on_in(tmp_path: Path) -> None:
    """As a stick that is pulled and put in again: what is open is dead, and the path leads to the file anew."""
    stick, pulled = tmp_path / "stick", tmp_path / "pulled"
    journal = open_journal(stick / "journal.sqlite").journal
    journal.append(records(3), state(3))
    stick.rename(pulled)
    for seq in (4, 5):
        trouble = journal.append(records(1, first=seq), state(seq))
        assert trouble is not None
        assert "held in memory" in trouble
    assert journal.retry() is not None
    shutil.copytree(pulled, stick)
    assert journal.retry() is None
    journal.close()
    for folder, last in ((stick, 5), (pulled, 3)):
        opened = open_journal(folder / "journal.sqlite")
        assert list(opened.journal.records()) == records(last)
        opened.journal.close()


def test_another_journal_in_its_place_is_not_written_into(tmp_path: Path) -> None:
    path, other = tmp_path / "journal.sqlite", tmp_path / "other.sqlite"
    theirs = open_journal(other).journal
    theirs.append(records(7), state(7))
    theirs.close()
    before = other.read_bytes()
    journal = open_journal(path).journal
    journal.append(records(3), state(3))
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink()
    other.replace(path)
    trouble = journal.append(records(1, first=4), state(4))
    assert trouble is not None
    assert "another journal lies there now" in trouble
    journal.close()
    assert path.read_bytes() == before


def test_hours_of_a_full_disk_cost_memory_for_the_events_alone(tmp_path: Path) -> None:
    """The state is long, and only the newest one counts."""
    path = tmp_path / "journal.sqlite"
    journal = open_journal(path).journal
    journal.append(records(1), state(1))
    folder = tmp_path / "journal.sqlite"
    folder.rename(tmp_path / "away")
    folder.mkdir()  # a file cannot be made here
    tracemalloc.start()
    for seq in range(2, 502):
        long = {**state(seq), "moves": [f"move {number} of event {seq}" for number in range(500)]}
        assert journal.append(records(1, first=seq), long) is not None
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 2e6
    folder.rmdir()
    (tmp_path / "away").rename(folder)
    assert journal.retry() is None
    assert [record.seq for record in journal.records()] == list(range(1, 502))
    journal.close()
