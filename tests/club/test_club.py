"""The club between its listener and its page."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
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


def take(club: Club, level: str, told: dict[str, Any]) -> int:
    return club.take(f"node/table/{level}", json.dumps(told).encode())


def test_what_is_shown_at_once_is_kept_later_and_all_together(club: Club) -> None:
    commits: list[str] = []
    club.store._db.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None)
    numbers = [take(club, "event", each) for each in (line(1, **STARTED), line(2, event="move", score=5), over(3))]
    take(club, "state", state(3, "blue"))
    assert json.loads(club.snapshot()[1])["tables"][0]["over"]
    assert club.results() == []
    assert club.kept < min(numbers)
    assert sorted(numbers) == numbers, "acknowledged in the order in which they came"
    club.keep()
    assert club.kept >= max(numbers)
    assert [game.key for game in club.results()] == ["id-1"]
    assert len(commits) == 1


def test_nothing_counts_as_kept_while_the_disk_refuses_and_all_of_it_later(club: Club) -> None:
    with closing(sqlite3.connect(club.store.path, isolation_level=None)) as blocker:
        blocker.execute("BEGIN IMMEDIATE")
        first = take(club, "event", line(1, **STARTED))
        club.keep()
        assert take(club, "event", line(1, **STARTED)) >= first, "the broker sends it again: it waits still"
        assert club.kept < first
        assert json.loads(club.snapshot()[1])["trouble"]
        blocker.execute("ROLLBACK")
    last = take(club, "event", over(2))
    club.keep()
    assert club.kept >= last
    told = json.loads(club.snapshot()[1])
    assert (told["trouble"], told["results"]) == (None, 1)
    assert [game.key for game in club.results()] == ["id-1"]


def test_missed_messages_are_told(club: Club) -> None:
    take(club, "event", line(1, **STARTED))
    take(club, "event", line(4, event="clear"))
    assert json.loads(club.snapshot()[1])["missed"] == 2


def test_an_end_that_only_a_state_tells_is_kept_after_a_while(club: Club, clock: Clock) -> None:
    take(club, "state", state(9, "blue"))
    club.keep()
    assert club.results() == []
    for _ in range(20):
        clock.now_s += RETRY_S
        club.keep()
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
