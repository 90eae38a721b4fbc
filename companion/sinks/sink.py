"""The contract of everything that is told what happens at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from companion.events import Record
from companion.games.game import Json
from companion.journal.journal import Outgoing


class Sink(Protocol):
    """Takes records in order, each once, from one thread; `start` comes first and `stop` last."""

    def start(self) -> None:
        """Begin to work.

        Raises:
            CompanionError: if the sink is set up in a way that can never work.
        """
        ...

    def publish(self, records: Sequence[Record], state: Mapping[str, Json]) -> None:
        """Take new records, which the journal has already, and the state after them; returns at once."""
        ...

    def stop(self) -> None:
        """Deliver what can be delivered within a few seconds, and end."""
        ...


class Outbox(Protocol):
    """Where a sink finds the events that it has not delivered yet; the journal is one."""

    def unsent(self, limit: int, after: int = 0) -> tuple[Outgoing, ...]: ...

    def mark_sent(self, *seqs: int) -> None: ...
