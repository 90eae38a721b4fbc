"""Simulated seconds for real threads: they pass only while every thread of the program waits.

The thread that drives (the table's loop) lets time pass; device threads wait on events of this clock in place of those
of `threading`. So hours go by as fast as they can be computed, no thread is ever late because the machine is busy, and
what is measured in these seconds is the program's own delay.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

HANGS_S = 60.0
"""Real seconds after which a thread that neither waits nor ends has hung: what it does takes milliseconds."""


class _Waiter:
    """One thread that waits; its gate is opened once."""

    __slots__ = ("gate", "open", "set")

    def __init__(self) -> None:
        self.gate = threading.Lock()
        self.gate.acquire()
        self.open = False
        self.set = False


class SteppedTime:
    """A clock, and the waits that go by it. One thread drives; it waits for real where a thread of ours runs."""

    def __init__(self) -> None:
        self._now_s = 0.0
        self._lock = threading.Lock()
        self._idle = threading.Condition(self._lock)
        self._awake = 0
        self._due: list[tuple[float, int, _Waiter]] = []
        self._count = 0

    def __call__(self) -> float:
        return self._now_s

    # The driver's side

    def settle(self) -> None:
        """Wait until every thread of ours waits."""
        with self._lock:
            if not self._idle.wait_for(lambda: self._awake == 0, HANGS_S):
                raise AssertionError(f"{self._awake} threads do not come to rest: {threading.enumerate()}")

    def pass_until(self, t_s: float, enough: Callable[[], bool] = lambda: False) -> bool:
        """Let time pass to `t_s`, and threads act as they are due; False where it was `enough` before that."""
        while True:
            self.settle()
            if enough():
                return False
            with self._lock:
                if not self._due or self._due[0][0] > t_s:
                    self._now_s = max(self._now_s, t_s)
                    return True
                due_s, _, waiter = heapq.heappop(self._due)
                if not waiter.open:
                    self._now_s = max(self._now_s, due_s)
                    self._open(waiter)

    # The threads' side

    def begins(self) -> None:
        with self._lock:
            self._awake += 1

    def ends(self) -> None:
        with self._lock:
            self._awake -= 1
            self._idle.notify()

    def wait(self, waiter: _Waiter, seconds: float | None) -> bool:
        """Wait to be woken, at most for so many seconds; whether that was by `wake`."""
        with self._lock:
            if not waiter.open:
                if seconds is not None:
                    self._count += 1
                    heapq.heappush(self._due, (self._now_s + seconds, self._count, waiter))
                self._awake -= 1
                if self._awake == 0:
                    self._idle.notify()
        waiter.gate.acquire()
        return waiter.set

    def wake(self, waiter: _Waiter) -> None:
        with self._lock:
            if not waiter.open:
                waiter.set = True
                self._open(waiter)

    def _open(self, waiter: _Waiter) -> None:
        waiter.open = True
        self._awake += 1
        waiter.gate.release()

    # In place of `threading`

    def stand_in_for(self, monkeypatch: pytest.MonkeyPatch, *modules: ModuleType) -> None:
        """Let these modules' threads and events go by this clock."""
        namespace: dict[str, Any] = {name: getattr(threading, name) for name in ("Lock", "RLock", "current_thread")}
        namespace |= {"Event": lambda: SteppedEvent(self), "Thread": self._thread}
        for module in modules:
            monkeypatch.setattr(module, "threading", SimpleNamespace(**namespace))

    def _thread(self, **args: Any) -> SteppedThread:
        return SteppedThread(self, **args)


class SteppedEvent:
    """`threading.Event` on a stepped clock."""

    def __init__(self, time: SteppedTime) -> None:
        self._time = time
        self._lock = threading.Lock()
        self._set = False
        self._waiters: set[_Waiter] = set()

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        with self._lock:
            self._set = True
            waiters, self._waiters = self._waiters, set()
        for waiter in waiters:
            self._time.wake(waiter)

    def clear(self) -> None:
        self._set = False

    def wait(self, timeout: float | None = None) -> bool:
        waiter = _Waiter()
        with self._lock:
            if self._set:
                return True
            self._waiters.add(waiter)
        self._time.wait(waiter, timeout)
        with self._lock:
            self._waiters.discard(waiter)
        return self._set


class SteppedThread(threading.Thread):
    """A thread that a stepped clock waits for."""

    def __init__(self, time: SteppedTime, **args: Any) -> None:
        super().__init__(**args)
        self._time = time

    def start(self) -> None:
        self._time.begins()
        super().start()

    def run(self) -> None:
        try:
            super().run()
        finally:
            self._time.ends()

    def join(self, timeout: float | None = None) -> None:
        """Let time pass until the thread has ended; called by the driver."""
        assert timeout is not None, "a device's thread is not waited for without an end"
        self._time.pass_until(self._time() + timeout, lambda: not self.is_alive())
        if not self.is_alive():
            super().join()
