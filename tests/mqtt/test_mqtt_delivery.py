"""Every event arrives, in order, over restarts of the broker and of the program, killed or not."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.journal.material import state
from tests.mqtt.material import EVENT, STATE, STATUS, Listener, Mosquitto, Table, until


def test_all_events_arrive_in_order_over_restarts_of_the_broker(tmp_path: Path) -> None:
    with (
        Mosquitto(tmp_path / "broker", persistent=True) as broker,
        Listener(broker.port) as listener,
        Table(tmp_path, broker.port) as table,
    ):
        for _ in range(2):
            table.play(100)
            broker.stop()
            table.play(50)
            broker.start()
            table.play(20)
        assert until(lambda: table.all_sent, 20)
        assert until(lambda: listener.seqs()[-1:] == [340], 20)
        assert listener.seqs() == list(range(1, 341))


def test_all_events_arrive_in_order_over_restarts_of_the_program(tmp_path: Path) -> None:
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker.port) as listener:
        for _ in range(3):
            with Table(tmp_path, broker.port) as table:
                table.play(40)
        offline = Table(tmp_path, broker.port)  # plays without ever being started
        offline.play(40)
        offline.sink.stop()
        offline.journal.close()
        with Table(tmp_path, broker.port) as table:
            assert until(lambda: table.all_sent)
        assert until(lambda: len(listener.on(EVENT)) >= 160)
        assert listener.seqs() == list(range(1, 161))
        ids = [json.loads(text)["id"] for text in listener.on(EVENT)]
        assert sorted(set(ids), key=ids.index) == [f"id-{seq}" for seq in range(1, 161)]


CHILD = """
import pathlib, sys, time
from tests.mqtt.material import Table
table = Table(pathlib.Path(sys.argv[1]), int(sys.argv[2]), will_delay_s=int(sys.argv[3]))
table.start()
print("at", table.journal.last_seq(), flush=True)
while True:
    table.play(1)
    print("kept", table.journal.last_seq(), flush=True)
    time.sleep(0.001)
"""


class Child:
    """A table in a process of its own, to be killed."""

    def __init__(self, folder: Path, port: int, will_delay_s: int = 0) -> None:
        self.kept = 0
        self._process = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(folder), str(port), str(will_delay_s)], stdout=subprocess.PIPE, text=True
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("kept") and line.endswith("\n"):
                self.kept = int(line.split()[1])

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(10)
        self._reader.join(10)


@pytest.mark.parametrize("kills", [4, pytest.param(40, marks=pytest.mark.long)])
def test_all_events_arrive_in_order_though_program_and_broker_are_killed(tmp_path: Path, kills: int) -> None:
    random_ = random.Random(kills)
    kept = 0
    with Mosquitto(tmp_path / "broker", persistent=True) as broker, Listener(broker.port) as listener:
        for number in range(kills):
            child = Child(tmp_path, broker.port)
            try:
                assert until(lambda: child.kept > kept, 20)  # noqa: B023
                time.sleep(random_.uniform(0.05, 0.4))
                if number % 2:
                    broker.stop()
                    time.sleep(0.1)
                    broker.start()
            finally:
                child.kill()
            kept = child.kept
        with Table(tmp_path, broker.port) as table:
            last = table.journal.last_seq()
            assert last >= kept > kills
            assert until(lambda: table.all_sent, 20)
            assert until(lambda: listener.seqs()[-1:] == [last], 20)
        assert listener.seqs() == list(range(1, last + 1))


@pytest.mark.parametrize("delay_s", [0, 1])
def test_the_will_speaks_for_a_program_that_was_killed(tmp_path: Path, delay_s: int) -> None:
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker.port) as listener:
        child = Child(tmp_path, broker.port, delay_s)
        assert until(lambda: listener.on(STATUS) == ["online"], 20)
        killed_s = time.monotonic()
        child.kill()
        assert until(lambda: listener.on(STATUS) == ["online", "offline"], delay_s + 20)
        assert time.monotonic() - killed_s >= 0.7 * delay_s
        with Listener(broker.port, "late") as late:
            assert until(lambda: late.on(STATUS) == ["offline"])


def test_coming_back_before_the_will_is_due_keeps_it_silent(tmp_path: Path) -> None:
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker.port) as listener:
        child = Child(tmp_path, broker.port, 2)
        assert until(lambda: listener.on(STATUS) == ["online"], 20)
        child.kill()
        with Table(tmp_path, broker.port, will_delay_s=2):
            assert until(lambda: listener.on(STATUS) == ["online", "online"])
            assert not until(lambda: "offline" in listener.on(STATUS), 2.5)


def test_no_event_is_heard_again_after_both_have_restarted(tmp_path: Path) -> None:
    """A score that comes twice would fire somebody's automation twice."""
    broker = Mosquitto(tmp_path / "broker", persistent=True)
    broker.start()
    with Table(tmp_path, broker.port) as table:
        table.play(10)
        assert until(lambda: table.all_sent)
    broker.stop()
    broker.start()
    with Listener(broker.port, "home") as home, Table(tmp_path, broker.port) as table:
        assert until(lambda: home.on(STATUS)[-1:] == ["online"])
        assert not until(lambda: home.on(EVENT), 0.4)
        assert json.loads(home.on(STATE)[0])["seq"] == 10
        table.play(2)
        assert until(lambda: len(home.on(EVENT)) == 2)
    broker.stop()


def test_a_broker_that_forgot_everything_is_told_again(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path / "broker")
    broker.start()
    with Table(tmp_path, broker.port) as table:
        table.play(7)
        assert until(lambda: table.all_sent)
        broker.stop(signal.SIGKILL)
        broker.start()
        with Listener(broker.port, "home") as home:
            assert until(lambda: home.on(STATUS)[-1:] == ["online"] and home.on(STATE))
            assert json.loads(home.on(STATE)[-1]) == {"table": "table", **state(7)}
            assert home.on(EVENT) == []
    broker.stop()


def test_a_move_is_with_the_subscriber_at_once(tmp_path: Path) -> None:
    """Journal and broker together take a small part of the 100 ms that a settled move may take."""
    with (
        Mosquitto(tmp_path / "broker") as broker,
        Listener(broker.port) as listener,
        Table(tmp_path, broker.port) as table,
    ):
        assert until(lambda: listener.on(STATUS))
        took_ms = []
        for seq in range(1, 41):
            began_s = time.monotonic()
            table.play(1)
            assert until(lambda: len(listener.on(EVENT)) == seq)  # noqa: B023
            took_ms.append((time.monotonic() - began_s) * 1000)
        assert sorted(took_ms)[20] < 50
