"""Commands from the broker: carried out once, answered, and refused where they are old, kept or nonsense."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.config import Config, MqttSection
from companion.games.registry import game_named
from companion.journal.opening import open_journal
from companion.live import TableLoop
from companion.mqtt.desk import CommandDesk
from companion.mqtt.local_broker import EmbeddedBroker
from companion.mqtt.node import MqttNode
from companion.mqtt.settings import MqttSettings
from companion.table import Table
from tests.mqtt.material import EVENT, STATE, STATUS, Listener, Mosquitto, until

COMMAND, RESULT = "companion/node/table/cmd/", "companion/node/table/result/"


class Node:
    """A real table of Infinity that nobody watches, on a broker that may command it."""

    def __init__(self, folder: Path, port: int, **settings: Any) -> None:
        self.port = port
        self.told: list[str] = []
        self.journal = open_journal(folder / "journal.sqlite").journal
        chosen: dict[str, Any] = {"node": "node", "will_delay_s": 0, "retry_min_s": 0.1, **settings}
        broker = MqttNode(MqttSettings(host="127.0.0.1", port=port, **chosen), self.told.append)
        sink = broker.table("table", self.journal)
        table = Table(game_named("infinity", {"first": "blue"}))
        self.loop = TableLoop(table, [sink], clock=time.monotonic, keeper=self.journal)
        self.desk = CommandDesk(self.loop)
        sink.take_commands(self.desk)
        self._thread = threading.Thread(target=self.loop.run)
        self._thread.start()

    def close(self) -> None:
        self.loop.stop()
        self._thread.join(20)
        self.desk.close()
        self.journal.close()


@contextmanager
def at_work(folder: Path, *lines: str, **settings: Any) -> Iterator[tuple[Node, Listener]]:
    with Mosquitto(folder / "broker", *lines) as broker, Listener(broker.port) as listener:
        node = Node(folder, broker.port, **settings)
        try:
            assert until(lambda: listener.on(STATUS) == ["online"])
            yield node, listener
        finally:
            node.close()


def say(listener: Listener, name: str, body: object, *, retain: bool = False) -> None:
    payload = body if isinstance(body, bytes) else json.dumps(body).encode()
    listener.say(COMMAND + name, payload, retain)


def result(listener: Listener, name: str, count: int = 1) -> dict[str, Any]:
    assert until(lambda: len(listener.on(RESULT + name)) >= count), "no result came"
    found: dict[str, Any] = json.loads(listener.on(RESULT + name)[count - 1])
    return found


def moves(node: Node) -> list[str]:
    told = node.loop.state()["moves"]
    assert isinstance(told, list)
    return [move["move"] for move in told]


def test_moves_are_played_taken_back_and_the_game_begun_anew(tmp_path: Path) -> None:
    with at_work(tmp_path) as (node, listener):
        seq = node.loop.state()["seq"]
        say(listener, "play", {"transaction": "t1", "seq": seq, "by": "Anna", "args": {"move": "B1"}})
        answer = result(listener, "play")
        assert (answer["transaction"], answer["ok"], answer["reason"]) == ("t1", True, "")
        assert answer["seq"] > seq
        assert moves(node) == ["B1"]
        assert until(lambda: json.loads(listener.on(STATE)[-1])["ply"] == 1)
        say(listener, "undo", {"transaction": "t2", "seq": answer["seq"]})
        assert result(listener, "undo")["ok"]
        assert moves(node) == []
        correction = next(json.loads(text) for text in listener.on(EVENT) if "correction" in text)
        assert correction["by"] == "MQTT"
        say(listener, "pause", {"transaction": "t3", "at": datetime.now(UTC).isoformat()})
        assert result(listener, "pause")["ok"]
        assert node.loop.state()["paused"] is True


def test_a_command_that_comes_twice_is_carried_out_once(tmp_path: Path) -> None:
    with at_work(tmp_path) as (node, listener):
        body = {"transaction": "same", "at": datetime.now(UTC).isoformat(), "args": {"move": "B1"}}
        say(listener, "play", body)
        first = result(listener, "play")
        say(listener, "play", body)
        assert result(listener, "play", 2) == first
        assert moves(node) == ["B1"]


def test_a_stale_command_is_refused(tmp_path: Path) -> None:
    with at_work(tmp_path) as (node, listener):
        seq = node.loop.state()["seq"]
        say(listener, "play", {"transaction": "a", "seq": seq, "args": {"move": "B1"}})
        result(listener, "play")
        say(listener, "play", {"transaction": "b", "seq": seq, "args": {"move": "Y2"}})
        assert result(listener, "play", 2)["reason"] == "stale"
        assert moves(node) == ["B1"]


@pytest.mark.parametrize("seconds", [-3600, 3600])
def test_an_hour_old_command_is_refused(tmp_path: Path, seconds: int) -> None:
    with at_work(tmp_path) as (node, listener):
        at = (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat()
        say(listener, "play", {"transaction": "a", "at": at, "args": {"move": "B1"}})
        assert result(listener, "play")["reason"] == "too_old"
        assert moves(node) == []


@pytest.mark.parametrize("mqtt5", [True, False])
def test_a_retained_command_does_nothing_at_the_start(tmp_path: Path, mqtt5: bool) -> None:
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker.port) as listener:
        body = {"transaction": "old", "seq": 1, "args": {"move": "B1"}}
        say(listener, "play", body, retain=True)
        node = Node(tmp_path, broker.port, mqtt5=mqtt5)
        try:
            assert result(listener, "play")["reason"] == "retained"
            assert moves(node) == []
            assert nothing_kept(broker.port, "play")
            assert len(listener.on(RESULT + "play")) == 1, "that it was taken off is no command"
        finally:
            node.close()


def nothing_kept(port: int, name: str) -> bool:
    """Whether the broker soon has no command for whoever comes."""

    def gone() -> bool:
        with Listener(port, "late") as late:
            return until(lambda: late.on(STATE), 2) and not late.on(COMMAND + name)

    return until(gone)


def test_a_retained_command_does_nothing_while_the_table_is_there(tmp_path: Path) -> None:
    with at_work(tmp_path) as (node, listener):
        at = datetime.now(UTC).isoformat()
        say(listener, "play", {"transaction": "kept", "at": at, "args": {"move": "B1"}}, retain=True)
        assert result(listener, "play")["reason"] == "retained"
        assert moves(node) == []
        assert nothing_kept(node.port, "play")


def test_a_retained_command_that_mqtt_3_1_1_does_not_show_is_carried_out_once(tmp_path: Path) -> None:
    """docs/mqtt.md says so; the next start finds it and takes it off."""
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker.port) as listener:
        for start, reason in enumerate(("", "retained"), 1):
            (tmp_path / str(start)).mkdir()
            node = Node(tmp_path / str(start), broker.port, mqtt5=False)
            try:
                assert until(lambda: node.journal.last_seq() and not node.journal.unsent(1))  # noqa: B023
                if start == 1:
                    at = datetime.now(UTC).isoformat()
                    say(listener, "play", {"transaction": "kept", "at": at, "args": {"move": "B1"}}, retain=True)
                assert result(listener, "play", start)["reason"] == reason
                assert moves(node) == (["B1"] if start == 1 else [])
            finally:
                node.close()
        assert nothing_kept(broker.port, "play")


def test_a_command_that_may_not_be_taken_off_stays_refused(tmp_path: Path) -> None:
    """An access list of somebody else's: the table may read commands and not write them."""
    rules = ["topic read companion/node/#"]
    rules += [f"topic write companion/node/{what}" for what in ("status", "instance", "table/state", "table/event")]
    rules += ["topic write companion/node/table/result/#", "user home", "topic readwrite #"]
    (tmp_path / "acl").write_text("\n".join(rules) + "\n")
    acl = ("allow_anonymous true", f"acl_file {tmp_path / 'acl'}")
    with (
        Mosquitto(tmp_path / "broker", *acl) as broker,
        Listener(broker.port, username="home", password="") as listener,
    ):
        say(listener, "play", {"transaction": "old", "seq": 1, "args": {"move": "B1"}}, retain=True)
        node = Node(tmp_path, broker.port)
        try:
            assert result(listener, "play")["reason"] == "retained"
            say(listener, "pause", {"transaction": "good", "at": datetime.now(UTC).isoformat()})
            assert result(listener, "pause")["ok"]
            assert len(node.told) == 1, node.told
        finally:
            node.close()


