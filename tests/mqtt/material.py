"""A real mosquitto that can be killed and brought back, a subscriber that notes all it hears, and patience."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from companion.events import Record
from companion.games.game import Json
from companion.journal.journal import Journal
from companion.journal.opening import open_journal
from companion.mqtt.local_broker import free_port
from companion.mqtt.node import MqttNode
from companion.mqtt.settings import MqttSettings
from tests.journal.material import records, state
from tests.shared_material import program

STATUS, STATE, EVENT = "companion/node/status", "companion/node/table/state", "companion/node/table/event"
INSTANCE = "companion/node/instance"
CAMERA = "companion/node/table/camera/status"


def until(condition: Callable[[], object], seconds: float = 10.0) -> bool:
    """Look again and again until it is so; False when the time is over."""
    ends_s = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > ends_s:
            return False
        time.sleep(0.01)
    return True


class Mosquitto:
    """A broker of our own on a loopback port, which stays the same over restarts."""

    def __init__(self, folder: Path, *lines: str, persistent: bool = False) -> None:
        folder.mkdir(exist_ok=True)
        self.port = free_port()
        self._program = program("mosquitto")
        self._config = folder / "mosquitto.conf"
        # Started by the superuser, mosquitto would become another user, who cannot write into a test's folder.
        user = ["user root"] if os.geteuid() == 0 else []
        kept = ["persistence true", f"persistence_location {folder}/"] if persistent else ["persistence false"]
        own = list(lines) or ["allow_anonymous true"]
        config = [*user, *kept, "max_queued_messages 100000", f"listener {self.port} 127.0.0.1", *own]
        self._config.write_text("\n".join(config) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            [self._program, "-c", str(self._config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

        def answers() -> bool:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                return False
            return True

        assert until(answers), "mosquitto does not come up"

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(10)
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()


class PackagedMosquitto(Mosquitto):
    """A broker as Debian and Raspberry Pi OS set it up, with a file more in its conf.d."""

    def __init__(self, folder: Path, more: str) -> None:
        super().__init__(folder)
        for made in ("lib", "conf.d"):
            (folder / made).mkdir()
        (folder / "conf.d" / "companion.conf").write_text(more.format(port=self.port))
        user = "user root\n" if os.geteuid() == 0 else ""
        # what /etc/mosquitto/mosquitto.conf says in Debian 12, in a folder of ours
        self._config.write_text(
            f"{user}pid_file {folder}/mosquitto.pid\npersistence true\npersistence_location {folder}/lib/\n"
            f"log_dest file {folder}/mosquitto.log\ninclude_dir {folder}/conf.d\n"
        )


@dataclass(frozen=True, slots=True)
class Heard:
    topic: str
    text: str
    retained: bool

    @property
    def data(self) -> Any:
        return json.loads(self.text)


class Listener:
    """A subscriber to everything, with a session that the broker keeps while it is away."""

    def __init__(self, port: int, name: str = "listener", protocol: int = 4, **login: str) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

        self.heard: list[Heard] = []
        self._subscribed = 0
        self._client = Client(
            CallbackAPIVersion.VERSION2, name, clean_session=False, protocol=MQTTProtocolVersion(protocol)
        )
        self._client.reconnect_delay_set(1, 1)
        if login:
            self._client.username_pw_set(login["username"], login["password"])
        self._client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self._client.on_subscribe = self._on_subscribe
        self._client.on_message = lambda _client, _data, message: self.heard.append(
            Heard(message.topic, message.payload.decode(errors="replace"), message.retain)
        )
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert until(lambda: self._subscribed), "the listener cannot subscribe"

    def _on_subscribe(self, *_: object) -> None:
        self._subscribed += 1

    def say(self, topic: str, payload: bytes, retain: bool = False) -> None:
        self._client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(5)

    def on(self, topic: str) -> list[str]:
        return [heard.text for heard in self.heard if heard.topic == topic]

    def seqs(self) -> list[int]:
        """The events' numbers in the order heard, without repetitions, as docs/mqtt.md tells a consumer to do."""
        news: list[int] = []
        for text in self.on(EVENT):
            seq = json.loads(text)["seq"]
            if not news or seq > news[-1]:
                news.append(seq)
        return news

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def certificates(folder: Path) -> None:
    """An authority of our own and a broker's certificate for this machine, as docs/mqtt.md describes them."""
    openssl = program("openssl")
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    new = [openssl, "req", "-newkey", "rsa:2048", "-nodes"]
    for command in (
        [*new, "-x509", "-days", "2", "-subj", "/CN=test authority", "-keyout", "ca.key", "-out", "ca.crt"],
        [*new, "-subj", "/CN=localhost", "-keyout", "broker.key", "-out", "broker.csr"],
        [
            openssl,
            "x509",
            "-req",
            "-days",
            "2",
            "-in",
            "broker.csr",
            "-CA",
            "ca.crt",
            "-CAkey",
            "ca.key",
            "-CAcreateserial",
            "-extfile",
            "names",
            "-out",
            "broker.crt",
        ],
    ):
        subprocess.run(command, cwd=folder, check=True, capture_output=True, env={**os.environ, "HOME": str(folder)})


class Table:
    """A journal and a sink, as the loop of a table would use them."""

    def __init__(self, folder: Path, port: int, **settings: Any) -> None:
        self.journal: Journal = open_journal(folder / "journal.sqlite").journal
        self.told: list[str] = []
        name = settings.pop("table", "table")
        chosen = {"node": "node", "will_delay_s": 0, "retry_min_s": 0.1, "retry_max_s": 0.5, **settings}
        self.node = MqttNode(MqttSettings(host="127.0.0.1", port=port, **chosen), self.told.append)
        self.sink = self.node.table(name, self.journal)

    def start(self) -> None:
        """Start as a table does: the sink first, then the state as the journal has it."""
        self.sink.start()
        self.sink.publish([], self.journal.last_state() or state(0))

    def play(self, count: int = 1) -> None:
        """Let so many events happen, one after the other."""
        for _ in range(count):
            self.tell(records(1, first=self.journal.last_seq() + 1))

    def tell(self, happened: list[Record], now: Mapping[str, Json] | None = None) -> None:
        after = now or state(happened[-1].seq)
        assert self.journal.append(happened, after) is None
        self.sink.publish(happened, after)

    @property
    def all_sent(self) -> bool:
        return not self.journal.unsent(1)

    def said(self, words: str) -> bool:
        return any(words in line for line in self.told)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.sink.stop()
        self.journal.close()
