"""The listener with an older protocol, a broker that refuses, and lines for people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.club.club import Club
from companion.club.listener import ClubListener
from companion.club.store import Store
from companion.mqtt.settings import MqttSettings
from tests.club.test_book import STARTED, line, over, state
from tests.mqtt.material import Listener, Mosquitto, until


@contextmanager
def listening(store: Store, port: int, *, mqtt5: bool = True) -> Iterator[tuple[Club, list[str]]]:
    told: list[str] = []
    club = Club(store)
    settings = MqttSettings(host="127.0.0.1", port=port, base="a/club", mqtt5=mqtt5, retry_min_s=0.1, retry_max_s=0.5)
    listener = ClubListener(settings, club, told.append)
    listener.start()
    yield club, told
    listener.stop()


def connected(told: list[str]) -> bool:
    return until(lambda: any("connected" in words for words in told))


@pytest.mark.parametrize("mqtt5", [True, False])
def test_either_protocol_keeps_events_for_who_is_away(tmp_path: Path, store: Store, mqtt5: bool) -> None:
    topic = "a/club/node/table/"
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker.port) as other:
        with listening(store, broker.port, mqtt5=mqtt5) as (_, told):
            assert connected(told)
        for event in (line(1, **STARTED), line(2, event="move", score=5), over(3)):
            other.say(f"{topic}event", json.dumps(event).encode())
        other.say(f"{topic}state", json.dumps(state(3, "blue")).encode(), retain=True)
        with listening(store, broker.port, mqtt5=mqtt5) as (club, _):
            assert until(lambda: [game.key for game in club.results()] == ["id-1"])
            assert until(lambda: [row["over"] for row in club.rows()] == [True])
    assert all("\n" not in words for words in told)


def test_a_refused_login_is_told_once_and_on_the_page(tmp_path: Path, store: Store) -> None:
    (tmp_path / "passwords").write_text("club:$7$101$none$none\n")
    lines = ("allow_anonymous false", f"password_file {tmp_path / 'passwords'}")
    with Mosquitto(tmp_path / "broker", *lines) as broker, listening(store, broker.port) as (club, told):
        assert until(lambda: len(told) == 1)
        assert not until(lambda: len(told) > 1, 1.5)
        assert "refuses the user name" in told[0] or "not authorised" in told[0]
        assert b'"up":false' in club.snapshot()[1]
