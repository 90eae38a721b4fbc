"""`companion` on a slow disk: a commit that has to reach it takes so many seconds longer.

python -m tests.club.slow_disk 0.2 club --host localhost
"""

from __future__ import annotations

import sqlite3
import sys
import time
from functools import partial
from typing import Any
from unittest.mock import patch

from companion.cli.app import run

FULL = 2
"""What `PRAGMA synchronous` says where a commit waits for the disk."""


class Slow(sqlite3.Connection):
    """Waits before it commits."""

    seconds = 0.0

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if sql == "COMMIT" and super().execute("PRAGMA synchronous").fetchone() == (FULL,):
            time.sleep(self.seconds)
        return super().execute(sql, *values)


def main() -> int:
    Slow.seconds = float(sys.argv[1])
    with patch("sqlite3.connect", partial(sqlite3.connect, factory=Slow)):
        return run(sys.argv[2:])


if __name__ == "__main__":
    raise SystemExit(main())
