"""A node on MQTT: a thread of its own that keeps a broker told of all tables, and comes back from everything.

A table hands over its state and goes on; events wait in its journal's outbox until the broker has them. A broker
that is away, refuses, is replaced or sends nonsense costs one line for people and a pause that grows up to a limit.
Only a second program with our own client id ends it: three times thrown out by that, the later one stops.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from companion.mqtt.connection import (
    BAD_LOGIN,
    HANDSHAKE_S,
    SESSION_TAKEN_OVER,
    Acknowledged,
    Closed,
    Connected,
    Connection,
    Happening,
    NotHeard,
    Protocol,
    Received,
    Refused,
    Wake,
    greeted,
    unreachable,
)
from companion.mqtt.delivery import ONLINE, NodeDelivery, Sent, UnderWay, Wanted
from companion.mqtt.settings import MqttSettings, tls_context
from companion.mqtt.table import MqttTable
from companion.mqtt.topics import node_topics, table_at, table_topics
from companion.sinks.sink import Outbox
from companion.texts import text

log = logging.getLogger(__name__)

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

ACCESS_LIST = text("its access list must allow reading and writing our topics")


class MqttNode:
    """Publishes tables on a broker, and takes commands for them, as docs/mqtt.md says.

    It runs from the start of its first table to the end of its last one.

    Args:
        tell: takes one line for people at a time, from the node's thread.
    """

    def __init__(self, settings: MqttSettings, tell: Callable[[str], object] = log.warning) -> None:
        self.settings = settings
        self._topics = node_topics(settings)
        self._tell_person = tell
        self._told: dict[str, float] = {}
        self._tables: list[MqttTable] = []
        self._running = 0
        self._lock = threading.Lock()
        self._wake = Wake()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._gave_up = False
        self._protocol = Protocol.MQTT_5 if settings.mqtt5 else Protocol.MQTT_311
        self._pause_s = settings.retry_min_s
        # Begins with the time, so that of two programs with one name both can tell which started later.
        self._instance = f"{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}-{secrets.token_hex(4)}"
        self._was_born = False
        self._looked_through = False
        """Whether the broker has told what it keeps of tables that we do not have any more."""
        self._alone = True
        """Whether nobody else seemed to be there in our name; what a living program keeps is never taken off."""
        self._taken_over_at_s: list[float] = []
        self.connected = False
        """Whether the broker is being told right now."""

    def table(self, name: str, outbox: Outbox) -> MqttTable:
        """Add a table; all are added before the first is started.

        Args:
            name: the table's, for people; topics carry it with letters, digits, `_` and `-` only.
            outbox: where unsent events wait; the journal.
        Raises:
            ValueError: where two tables of a node would have the same topics.
        """
        topics = table_topics(self.settings, name)
        if any(table.topics == topics for table in self._tables):
            raise ValueError(f"two tables of node {self.settings.node!r} would be {topics.state} on MQTT")
        table = MqttTable(self, name, topics, outbox, self.settings.language)
        self._tables.append(table)
        return table

    def take_away(self, table: MqttTable) -> None:
        """A table that was added will never start."""
        self._tables.remove(table)

    def begin(self) -> None:
        """A table has started: whether the broker is there or not, it can.

        Raises:
            InputError: if a certificate cannot be used.
        """
        tls_context(self.settings)
        with self._lock:
            self._running += 1
            if self._thread is None:
                self._start_thread()

    def wake(self) -> None:
        """There is something to say."""
        if self._stopping.is_set():
            return
        if self._thread is not None and not self._thread.is_alive() and not self._gave_up:
            self._tell(text("MQTT: the connection's thread had died; it is started again"))
            self._start_thread()
        self._wake.call()

    def end(self) -> None:
        """A table has ended; after the last one deliver what the broker takes within two seconds, and say `stopped`."""
        with self._lock:
            self._running -= 1
            if self._running > 0:
                return
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
                self._tell(
                    text(
                        "MQTT: internal error ({name}: {why}); connecting again",
                        name=type(error).__name__,
                        why=str(error),
                    )
                )
                again_at_once = False
            self.connected = False
            if time.monotonic() - began_s > SETTLED_S:
                self._pause_s = self.settings.retry_min_s
            if self._stopping.is_set() or self._gave_up:
                return
            if not again_at_once:
                self._pause()

    def _pause(self) -> None:
        ends_s = time.monotonic() + self._pause_s
        self._pause_s = min(2 * self._pause_s, self.settings.retry_max_s)
        while not self._stopping.is_set() and (left_s := ends_s - time.monotonic()) > 0:
            self._wake.sleep(left_s)

    def _one_connection(self) -> bool:
        """Connect, serve, and see it end; returns whether to try again without a pause."""
        connection = Connection(self.settings, self._protocol)
        try:
            connection.open()
        except OSError as error:
            self._tell(
                text(
                    "MQTT: {address} {why}; the game goes on, trying again",
                    address=self.settings.address,
                    why=unreachable(error),
                )
            )
            return False
        try:
            answer = greeted(connection, self._wake)
            if isinstance(answer, Connected):
                ended = self._serve(connection)
                if self._gave_up:
                    self._tell(
                        text(
                            "MQTT: another program is on {address} as node {node}; this one stops "
                            "publishing. Give each a node name of its own in [table] and start this "
                            "one again",
                            address=self.settings.address,
                            node=repr(self.settings.node),
                        )
                    )
                elif ended is not None:
                    self._tell(
                        text(
                            "MQTT: {address}: {why}; the game goes on, trying again",
                            address=self.settings.address,
                            why=_in_words(ended),
                        )
                    )
                return False
            return self._note_refusal(answer)
        finally:
            connection.drop()

    def _note_refusal(self, answer: Refused | Closed) -> bool:
        """Learn from a handshake that failed; returns whether to try the older protocol at once."""
        newer_failed = self._protocol is Protocol.MQTT_5
        if not (isinstance(answer, Refused) and answer.code in BAD_LOGIN):
            self._protocol = Protocol.MQTT_311 if newer_failed else Protocol.MQTT_5
            if newer_failed:
                return True
        self._tell(
            text(
                "MQTT: {address}: {why}; the game goes on, trying again",
                address=self.settings.address,
                why=answer.words,
            )
        )
        return False

    def _serve(self, connection: Connection) -> Closed | None:
        """Tell the broker all there is, until the connection ends (why is returned) or we leave (None)."""
        under_way = UnderWay(connection.publish)
        delivery = NodeDelivery(
            self._topics, self._instance, [table.delivery(under_way) for table in self._tables], under_way
        )
        wishes = dict.fromkeys(topic for table in self._tables for topic in table.listens_to)
        looks_through = not self._looked_through
        connection.subscribe(
            self._topics.status, self._topics.instance, *wishes, *([self._topics.states] if looks_through else [])
        )
        connection.subscribe(*(topic for table in self._tables for topic in table.commands), as_published=True)
        self._told_connected(connection)
        leave_by_s = float("inf")
        while True:
            now_s = time.monotonic()
            wanted = [table.wanted for table in self._tables]
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
            if under_way.oldest_s(now_s) > ANSWER_S:
                return Closed(None, text("the broker has stopped answering"))
            # The steps of leaving follow one another quickly; else whatever happens ends the wait.
            wait_s = 0.02 if self._stopping.is_set() else 1.0
            ended = self._handle(connection.wait(wait_s, self._wake), delivery)
            if ended is not None:
                return ended
            if looks_through and self._looked_through:
                looks_through = False
                connection.unsubscribe(self._topics.states)

    def _handle(self, happenings: Sequence[Happening], delivery: NodeDelivery) -> Closed | None:
        sent: list[Sent] = []
        ended = None
        for happening in happenings:
            if isinstance(happening, Acknowledged):
                taken = delivery.acknowledged(happening.message)
                if happening.code >= 128:
                    if taken is not None and taken.may_fail:
                        continue
                    ended = Closed(None, _publish_refused(happening.code))
                    break
                if taken is not None and taken.seq is not None:
                    sent.append(taken)
            elif isinstance(happening, Received):
                self._heard(happening, delivery)
            elif isinstance(happening, NotHeard):
                self._tell(
                    text(
                        "MQTT: the broker does not let us hear {topics}; {advice}",
                        topics=", ".join(happening.topics),
                        advice=ACCESS_LIST,
                    )
                )
            elif isinstance(happening, Closed):
                ended = ended or happening  # the first one has the broker's reason
        _mark_sent(sent)
        return ended

    def _heard(self, message: Received, delivery: NodeDelivery) -> None:
        if message.topic == self._topics.status:
            self._alone = self._alone and not (message.retained and message.payload == ONLINE.encode())
            delivery.heard_status(message.payload)
            # Our own birth comes back after what the broker had kept before.
            self._looked_through |= delivery.born and not message.retained and message.payload == ONLINE.encode()
        elif message.topic != self._topics.instance:
            if self._left_from_before(message, delivery):
                return
            for table in self._tables:
                if table.heard(message):
                    delivery.say_again()
        elif message.retained and self._was_born and not delivery.born:
            theirs = message.payload.decode(errors="replace")
            if theirs not in ("", self._instance):
                self._note_takeover(theirs)

    def _left_from_before(self, message: Received, delivery: NodeDelivery) -> bool:
        """Take off the broker what it must not keep in our name; returns whether nobody need hear of the message.

        A command would come again at every start. A table that the program has no more would seem to be played for
        ever, wherever tables are shown; its state goes last, for by that the rest is found.
        """
        now_s = time.monotonic()
        if any(table.is_command(message.topic) for table in self._tables):
            if message.payload and message.retained:
                delivery.take_off(message.topic, now_s)
            return not message.payload and (message.retained or delivery.took_off(message.topic))
        name = table_at(self.settings, message.topic)
        if name is None or any(table.topics.state == message.topic for table in self._tables):
            return False
        if message.payload and message.retained and self._alone:
            theirs = table_topics(self.settings, name)
            announced = dict.fromkeys(topic for table in self._tables for topic in table.left_by(name))
            for topic in (*announced, theirs.camera, theirs.state):
                delivery.take_off(topic, now_s)
        return True

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
        self._tell(
            text("MQTT: connected to {address} (version {version})", address=self.settings.address, version=version)
        )

    def _tell(self, words: str) -> None:
        now_s = time.monotonic()
        if now_s - self._told.get(words, -SAME_WORDS_S) < SAME_WORDS_S:
            return
        self._told = {said: at_s for said, at_s in self._told.items() if now_s - at_s < SAME_WORDS_S} | {words: now_s}
        try:
            self._tell_person(words)
        except Exception:
            log.exception("MQTT: nobody could be told: %s", words)


def _mark_sent(sent: Sequence[Sent]) -> None:
    for outbox in {id(each.outbox): each.outbox for each in sent}.values():
        if outbox is not None:
            outbox.mark_sent(*(each.seq for each in sent if each.outbox is outbox and each.seq is not None))


def _left(delivery: NodeDelivery, wanted: Sequence[Wanted], now_s: float, leave_by_s: float) -> bool:
    """Take the next step of leaving: the last events, then the good-bye, then done."""
    if now_s > leave_by_s + GOODBYE_S or (delivery.leaving and delivery.quiet):
        return True
    if not delivery.born:
        return any(each.state is None for each in wanted) or now_s > leave_by_s
    if delivery.quiet or now_s > leave_by_s:
        delivery.leave()
    return False


def _publish_refused(code: int) -> str:
    if code == 135:
        return text("the broker does not let this user publish here; {advice}", advice=ACCESS_LIST)
    return text("the broker refuses to take a message (code {code})", code=code)


def _in_words(ended: Closed) -> str:
    if ended.code == SESSION_TAKEN_OVER:
        return text("another program with our node name has taken our place")
    return text("the connection is lost ({why})", why=ended.words)
