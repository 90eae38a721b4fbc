"""Telling the system's service manager that the program is up and not stuck (sd_notify(3), systemd.service(5)).

Without a service manager nothing happens.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping


class Watchdog:
    """Says `READY=1` once and then `WATCHDOG=1`, as often as the manager wants it.

    Args:
        environ: has NOTIFY_SOCKET and, where a watchdog is wanted, WATCHDOG_USEC.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        wanted_us = environ.get("WATCHDOG_USEC", "")
        # A third of the time: two beats may come late.
        self._every_s = int(wanted_us) / 3e6 if wanted_us.isdigit() else 0.0
        self._next_s = 0.0
        self._ready = False

    def beat(self, now_s: float | None = None) -> None:
        """The program's loop has gone round once more."""
        if not self._address:
            return
        if not self._ready:
            self._ready = self._say("READY=1")
        now_s = time.monotonic() if now_s is None else now_s
        if self._every_s and now_s >= self._next_s:
            self._next_s = now_s + self._every_s
            self._say("WATCHDOG=1")

    def _say(self, words: str) -> bool:
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
                end.sendto(words.encode(), self._address)
        except OSError:
            return False  # the manager restarts us if it cannot be told; there is nobody else to tell
        return True
