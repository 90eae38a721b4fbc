"""The state that everybody who looks at the set-up is shown; they are woken when it has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from companion.games.game import Json


class Telling:
    """Any thread may show a state, come and go.

    Attributes:
        state: the newest; the same object until it changes.
    """

    def __init__(self) -> None:
        self.state: Mapping[str, Json] = {}
        self._lock = threading.Lock()
        self._wakers: set[Callable[[], None]] = set()

    @property
    def is_watched(self) -> bool:
        """Whether somebody looks."""
        return bool(self._wakers)

    def subscribe(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every change; what is returned ends it."""
        with self._lock:
            self._wakers.add(wake)
        return lambda: self._wakers.discard(wake)

    def show(self, state: Mapping[str, Json]) -> None:
        """Show another state; one that is the same is no news."""
        if state == self.state:
            return
        self.state = state
        with self._lock:
            wakers = tuple(self._wakers)
        for wake in wakers:
            wake()
