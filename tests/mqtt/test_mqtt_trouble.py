"""Brokers that are away, refuse, hang, lie or are shared: one line for people, and the game goes on."""

from __future__ import annotations

import json
import logging
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.errors import InputError
from companion.mqtt import connection
from companion.mqtt import node as mqtt
from companion.mqtt.local_broker import EmbeddedBroker, free_port
from companion.mqtt.settings import MqttSettings
from tests.journal.material import state
from tests.mqtt.material import EVENT, STATE, STATUS, Listener, Mosquitto, Table, certificates, until
from tests.shared_material import program


@contextmanager
def server(greeting: bytes, port: int = 0) -> Iterator[int]:
    """Something that is no broker: it takes every connection, answers the first bytes with `greeting`, and is mute."""
    listening = socket.create_server(("127.0.0.1", port))
    listening.settimeout(0.1)
    done = threading.Event()
    taken: list[socket.socket] = []

    def serve() -> None:
        while not done.is_set():
            try:
                taken.append(listening.accept()[0])
                taken[-1].settimeout(1)
                taken[-1].recv(4096)
                taken[-1].sendall(greeting)
            except OSError:
                continue

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield listening.getsockname()[1]
    finally:
        done.set()
        thread.join(5)
        for connection in (*taken, listening):
            connection.close()


def test_a_broker_that_is_away_at_the_start_is_told_once_and_awaited(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path / "broker")
    with Table(tmp_path, broker.port) as table:
        table.play(20)
        assert until(lambda: table.told)
        time.sleep(0.8)  # several tries
        assert len(table.told) == 1
        assert "cannot be reached (Connection refused); the game goes on" in table.told[0]
        broker.start()
        with Listener(broker.port) as listener:
            assert until(lambda: table.all_sent)
            assert until(lambda: listener.on(STATUS) == ["online"])
        assert table.said("connected to 127.0.0.1")
    broker.stop()


def test_a_name_that_nobody_knows_is_told(tmp_path: Path) -> None:
    table = Table(tmp_path, 1883)
    table.node.settings = MqttSettings(host="no-such-host.invalid", node="node", retry_min_s=0.1)
    with table:
        assert until(lambda: table.said("no-such-host.invalid:1883 cannot be reached"))


