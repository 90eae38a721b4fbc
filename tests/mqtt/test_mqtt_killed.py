"""A command that is on its way when the whole program is killed: never half done, and safely sent again."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.homeassistant.test_real_home_assistant import Node
from tests.mqtt.material import Listener, Mosquitto, until

TABLE = "companion/pi/Kitchen/"
STATUS = "companion/pi/status"
PATIENCE_S = 30.0


@pytest.mark.parametrize("done", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_command_in_the_way_of_a_kill_is_carried_out_once(tmp_path: Path, done: bool) -> None:
    """Killed before it was read, or when it was done already; whoever sends it again does nothing twice.

    What was not read the broker hands over after the restart, if that comes within some seconds.
    """

    def state() -> Any:
        return json.loads(listener.on(f"{TABLE}state")[-1])

    def results() -> list[tuple[bool, str]]:
        told = map(json.loads, listener.on(f"{TABLE}result/play"))
        return [(result["ok"], result["reason"]) for result in told]

    with Mosquitto(tmp_path / "broker", persistent=True) as broker, Listener(broker.port) as listener:
        with Node(tmp_path, broker.port) as node:
            assert until(lambda: listener.on(STATUS) == ["online"], PATIENCE_S)
            body = json.dumps({"transaction": "t", "seq": state()["seq"], "args": {"move": "B1"}}).encode()
            if not done:
                node.send(signal.SIGSTOP)
            listener.say(f"{TABLE}cmd/play", body)
            assert until(lambda: results() == ([(True, "")] if done else []), PATIENCE_S)
            node.end(signal.SIGKILL)
        with Node(tmp_path, broker.port):
            assert until(lambda: listener.on(STATUS).count("online") > 1, PATIENCE_S)
            listener.say(f"{TABLE}cmd/play", body)
            last = (False, "stale") if done else (True, "")
            assert until(lambda: len(results()) > done and results()[-1] == last, PATIENCE_S), results()
            assert until(lambda: [move["move"] for move in state()["moves"]] == ["B1"], PATIENCE_S)
