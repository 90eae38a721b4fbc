"""The program's log on the command line: one line for people on standard error, the details in a file.

Imported late: `logging` has no part in `--help`.
"""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from pathlib import Path


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
        root.addHandler(LogLines(logging.WARNING))


def keep_details(record: logging.LogRecord | None = None) -> str:
    """Write a traceback, by default of the error in hand, to the file of details.

    Returns:
        The file, or why there is none.
    """
    from platformdirs import user_log_path

    record = record or logging.LogRecord("companion", logging.ERROR, "", 0, "internal error", None, sys.exc_info())
    try:
        path: Path = user_log_path("companion", ensure_exists=True) / "errors.log"
        handler = logging.FileHandler(path, encoding="utf-8")
    except OSError as error:
        return f"no file: {error.strerror}"
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
    handler.emit(record)
    handler.close()
    return str(path)
