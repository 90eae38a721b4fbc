"""What changes on the page, made once for everybody who looks on: small differences, numbered.

A message is `{"tables": [row, …], "gone": [id, …], …}`; a row has its `id` and what differs from the row before.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping

from companion.games.game import Json

KEPT = 600
"""Differences kept for slow browsers: a minute of a full club at ten a second. Who lacks more gets all rows anew."""


class Diffs:
    """Remembers what browsers know."""

    def __init__(self) -> None:
        self.version = 0
        self._rows: dict[str, Mapping[str, Json]] = {}
        self._head: Mapping[str, Json] = {}
        self._kept: deque[bytes] = deque(maxlen=KEPT)

    def take(self, changed: Iterable[tuple[str, Mapping[str, Json] | None]], head: Mapping[str, Json]) -> None:
        """Note rows that may be others now, by id; None for one that is gone.

        Args:
            head: what is said beside the tables, whole.
        """
        tables: list[Json] = []
        gone: list[Json] = []
        for key, row in changed:
            before = self._rows.get(key)
            if row is None:
                if self._rows.pop(key, None) is not None:
                    gone.append(key)
                continue
            news = {name: value for name, value in row.items() if before is None or before.get(name) != value}
            self._rows[key] = row
            if news:
                tables.append({**news, "id": key})
        told: dict[str, Json] = {name: value for name, value in (("tables", tables), ("gone", gone)) if value}
        told |= {name: value for name, value in head.items() if self._head.get(name) != value}
        self._head = dict(head)
        if told:
            self.version += 1
            self._kept.append(_json(told))

    def snapshot(self) -> bytes:
        """All rows, and what is said beside them."""
        return _json({**self._head, "tables": [*self._rows.values()]})

    def since(self, version: int) -> list[bytes] | None:
        """The differences after a version; None where they are not kept any more."""
        lacks = self.version - version
        if not 0 <= lacks <= len(self._kept):
            return None
        return [self._kept[n] for n in range(len(self._kept) - lacks, len(self._kept))]


def _json(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
