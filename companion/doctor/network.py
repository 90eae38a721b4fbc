"""The broker and the page: whether the one lets us in, and whether the other finds its port free."""

from __future__ import annotations

import errno
import os
import secrets
import socket
import ssl
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.config import Config, PageSection
from companion.doctor.finding import Finding, Part, Verdict
from companion.errors import error_words, system_words
from companion.texts import text

if TYPE_CHECKING:
    from companion.mqtt.settings import MqttSettings


class Broker(StrEnum):
    """How knocking at the broker ended."""

    GREETS = "greets"
    UNREACHABLE = "unreachable"
    UNTRUSTED = "untrusted"
    NO_TLS = "no_tls"
    REFUSES_LOGIN = "refuses_login"
    REFUSES = "refuses"
    SILENT = "silent"
    MISCONFIGURED = "misconfigured"


@dataclass(frozen=True, slots=True)
class Knock:
    """What came of it; `detail` is the broker's or the system's reason."""

    address: str
    end: Broker
    detail: str = ""


MENDS = {
    Broker.UNREACHABLE: text("look whether it runs, and whether host and port in [mqtt] are right"),
    Broker.UNTRUSTED: text(
        "set ca_file in [mqtt] to the certificate of the broker's authority; host must be the name in it"
    ),
    Broker.NO_TLS: text("set the port of [mqtt] where the broker speaks TLS (usually 8883), or tls = false"),
    Broker.REFUSES_LOGIN: text("set username in [mqtt], and the password in password_file or COMPANION_MQTT_PASSWORD"),
    Broker.SILENT: text("with TLS only brokers keep silent: set tls = true, or another port in [mqtt]"),
    Broker.REFUSES: text("look into the broker's log"),
    Broker.MISCONFIGURED: text("put [mqtt] right as docs/mqtt.md says"),
}


THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def knock(config: Config, limit_s: float) -> Knock | None:
    """Greet the broker under a name that nobody else has, and leave; None where none is configured.

    Args:
        limit_s: for each of at most two tries, with MQTT 5 and with 3.1.1.
    """
    from companion.errors import CompanionError
    from companion.mqtt.settings import mqtt_settings

    if config.mqtt is None:
        return None
    try:
        settings = mqtt_settings(config)
        if settings is None:
            return None
        found = _knock(settings, settings.mqtt5, limit_s)
        if settings.mqtt5 and found.end in (Broker.SILENT, Broker.REFUSES):
            # as the table does: a broker that knows no MQTT 5 may hang up, refuse, or only keep silent
            older = _knock(settings, False, limit_s)
            found = older if older.end is not Broker.SILENT else found
        return found
    except CompanionError as error:
        return Knock(f"{config.mqtt.host}:{config.mqtt.port}", Broker.MISCONFIGURED, error_words(error))


def _knock(settings: MqttSettings, mqtt5: bool, limit_s: float) -> Knock:
    """Without a will, and with an id of its own: a Companion that is connected is not thrown out by it."""
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

    from companion.mqtt.connection import BAD_LOGIN, REFUSALS
    from companion.mqtt.settings import tls_context

    version = MQTTProtocolVersion.MQTTv5 if mqtt5 else MQTTProtocolVersion.MQTTv311
    name = f"companion-doctor-{secrets.token_hex(4)}"
    client = Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=version, reconnect_on_failure=False)
    client.connect_timeout = limit_s
    if settings.username is not None:
        client.username_pw_set(settings.username, settings.password)
    context = tls_context(settings)
    if context is not None:
        client.tls_set_context(context)
    answers: list[tuple[int, str]] = []
    client.on_connect = lambda _client, _data, _flags, reason, _more: answers.append((reason.value, str(reason)))
    until_s = time.monotonic() + limit_s
    try:
        client.connect(settings.host, settings.port, keepalive=settings.keepalive_s)
        while not answers and client.socket() is not None and (left_s := until_s - time.monotonic()) > 0:
            client.loop(min(left_s, 0.1))
    except OSError as error:
        return Knock(settings.address, *_unreached(error))
    finally:
        client.disconnect()
    if not answers:
        closed = client.socket() is None
        return Knock(settings.address, Broker.SILENT, text("it hung up") if closed else text("it does not greet back"))
    code, words = answers[0]
    if code == 0:
        return Knock(settings.address, Broker.GREETS, "TLS" if context is not None else "")
    end = Broker.REFUSES_LOGIN if code in BAD_LOGIN else Broker.REFUSES
    return Knock(settings.address, end, REFUSALS.get(code, words))


