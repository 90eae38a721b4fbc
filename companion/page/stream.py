"""State and records down to the browsers, as server-sent events.

    snapshot   {"state", "records", "layout", "page"}   first, where nothing can be resumed: all that a page needs
    record     a line of the contract, `id` is its seq   each one once, in order
    state      the whole state                           whenever it differs from the one sent last
    beat       {}                                        when nothing else was sent for a while

A client that sends Last-Event-ID gets the records after it and the state, in place of a snapshot. Nothing is queued for
a slow browser: it gets the newest state and the records that it lacks when it is ready for them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial

from companion.games.game import Json
from companion.page.table import PageTable
from companion.texts import in_language

SNAPSHOT_RECORDS = 200
"""As many records as a game of Infinity has in an hour; a longer past is the journal's business."""


class OpenStreams:
    """The streams that browsers hold open, so that the server can end them when it stops."""

    def __init__(self) -> None:
        self.closed = False
        self._wakers: set[Callable[[], None]] = set()

    def close(self) -> None:
        """End all streams, from any thread; streams asked for later end at once."""
        self.closed = True
        for wake in tuple(self._wakers):
            wake()

    def __len__(self) -> int:
        return len(self._wakers)

    @contextmanager
    def waking(self, table: PageTable) -> Iterator[asyncio.Event]:
        """An event of the running loop that is set at every change of the table, and when the streams are closed."""
        changed = asyncio.Event()
        loop = asyncio.get_running_loop()

        def wake() -> None:
            with suppress(RuntimeError):  # the loop has ended: nobody is left to wake
                loop.call_soon_threadsafe(changed.set)

        self._wakers.add(wake)
        unsubscribe = table.subscribe(wake)
        try:
            yield changed
        finally:
            unsubscribe()
            self._wakers.discard(wake)


async def server_sent_events(
    table: PageTable,
    streams: OpenStreams,
    *,
    after_seq: int | None,
    page: str,
    beat_s: float,
    language: str = "en",
) -> AsyncIterator[str]:
    """Write the stream of one browser until it leaves or the streams are closed.

    Args:
        after_seq: the last record that the client has, None where it has none.
        page: a mark of the static files; a page that was loaded with other ones loads itself again.
        beat_s: seconds of silence after which a beat is sent.
        language: in which state and records say what is meant for people.
    """
    told = partial(_text, language=language)
    with streams.waking(table) as changed:
        state = table.state()
        seq_now = _seq(state)
        if after_seq is None or after_seq > seq_now:
            records = table.records(max(0, seq_now - SNAPSHOT_RECORDS))
            snapshot: Json = {"state": state, "records": list(records), "layout": table.layout(), "page": page}
            seq = max((_seq(record) for record in records), default=seq_now)
            sent = told(state)
            yield _message("snapshot", told(snapshot), seq)
        else:
            seq, sent = after_seq, ""
        while not streams.closed:
            changed.clear()
            for record in table.records(seq):
                seq = _seq(record)
                yield _message("record", told(record), seq)
            text = told(table.state())
            if text != sent:
                sent = text
                yield _message("state", text)
            try:
                await asyncio.wait_for(changed.wait(), beat_s)
            except TimeoutError:
                yield _message("beat", "{}")


def _message(event: str, data: str, seq: int | None = None) -> str:
    numbered = "" if seq is None else f"id: {seq}\n"
    return f"{numbered}event: {event}\ndata: {data}\n\n"


def _text(value: Json, language: str) -> str:
    return json.dumps(in_language(value, language), ensure_ascii=False, separators=(",", ":"), default=dict)


def _seq(mapping: Mapping[str, Json]) -> int:
    seq = mapping.get("seq", 0)
    return seq if isinstance(seq, int) else 0
