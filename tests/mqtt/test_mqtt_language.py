"""What people read on MQTT is in the table's language; topics, keys and codes stay what they are."""

from __future__ import annotations

import json
import re
from collections import deque
from pathlib import Path

import pytest

from companion.games.registry import game_named
from companion.journal.opening import open_journal
from companion.mqtt.connection import ENDINGS
from companion.mqtt.delivery import TableDelivery, UnderWay
from companion.mqtt.node import MqttNode
from companion.mqtt.settings import MqttSettings
from companion.mqtt.topics import table_topics
from companion.reconciler.verdicts import FoundMove, MovesFound
from companion.referee import Referee
from companion.texts import in_language
from tests.mqtt.material import Mosquitto, Table, until

POLISH = MqttSettings(language="pl")


def test_events_and_state_are_said_in_the_tables_language(tmp_path: Path) -> None:
    referee = Referee(game_named("infinity", {}, {}), "g")
    records = [*referee.start(0.0), *referee.take(1.0, MovesFound((FoundMove("B3"),)))]
    journal = open_journal(tmp_path / "journal.sqlite").journal
    journal.append(records, {})
    said: list[dict[str, object]] = []

    def send(topic: str, payload: str, *, retain: bool, expiry_s: int | None = None) -> int:
        said.append(json.loads(payload))
        return len(said)

    TableDelivery("t", table_topics(POLISH, "t"), journal, UnderWay(send), deque(), "pl").send_events(0.0)
    move = next(line for line in said if line["event"] == "move")
    assert (move["move"], move["words"]) == ("B3", "Niebieski wsuwa kulkę do kanału 3")

    table = MqttNode(POLISH).table("t", journal)
    table.publish(records, referee.state_json())
    state = json.loads(table.wanted.state or "")
    assert [each["words"] for each in state["moves"]] == ["Niebieski wsuwa kulkę do kanału 3"]
    journal.close()


ENGLISH = re.compile(r"\b(the|broker has|connected|connection|lost|another|trying|refused|error)\b")


@pytest.mark.parametrize("mqtt5", [True, False])
def test_whatever_is_told_of_the_broker_can_be_told_in_polish(tmp_path: Path, mqtt5: bool) -> None:
    """The terminal's language, which is chosen where a line is written: no part of one has forgotten its message."""
    (tmp_path / "second").mkdir()
    with Mosquitto(tmp_path / "broker") as broker, Table(tmp_path, broker.port, mqtt5=mqtt5) as table:
        assert until(lambda: table.said("connected"))
        with Table(tmp_path / "second", broker.port, mqtt5=mqtt5) as second:
            assert until(lambda: second.said("another program is on"), 20), second.told
        broker.stop()
        assert until(lambda: table.said("the connection is lost") and table.said("cannot be reached"))
        polish = [str(in_language(line, "pl")) for line in (*table.told, *second.told)]
    assert [line for line in polish if ENGLISH.search(line)] == []


def test_a_broker_that_ends_it_gives_a_reason_in_polish() -> None:
    """MQTT 5: mosquitto says that from 2.0.15 on."""
    assert {str(in_language(words, "pl")) for words in ENDINGS.values()}.isdisjoint(map(str, ENDINGS.values()))
