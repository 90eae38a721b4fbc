"""The MQTT sink: a thread of its own that keeps a broker told, and comes back from everything.

The table hands over its state and goes on; events wait in the journal's outbox until the broker has them. A broker
that is away, refuses, is replaced or sends nonsense costs one line for people and a pause that grows up to a limit.
Only a second program with our own client id ends it: three times thrown out by that, the later one stops.
"""

from __future__ import annotations

import logging
import secrets
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from companion.events import DeviceReported, Record
from companion.games.game import Json
from companion.sinks.mqtt_connection import (
    BAD_LOGIN,
    SESSION_TAKEN_OVER,
    Acknowledged,
    Closed,
    Connected,
    Connection,
    Happening,
    Protocol,
    Received,
    Refused,
    Wake,
)
from companion.sinks.mqtt_delivery import OFFLINE, ONLINE, Delivery, Wanted, as_text
from companion.sinks.mqtt_settings import MqttSettings, tls_context, topics
from companion.sinks.sink import Outbox

log = logging.getLogger(__name__)

HANDSHAKE_S = 3.0
"""How long a broker may take to greet back; some that know no MQTT 5 only keep silent."""
ANSWER_S = 20.0
"""How long it may owe an answer before the connection is taken for dead; a slow broker's fsync takes well under 1 s."""
SETTLED_S = 60.0
"""A connection that lasted this long was a good one: the next pause is short again. It is longer than the longest
pause, so that two programs that throw each other out (which MQTT 3.1.1 does not tell them) do so seldom."""
DRAIN_S = 2.0
"""How long `stop` waits for the last events to be taken over."""
GOODBYE_S = 1.0
"""And for the good-bye to be answered."""
SAME_WORDS_S = 60.0
"""The same line is not told more often than this."""
TAKEOVERS_OF_LATER, TAKEOVERS = 3, 6
"""How often we let a program with our client id throw us out: less often where it started before us."""
TAKEOVERS_WITHIN_S = 600.0

CAMERA_WORDS = {"ok": ONLINE, "back": ONLINE, "stale": "stale", "lost": OFFLINE}


