"""Calling other people's code from a device's thread: its faults are told once and never end the thread."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Generic, TypeVarTuple

log = logging.getLogger(__name__)

Ts = TypeVarTuple("Ts")


class Guarded(Generic[*Ts]):
    """A callback whose exceptions are logged, the first with its traceback, and counted in `faults`."""

    def __init__(self, name: str, callback: Callable[[*Ts], object] | None) -> None:
        self._name = name
        self._callback = callback
        self.faults = 0

    def __call__(self, *args: *Ts) -> None:
        if self._callback is None:
            return
        try:
            self._callback(*args)
        except Exception:  # whatever it is, a reader's fault must not stop the device
            self.faults += 1
            if self.faults == 1:
                log.exception("%s failed on %r; further failures are counted, not logged", self._name, args)