def _unreached(error: OSError) -> tuple[Broker, str]:
    if isinstance(error, ssl.SSLCertVerificationError):
        return Broker.UNTRUSTED, error.verify_message
    if isinstance(error, ssl.SSLError):
        return Broker.NO_TLS, str(error.reason or error)
    return Broker.UNREACHABLE, system_words(error)


def of_broker(found: Knock | None) -> list[Finding]:
    if found is None:
        return []
    if found.end is Broker.GREETS:
        words = (
            text("{address} lets us in over TLS", address=found.address)
            if found.detail
            else text("{address} lets us in", address=found.address)
        )
        return [Finding(Part.BROKER, Verdict.OK, words)]
    wrong = {
        Broker.UNREACHABLE: text("{address} cannot be reached ({why})", address=found.address, why=found.detail),
        Broker.UNTRUSTED: text(
            "{address} has a certificate that is not trusted ({why})", address=found.address, why=found.detail
        ),
        Broker.NO_TLS: text("{address} does not speak TLS ({why})", address=found.address, why=found.detail),
        Broker.REFUSES_LOGIN: text("{address} does not let us in: {why}", address=found.address, why=found.detail),
        Broker.REFUSES: text("{address} does not let us in: {why}", address=found.address, why=found.detail),
        Broker.SILENT: text("{address} is there, but {why}", address=found.address, why=found.detail),
        Broker.MISCONFIGURED: found.detail,
    }[found.end]
    mend = MENDS[found.end]
    if found.end is Broker.UNREACHABLE and found.address.rpartition(":")[0] in THIS_MACHINE:
        mend = text("{command}  # or set host and port in [mqtt]", command="sudo systemctl start mosquitto")
    return [Finding(Part.BROKER, Verdict.WRONG, wrong, mend)]


@dataclass(frozen=True, slots=True)
class PagePort:
    """Whether the page's port can be had: 0, or the system's error number."""

    host: str
    port: int
    error: int = 0


def page_port(section: PageSection) -> PagePort | None:
    """Take the port and let it go at once, without listening; None where there is no page."""
    if not section.enabled:
        return None
    family = socket.AF_INET6 if ":" in section.host else socket.AF_INET
    try:
        with socket.socket(family) as held:
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            held.bind((section.host, section.port))
    except OSError as error:
        return PagePort(section.host, section.port, error.errno or errno.EADDRNOTAVAIL)
    return PagePort(section.host, section.port)


def of_page(found: PagePort | None, configured: bool) -> list[Finding]:
    if found is None:
        return []
    address = f"{found.host}:{found.port}"
    if not found.error:
        return [Finding(Part.PAGE, Verdict.OK, text("{address} is free for the page", address=address))]
    worst = Verdict.WRONG if configured else Verdict.NOTE
    if found.error == errno.EADDRINUSE:
        words = text("{address} is in use by another program (a second Companion?)", address=address)
        return [
            Finding(
                Part.PAGE,
                worst,
                words,
                text("{command}  # shows which; or set port in [page]", command=f"ss -ltnp 'sport = :{found.port}'"),
            )
        ]
    mend = (
        text("set a port above 1023 in [page]")
        if found.error == errno.EACCES
        else text('set host in [page], such as "0.0.0.0"')
    )
    return [
        Finding(
            Part.PAGE,
            worst,
            text(
                "{address} cannot be listened on: {why}",
                address=address,
                why=system_words(OSError(found.error, os.strerror(found.error))),
            ),
            mend,
        )
    ]