class MqttSink:
    """Publishes a table on a broker, as docs/mqtt.md says."""

    def __init__(self, settings: MqttSettings, outbox: Outbox, tell: Callable[[str], object] = log.warning) -> None:
        """Make a sink that is not yet connected.

        Args:
            outbox: where unsent events wait; the journal.
            tell: takes one line for people at a time, from the sink's thread.
        """
        self._settings = settings
        self._topics = topics(settings)
        self._outbox = outbox
        self._tell_person = tell
        self._told: dict[str, float] = {}
        self._wanted = Wanted()
        self._wanted_lock = threading.Lock()
        self._wake = Wake()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._gave_up = False
        self._protocol = Protocol.MQTT_5 if settings.mqtt5 else Protocol.MQTT_311
        self._pause_s = settings.retry_min_s
        # Begins with the time, so that of two programs with one name both can tell which started later.
        self._instance = f"{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}-{secrets.token_hex(4)}"
        self._was_born = False
        self._taken_over_at_s: list[float] = []
        self.connected = False
        """Whether the broker is being told right now."""

    def start(self) -> None:
        """Begin to connect; whether the broker is there or not, the table can start.

        Raises:
            InputError: if a certificate cannot be used.
        """
        tls_context(self._settings)
        self._start_thread()

    def publish(self, records: Sequence[Record], state: Mapping[str, Json]) -> None:
        """Tell the broker soon. The events themselves come from the outbox."""
        if self._stopping.is_set():
            return
        text = as_text({"table": self._settings.table, **state})
        camera = next((word for word in map(_camera_word, reversed(records)) if word is not None), None)
        with self._wanted_lock:
            self._wanted = replace(self._wanted, state=text, camera=camera or self._wanted.camera)
        if self._thread is not None and not self._thread.is_alive() and not self._gave_up:
            self._tell("MQTT: the connection's thread had died; it is started again")
            self._start_thread()
        self._wake.call()

    def stop(self) -> None:
        """Deliver what the broker takes within two seconds, say `stopped`, and end."""
        self._stopping.set()
        self._wake.call()
        if self._thread is not None:
            # A name that resolves slowly can hold the thread longer; it is a daemon and dies with the program.
            self._thread.join(DRAIN_S + HANDSHAKE_S + 2)
            if not self._thread.is_alive():
                self._wake.close()

    def _start_thread(self) -> None:
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while True:
            began_s = time.monotonic()
            try:
                again_at_once = self._one_connection()
            except Exception as error:
                log.exception("MQTT: a connection ended in an error")
                self._tell(f"MQTT: internal error ({type(error).__name__}: {error}); connecting again")
                again_at_once = False
            self.connected = False
            if time.monotonic() - began_s > SETTLED_S:
                self._pause_s = self._settings.retry_min_s
            if self._stopping.is_set() or self._gave_up:
                return
            if not again_at_once:
                self._pause()

    def _pause(self) -> None:
        ends_s = time.monotonic() + self._pause_s
        self._pause_s = min(2 * self._pause_s, self._settings.retry_max_s)
        while not self._stopping.is_set() and (left_s := ends_s - time.monotonic()) > 0:
            self._wake.sleep(left_s)

    def _one_connection(self) -> bool:
        """Connect, serve, and see it end; returns whether to try again without a pause."""
        connection = Connection(self._settings, self._protocol)
        try:
            connection.open()
        except OSError as error:
            self._tell(f"MQTT: {self._settings.address} {_unreachable(error)}; the game goes on, trying again")
            return False
        try:
            answer = self._greeted(connection)
            if isinstance(answer, Connected):
                ended = self._serve(connection)
                if self._gave_up:
                    self._tell(
                        f"MQTT: another program is on {self._settings.address} as node {self._settings.node!r}; this "
                        "one stops publishing. Give each a node name of its own in [table] and start this one again"
                    )
                elif ended is not None:
                    self._tell(f"MQTT: {self._settings.address}: {_in_words(ended)}; the game goes on, trying again")
                return False
            return self._note_refusal(answer)
        finally:
            connection.drop()

    def _greeted(self, connection: Connection) -> Connected | Refused | Closed:
        until_s = time.monotonic() + HANDSHAKE_S
        while (left_s := until_s - time.monotonic()) > 0:
            for happening in connection.wait(left_s, self._wake):
                if isinstance(happening, Connected | Refused | Closed):
                    return happening
        return Closed(None, "the broker does not greet back")

    def _note_refusal(self, answer: Refused | Closed) -> bool:
        """Learn from a handshake that failed; returns whether to try the older protocol at once."""
        newer_failed = self._protocol is Protocol.MQTT_5
        if not (isinstance(answer, Refused) and answer.code in BAD_LOGIN):
            self._protocol = Protocol.MQTT_311 if newer_failed else Protocol.MQTT_5
            if newer_failed:
                return True
        self._tell(f"MQTT: {self._settings.address}: {answer.words}; the game goes on, trying again")
        return False

    def _serve(self, connection: Connection) -> Closed | None:
        """Tell the broker all there is, until the connection ends (why is returned) or we leave (None)."""
        delivery = Delivery(self._topics, self._settings.table, self._instance, self._outbox, connection.publish)
        connection.subscribe(self._topics.status, self._topics.instance)
        self._told_connected(connection)
        leave_by_s = float("inf")
        while True:
            now_s = time.monotonic()
            with self._wanted_lock:
                wanted = self._wanted
            delivery.pump(wanted, now_s)
            self._was_born = self._was_born or delivery.born
            if self._gave_up:
                connection.close()
                return None
            if self._stopping.is_set():
                leave_by_s = min(leave_by_s, now_s + DRAIN_S)
                if _left(delivery, wanted, now_s, leave_by_s):
                    connection.close()
                    return None
            if delivery.oldest_unanswered_s(now_s) > ANSWER_S:
                return Closed(None, "the broker has stopped answering")
            # The steps of leaving follow one another quickly; else whatever happens ends the wait.
            wait_s = 0.02 if self._stopping.is_set() else 1.0
            ended = self._handle(connection.wait(wait_s, self._wake), delivery)
            if ended is not None:
                return ended

    def _handle(self, happenings: Sequence[Happening], delivery: Delivery) -> Closed | None:
        sent = []
        ended = None
        for happening in happenings:
            if isinstance(happening, Acknowledged):
                if happening.code >= 128:
                    ended = Closed(None, _publish_refused(happening.code))
                    break
                seq = delivery.acknowledged(happening.message)
                if seq is not None:
                    sent.append(seq)
            elif isinstance(happening, Received):
                self._heard(happening, delivery)
            elif isinstance(happening, Closed):
                ended = ended or happening  # the first one has the broker's reason
        if sent:
            self._outbox.mark_sent(*sent)
        return ended

    def _heard(self, message: Received, delivery: Delivery) -> None:
        if message.topic == self._topics.status:
            delivery.heard_status(message.payload)
        elif message.retained and self._was_born and not delivery.born:
            theirs = message.payload.decode(errors="replace")
            if theirs not in ("", self._instance):
                self._note_takeover(theirs)

    def _note_takeover(self, theirs: str) -> None:
        """Another program has been on the broker in our name since we were last.

        MQTT 5 has a reason code for that, which mosquitto sends from 2.0.15 on only, and MQTT 3.1.1 has none.
        """
        now_s = time.monotonic()
        self._taken_over_at_s = [at_s for at_s in self._taken_over_at_s if now_s - at_s < TAKEOVERS_WITHIN_S]
        self._taken_over_at_s.append(now_s)
        started_later = theirs < self._instance
        self._gave_up = len(self._taken_over_at_s) >= (TAKEOVERS_OF_LATER if started_later else TAKEOVERS)

    def _told_connected(self, connection: Connection) -> None:
        self.connected = True
        self._told.clear()
        version = "5" if connection.protocol is Protocol.MQTT_5 else "3.1.1"
        self._tell(f"MQTT: connected to {self._settings.address} (version {version})")

    def _tell(self, words: str) -> None:
        now_s = time.monotonic()
        if now_s - self._told.get(words, -SAME_WORDS_S) < SAME_WORDS_S:
            return
        self._told = {said: at_s for said, at_s in self._told.items() if now_s - at_s < SAME_WORDS_S} | {words: now_s}
        try:
            self._tell_person(words)
        except Exception:
            log.exception("MQTT: nobody could be told: %s", words)


