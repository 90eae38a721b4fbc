"""Events as the contract's JSON, one object a line, UTF-8, nothing else."""

from __future__ import annotations

import json

from companion.events import Record, record_json
from companion.sinks.queued import QueuedSink


class JsonLines(QueuedSink):
    """Writes to `out`, usually standard output."""

    def text_of(self, record: Record) -> str:
        return json.dumps(record_json(record), ensure_ascii=False, default=dict) + "\n"
