"""A sink that writes: its own thread does, so that a slow terminal or pipe does not hold up the table."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from queue import Queue
from typing import TextIO

from companion.events import Record
from companion.games.game import Json

QUEUED = 10_000
"""Batches that a stuck reader may be behind: hours of play. Beyond it the table waits, for no event may be left out."""


class QueuedSink:
    """Takes records at once and writes them later, in order; a subclass says what to write."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._queue: Queue[Sequence[Record] | None] = Queue(QUEUED)
        self._thread = threading.Thread(target=self._run, name=type(self).__name__, daemon=True)
        self._failed: OSError | None = None

    def text_of(self, record: Record) -> str:
        """What to write of an event: whole lines, or nothing."""
        raise NotImplementedError

    def start(self) -> None:
        self._thread.start()

    def publish(self, records: Sequence[Record], state: Mapping[str, Json]) -> None:
        """Take records.

        Raises:
            OSError: if nobody reads any more (BrokenPipeError), or the file cannot be written.
        """
        if self._failed is not None:
            failed, self._failed = self._failed, None
            raise failed
        if records and self._thread.is_alive():
            self._queue.put(tuple(records))

    def stop(self) -> None:
        """Write what is waiting; a reader that has stopped reading is not waited for longer than some seconds."""
        if self._thread.is_alive():
            with suppress(Exception):
                self._queue.put(None, timeout=2)
            self._thread.join(5)

    def _run(self) -> None:
        try:
            while (records := self._queue.get()) is not None:
                self._out.write("".join(self.text_of(record) for record in records))
                self._out.flush()
        except OSError as error:
            self._failed = error
            self._abandon()

    def _abandon(self) -> None:
        """Keep Python from writing to the closed pipe once more at its end, which would print a traceback."""
        if self._out is sys.stdout:
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), self._out.fileno())
        while not self._queue.empty():
            self._queue.get_nowait()
