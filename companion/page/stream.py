"""State and records down to the browsers, as server-sent events.

    snapshot   {"state", "records", "layout", "page", "tables", "pages"}   first, where nothing can be resumed
    record     a line of the contract, `id` is its seq   each one once, in order
    state      the whole state                           whenever it differs from the one sent last
    beat       {}                                        when nothing else was sent for a while

A snapshot has all that a page needs: the newest records of the running game and the one that began it, `page` a mark of
the static files, `tables` how many tables this server has, `pages` what else it shows ("setup"). A client that sends
Last-Event-ID gets the records after it and the state, in place of a snapshot. Nothing is queued for a slow browser: it
gets the newest state and the records that it lacks when it is ready for them.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Protocol

from companion.games.game import Json
from companion.page.table import PageTable
from companion.texts import in_language, names_in, names_of

SNAPSHOT_RECORDS = 80
"""More than a page lists at first; it asks for all of a long game when somebody wants to read them."""
KEPT_MESSAGES = 512
"""Records said in a language that are kept: some burst, in every language, until the slowest browser has them."""


class Changing(Protocol):
    """What browsers follow: a table, or a set-up."""

    def subscribe(self, wake: Callable[[], None]) -> Callable[[], None]: ...


@dataclass(eq=False, slots=True)
class Watch:
    """One browser's look at a table: `changed` is set, in the browser's loop, when there is news or when it is over."""

    table: Changing
    changed: asyncio.Event
    loop: asyncio.AbstractEventLoop
    over: bool = False

    def wake(self) -> None:
        with suppress(RuntimeError):  # the loop has ended: nobody is left to wake
            self.loop.call_soon_threadsafe(self.changed.set)


class OpenStreams:
    """The streams that browsers hold open, so that the server can end them when it stops, or when a table leaves."""

    def __init__(self) -> None:
        self.closed = False
        self._watches: set[Watch] = set()

    def close(self) -> None:
        """End all streams, from any thread; streams asked for later end at once."""
        self.closed = True
        for watch in tuple(self._watches):
            watch.wake()

    def end(self, table: Changing) -> None:
        """End the streams of one table, from any thread; its browsers then ask anew what there is."""
        for watch in tuple(self._watches):
            if watch.table is table:
                watch.over = True
                watch.wake()

    def __len__(self) -> int:
        return len(self._watches)

    @contextmanager
    def watching(self, table: Changing) -> Iterator[Watch]:
        """A watch in the running loop that is woken at every change of the table, and when it is to end."""
        watch = Watch(table, asyncio.Event(), asyncio.get_running_loop())
        self._watches.add(watch)
        unsubscribe = table.subscribe(watch.wake)
        try:
            yield watch
        finally:
            unsubscribe()
            self._watches.discard(watch)


class Telling:
    """What a table tells, made once in each language for everybody who looks on in it."""

    def __init__(self, table: PageTable) -> None:
        self.table = table
        self.made = 0
        self._state: Mapping[str, Json] | None = None
        self._states: dict[str, bytes] = {}
        self._records: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    def state(self, language: str) -> bytes:
        """The whole state as JSON."""
        state = self.table.state()
        if state is not self._state:
            self._state = state
            self._states.clear()
        if language not in self._states:
            self._states[language] = self._json(state, language)
        return self._states[language]

    def record(self, record: Mapping[str, Json], language: str) -> bytes:
        """A record as JSON."""
        key = str(record.get("id", _seq(record))), language
        if key not in self._records:
            self._records[key] = self._json(record, language)
            while len(self._records) > KEPT_MESSAGES:
                self._records.popitem(last=False)
        return self._records[key]

    def snapshot(self, records: Sequence[Mapping[str, Json]], more: Mapping[str, Json], language: str) -> bytes:
        """State, records and what else a page begins with, as JSON."""
        told = b",".join(self.record(record, language) for record in records)
        layout = self._json(names_in(self.table.layout(), names_of(self.table.state())), language)
        rest = b"".join(b',"%s":%s' % (key.encode(), self._json(value, language)) for key, value in more.items())
        return b'{"state":%s,"records":[%s],"layout":%s%s}' % (self.state(language), told, layout, rest)

    def _json(self, value: Json, language: str) -> bytes:
        self.made += 1
        text = json.dumps(in_language(value, language), ensure_ascii=False, separators=(",", ":"), default=dict)
        return text.encode()


async def server_sent_events(
    telling: Telling,
    streams: OpenStreams,
    *,
    after_seq: int | None,
    more: Mapping[str, Json],
    beat_s: float,
    language: str = "en",
) -> AsyncIterator[bytes]:
    """Write the stream of one browser until it leaves or the streams are closed.

    Args:
        after_seq: the last record that the client has, None where it has none.
        more: what a snapshot has beside the table's own.
        beat_s: seconds of silence after which a beat is sent.
        language: in which state and records say what is meant for people.
    """
    table = telling.table
    with streams.watching(table) as watch:
        sent = b""
        seq_now = _seq(table.state())
        seq = after_seq if after_seq is not None and _goes_on(table, after_seq, seq_now) else None
        if seq is None:
            records = newest_records(table, seq_now)
            seq, sent = max((_seq(record) for record in records), default=seq_now), telling.state(language)
            yield _message(b"snapshot", telling.snapshot(records, more, language), seq)
        while not (streams.closed or watch.over):
            watch.changed.clear()
            for record in table.records(seq):
                seq = _seq(record)
                yield _message(b"record", telling.record(record, language), seq)
            state = telling.state(language)
            if state != sent:
                sent = state
                yield _message(b"state", state)
            try:
                await asyncio.wait_for(watch.changed.wait(), beat_s)
            except TimeoutError:
                yield _message(b"beat", b"{}")


def _goes_on(table: PageTable, after_seq: int, seq_now: int) -> bool:
    """Whether all that a client lacks is at hand; a table keeps only its newest records ready."""
    return after_seq <= seq_now and len(table.records(after_seq)) == seq_now - after_seq


def newest_records(table: PageTable, seq_now: int, most: int = SNAPSHOT_RECORDS) -> list[Mapping[str, Json]]:
    """The newest records of the running game, with the one that began it, however long ago that was."""
    game = records_of_game(table)
    newest = [record for record in game if _seq(record) > seq_now - most]
    return newest if newest[:1] == game[:1] else [*game[:1], *newest]


def records_of_game(table: PageTable) -> list[Mapping[str, Json]]:
    """All records of the running game, the one that began it first."""
    records = table.records(0)
    begun = (n for n in range(len(records) - 1, -1, -1) if records[n].get("event") == "game_started")
    return list(records[next(begun, 0) :])


def _message(event: bytes, data: bytes, seq: int | None = None) -> bytes:
    numbered = b"" if seq is None else b"id: %d\n" % seq
    return b"%sevent: %s\ndata: %s\n\n" % (numbered, event, data)


def _seq(mapping: Mapping[str, Json]) -> int:
    seq = mapping.get("seq", 0)
    return seq if isinstance(seq, int) else 0