@pytest.mark.parametrize(
    ("name", "payload", "reason"),
    [
        ("play", b"", "no_json"),
        ("play", b'{"a":1}', "no_json"),
        ("play", b"\xff\xfe", "no_json"),
        ("play", b"[" * 60000, "no_json"),
        ("play", b'{"transaction":"x","seq":1,"args":{"move":5}}', "bad_args"),
        ("play", b'{"transaction":"x","seq":true,"args":{"move":"B1"}}', "bad_args"),
        ("play", b'{"transaction":"x","at":"yesterday","args":{"move":"B1"}}', "no_json"),
        ("shutdown", b'{"transaction":"x","seq":1,"args":{}}', "unknown_command"),
        ("answer", b'{"transaction":"x","seq":1,"args":{"number":1}}', "no_question"),
    ],
)
def test_nonsense_is_answered_and_the_next_command_heard(
    tmp_path: Path, name: str, payload: bytes, reason: str
) -> None:
    """M04: an empty payload, then a good one."""
    with at_work(tmp_path) as (node, listener):
        say(listener, name, payload)
        assert result(listener, name)["reason"] == reason
        say(listener, "pause", {"transaction": "good", "seq": 1})
        assert result(listener, "pause")["ok"]
        assert moves(node) == []


def test_a_question_is_answered_by_the_number_of_a_choice(tmp_path: Path) -> None:
    from companion.evidence import MarbleEntered

    with at_work(tmp_path) as (node, listener):
        node.loop.put(MarbleEntered(time.monotonic(), "board", 1))
        assert until(lambda: node.loop.state()["question"] is not None), "a marble, and no eye for its colour"
        question = node.loop.state()["question"]
        assert isinstance(question, dict)
        say(listener, "answer", {"transaction": "x", "at": datetime.now(UTC).isoformat(), "args": {"number": 2}})
        assert result(listener, "answer")["ok"]
        assert moves(node) == [question["choices"][1]]


def test_websockets(tmp_path: Path) -> None:
    with EmbeddedBroker("ws") as broker:
        node = Node(tmp_path, broker.port, websocket_path="/mqtt", mqtt5=False)
        try:
            assert until(lambda: any("connected" in line for line in node.told)), node.told
            assert until(lambda: node.journal.last_seq() > 0 and not node.journal.unsent(1))
        finally:
            node.close()


@pytest.mark.parametrize(
    ("section", "takes"),
    [({}, False), ({"username": "u"}, True), ({"commands": True}, True), ({"username": "u", "commands": False}, False)],
)
def test_only_a_broker_with_a_login_commands_by_itself(section: dict[str, Any], takes: bool) -> None:
    config = Config(mqtt=MqttSection(**section))
    assert config.mqtt is not None
    assert config.mqtt.takes_commands is takes
