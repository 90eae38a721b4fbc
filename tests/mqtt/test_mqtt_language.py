"""What people read on MQTT is in the table's language; topics, keys and codes stay what they are."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path

from companion.games.registry import game_named
from companion.journal.opening import open_journal
from companion.mqtt.delivery import TableDelivery, UnderWay
from companion.mqtt.node import MqttNode
from companion.mqtt.settings import MqttSettings
from companion.mqtt.topics import table_topics
from companion.reconciler.verdicts import FoundMove, MovesFound
from companion.referee import Referee

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
