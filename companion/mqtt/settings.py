"""The broker, and how it is reached."""

from __future__ import annotations

import re
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import InputError, system_words
from companion.texts import text

if TYPE_CHECKING:
    from companion.config import Config


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """How to reach the broker and what to say there; see docs/mqtt.md for the topics.

    Attributes:
        node: the name of this program on the broker: one companion, one node. It makes the client id.
        password: never shown and never logged.
        tls: encrypt; on by itself where a `ca_file` or `cert_file` is given.
        websocket_path: speak MQTT over websockets, at this path of the broker.
        mqtt5: begin with MQTT 5; 3.1.1 is tried by itself, but a broker that hangs on MQTT 5 costs some seconds first.
        will_delay_s: how long the broker waits before it says `offline` (MQTT 5), so that a short gap stays unseen.
        language: in which events and states say what is meant for people.
        retry_min_s, retry_max_s: the first and the longest pause before the broker is tried again.
    Raises:
        ValueError: if a number or the base is out of its range.
    """

    host: str = "localhost"
    port: int = 1883
    base: str = "companion"
    node: str = "companion"
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False
    ca_file: Path | None = None
    cert_file: Path | None = None
    key_file: Path | None = None
    websocket_path: str | None = None
    mqtt5: bool = True
    keepalive_s: int = 30
    will_delay_s: int = 5
    retry_min_s: float = 0.5
    retry_max_s: float = 30.0
    language: str = "en"

    def __post_init__(self) -> None:
        if not 0 < self.port < 65536:
            raise ValueError(f"port must be 1 to 65535, got {self.port}")
        if not re.fullmatch(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*", self.base):
            raise ValueError(f"base must be names of letters, digits, _ and - with / between, got {self.base!r}")
        if not 0 < self.retry_min_s <= self.retry_max_s:
            raise ValueError(f"need 0 < retry_min_s <= retry_max_s, got {self.retry_min_s} and {self.retry_max_s}")
        if self.keepalive_s < 1 or self.will_delay_s < 0:
            raise ValueError(f"keepalive_s and will_delay_s are {self.keepalive_s} and {self.will_delay_s}")

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"


def mqtt_settings(config: Config) -> MqttSettings | None:
    """The broker of a config file; None where it names none.

    Raises:
        InputError: if the password's file cannot be used.
    """
    from companion.config import mqtt_password

    broker = config.mqtt
    if broker is None:
        return None
    return MqttSettings(
        host=broker.host,
        port=broker.port,
        base=broker.base.strip("/"),
        node=config.table.node,
        username=broker.username,
        password=mqtt_password(broker),
        tls=broker.tls,
        ca_file=broker.ca_file,
        cert_file=broker.cert_file,
        key_file=broker.key_file,
        websocket_path=broker.websocket_path if broker.websockets else None,
        mqtt5=broker.mqtt5,
        keepalive_s=broker.keepalive_s,
        language=config.table.language,
    )


def tls_context(settings: MqttSettings) -> ssl.SSLContext | None:
    """What is needed to encrypt; None where the broker is spoken to in the clear.

    Raises:
        InputError: naming the file that cannot be used.
    """
    if not (settings.tls or settings.ca_file or settings.cert_file):
        return None
    context = ssl.create_default_context()
    if settings.ca_file is not None:
        try:
            context.load_verify_locations(settings.ca_file)
        except OSError as error:
            raise InputError(_unusable(settings.ca_file, text("the authority's certificate"), error)) from error
    if settings.cert_file is not None:
        try:
            # The empty password keeps OpenSSL from asking for one on the terminal.
            context.load_cert_chain(settings.cert_file, settings.key_file, password="")
        except OSError as error:
            key = settings.key_file or settings.cert_file
            raise InputError(
                _unusable(settings.cert_file, text("our certificate with the key {key}", key=str(key)), error)
            ) from error
    return context


def _unusable(path: Path, what: str, error: OSError) -> str:
    return text(
        "{path}: this should be {what} (PEM) for the MQTT broker: {why}",
        path=str(path),
        what=what,
        why=system_words(error) if isinstance(error, OSError) else str(error),
    )
