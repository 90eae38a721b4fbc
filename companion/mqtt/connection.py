"""One connection to a broker: paho-mqtt driven from our own thread, its callbacks turned into values.

paho's own network thread dies of an exception in a callback while it still calls itself connected. Here there is no
such thread: `wait` reads and writes the socket, the callbacks do nothing but note what happened, and the caller gets
that as a list. A connection is used once; after `Closed` a new one is made.
"""

from __future__ import annotations

import logging
import select
import socket
import ssl
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from companion.errors import system_words
from companion.mqtt.settings import MqttSettings, tls_context
from companion.mqtt.topics import client_id, node_topics
from companion.texts import text

if TYPE_CHECKING:
    from paho.mqtt.properties import Properties

log = logging.getLogger(__name__)

CONNECT_TIMEOUT_S = 5.0
HANDSHAKE_S = 3.0
"""How long a broker may take to greet back; some that know no MQTT 5 only keep silent."""
SESSION_TAKEN_OVER = 142
UNSUPPORTED_VERSION = 132
BAD_LOGIN = (134, 135)
REFUSALS = {
    UNSUPPORTED_VERSION: text("the broker does not speak this version of MQTT"),
    133: text("the broker does not accept our client id"),
    134: text("the broker refuses the user name or the password"),
    135: text("the broker says that this user is not authorised (wrong password, or its access list)"),
    136: text("the broker is not available now"),
    137: text("the broker is too busy now"),
    138: text("the broker has banned this client"),
    151: text("the broker says that our quota is used up"),
    159: text("the broker says that we connect too often"),
}
"""MQTT 5 reason codes (3.2.2.2); paho turns the return codes of 3.1.1 into these."""

ENDINGS = {
    137: text("the broker is too busy now"),
    139: text("the broker is shutting down"),
    141: text("the broker has not heard us for too long"),
    SESSION_TAKEN_OVER: text("another client has our client id"),
}
"""Why a broker ends a connection (MQTT 5, 3.14.2.1)."""


class Protocol(IntEnum):
    """The protocol level on the wire (MQTT 5, 3.1.2.2)."""

    MQTT_311 = 4
    MQTT_5 = 5


@dataclass(frozen=True, slots=True)
class Reader:
    """Who only listens: without a will, in a session that the broker keeps, and saying itself what it has taken in.

    Attributes:
        client_id: the session's; the same at every start.
        keep_s: how long the broker keeps what comes while nobody is connected (MQTT 5; in 3.1.1 the broker says).
    """

    client_id: str
    keep_s: int


