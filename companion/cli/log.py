"""The program's log on the command line: one line for people on standard error, the details in a file.

Imported late: `logging` has no part in `--help`.
"""

from __future__ import annotations

import logging
import sys
import time
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

LARGEST_DETAILS = 1_000_000
"""Bytes of the file of details; with the one before it that is all that a fault which comes back can fill."""
SAME_LINES, WITHIN_S = 5, 60.0
"""So many lines of one kind are told in so much time: a device that flaps must not fill a card or hide the rest."""


class Often(logging.Filter):
    """Lets a few lines of one kind through, and says how many more there were when it lets one through again."""

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[tuple[str, str], list[float]] = {}
        self._kept_back: dict[tuple[str, str], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        kind, now_s = (record.name, str(record.msg)), time.monotonic()
        recent = [at_s for at_s in self._told.get(kind, []) if now_s - at_s < WITHIN_S]
        self._told[kind] = recent
        if len(recent) >= SAME_LINES:
            self._kept_back[kind] = self._kept_back.get(kind, 0) + 1
            return False
        recent.append(now_s)
        if more := self._kept_back.pop(kind, 0):
            record.msg, record.args = f"{record.getMessage()} ({more} more like it before)", None
        return True


class LogLines(logging.Handler):
    """Tells what is logged as one line each; a traceback goes to the file of details."""

    def emit(self, record: logging.LogRecord) -> None:
        where = f" (details in {keep_details(record)})" if record.exc_info else ""
        # Standard error may be closed; a log is no reason for the game to end.
        with suppress(OSError, ValueError):
            print("companion: " + " ".join(record.getMessage().split()) + where, file=sys.stderr)


def tell_log() -> None:
    """From here on, tell people what is logged. Again is harmless."""
    root = logging.getLogger()
    if not any(isinstance(handler, LogLines) for handler in root.handlers):
        lines = LogLines(logging.WARNING)
        lines.addFilter(Often())
        root.addHandler(lines)


def keep_details(record: logging.LogRecord | None = None) -> str:
    """Write a traceback, by default of the error in hand, to the file of details.

    Returns:
        The file, or why there is none.
    """
    from platformdirs import user_log_path

    record = record or logging.LogRecord("companion", logging.ERROR, "", 0, "internal error", None, sys.exc_info())
    try:
        path: Path = user_log_path("companion", ensure_exists=True) / "errors.log"
        handler = RotatingFileHandler(path, maxBytes=LARGEST_DETAILS, backupCount=1, encoding="utf-8")
    except OSError as error:
        return f"no file: {error.strerror}"
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
    handler.emit(record)
    handler.close()
    return str(path)
