"""The demo's broker: mosquitto where it is, amqtt where it is not, on this machine alone, gone when it should be."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from companion.errors import DeviceError
from companion.mqtt import local_broker as embedded_broker
from companion.mqtt.local_broker import EmbeddedBroker, LocalBroker, MosquittoBroker, find_mosquitto, local_broker
from tests.mqtt.material import STATE, STATUS, Listener, Table, until
from tests.shared_material import program


def started(kind: str) -> LocalBroker:
    return EmbeddedBroker() if kind == "amqtt" else MosquittoBroker(program("mosquitto"))


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize("kind", ["mosquitto", "amqtt"])
def test_a_game_goes_through_it(tmp_path: Path, kind: str) -> None:
    with started(kind) as broker:
        assert broker.kind == kind
        with Listener(broker.port) as listener, Table(tmp_path, broker.port, mqtt5=broker.mqtt5) as table:
            table.play(100)
            assert until(lambda: listener.seqs() == list(range(1, 101)))
            assert until(lambda: table.all_sent)
        with Listener(broker.port, "late") as late:
            # amqtt says retained messages more than once.
            assert until(lambda: set(late.on(STATUS)) == {"stopped"} and late.on(STATE))


@pytest.mark.parametrize("kind", ["mosquitto", "amqtt"])
def test_it_is_gone_after_stopping_which_may_be_done_twice(kind: str) -> None:
    broker = started(kind)
    assert answers(broker.port)
    broker.stop()
    assert not answers(broker.port)
    broker.stop()


def test_it_listens_on_this_machine_alone() -> None:
    with started("mosquitto") as one, started("amqtt") as other:
        for broker in (one, other):
            assert broker.host == "127.0.0.1"
            listening = Path("/proc/net/tcp").read_text()
            assert f"0100007F:{broker.port:04X} 00000000:0000 0A" in listening
            assert f"00000000:{broker.port:04X} 00000000:0000 0A" not in listening


def test_the_best_one_is_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program("mosquitto")
    with local_broker() as broker:
        assert broker.kind == "mosquitto"
    monkeypatch.setattr(embedded_broker, "find_mosquitto", lambda: None)
    with local_broker() as broker:
        assert broker.kind == "amqtt"


def test_mosquitto_is_found_outside_of_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    found = program("mosquitto")
    monkeypatch.setenv("PATH", "/nowhere")
    assert find_mosquitto() == found


def test_what_does_not_come_up_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_broker, "READY_S", 0.3)
    with pytest.raises(DeviceError, match="/bin/false does not come up"):
        MosquittoBroker("/bin/false")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(embedded_broker, "free_port", lambda: port)
        with pytest.raises(DeviceError, match="built-in MQTT broker does not come up"):
            EmbeddedBroker()


OWNER = """
import sys, time
from companion.mqtt.local_broker import MosquittoBroker
print(MosquittoBroker(sys.argv[1]).port, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_mosquitto_ends_with_its_owner_however_that_ends(how: signal.Signals) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, program("mosquitto")], stdout=subprocess.PIPE, text=True, env={**os.environ}
    )
    assert owner.stdout is not None
    port = int(owner.stdout.readline())
    assert answers(port)
    owner.send_signal(how)
    owner.wait(10)
    assert until(lambda: not answers(port))


@pytest.mark.parametrize("given", ["32768\t60999\n", "1024\t65535\n", "nonsense", None])
def test_a_free_port_is_none_that_the_system_gives_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str | None
) -> None:
    path = tmp_path / "range"
    if given is not None:
        path.write_text(given)
    monkeypatch.setattr(embedded_broker, "GIVEN", path)
    port = embedded_broker.free_port()
    socket.create_server(("127.0.0.1", port)).close()
    assert port < 32768 or given != "32768\t60999\n"
