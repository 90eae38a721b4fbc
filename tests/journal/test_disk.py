"""A disk that is full or cannot be written: the game goes on, nothing is lost that need not be, a person is told."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
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
    assert opened.journal.append(records(3), state(3)) is None
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
print(journal.last_seq(), journal.last_state()["seq"], journal.append(records(1, first=4), state(4)))
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
    assert "3 3 None" in done.stdout
