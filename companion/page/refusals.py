"""What was refused, in the log: once for each kind, then at most once a minute with how often it happened since.

Whoever knocks a thousand times must not fill the disk, and what they sent is shown short and in one line.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

log = logging.getLogger(__name__)

QUIET_S = 60.0
"""Seconds for which a kind that was told is only counted."""
LONGEST = 80


@dataclass(slots=True)
class _Told:
    at_s: float
    since: int = 0


class Refusals:
    """Counts and tells what was refused.

    Args:
        clock: seconds, monotonic.
        tell: takes one line.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, tell: Callable[[str], object] = log.warning
    ) -> None:
        self._clock = clock
        self._tell = tell
        self._told: dict[str, _Told] = {}

    def note(self, kind: str, detail: str = "") -> None:
        """Something of a kind was refused.

        Args:
            kind: one of a few words of the program ("foreign host"), never what somebody sent.
            detail: what they sent, shown cut and quoted; never a token.
        """
        now_s = self._clock()
        told = self._told.get(kind)
        if told is not None and now_s - told.at_s < QUIET_S:
            told.since += 1
            return
        more = f"; {told.since} more like it in the meantime" if told is not None and told.since else ""
        shown = f": {detail[:LONGEST]!r}" if detail else ""
        self._told[kind] = _Told(now_s)
        self._tell(f"the page refused a request ({kind}){shown}{more}")