@dataclass(frozen=True, slots=True)
class Connected:
    """`session`: whether the broker has kept one, so that nothing was missed."""

    session: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    code: int
    words: str


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The broker has answered a message of ours; a code from 128 on is a refusal."""

    message: int
    code: int


@dataclass(frozen=True, slots=True)
class Received:
    """A message. `number` is what a `Reader` takes it in by; None where that is not asked for (QoS 0)."""

    topic: str
    payload: bytes
    retained: bool
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Closed:
    """The connection is no more. `code` only where the broker said why."""

    code: int | None
    words: str


@dataclass(frozen=True, slots=True)
class NotHeard:
    """Topics that the broker does not let us hear (MQTT 5 says why, 3.1.1 only that)."""

    topics: tuple[str, ...]


Happening = Connected | Refused | Acknowledged | Received | NotHeard | Closed


class Wake:
    """Lets another thread end a `wait` before its time."""

    def __init__(self) -> None:
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)

    def fileno(self) -> int:
        return self._reader.fileno()

    def call(self) -> None:
        try:
            self._writer.send(b"!")
        except BlockingIOError:
            return  # as many calls as fit are waiting to be heard

    def heard(self) -> None:
        try:
            while self._reader.recv(4096):
                pass
        except BlockingIOError:
            return

    def sleep(self, seconds: float) -> None:
        """Wait for a call or for the time to pass."""
        poller = select.poll()
        poller.register(self._reader, select.POLLIN)
        if poller.poll(seconds * 1000):
            self.heard()

    def close(self) -> None:
        self._reader.close()
        self._writer.close()


class Connection:
    """A connection in the making; `open` it, then `wait` until it says `Connected`.

    Args:
        reader: who only listens; else it is a node's, with its client id and its will.
    Raises:
        InputError: if the settings name a certificate that cannot be used.
    """

    def __init__(self, settings: MqttSettings, protocol: Protocol, reader: Reader | None = None) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

        self.protocol = protocol
        self._settings = settings
        self._reader = reader
        self._happened: deque[Happening] = deque()
        self._asked: dict[int, tuple[str, ...]] = {}
        self._client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=client_id(settings) if reader is None else reader.client_id,
            protocol=MQTTProtocolVersion(protocol),
            clean_session=reader is None if protocol is Protocol.MQTT_311 else None,
            transport="tcp" if settings.websocket_path is None else "websockets",
            reconnect_on_failure=False,
            manual_ack=reader is not None,
        )
        self._client.connect_timeout = CONNECT_TIMEOUT_S
        self._client.max_inflight_messages = 64  # we count ourselves, and stay far below
        if settings.username is not None:
            self._client.username_pw_set(settings.username, settings.password)
        if settings.websocket_path is not None:
            self._client.ws_set_options(settings.websocket_path)
        context = tls_context(settings)
        if context is not None:
            self._client.tls_set_context(context)
        if reader is None:
            status = node_topics(settings).status
            self._client.will_set(status, "offline", qos=1, retain=True, properties=self._will_delay())
        self._take_callbacks()

    def open(self) -> None:
        """Reach the broker and greet it; takes up to some seconds.

        Raises:
            OSError: if it cannot be reached.
        """
        if self.protocol is Protocol.MQTT_311:
            self._client.connect(self._settings.host, self._settings.port, self._settings.keepalive_s)
            return
        # A node's session outlives the connection by as long as the will waits; coming back in time cancels the will.
        keep_s = self._settings.will_delay_s + 1 if self._reader is None else self._reader.keep_s
        self._client.connect(
            self._settings.host,
            self._settings.port,
            self._settings.keepalive_s,
            clean_start=False,
            properties=self._properties("CONNECT", SessionExpiryInterval=keep_s),
        )

    def publish(self, topic: str, payload: str, *, retain: bool, expiry_s: int | None = None) -> int:
        """Send with QoS 1; returns the number under which `Acknowledged` will come.

        Args:
            expiry_s: how long the broker keeps it for somebody who is away (MQTT 5 only).
        """
        timed = expiry_s is not None and self.protocol is Protocol.MQTT_5
        properties = self._properties("PUBLISH", MessageExpiryInterval=expiry_s or 0) if timed else None
        return self._client.publish(topic, payload.encode(), qos=1, retain=retain, properties=properties).mid

    def subscribe(self, *topics: str, qos: int = 1, as_published: bool = False) -> None:
        """Ask for topics; those that the broker refuses come as `NotHeard`.

        Args:
            qos: 0 for what need not wait at the broker for who is away.
            as_published: a message that is sent to be kept comes as `retained` at once (MQTT 5, 3.3.1.3); else, and in
                3.1.1, only what the broker has kept from before.
        """
        if not topics:
            return
        options = self._options(qos, as_published)
        _, number = self._client.subscribe([(topic, options) for topic in topics])
        if number is not None:
            self._asked[number] = topics

    def unsubscribe(self, topic: str) -> None:
        """Hear a topic no more."""
        self._client.unsubscribe(topic)

    def take_in(self, message: Received) -> None:
        """A `Reader` has a message for good: the broker need not send it again."""
        if message.number is not None and self._client.socket() is not None:
            self._client.ack(message.number, 1)

    def wait(self, seconds: float, wake: Wake) -> list[Happening]:
        """Read and write until something happened, the time is over, or `wake` is called."""
        sock = self._client.socket()
        if sock is None:
            return self._taken() or [Closed(None, text("the connection is closed"))]
        # TLS and websockets may hold bytes which the system gave them already.
        pending = hasattr(sock, "pending") and sock.pending() > 0
        poller = select.poll()
        poller.register(wake.fileno(), select.POLLIN)
        poller.register(sock.fileno(), select.POLLIN | (select.POLLOUT if self._client.want_write() else 0))
        ready = dict(poller.poll(0 if pending or self._happened else max(0.0, seconds) * 1000))
        if wake.fileno() in ready:
            wake.heard()
        try:
            flags = ready.get(sock.fileno(), 0)
            if pending or flags & ~select.POLLOUT:
                self._client.loop_read()
            if flags & select.POLLOUT and self._client.socket() is not None:
                self._client.loop_write()
            if self._client.socket() is not None:
                self._client.loop_misc()
        except Exception as error:  # paho raises all kinds on bytes that are no MQTT
            log.debug("the broker's bytes cannot be read", exc_info=True)
            self._happened.append(Closed(None, text("the broker's answer cannot be read ({why})", why=str(error))))
        return self._taken()

    def close(self) -> None:
        """Say good-bye (the will then stays silent), if that is still possible."""
        if self._client.socket() is not None:
            self._client.disconnect()

    def drop(self) -> None:
        """End without a good-bye."""
        sock = self._client.socket()
        if sock is not None:
            sock.close()

    def _taken(self) -> list[Happening]:
        taken = list(self._happened)
        self._happened.clear()
        return taken

    def _take_callbacks(self) -> None:
        note = self._happened.append
        self._client.on_connect = lambda _client, _data, flags, reason, _more: note(
            Refused(
                reason.value, REFUSALS.get(reason.value, text("the broker refuses us ({reason})", reason=str(reason)))
            )
            if reason.is_failure
            else Connected(flags.session_present)
        )
        self._client.on_publish = lambda _client, _data, mid, reason, _more: note(Acknowledged(mid, reason.value))
        self._client.on_subscribe = lambda _client, _data, mid, reasons, _more: self._heard_of_subscription(
            mid, [reason.is_failure for reason in reasons]
        )
        self._client.on_message = lambda _client, _data, message: note(
            Received(message.topic, bytes(message.payload), message.retain, message.mid if message.qos else None)
        )
        self._client.on_disconnect = lambda _client, _data, flags, reason, _more: note(
            Closed(
                reason.value,
                ENDINGS.get(reason.value, text("the broker has ended it, code {code}", code=reason.value)),
            )
            if flags.is_disconnect_packet_from_server
            else Closed(None, text("the broker or the network has closed it"))
        )

    def _heard_of_subscription(self, number: int, failures: Sequence[bool]) -> None:
        topics = self._asked.pop(number, ())
        refused = tuple(topic for topic, failed in zip(topics, failures, strict=False) if failed)
        if refused:
            self._happened.append(NotHeard(refused))

    def _will_delay(self) -> Properties | None:
        if self.protocol is Protocol.MQTT_311 or not self._settings.will_delay_s:
            return None
        return self._properties("WILLMESSAGE", WillDelayInterval=self._settings.will_delay_s)

    def _options(self, qos: int, as_published: bool) -> Any:
        if self.protocol is Protocol.MQTT_311:
            return qos
        from paho.mqtt.subscribeoptions import SubscribeOptions

        return SubscribeOptions(qos, retainAsPublished=as_published)

    def _properties(self, packet: str, **values: int) -> Properties:
        from paho.mqtt.packettypes import PacketTypes
        from paho.mqtt.properties import Properties

        properties = Properties(getattr(PacketTypes, packet))  # type: ignore[no-untyped-call]
        for name, value in values.items():
            setattr(properties, name, value)
        return properties


def greeted(connection: Connection, wake: Wake) -> Connected | Refused | Closed:
    """What the broker answers to an `open` that succeeded."""
    until_s = time.monotonic() + HANDSHAKE_S
    while (left_s := until_s - time.monotonic()) > 0:
        for happening in connection.wait(left_s, wake):
            if isinstance(happening, Connected | Refused | Closed):
                return happening
    return Closed(None, text("the broker does not greet back"))


def unreachable(error: OSError) -> str:
    """Why `open` failed, to stand behind the broker's address."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return text(
            "has a certificate that is not trusted ({why}); is ca_file its authority's?", why=error.verify_message
        )
    if isinstance(error, ssl.SSLError):
        return text("does not speak TLS with us ({why})", why=error.reason or str(error))
    return text("cannot be reached ({why})", why=system_words(error))
