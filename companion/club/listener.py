"""Hears a broker for a club: a thread that keeps its session there and comes back from everything.

Events come with QoS 1 into a session that the broker keeps for a week. An event is shown at once, then what follows
from it is committed to the disk, and only then it is acknowledged: a kill at any moment loses none, for the broker
sends again what was not. Acknowledgements keep the order of the events (MQTT 5, 4.6). A second thread commits, each
time all that waits, so that a slow disk holds up only acknowledgements. What is retained comes with QoS 0, for only the
newest of it counts.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable

from companion.club.club import RETRY_S, Club
from companion.mqtt.connection import (
    BAD_LOGIN,
    Closed,
    Connected,
    Connection,
    Happening,
    NotHeard,
    Protocol,
    Reader,
    Received,
    Refused,
    Wake,
    greeted,
    unreachable,
)
from companion.mqtt.settings import MqttSettings, tls_context
from companion.texts import text

log = logging.getLogger(__name__)

KEEP_S = 7 * 24 * 3600
"""How long the broker keeps events for a club's program that is away: from one club evening to the next."""
TICK_S = 0.1
"""So often browsers hear of news: faster than anybody reads, and ten messages a second at most for each."""
IDLE_S = 1.0


class ClubListener:
    """Hears all tables for a club from `start` to `stop`.

    Args:
        settings: the broker; `node` plays no part.
        tell: takes one line for people at a time, from this one's thread.
    """

    def __init__(self, settings: MqttSettings, club: Club, tell: Callable[[str], object] = log.warning) -> None:
        self._settings = settings
        self._club = club
        self._tell_person = tell
        self._told = ""
        self._reader = Reader(f"companion-{settings.base.replace('/', '-')}-club-{club.store.client}", KEEP_S)
        self._protocol = Protocol.MQTT_5 if settings.mqtt5 else Protocol.MQTT_311
        self._pause_s = settings.retry_min_s
        self._wake = Wake()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)
        self._keeper = threading.Thread(target=self._keep, name="club-store", daemon=True)
        self._to_keep = threading.Event()
        self._number = 0
        self._owed: deque[tuple[int, Received]] = deque()
        """Messages that wait for `Club.kept` to reach a number before they are acknowledged."""
        self._woke_s = 0.0

    def start(self) -> None:
        """Begin to hear.

        Raises:
            InputError: if a certificate cannot be used.
        """
        tls_context(self._settings)
        self._thread.start()
        self._keeper.start()

    def stop(self) -> None:
        """End, with all that was heard on the disk if that takes it; the broker keeps the session."""
        self._stopping.set()
        self._wake.call()
        self._to_keep.set()
        for thread in (self._thread, self._keeper):
            thread.join(10)
        if not self._thread.is_alive() and not self._keeper.is_alive():
            self._wake.close()
            self._club.keep()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                again_at_once = self._one_connection()
            except Exception as error:
                log.exception("the connection to the broker ended in an error")
                self._lost(_internal(error))
                again_at_once = False
            if not again_at_once:
                self._pause()

    def _pause(self) -> None:
        ends_s = time.monotonic() + self._pause_s
        self._pause_s = min(2 * self._pause_s, self._settings.retry_max_s)
        while not self._stopping.is_set() and (left_s := ends_s - time.monotonic()) > 0:
            self._wake.sleep(left_s)

    def _one_connection(self) -> bool:
        """Connect, hear, and see it end; returns whether to try again without a pause."""
        connection = Connection(self._settings, self._protocol, self._reader)
        try:
            connection.open()
        except OSError as error:
            self._lost(unreachable(error))
            return False
        try:
            answer = greeted(connection, self._wake)
            if not isinstance(answer, Connected):
                return self._refused(answer)
            ended = self._hear(connection, answer)
            if ended is not None:
                self._lost(ended.words)
            return False
        finally:
            connection.drop()

    def _refused(self, answer: Refused | Closed) -> bool:
        """Learn from a handshake that failed; returns whether to try the older protocol at once."""
        newer_failed = self._protocol is Protocol.MQTT_5
        if not (isinstance(answer, Refused) and answer.code in BAD_LOGIN):
            self._protocol = Protocol.MQTT_311 if newer_failed else Protocol.MQTT_5
            if newer_failed:
                return True
        self._lost(answer.words)
        return False

    def _hear(self, connection: Connection, greeting: Connected) -> Closed | None:
        """Take in all that comes, until the connection ends (why is returned) or we leave (None)."""
        base = self._settings.base
        self._owed.clear()  # the broker sends again what was not taken in
        connection.subscribe(f"{base}/+/+/event")
        connection.subscribe(f"{base}/+/status", f"{base}/+/+/state", qos=0)
        self._club.broker(True, "", kept=greeting.session)
        self._say(text("MQTT: connected to {address}", address=self._settings.address))
        began_s = time.monotonic()
        while not self._stopping.is_set():
            for happening in connection.wait(TICK_S if self._club.has_news else IDLE_S, self._wake):
                if isinstance(happening, Closed):
                    if time.monotonic() - began_s > self._settings.retry_max_s:
                        self._pause_s = self._settings.retry_min_s
                    return happening
                self._handle(happening)
            while self._owed and self._owed[0][0] <= self._club.kept:
                connection.take_in(self._owed.popleft()[1])
            now_s = time.monotonic()
            if now_s - self._woke_s >= TICK_S and self._club.has_news:
                self._woke_s = now_s
                self._club.wake()
        connection.close()
        return None

    def _handle(self, happening: Happening) -> None:
        if isinstance(happening, NotHeard):
            topics = ", ".join(happening.topics)
            self._say(
                text(
                    "MQTT: the broker does not let us hear {topics}; its access list must allow reading them",
                    topics=topics,
                )
            )
        elif isinstance(happening, Received):
            number = self._club.take(happening.topic.removeprefix(f"{self._settings.base}/"), happening.payload)
            if happening.number is not None:
                self._owed.append((number, happening))
            if number > self._number:
                self._number = number
                self._to_keep.set()

    def _keep(self) -> None:
        """Commit what waits whenever there is more of it, and now and then."""
        while not self._stopping.is_set():
            self._to_keep.wait(RETRY_S)
            self._to_keep.clear()
            try:
                self._club.keep()
            except Exception as error:
                log.exception("results could not be kept")
                self._say(_internal(error))
                self._stopping.wait(RETRY_S)
            self._wake.call()

    def _lost(self, words: str) -> None:
        self._club.broker(False, words)
        self._say(text("MQTT: {address}: {why}; trying again", address=self._settings.address, why=words))

    def _say(self, words: str) -> None:
        """Tell people, but not the same line again and again."""
        if words != self._told:
            self._told = words
            self._tell_person(words)


def _internal(error: Exception) -> str:
    return text("internal error ({name}: {why})", name=type(error).__name__, why=str(error))
