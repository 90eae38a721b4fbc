"""Hears a broker for a club: a thread that keeps its session there and comes back from everything.

Events come with QoS 1 into a session that the broker keeps for a week, and are taken in only when what follows from
them is on disk: a kill at any moment loses none. What is retained comes with QoS 0, for only the newest of it counts.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from companion.club.club import Club
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
        self._owed: list[Received] = []
        self._woke_s = 0.0

    def start(self) -> None:
        """Begin to hear.

        Raises:
            InputError: if a certificate cannot be used.
        """
        tls_context(self._settings)
        self._thread.start()

    def stop(self) -> None:
        """End; the broker keeps the session."""
        self._stopping.set()
        self._wake.call()
        self._thread.join(10)
        if not self._thread.is_alive():
            self._wake.close()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                again_at_once = self._one_connection()
            except Exception as error:
                log.exception("the connection to the broker ended in an error")
                self._lost(text("internal error ({name}: {why})", name=type(error).__name__, why=str(error)))
                again_at_once = False
            if not again_at_once:
                self._pause()

    def _pause(self) -> None:
        ends_s = time.monotonic() + self._pause_s
        self._pause_s = min(2 * self._pause_s, self._settings.retry_max_s)
        while not self._stopping.is_set() and (left_s := ends_s - time.monotonic()) > 0:
            self._wake.sleep(min(left_s, IDLE_S))
            self._club.look_through()

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
                self._handle(connection, happening)
            if self._club.look_through() and self._owed:
                self._take_in(connection)
            now_s = time.monotonic()
            if now_s - self._woke_s >= TICK_S and self._club.has_news:
                self._woke_s = now_s
                self._club.wake()
        connection.close()
        return None

    def _handle(self, connection: Connection, happening: Happening) -> None:
        if isinstance(happening, NotHeard):
            topics = ", ".join(happening.topics)
            self._say(
                text(
                    "MQTT: the broker does not let us hear {topics}; its access list must allow reading them",
                    topics=topics,
                )
            )
        elif isinstance(happening, Received):
            self._owed.append(happening)
            if self._club.take(happening.topic.removeprefix(f"{self._settings.base}/"), happening.payload):
                self._take_in(connection)

    def _take_in(self, connection: Connection) -> None:
        for message in self._owed:
            connection.take_in(message)
        self._owed.clear()

    def _lost(self, words: str) -> None:
        self._club.broker(False, words)
        self._say(text("MQTT: {address}: {why}; trying again", address=self._settings.address, why=words))

    def _say(self, words: str) -> None:
        """Tell people, but not the same line again and again."""
        if words != self._told:
            self._told = words
            self._tell_person(words)
