"""What a subscriber finds on the broker: topics, retained flags, the order of birth, and the good-bye."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.config import Config, MqttSection, TableSection
from companion.events import DeviceReported, Record, record_json
from companion.mqtt.settings import MqttSettings, mqtt_settings
from companion.mqtt.topics import table_topics, topic_part
from tests.journal.material import records, state
from tests.mqtt.material import CAMERA, EVENT, INSTANCE, STATE, STATUS, Listener, Mosquitto, Table, until


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path / "broker") as broker:
        yield broker


def test_state_comes_before_birth_and_birth_before_events(broker: Mosquitto, tmp_path: Path) -> None:
    with Listener(broker.port) as listener, Table(tmp_path, broker.port) as table:
        table.play(3)
        assert until(lambda: len(listener.on(EVENT)) == 3)
        order = [heard.topic for heard in listener.heard]
        assert order.index(STATE) < order.index(STATUS) < order.index(EVENT)
        assert listener.on(STATUS) == ["online"]


def test_no_birth_before_there_is_a_state(broker: Mosquitto, tmp_path: Path) -> None:
    table = Table(tmp_path, broker.port)
    with Listener(broker.port) as listener:
        table.sink.start()
        assert until(lambda: table.node.connected)
        assert not until(lambda: listener.heard, 0.3)
        table.sink.publish([], state(0))
        assert until(lambda: listener.on(STATUS) == ["online"])
        table.sink.stop()
        table.journal.close()


def test_state_and_status_are_retained_and_events_never(broker: Mosquitto, tmp_path: Path) -> None:
    with Table(tmp_path, broker.port) as table:
        table.play(5)
        table.tell([Record(6, "cam", 1.0, DeviceReported("camera", "ok"))])
        assert until(lambda: table.all_sent)
        with Listener(broker.port, "late") as late:
            assert until(lambda: len(late.heard) == 4)
            assert not until(lambda: late.on(EVENT), 0.3)
            assert {(heard.topic, heard.retained) for heard in late.heard} == {
                (STATE, True),
                (STATUS, True),
                (INSTANCE, True),
                (CAMERA, True),
            }
            assert json.loads(late.on(STATE)[0]) == {"table": "table", **state(6)}


def test_an_event_is_the_contracts_line_and_more(broker: Mosquitto, tmp_path: Path) -> None:
    with Listener(broker.port) as listener, Table(tmp_path, broker.port, table="Küche 1") as table:
        table.play(2)
        topic = "companion/node/Kuche_1/event"
        assert until(lambda: len(listener.on(topic)) == 2)
        events = [json.loads(text) for text in listener.on(topic)]
        for event, record in zip(events, records(2), strict=True):
            line = json.loads(json.dumps(record_json(record)))
            assert {key: event[key] for key in line} == line
            assert event["event_type"] == event["event"]
            assert event["table"] == "Küche 1"
            assert event["at"].endswith("+00:00")


def test_an_unchanged_state_is_not_said_again(broker: Mosquitto, tmp_path: Path) -> None:
    with Listener(broker.port) as listener:
        with Table(tmp_path, broker.port) as table:
            for _ in range(5):
                table.sink.publish([], state(0))
            assert until(lambda: listener.on(STATE)), "else the newer state would rightly take the first one's place"
            table.play(1)
        assert until(lambda: listener.on(STATUS)[-1:] == ["stopped"])
        assert [json.loads(text)["seq"] for text in listener.on(STATE)] == [0, 1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ok"], ["online"]),
        (["lost", "back"], ["offline", "online"]),
        (["ok", "stale", "lost"], ["online", "stale", "offline"]),
    ],
)
def test_the_camera_has_a_topic_of_its_own(
    broker: Mosquitto, tmp_path: Path, words: list[str], said: list[str]
) -> None:
    with Listener(broker.port) as listener:
        with Table(tmp_path, broker.port) as table:
            table.tell([Record(1, "port", 0.0, DeviceReported("board", "lost"))])
            for number, word in enumerate(words, start=2):
                table.tell([Record(number, f"c{number}", 1.0, DeviceReported("camera", word))])
                assert until(lambda n=number: listener.on(CAMERA) == said[: n - 1])  # type: ignore[misc]
        assert until(lambda: listener.on(STATUS)[-1] == "stopped")
        assert listener.on(CAMERA)[-1] == "offline"


def test_a_clean_end_says_stopped_and_the_will_stays_silent(broker: Mosquitto, tmp_path: Path) -> None:
    with Listener(broker.port) as listener:
        with Table(tmp_path, broker.port) as table:
            table.play(40)
        assert table.told[-1].startswith("MQTT: connected")
        assert until(lambda: len(listener.seqs()) == 40)
        assert until(lambda: listener.on(STATUS) == ["online", "stopped"])
        assert not until(lambda: len(listener.on(STATUS)) > 2, 0.3)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("Kitchen board.local/#1", "Kitchen_board_local_1"),
        ("raspberrypi", "raspberrypi"),
        ("Wohnzimmer+Küche", "Wohnzimmer_Kuche"),
        ("Mały stół", "Maly_stol"),
        ("a:b c", "a_b_c"),
        ("$SYS", "SYS"),
        ("桌子", "x"),
        ("", "x"),
    ],
)
def test_names_become_one_level_of_a_topic(name: str, part: str) -> None:
    found = topic_part(name)
    assert found == part or (part == "x" and len(found) == 9)
    assert all(char.isascii() and (char.isalnum() or char in "_-") for char in found)


def test_names_without_letters_stay_distinct() -> None:
    assert topic_part("桌子") != topic_part("椅子")


def test_a_config_names_the_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_MQTT_PASSWORD", "very secret")
    config = Config(
        table=TableSection(name="Kitchen", node="pi.local"),
        mqtt=MqttSection(host="hub", base="home/games", username="u"),
    )
    settings = mqtt_settings(config)
    assert settings is not None
    assert table_topics(settings, "Kitchen").event == "home/games/pi_local/Kitchen/event"
    assert settings.password == "very secret"
    assert "very secret" not in repr(settings)
    assert mqtt_settings(Config()) is None


@pytest.mark.parametrize(
    "wrong", [{"port": 0}, {"base": "a/#"}, {"base": ""}, {"keepalive_s": 0}, {"retry_min_s": 9, "retry_max_s": 1}]
)
def test_settings_out_of_range_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"must be|need|are"):
        MqttSettings(**wrong)  # type: ignore[arg-type]