def _left(delivery: Delivery, wanted: Wanted, now_s: float, leave_by_s: float) -> bool:
    """Take the next step of leaving: the last events, then the good-bye, then done."""
    if now_s > leave_by_s + GOODBYE_S or (delivery.leaving and delivery.quiet):
        return True
    if not delivery.born:
        return wanted.state is None or now_s > leave_by_s
    if delivery.quiet or now_s > leave_by_s:
        delivery.leave()
    return False


def _camera_word(record: Record) -> str | None:
    event = record.event
    if isinstance(event, DeviceReported) and event.device.startswith("camera"):
        return CAMERA_WORDS.get(event.state)
    return None


def _unreachable(error: OSError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"has a certificate that is not trusted ({error.verify_message}); is ca_file its authority's?"
    if isinstance(error, ssl.SSLError):
        return f"does not speak TLS with us ({error.reason or error})"
    return f"cannot be reached ({error.strerror or error})"


def _publish_refused(code: int) -> str:
    if code == 135:
        return "the broker does not let this user publish here; its access list must allow writing to our topics"
    return f"the broker refuses to take a message (code {code})"


def _in_words(ended: Closed) -> str:
    if ended.code == SESSION_TAKEN_OVER:
        return "another program with our node name has taken our place"
    return f"the connection is lost ({ended.words})"
