"""Events as the contract's JSON, one object a line, UTF-8, nothing else."""

from __future__ import annotations

import json
from typing import TextIO

from companion.events import Record, record_json
from companion.sinks.queued import QueuedSink


class JsonLines(QueuedSink):
    """Writes to `out`, usually standard output; with a table's name in every line where one of several is told of."""

    def __init__(self, out: TextIO, table: str = "") -> None:
        super().__init__(out)
        self._more = {"table": table} if table else {}

    def text_of(self, record: Record) -> str:
        return json.dumps({**record_json(record), **self._more}, ensure_ascii=False, default=dict) + "\n"