def test_pauses_grow_up_to_their_limit(tmp_path: Path) -> None:
    with Table(tmp_path, free_port(), retry_min_s=0.05, retry_max_s=0.2) as table:
        assert until(lambda: table.node._pause_s == 0.2)
        assert not until(lambda: table.node._pause_s > 0.2, 0.5)


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker with users: ann may write, bob only read."""
    passwords = tmp_path / "passwords"
    passwords.touch(mode=0o600)
    for user in ("ann", "bob"):
        subprocess.run([program("mosquitto_passwd"), "-b", str(passwords), user, f"{user}-pw"], check=True)
    access = tmp_path / "access"
    access.write_text("user ann\ntopic readwrite #\nuser bob\ntopic read #\n")
    lines = ("allow_anonymous false", f"password_file {passwords}", f"acl_file {access}")
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        yield broker


def test_with_the_right_password_it_works(guarded: Mosquitto, tmp_path: Path) -> None:
    with (
        Listener(guarded.port, username="ann", password="ann-pw") as listener,
        Table(tmp_path, guarded.port, username="ann", password="ann-pw") as table,
    ):
        table.play(3)
        assert until(lambda: len(listener.on(EVENT)) == 3)


@pytest.mark.parametrize("mqtt5", [True, False])
def test_a_wrong_password_is_told_in_words_and_never_shown(
    guarded: Mosquitto, tmp_path: Path, caplog: pytest.LogCaptureFixture, mqtt5: bool
) -> None:
    caplog.set_level(logging.DEBUG)
    with Table(tmp_path, guarded.port, username="ann", password="wrong-secret", mqtt5=mqtt5) as table:
        table.play(3)
        assert until(lambda: table.told)
        time.sleep(0.5)
        assert len(table.told) == 1
        assert "password" in table.told[0] or "authorised" in table.told[0]
        assert len(table.journal.unsent(9)) == 3
    assert "wrong-secret" not in caplog.text + repr(table.told)


def test_an_access_list_that_refuses_is_told_and_nothing_counts_as_sent(guarded: Mosquitto, tmp_path: Path) -> None:
    with Table(tmp_path, guarded.port, username="bob", password="bob-pw") as table:
        table.play(3)
        assert until(lambda: table.said("does not let this user publish here"))
        assert len(table.journal.unsent(9)) == 3


@pytest.mark.parametrize("rubbish", [b"", b'{"a":1}', b"\xff\xfe\x00", b"offline", b"stopped", bytes(range(256)) * 64])
def test_rubbish_on_the_status_topic_is_put_right(tmp_path: Path, rubbish: bytes) -> None:
    """Also the will of a dead connection of our own, when it is late: online is said again."""
    with (
        Mosquitto(tmp_path / "broker") as broker,
        Listener(broker.port) as listener,
        Table(tmp_path, broker.port) as table,
    ):
        assert until(lambda: listener.on(STATUS) == ["online"])
        for count in range(2, 4):
            listener.say(STATUS, rubbish, retain=True)
            assert until(lambda n=count: listener.on(STATUS).count("online") == n)  # type: ignore[misc]
        table.play(2)
        assert until(lambda: len(listener.on(EVENT)) == 2)
        with Listener(broker.port, "late") as late:
            assert until(lambda: late.on(STATUS) == ["online"])


def test_rubbish_that_was_retained_is_replaced(tmp_path: Path) -> None:
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker.port) as listener:
        for topic in (STATE, STATUS):
            listener.say(topic, random.Random(3).randbytes(400), retain=True)
        with Table(tmp_path, broker.port), Listener(broker.port, "late") as late:
            assert until(lambda: late.on(STATUS)[-1:] == ["online"])
            assert json.loads(late.on(STATE)[-1]) == {"table": "table", **state(0)}


HALF_OPEN = """
import pathlib, sys, time
from tests.mqtt.material import Table, until
table = Table(pathlib.Path(sys.argv[1]), int(sys.argv[2]), keepalive_s=1)
table.start()
time.sleep(60)
"""


def test_a_dead_connections_will_does_not_speak_last(tmp_path: Path) -> None:
    """The program freezes, another takes over its name; the broker notices the first one's silence later."""
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker.port) as listener:
        frozen = subprocess.Popen([sys.executable, "-c", HALF_OPEN, str(tmp_path), str(broker.port)])
        try:
            assert until(lambda: listener.on(STATUS) == ["online"], 20)
            frozen.send_signal(signal.SIGSTOP)
            (tmp_path / "new").mkdir()
            with Table(tmp_path / "new", broker.port) as table:
                assert until(lambda: listener.on(STATUS).count("online") >= 2)
                time.sleep(2.5)  # beyond one and a half keepalives of the frozen one
                assert table.node.connected
                with Listener(broker.port, "late") as late:
                    assert until(lambda: late.on(STATUS) == ["online"])
        finally:
            frozen.kill()
            frozen.wait(10)


@pytest.mark.parametrize("mqtt5", [True, False])
def test_of_two_programs_with_one_name_the_later_stops(tmp_path: Path, mqtt5: bool) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    with (
        Mosquitto(tmp_path / "broker") as broker,
        Listener(broker.port) as listener,
        Table(tmp_path / "first", broker.port, mqtt5=mqtt5) as first,
    ):
        assert until(lambda: listener.on(STATUS) == ["online"])
        with Table(tmp_path / "second", broker.port, mqtt5=mqtt5) as second:
            assert until(lambda: second.said("this one stops publishing"), 20)
            assert second.node._thread is not None
            second.node._thread.join(5)
            second.play(1)  # it does not come back by itself
            assert until(lambda: first.node.connected)
            first.play(3)
            assert until(lambda: first.all_sent)
            assert not first.said("this one stops publishing")
            assert len(second.journal.unsent(9)) == 1
        with Listener(broker.port, "late") as late:
            assert until(lambda: late.on(STATUS) == ["online"])


def test_a_broker_without_mqtt_5_is_spoken_to_in_the_older_version(tmp_path: Path) -> None:
    with EmbeddedBroker() as broker, Listener(broker.port) as listener, Table(tmp_path, broker.port) as table:
        table.play(30)
        assert until(lambda: len(listener.seqs()) == 30, 15)
        assert table.told == [f"MQTT: connected to 127.0.0.1:{broker.port} (version 3.1.1)"]
        assert listener.on(STATUS) == ["online"]


