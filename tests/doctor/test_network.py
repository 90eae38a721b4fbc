"""Brokers that let us in and brokers that do not, and the page's port. No answer holds a password."""

from __future__ import annotations

import errno
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.config import Config, MqttSection, PageSection
from companion.doctor.finding import Verdict
from companion.doctor.network import Broker, Knock, PagePort, knock, of_broker, of_page, page_port
from companion.mqtt.local_broker import EmbeddedBroker, free_port
from tests.mqtt.material import Listener, Mosquitto, certificates
from tests.shared_material import program

LIMIT_S = 2.0


def knocked(port: int, **broker: Any) -> Knock:
    found = knock(Config(mqtt=MqttSection(host="127.0.0.1", port=port, **broker)), LIMIT_S)
    assert found is not None
    return found


def test_no_broker_is_asked_for() -> None:
    assert knock(Config(), LIMIT_S) is None
    assert of_broker(None) == []


@pytest.mark.parametrize("mqtt5", [True, False])
def test_a_broker_that_lets_us_in_hears_nothing(tmp_path: Path, mqtt5: bool) -> None:
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker.port) as listener:
        found = knocked(broker.port, mqtt5=mqtt5)
        assert found.end is Broker.GREETS
        assert of_broker(found)[0].verdict is Verdict.OK
        listener.say("end", b"")
        assert {heard.topic for heard in listener.heard} <= {"end"}


def test_a_broker_of_the_older_protocol_alone_is_well() -> None:
    with EmbeddedBroker() as broker:
        assert knocked(broker.port).end is Broker.GREETS


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Mosquitto]:
    passwords = tmp_path / "passwords"
    passwords.touch(mode=0o600)
    subprocess.run([program("mosquitto_passwd"), "-b", str(passwords), "ann", "ann-pw"], check=True)
    with Mosquitto(tmp_path / "broker", "allow_anonymous false", f"password_file {passwords}") as broker:
        yield broker


def test_a_refused_login_is_told_and_never_shown(guarded: Mosquitto, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_MQTT_PASSWORD", "wrong-secret")
    for login in ({"username": "ann"}, {}):
        (told,) = of_broker(knocked(guarded.port, **login))
        assert told.verdict is Verdict.WRONG
        assert told.mend is not None
        assert "password_file" in told.mend
        assert "wrong-secret" not in str(told)
    monkeypatch.setenv("COMPANION_MQTT_PASSWORD", "ann-pw")
    assert knocked(guarded.port, username="ann").end is Broker.GREETS


def test_a_broker_that_is_not_there() -> None:
    found = knocked(free_port())
    assert found.end is Broker.UNREACHABLE
    assert "systemctl start mosquitto" in str(of_broker(found)[0].mend)
    elsewhere = of_broker(Knock("broker.local:1883", Broker.UNREACHABLE, "no route"))[0]
    assert "systemctl" not in str(elsewhere.mend), "it runs on another machine"


def test_something_that_is_no_broker_keeps_silent_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert knocked(server.getsockname()[1]).end is Broker.SILENT  # else it would wait here for ever


def test_tls_that_is_well_and_tls_that_is_not(tmp_path: Path) -> None:
    certificates(tmp_path)
    lines = ("allow_anonymous true", f"certfile {tmp_path / 'broker.crt'}", f"keyfile {tmp_path / 'broker.key'}")
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        found = knocked(broker.port, ca_file=tmp_path / "ca.crt")
        assert (found.end, of_broker(found)[0].words.endswith("lets us in over TLS")) == (Broker.GREETS, True)
        assert knocked(broker.port, tls=True).end is Broker.UNTRUSTED
        assert knocked(broker.port).end in (Broker.SILENT, Broker.REFUSES)
    with Mosquitto(tmp_path / "clear") as broker:
        assert knocked(broker.port, tls=True).end in (Broker.NO_TLS, Broker.UNREACHABLE)


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("very secret")
    secret.chmod(0o644)
    found = knocked(free_port(), password_file=secret)
    assert found.end is Broker.MISCONFIGURED
    assert "chmod 600" in found.detail
    assert "very secret" not in found.detail
    assert knocked(free_port(), ca_file=tmp_path / "none.pem").end is Broker.MISCONFIGURED


@pytest.mark.parametrize("end", Broker)
def test_every_end_has_words_and_what_mends_it(end: Broker) -> None:
    (told,) = of_broker(Knock("host:1883", end, "the reason"))
    assert told.words
    assert (told.mend is None) == (end is Broker.GREETS)


# --- the page ---------------------------------------------------------------------------------------------------------


def test_a_port_that_is_free_and_one_that_is_not() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = server.getsockname()[1]
        found = page_port(PageSection(port=taken))
        assert found == PagePort("127.0.0.1", taken, errno.EADDRINUSE)
    free = free_port()
    assert page_port(PageSection(port=free)) == PagePort("127.0.0.1", free)
    assert page_port(PageSection(enabled=False)) is None
    assert of_page(None, configured=True) == []


@pytest.mark.parametrize(
    ("error", "mend"), [(errno.EADDRINUSE, "ss -ltnp"), (errno.EACCES, "above 1023"), (errno.EADDRNOTAVAIL, "set host")]
)
def test_what_is_wrong_with_a_port(error: int, mend: str) -> None:
    (told,) = of_page(PagePort("127.0.0.1", 8420, error), configured=True)
    assert told.verdict is Verdict.WRONG
    assert told.mend is not None
    assert mend in told.mend
    assert of_page(PagePort("127.0.0.1", 8420, error), configured=False)[0].verdict is Verdict.NOTE


def test_an_address_of_another_machine() -> None:
    found = page_port(PageSection(host="192.0.2.7", port=8420))
    assert found is not None
    assert found.error == errno.EADDRNOTAVAIL
