"""What Home Assistant is told of a table: entities for what there is, gone when it is gone, ids of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.games.game import Json
from companion.games.registry import game_named
from companion.homeassistant import announcer
from companion.homeassistant.announcer import Announcer, unit_of
from companion.homeassistant.discovery import EVENTS, Unit, components_of, discovery, discovery_topic
from companion.mqtt.settings import MqttSettings
from companion.table import Table
from tests.mqtt.material import STATUS, Listener, Mosquitto, until
from tests.mqtt.material import Table as OnBroker

SETTINGS = MqttSettings(node="pi.local")
UNIT = unit_of(SETTINGS, "Mały stół", takes_commands=True, language="en")
TOPIC = discovery_topic("homeassistant", UNIT.id)


def state_of(game: str, players: int = 2, **names: str) -> dict[str, Json]:
    setup: dict[str, Json] = {"players": players, "pattern": "bwbbwbww"} if game == "finity" else {}
    table = Table(game_named(game, {}, setup), names=names)
    table.start(0.0)
    state = json.loads(json.dumps(table.state_json(), default=dict))
    return {**state, "devices": {"camera": {"state": "ok", "detail": ""}}}


def components(game: str, **more: Any) -> dict[str, Any]:
    found = discovery(UNIT, state_of(game, **more), {})["components"]
    assert isinstance(found, dict)
    return found


def test_every_player_has_a_score_under_the_own_name() -> None:
    names = {key: entity["name"] for key, entity in components("finity", players=3, A="Ola").items()}
    assert (names["score_a"], names["score_b"]) == ("Score of Ola", "Score of B")
    assert "score_d" not in names
    assert components("infinity", blue="Jan")["score_blue"]["name"] == "Score of Jan"


def test_a_game_has_only_what_it_can_have() -> None:
    assert {"orphans"} == components("finity").keys() & {"orphans", "knob_mismatch", "confirm_knob"}
    assert {"knob_mismatch", "confirm_knob"} == components("infinity").keys() & {
        "orphans",
        "knob_mismatch",
        "confirm_knob",
    }


def test_without_commands_there_are_no_buttons() -> None:
    mute = unit_of(SETTINGS, "Table", takes_commands=False, language="en")
    found = discovery(mute, state_of("infinity"), {})["components"]
    assert isinstance(found, dict)
    assert "button" not in {entity["platform"] for entity in found.values()}


def test_entities_of_players_who_have_gone_are_taken_away() -> None:
    """H14"""
    four = discovery(UNIT, state_of("finity", players=4), {})
    earlier = components_of(json.dumps(four).encode())
    two = discovery(UNIT, state_of("finity", players=2), earlier)["components"]
    assert isinstance(two, dict)
    assert [key for key, entity in two.items() if entity == {"platform": "sensor"}] == ["score_c", "score_d"]
    assert components_of(json.dumps({"components": two}).encode()).keys() == earlier.keys() - {"score_c", "score_d"}


def test_ids_are_plain_and_names_for_people(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """H05, H07, H08: two machines with the same names are two devices; no entity is called as the device."""
    assert UNIT.id.isascii()
    assert all(letter.isalnum() or letter in "_-" for letter in UNIT.id)
    told = discovery(UNIT, state_of("infinity"), {})
    assert isinstance(told["device"], dict)
    assert isinstance(told["components"], dict)
    assert told["device"]["name"] == "Mały stół"
    assert told["device"]["name"] not in {entity["name"] for entity in told["components"].values()}
    ids = {entity["unique_id"] for entity in told["components"].values()}
    assert len(ids) == len(told["components"])
    (tmp_path / "machine-id").write_text("another\n")
    monkeypatch.setattr(announcer, "MACHINE_ID", tmp_path / "machine-id")
    assert unit_of(SETTINGS, "Mały stół", takes_commands=True, language="en").id != UNIT.id


def test_names_of_entities_can_be_polish() -> None:
    polish = unit_of(SETTINGS, "T", takes_commands=True, language="pl")
    found = discovery(polish, state_of("infinity"), {})["components"]
    assert isinstance(found, dict)
    assert found["undo"]["name"] != "Take back the last move"


def test_events_are_those_of_the_contract_that_do_not_come_all_the_time() -> None:
    assert not {"occluded", "clear", "device"} & set(EVENTS)
    assert components("infinity")["events"]["event_types"] == list(EVENTS)


@pytest.mark.parametrize(
    "payload", [b"", b"[]", b"\xff", b'{"components": 5}', b'{"components": {"a": 1}}', b"[" * 9999]
)
def test_nonsense_kept_by_the_broker_is_no_earlier_message(payload: bytes) -> None:
    assert components_of(payload) == {}


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path / "broker") as broker:
        yield broker


def announced(folder: Path, port: int, state: dict[str, Json], unit: Unit = UNIT) -> OnBroker:
    table = OnBroker(folder, port, table="table" if unit is UNIT else unit.name)
    table.sink.announce(Announcer(unit))
    table.sink.start()
    table.sink.publish([], state)
    return table


def test_it_is_said_again_when_home_assistant_is_born(broker: Mosquitto, tmp_path: Path) -> None:
    with Listener(broker.port) as listener:
        table = announced(tmp_path, broker.port, state_of("infinity"))
        state_topic = table.sink.topics.state
        assert until(lambda: len(listener.on(TOPIC)) == 1 and listener.on(STATUS) == ["online"])
        listener.say("homeassistant/status", b"online")
        assert until(lambda: len(listener.on(TOPIC)) == 2 and len(listener.on(state_topic)) == 2)
        assert listener.on(TOPIC)[0] == listener.on(TOPIC)[1]
        table.sink.stop()
        table.journal.close()


def test_a_broker_that_forgot_everything_is_told_again(broker: Mosquitto, tmp_path: Path) -> None:
    """H03"""
    table = announced(tmp_path, broker.port, state_of("infinity"))
    with Listener(broker.port) as listener:
        assert until(lambda: listener.on(TOPIC))
    broker.stop()
    broker.start()
    with Listener(broker.port, "home") as home:
        assert until(lambda: home.on(TOPIC) and home.on(STATUS)[-1:] == ["online"])
    table.sink.stop()
    table.journal.close()


def test_players_of_an_earlier_run_are_taken_away(broker: Mosquitto, tmp_path: Path) -> None:
    """H14 over a restart: what the broker has kept tells what there was."""
    for players in (4, 2):
        table = announced(tmp_path, broker.port, state_of("finity", players))
        with Listener(broker.port, f"seen{players}") as listener:
            assert until(lambda: listener.on(TOPIC) and listener.on(STATUS)[-1:] == ["online"])
            if players == 2:
                gone = {"platform": "sensor"}
                assert until(lambda: json.loads(listener.on(TOPIC)[-1])["components"].get("score_d") == gone)  # noqa: B023
        table.sink.stop()
        table.journal.close()


def test_the_device_of_a_table_that_is_no_more_goes(broker: Mosquitto, tmp_path: Path) -> None:
    """Renamed in the config, or left out: what it was called before is neither told nor announced any more."""
    tables: list[OnBroker] = []
    units = [
        unit_of(MqttSettings(node="node"), name, takes_commands=True, language="en") for name in ("Attic", "Ogród")
    ]
    attic, garden = (discovery_topic("homeassistant", unit.id) for unit in units)
    with Listener(broker.port) as listener:
        for unit, topic in zip(units, (attic, garden), strict=True):
            table = announced(tmp_path, broker.port, state_of("infinity"), unit)
            tables.append(table)
            assert until(lambda: listener.on(topic) and listener.on(STATUS)[-1] == "online")  # noqa: B023
            if unit is units[1]:
                assert until(lambda: listener.on(attic)[-1] == listener.on(tables[0].sink.topics.state)[-1] == "")
            table.sink.stop()
            table.journal.close()
        emptied = [heard.topic for heard in listener.heard if not heard.text]
        assert emptied.index(attic) < emptied.index(tables[0].sink.topics.state), "entities would read an empty state"
    with Listener(broker.port, "late") as late:
        assert until(lambda: late.on(garden) and late.on(tables[1].sink.topics.state))
        assert not until(lambda: late.on(attic) or late.on(tables[0].sink.topics.state), 0.3)


def test_moves_and_hands_do_not_announce_anew(broker: Mosquitto, tmp_path: Path) -> None:
    with Listener(broker.port) as listener:
        state = state_of("infinity")
        table = announced(tmp_path, broker.port, state)
        for seq in range(2, 12):
            table.sink.publish([], {**state, "seq": seq})
            assert until(lambda: f'"seq":{seq},' in "".join(listener.on(table.sink.topics.state)[-1:]))  # noqa: B023
        assert len(listener.on(TOPIC)) == 1
        table.sink.stop()
        table.journal.close()