@pytest.mark.parametrize(
    "greeting",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\xff" * 50,
        bytes(64),
        b"\x20\x7f",
        b"\x20\x03\x00\x84\x00",
        b"\x20\x02\x00\x01",
    ],
)
def test_what_is_no_broker_is_told_and_survived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, greeting: bytes
) -> None:
    monkeypatch.setattr(connection, "HANDSHAKE_S", 0.5)
    with server(greeting) as port, Table(tmp_path, port) as table:
        table.play(2)
        assert until(lambda: table.told, 15)
        assert all("\n" not in line for line in table.told)
        assert table.node._thread is not None
        assert table.node._thread.is_alive()
    with Mosquitto(tmp_path / "broker") as broker, Table(tmp_path, broker.port) as table:
        assert until(lambda: table.all_sent)


def test_a_broker_that_takes_all_and_answers_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqtt, "ANSWER_S", 0.3)
    with server(b"\x20\x03\x00\x00\x00") as port, Table(tmp_path, port) as table:
        table.play(1)
        assert until(lambda: table.said("stopped answering"))
        assert len(table.journal.unsent(9)) == 1


def test_stopping_is_quick_though_the_broker_is_mute(tmp_path: Path) -> None:
    with server(b"\x20\x03\x00\x00\x00") as port:
        table = Table(tmp_path, port)
        table.start()
        table.play(1)
        assert until(lambda: table.node.connected)
        began_s = time.monotonic()
        table.sink.stop()
        assert time.monotonic() - began_s < mqtt.ANSWER_S / 2, "an answer was waited for"
        table.journal.close()


def test_an_error_in_the_thread_costs_a_pause_and_no_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        Mosquitto(tmp_path / "broker") as broker,
        Listener(broker.port) as listener,
        Table(tmp_path, broker.port) as table,
    ):
        assert until(lambda: table.node.connected)
        real = table.journal.unsent
        failures = iter([OSError("disk"), ValueError("nonsense")])

        def failing(limit: int, after: int = 0) -> object:
            error = next(failures, None)
            if error is not None:
                raise error
            return real(limit, after)

        monkeypatch.setattr(table.journal, "unsent", failing)
        table.play(5)
        assert until(lambda: len(listener.seqs()) == 5)
        assert table.said("internal error (OSError: disk)")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_died_is_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        Mosquitto(tmp_path / "broker") as broker,
        Listener(broker.port) as listener,
        Table(tmp_path, broker.port) as table,
    ):
        assert until(lambda: listener.on(STATUS))
        died = table.node._thread
        assert died is not None

        def deadly(limit: int, after: int = 0) -> object:
            monkeypatch.undo()
            raise SystemExit

        monkeypatch.setattr(table.journal, "unsent", deadly)
        table.play(1)
        assert until(lambda: not died.is_alive())
        table.play(4)
        assert until(lambda: len(listener.seqs()) == 5)
        assert table.said("started again")


def test_a_person_who_cannot_be_told_stops_nothing(tmp_path: Path) -> None:
    def gone(_: str) -> None:
        raise BrokenPipeError

    with Mosquitto(tmp_path / "broker") as broker:
        table = Table(tmp_path, broker.port)
        table.node._tell_person = gone
        with table:
            table.play(2)
            assert until(lambda: table.all_sent)


def test_tls_with_our_own_authority(tmp_path: Path) -> None:
    certificates(tmp_path)
    lines = (
        "allow_anonymous true",
        f"certfile {tmp_path / 'broker.crt'}",
        f"keyfile {tmp_path / 'broker.key'}",
        f"cafile {tmp_path / 'ca.crt'}",
    )
    with Mosquitto(tmp_path / "broker", *lines) as broker:
        with Table(tmp_path, broker.port, ca_file=tmp_path / "ca.crt") as table:
            table.play(60)
            assert until(lambda: table.all_sent)
        (tmp_path / "other").mkdir()
        with Table(tmp_path / "other", broker.port, tls=True) as table:
            assert until(lambda: table.said("certificate that is not trusted"))


@pytest.mark.parametrize("content", [None, "no certificate"])
@pytest.mark.parametrize("which", ["ca_file", "cert_file"])
def test_a_certificate_that_cannot_be_used_is_named_at_the_start(
    tmp_path: Path, content: str | None, which: str
) -> None:
    path = tmp_path / "some.pem"
    if content is not None:
        path.write_text(content)
    table = Table(tmp_path, 1883, tls=True, **{which: path})
    with pytest.raises(InputError, match=r"some\.pem: this should be .* \(PEM\)"):
        table.sink.start()
    table.journal.close()
