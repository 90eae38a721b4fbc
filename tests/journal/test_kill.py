"""kill -9 at random moments: every acknowledged event is there, without gaps, and the outbox agrees."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal.opening import open_journal
from tests.journal.material import record, state

WRITER = """
import pathlib, sys
from companion.journal.opening import open_journal
from tests.journal.material import record, state
opened = open_journal(pathlib.Path(sys.argv[1]))
assert opened.notice is None, opened.notice
journal = opened.journal
print("at", journal.last_seq(), flush=True)
marked = 0
while True:
    first = journal.last_seq() + 1
    batch = [record(seq) for seq in range(first, first + 1 + first % 3)]
    assert journal.append(batch, state(batch[-1].seq)) is None
    print("kept", batch[-1].seq, flush=True)
    sent = [out.seq for out in journal.unsent(2)]
    journal.mark_sent(*sent)
"""


@pytest.mark.parametrize("kills", [15, pytest.param(300, marks=pytest.mark.long)])
def test_nothing_acknowledged_is_lost(tmp_path: Path, kills: int) -> None:
    path = tmp_path / "journal.sqlite"
    random_ = random.Random(kills)
    kept = 0
    for _ in range(kills):
        kept = _one_life(path, kept, random_.uniform(0.0, 0.06))
        _check(path, kept)
    assert kept > kills  # the writer got somewhere between the kills


def _one_life(path: Path, kept: int, lives_s: float) -> int:
    """Let a writer run for a while after its first word, kill it; returns the last event that it acknowledged."""
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    first = writer.stdout.readline().split()
    assert first
    assert first[0] == "at"
    assert int(first[1]) >= kept
    killer = threading.Timer(lives_s, writer.send_signal, [signal.SIGKILL])
    killer.start()
    lines = writer.stdout.read().splitlines(keepends=True)
    killer.join()
    assert writer.wait(10) == -signal.SIGKILL
    return max([kept, *(int(line.split()[1]) for line in lines if line.endswith("\n"))])


def _check(path: Path, kept: int) -> None:
    opened = open_journal(path)
    journal = opened.journal
    assert opened.notice is None
    last = journal.last_seq()
    assert last >= kept
    assert list(journal.records()) == [record(seq) for seq in range(1, last + 1)]
    if last:
        assert journal.last_state() == state(last)
    unsent = [out.seq for out in journal.unsent(10_000_000)]
    journal.close()
    with closing(sqlite3.connect(path)) as db:
        assert (
            db.execute("SELECT count(*) FROM records").fetchone()
            == db.execute("SELECT count(*) FROM outbox JOIN records USING (seq)").fetchone()
        )
    assert unsent == list(range(last - len(unsent) + 1, last + 1))


def test_a_commit_is_quick(tmp_path: Path) -> None:
    """A settled move must be out within 100 ms; the journal may take a small part of that."""
    journal = open_journal(tmp_path / "j").journal
    started = time.perf_counter()
    for seq in range(1, 201):
        journal.append([record(seq, 1000)], state(seq))
    took_ms = (time.perf_counter() - started) / 200 * 1000
    journal.close()
    assert took_ms < 20
