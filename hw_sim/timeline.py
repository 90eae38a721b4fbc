"""What happens when: a queue of events in time order, and people as generators that yield the seconds they take."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator
from typing import Generic, TypeVar

from hw_sim.clock import ManualClock

T = TypeVar("T")

Act = Generator[float, None, T]
"""Something that takes time: it yields how many seconds pass before it goes on, and returns its result."""


class Doing(Generic[T]):
    """An act under way; `done` and `result` once it is over."""

    def __init__(self) -> None:
        self.done = False
        self._result: list[T] = []

    @property
    def result(self) -> T:
        if not self._result:
            raise RuntimeError("the act is not over yet")
        return self._result[0]

    def finish(self, result: T) -> None:
        self.done = True
        self._result.append(result)


class Timeline:
    """Events in time order on a manual clock. Events of one moment come in the order in which they were planned."""

    def __init__(self, clock: ManualClock | None = None) -> None:
        self.clock = clock or ManualClock()
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._planned = 0

    @property
    def now_s(self) -> float:
        return self.clock()

    @property
    def next_s(self) -> float | None:
        """When the next event is due; None where nothing is planned."""
        return self._queue[0][0] if self._queue else None

    def at(self, t_s: float, event: Callable[[], None]) -> None:
        """Plan an event.

        Raises:
            ValueError: if the moment is past.
        """
        if t_s < self.now_s:
            raise ValueError(f"nothing can be planned for {t_s:.6f} s, it is {self.now_s:.6f} s already")
        self._planned += 1
        heapq.heappush(self._queue, (t_s, self._planned, event))

    def after(self, seconds: float, event: Callable[[], None]) -> None:
        self.at(self.now_s + seconds, event)

    def start(self, act: Act[T]) -> Doing[T]:
        """Begin an act now; it goes on as the timeline is run."""
        doing: Doing[T] = Doing()

        def go_on() -> None:
            try:
                pause_s = next(act)
            except StopIteration as stop:
                doing.finish(stop.value)
            else:
                self.after(pause_s, go_on)

        go_on()
        return doing

    def step(self) -> bool:
        """Let the next event happen, moving the clock to it; False where nothing is planned."""
        if not self._queue:
            return False
        t_s, _, event = heapq.heappop(self._queue)
        self.clock.advance_to(t_s)
        event()
        return True

    def run_until(self, t_s: float) -> None:
        """Let everything happen that is due up to and at `t_s`; the clock then stands there."""
        while self._queue and self._queue[0][0] <= t_s:
            self.step()
        self.clock.advance_to(t_s)

    def perform(self, act: Act[T]) -> T:
        """Begin an act and let time pass until it is over."""
        doing = self.start(act)
        while not doing.done:
            self.step()
        return doing.result
