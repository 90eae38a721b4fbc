"""Several tables in one program: one server of pages, one connection to the broker, and a loop for each table."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.config import Config
from companion.errors import CompanionError, UsageError, error_words
from companion.station import Station, own_node
from companion.texts import joined, text

if TYPE_CHECKING:
    from companion.page.pages import Pages
    from companion.sinks.sink import Sink

log = logging.getLogger(__name__)

SHARED = ("mqtt", "page")
"""What the tables of one program have in common: it stands in the first one's config, the others may leave it out."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One table of the program.

    Attributes:
        path: its config file, for words about it.
    """

    path: Path
    config: Config


def joined_configs(seats: Sequence[Seat]) -> tuple[Config, ...]:
    """The configs, each with what all have in common and a journal of its own.

    Raises:
        UsageError: where two tables have one name or one journal, or what they should share differs.
    """
    from companion.journal.place import default_journal
    from companion.mqtt.topics import topic_part

    first = seats[0]
    parts: dict[str, Path] = {}
    journals: dict[Path, Path] = {}
    joined = []
    for seat in seats:
        config = seat.config
        part = topic_part(config.table.name)
        if part in parts:
            raise UsageError(
                text(
                    "{parts} and {path}: two tables of one name; set another [table] name in one",
                    parts=str(parts[part]),
                    path=str(seat.path),
                )
            )
        parts[part] = seat.path
        for key in SHARED:
            if getattr(config, key) not in (getattr(first.config, key), getattr(Config(), key)):
                raise UsageError(
                    text(
                        "{path}: [{key}] differs from {other}; tables of one program share it",
                        path=str(seat.path),
                        key=key,
                        other=str(first.path),
                    )
                )
        # A folder for each: what is kept beside a journal (knobs, reports) is a table's own, too.
        journal = config.journal.path or default_journal().parent / part / "journal.sqlite"
        if journal in journals:
            raise UsageError(
                text(
                    "{journals} and {path}: two tables with one journal, {journal}",
                    journals=str(journals[journal]),
                    path=str(seat.path),
                    journal=str(journal),
                )
            )
        journals[journal] = seat.path
        joined.append(
            config.model_copy(
                update={
                    **{key: getattr(first.config, key) for key in SHARED},
                    "table": config.table.model_copy(update={"node": first.config.table.node}),
                    "journal": config.journal.model_copy(update={"path": journal}),
                }
            )
        )
    return tuple(joined)


class Node:
    """Referees all tables until it is stopped. One that cannot begin or ends in a fault is told of; the others go on.

    Args:
        configs: of `joined_configs`.
        sinks: makes those who are told of a table, beside MQTT and the page.
        tell: takes one line for people at a time.
        beat: called some times a second while at least one table is refereed.
    """

    def __init__(
        self,
        configs: Sequence[Config],
        sinks: Callable[[Config], Sequence[Sink]],
        tell: Callable[[str], object],
        *,
        new_game: bool = False,
        beat: Callable[[], object] = lambda: None,
    ) -> None:
        self._configs = configs
        self._sinks = sinks
        self._tell = tell
        self._new_game = new_game
        self._beat = beat
        self._stopping = threading.Event()
        self._stations: list[Station] = []
        self.pages: Pages | None = None

    def stop(self) -> None:
        """End soon, from any thread."""
        self._stopping.set()
        for station in tuple(self._stations):
            station.loop.stop()

    def run(self, ready: Callable[[], object] = lambda: None) -> None:
        """Referee until `stop` is called or no table is left.

        Args:
            ready: called when all tables stand.
        Raises:
            CompanionError: where the page cannot be served, the broker's files cannot be used, or no table can be.
        """
        from companion.page.pages import Pages

        first = self._configs[0]
        with ExitStack() as stack:
            if first.page.enabled:
                self.pages = stack.enter_context(Pages(first.page, language=first.table.language))
            node = own_node(first, self._tell)
            faults = []
            for config in self._configs:
                try:
                    station = Station(
                        config,
                        self._sinks(config),
                        pages=self.pages,
                        node=node,
                        new_game=self._new_game,
                        tell=partial(self._tell_of, config.table.name),
                    )
                    self._stations.append(stack.enter_context(station))
                except expected_errors() as error:
                    faults.append(_of_table(config.table.name, error_words(error)))
            for fault in faults:
                self._tell(fault)
            if not self._stations:
                raise CompanionError(text("none of the tables can be refereed, for the reasons above"))
            ready()
            self._referee()

    def _referee(self) -> None:
        threads = [
            threading.Thread(target=self._run, args=(station,), name=f"table {station.name}", daemon=True)
            for station in self._stations
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            self._beat()
            if self._stopping.is_set():
                self.stop()  # one that began in the meantime, too
            threads[0].join(0.2)
            threads = [thread for thread in threads if thread.is_alive()] or threads

    def _tell_of(self, table: str, line: str) -> None:
        self._tell(_of_table(table, line))

    def _run(self, station: Station) -> None:
        try:
            station.run()
        except expected_errors() as error:
            self._tell(_of_table(station.name, error_words(error)))
        except Exception:
            log.exception("the table %s ended in an error; the others go on", station.name)


def _of_table(table: str, line: str) -> str:
    return joined((f"{table}:", line))


def expected_errors() -> tuple[type[Exception], ...]:
    """The errors whose messages are written for people; their modules are heavy."""
    from calibration.errors import CalibrationError
    from firmware_bridge.errors import BridgeError
    from vision.errors import VisionError

    return CompanionError, CalibrationError, BridgeError, VisionError, OSError
