"""The club between its listener and its page."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import pytest

from companion.club.club import RETRY_S, Club
from companion.club.store import Store
from tests.club.test_book import STARTED, line, over, state


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def club(store: Store, clock: Clock) -> Club:
    return Club(store, clock, lambda: "2030-01-02T18:00:00.000+00:00")


def take(club: Club, level: str, told: dict[str, Any]) -> bool:
    return club.take(f"node/table/{level}", json.dumps(told).encode())


def test_nothing_is_taken_in_while_the_disk_refuses_and_all_of_it_later(club: Club, clock: Clock) -> None:
    blocker = sqlite3.connect(club.store.path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    assert not take(club, "event", line(1, **STARTED))
    assert not take(club, "event", line(1, **STARTED))  # the broker sends it again: it waits still
    assert not take(club, "event", line(2, event="move", score=5))
    assert json.loads(club.snapshot()[1])["trouble"]
    blocker.execute("ROLLBACK")
    blocker.close()
    assert not club.look_through()
    clock.now_s = RETRY_S
    assert club.look_through()
    assert json.loads(club.snapshot()[1])["trouble"] is None
    assert take(club, "event", over(3))
    assert [game.key for game in club.results()] == ["id-1"]


def test_missed_messages_are_told(club: Club) -> None:
    take(club, "event", line(1, **STARTED))
    take(club, "event", line(4, event="clear"))
    assert json.loads(club.snapshot()[1])["missed"] == 2


def test_an_end_that_only_a_state_tells_is_kept_after_a_while(club: Club, clock: Clock) -> None:
    take(club, "state", state(9, "blue"))
    club.look_through()
    assert club.results() == []
    for _ in range(20):
        clock.now_s += RETRY_S
        club.look_through()
    assert [game.winner for game in club.results()] == ["blue"]


def test_browsers_are_woken_until_they_leave(club: Club) -> None:
    woken: list[int] = []
    leave = club.subscribe(lambda: woken.append(1))
    club.wake()
    leave()
    leave()
    club.wake()
    assert woken == [1]


def test_who_knows_a_version_gets_what_came_after_it(club: Club) -> None:
    take(club, "state", state(1))
    version, _ = club.snapshot()
    take(club, "state", state(2))
    newer, news = club.since(version)
    assert newer == version + 1
    assert [json.loads(each)["tables"] for each in news or ()] == [[{"id": "node/table", "seq": 2}]]
