"""A club as the page sees it: the hall, the store and what changes, for the listener's threads and the page's.

What a message says is shown at once, from memory; what is to be kept of it waits until `keep` has written it, together
with all else that waits then. So a slow disk holds up neither those who look on nor the messages behind it. `kept` says
how far that has come: only what it has reached may the broker forget.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from companion.club.diffs import Diffs
from companion.club.games import Change, Game
from companion.club.hall import Hall
from companion.club.store import Store
from companion.games.game import Json

RETRY_S = 5.0
"""How often a store that refused is tried again, and what time brings is looked for."""


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Club:
    """All tables; usable from any thread.

    Args:
        store: where results are kept; closed by whoever opened it.
        clock_s: seconds that never jump.
        utc: the time on the wall, UTC in ISO 8601.
    """

    def __init__(
        self, store: Store, clock_s: Callable[[], float] = time.monotonic, utc: Callable[[], str] = utc_now
    ) -> None:
        self.store = store
        self._clock_s = clock_s
        self._utc = utc
        self._lock = threading.RLock()
        self._hall = Hall(store.newest())
        self._diffs = Diffs()
        self._wakes: dict[object, Callable[[], None]] = {}
        self._broker: Mapping[str, Json] = {"up": False, "words": ""}
        self._waiting: list[Change] = []
        self.kept = 0
        """Changes on the disk since the club began, in the order in which they came."""
        self._results = 0
        self._dirty = True

    # The listener's side

    def broker(self, up: bool, words: str, *, kept: bool = True) -> None:
        """The broker is here, or is not; `words` say why not.

        Args:
            kept: whether it has kept for us what came while we were away.
        """
        with self._lock:
            self._broker = {"up": up, "words": words}
            self._dirty = True
            if up:
                self._hall.met_again(self._clock_s(), kept=kept)
        self.wake()

    def take(self, path: str, payload: bytes) -> int:
        """Take a message, its topic without the base.

        Returns:
            what `kept` reaches when all that followed from this message, and from those before it, is on the disk. It
            holds for a message that comes again, too.
        """
        with self._lock:
            self._waiting += self._hall.take(path, payload, self._clock_s(), self._utc())
            return self.kept + len(self._waiting)

    def keep(self) -> None:
        """Write all that waits, and what time has brought; from one thread, which a slow disk may hold up.

        What the disk refuses waits on.
        """
        with self._lock:
            self._waiting += self._hall.settle(self._clock_s(), self._utc())
            changes = tuple(self._waiting)
        trouble = self.store.trouble
        if self.store.keep(changes):
            with self._lock:
                del self._waiting[: len(changes)]
                self.kept += len(changes)
                self._results += sum(not isinstance(change, Game) or change.over for change in changes)
        if changes or self.store.trouble != trouble:
            self._dirty = True

    @property
    def has_news(self) -> bool:
        return self._dirty or bool(self._hall.changed)

    def wake(self) -> None:
        """Let all browsers look for news."""
        for wake in tuple(self._wakes.values()):
            wake()

    # The page's side

    def subscribe(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Be woken when there may be news; what is returned ends that."""
        key = object()
        self._wakes[key] = wake

        def leave() -> None:
            self._wakes.pop(key, None)

        return leave

    def snapshot(self) -> tuple[int, bytes]:
        """All there is, and its version."""
        with self._lock:
            self._note()
            return self._diffs.version, self._diffs.snapshot()

    def since(self, version: int) -> tuple[int, list[bytes] | None]:
        """The newest version, and the differences up to it; None where only a snapshot helps."""
        with self._lock:
            self._note()
            return self._diffs.version, self._diffs.since(version)

    def rows(self) -> Sequence[Mapping[str, Json]]:
        """What is shown of all tables: calls for a referee first, then by name."""
        with self._lock:
            return self._hall.rows()

    def results(self, since: str = "", until: str = "", limit: int = -1) -> list[Game]:
        """As `Store.results`."""
        return self.store.results(since, until, limit)

    def _note(self) -> None:
        """Make differences of what has changed since somebody looked last."""
        if not self.has_news:
            return
        changed, self._hall.changed = self._hall.changed, set()
        self._dirty = False
        head: dict[str, Json] = {
            "broker": self._broker,
            "results": self._results,
            "missed": self._hall.missed,
            "trouble": self.store.trouble,
        }
        self._diffs.take([(str(place), self._hall.row(place)) for place in sorted(changed)], head)
