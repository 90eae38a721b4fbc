"""Ctrl-C and SIGTERM, from the first moment of the program on.

Python raises what a signal's handler raises wherever it happens to be, and where that is a weak reference's callback,
as often during imports, the exception is lost with a traceback on the terminal. So a signal is remembered, too.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from typing import Any

_asked: list[int] = []


def begin() -> None:
    """Let both signals end the program as an exception from here on; whatever was begun is put away on the way."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _ended)
    usual = sys.unraisablehook
    sys.unraisablehook = lambda lost: None if _asked and lost.exc_type in _ENDINGS else usual(lost)


def stop_on_signals(stop: Callable[[], object]) -> None:
    """Let both signals call `stop` from here on.

    Raises:
        KeyboardInterrupt, SystemExit: where one came before and its exception was lost.
    """

    def handle(*_: object) -> None:
        stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handle)
    if _asked:
        raise _ending(_asked[0])


_ENDINGS = (KeyboardInterrupt, SystemExit)


def _ended(number: int, _: Any) -> None:
    _asked.append(number)
    raise _ending(number)


def _ending(number: int) -> BaseException:
    return KeyboardInterrupt() if number == signal.SIGINT else SystemExit(128 + number)
