"""The real Home Assistant with its MQTT integration: its own schemas, and entities over every kind of restart.

It needs an environment of its own (Python 3.13, homeassistant 2025.4.4): `scripts/home-assistant` makes one, and
COMPANION_HOME_ASSISTANT names its Python.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.homeassistant.discovery import discovery
from companion.mqtt.local_broker import free_port
from tests.homeassistant.test_discovery import UNIT, state_of
from tests.mqtt.material import Listener, Mosquitto, until

HERE = Path(__file__).parent
KEEPALIVE_S = 5
PATIENCE_S = 30.0


@pytest.fixture(scope="module")
def python() -> str:
    """Home Assistant's own Python."""
    named = os.environ.get("COMPANION_HOME_ASSISTANT", "")
    if Path(named).is_file():
        return named
    why = "COMPANION_HOME_ASSISTANT names no Python with Home Assistant; scripts/home-assistant makes one"
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


def test_its_own_schemas_take_the_message_and_drop_nothing(python: str) -> None:
    payloads = [
        discovery(UNIT, state_of("infinity", blue="Anna"), {}),
        discovery(UNIT, state_of("finity", players=4), {"score_e": "sensor"}),
    ]
    done = subprocess.run(
        [python, str(HERE / "check_schemas.py")],
        input=json.dumps(payloads),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert found["dropped"] == []
    assert found["entities"] == len(str(payloads).split("'unique_id'")) - 1


class Home:
    """Home Assistant in a process of its own, and the states that it has told of."""

    def __init__(self, python: str, folder: Path, broker: int) -> None:
        self.states: dict[str, tuple[str | None, dict[str, Any]]] = {}
        self.happened: list[tuple[str, int | None, str | None]] = []
        self.ready = False
        folder.mkdir(exist_ok=True)
        self._errors = (folder / "errors.txt").open("w")
        self._process = subprocess.Popen(
            [python, str(HERE / "probe.py"), str(folder), str(broker), str(free_port())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            told = json.loads(line)
            if told.get("ready"):
                self.ready = True
                continue
            self.states[told["entity"]] = told["state"], told["attributes"]
            if told["entity"].startswith("event."):
                self.happened.append(
                    (told["state"], told["attributes"].get("seq"), told["attributes"].get("event_type"))
                )

    @property
    def fired(self) -> list[tuple[str, int]]:
        """The events that automations would have acted on, each with the time when it fired."""
        timed = {(at, seq) for at, seq, _ in self.happened if seq is not None}
        return sorted((at, seq) for at, seq in timed if at not in ("unknown", "unavailable"))

    @property
    def moves_fired(self) -> int:
        return len({at for at, _, kind in self.happened if kind == "move"})

    def state(self, entity: str) -> str | None:
        return self.states.get(entity, (None, {}))[0]

    def press(self, entity: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"press": entity}) + "\n")
        self._process.stdin.flush()

    def stop(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        self._errors.close()


@contextmanager
def home(python: str, folder: Path, broker: int) -> Iterator[Home]:
    running = Home(python, folder, broker)
    try:
        assert until(lambda: running.ready, 60), (folder / "errors.txt").read_text()[-3000:]
        yield running
    finally:
        running.stop()


class Node:
    """The program itself, as people start it, at a table where moves are entered by hand."""

    def __init__(self, folder: Path, broker: int) -> None:
        config = folder / "table.toml"
        config.write_text(
            f"""
            [table]
            name = "Kitchen"
            node = "pi"
            [players]
            blue = "Anna"
            [rules]
            first = "blue"
            [mqtt]
            host = "127.0.0.1"
            port = {broker}
            commands = true
            keepalive_s = {KEEPALIVE_S}
            [page]
            port = 0
            [journal]
            path = "{folder}/journal.sqlite"
            """
        )
        self._process = subprocess.Popen(
            [sys.executable, "-m", "companion", "referee", "--config", str(config)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "XDG_DATA_HOME": str(folder), "XDG_STATE_HOME": str(folder)},
        )

    def send(self, which: signal.Signals) -> None:
        self._process.send_signal(which)

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        self.send(how)
        self._process.wait(20)

    def __enter__(self) -> Node:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.end()


TURN, BLUE, YELLOW = "sensor.kitchen_turn", "sensor.kitchen_score_of_anna", "sensor.kitchen_score_of_yellow"
LAST, EVENTS, UNDO = "sensor.kitchen_last_move", "event.kitchen_events", "button.kitchen_take_back_the_last_move"


def shows(place: Home, **states: str) -> bool:
    wanted = {TURN: states.get("turn"), BLUE: states.get("blue"), LAST: states.get("last")}
    return all(value is None or place.state(entity) == value for entity, value in wanted.items())


def play(broker: Mosquitto, move: str) -> None:
    with Listener(broker.port, "hand") as hand:
        body = {
            "transaction": f"{move} {time.time()}",
            "at": time.strftime("%FT%TZ", time.gmtime()),
            "args": {"move": move},
        }
        hand.say("companion/pi/Kitchen/cmd/play", json.dumps(body).encode())
        assert until(lambda: hand.on("companion/pi/Kitchen/result/play")), "no answer"
        assert json.loads(hand.on("companion/pi/Kitchen/result/play")[-1])["ok"]


@pytest.mark.timeout(400)
def test_entities_are_right_over_every_kind_of_restart(python: str, tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path / "broker")
    broker.start()
    try:
        with Node(tmp_path, broker.port) as node, home(python, tmp_path / "home", broker.port) as place:
            assert until(lambda: shows(place, turn="Anna", blue="0", last="-"), PATIENCE_S), place.states
            play(broker, "B1")
            pushed = "Anna pushes a marble into channel 1"
            assert until(lambda: shows(place, turn="Yellow", last=pushed), PATIENCE_S), place.states
            assert until(lambda: "move" in [kind for _, _, kind in place.happened], PATIENCE_S)
            assert place.state(YELLOW) == "0"

            place.press(UNDO)
            assert until(lambda: shows(place, turn="Anna", last="-"), PATIENCE_S), "a button does what it says"
            play(broker, "B1")
            assert until(lambda: place.moves_fired == 2, PATIENCE_S), "the same move again is an event again (H13)"
            assert until(lambda: len(place.fired) >= 3, PATIENCE_S)
            heard = place.fired

            node.end(signal.SIGKILL)
            killed_s = time.monotonic()
            assert until(lambda: place.state(TURN) == "unavailable", 1.5 * KEEPALIVE_S + 5), "the will delay added"
            assert time.monotonic() - killed_s < 1.5 * KEEPALIVE_S + 5
            with Node(tmp_path, broker.port):
                assert until(lambda: shows(place, turn="Yellow"), PATIENCE_S), "right again after the node's restart"
                broker.stop()
                assert until(lambda: place.state(TURN) == "unavailable", PATIENCE_S)
                broker.start()
                assert until(lambda: shows(place, turn="Yellow"), PATIENCE_S), "after the broker's, which forgot all"
                assert place.fired == heard, "no event fires again (H12)"
        with Node(tmp_path, broker.port), home(python, tmp_path / "home", broker.port) as place:
            assert until(lambda: shows(place, turn="Yellow", blue="0"), 5 + PATIENCE_S), place.states  # H02
            assert set(place.fired) <= set(heard), "it remembers the last one, and none fires again"
    finally:
        broker.stop()
