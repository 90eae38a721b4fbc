"""The tables as the page shows them, whatever a broker says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from companion.club.diffs import KEPT, Diffs
from companion.club.hall import LARGEST, RETAINED_S, Hall
from tests.club.pictures import state_of

NOW = "2030-01-02T18:00:00.000+00:00"


def calm(number: int, **more: Any) -> dict[str, Any]:
    return {**state_of(0), "table": f"Table {number}", **more}


def say(hall: Hall, path: str, told: Mapping[str, Any] | bytes, now_s: float = 0.0) -> None:
    hall.take(path, told if isinstance(told, bytes) else json.dumps(told).encode(), now_s, NOW)


def kinds(hall: Hall) -> list[list[str]]:
    rows: list[Any] = [*hall.rows()]
    return [[call["kind"] for call in row["calls"]] for row in rows]


def test_calls_come_first_the_most_urgent_before_all_then_names() -> None:
    hall = Hall()
    say(hall, "a/1/state", calm(2))
    say(hall, "a/2/state", calm(1))
    say(hall, "a/3/state", calm(3, devices={"camera": {"state": "lost"}, "board": {"state": "ok"}}))
    say(hall, "a/4/state", calm(4, knob={"expected": 2, "seen": 1, "wrong": True}))
    say(hall, "a/5/state", calm(5, orphans=[["A", "E", "S"]]))
    say(hall, "a/6/state", calm(6, illegal={"reason": "x", "detail": "Two marbles"}))
    say(hall, "a/7/state", calm(7, question={"question": "q", "text": "Which?"}))
    say(hall, "b/8/state", calm(8, question={"question": "q", "text": "Which?"}))
    say(hall, "b/status", b"offline")
    assert [row["table"] for row in hall.rows()] == [f"Table {n}" for n in (7, 6, 5, 4, 3, 8, 1, 2)]
    assert kinds(hall) == [["question"], ["illegal"], ["orphans"], ["knob"], ["device"], ["offline"], [], []]


def test_a_program_that_was_ended_calls_for_nobody_and_comes_last() -> None:
    hall = Hall()
    say(hall, "a/1/state", calm(1, question={"question": "q", "text": "Which?"}))
    say(hall, "b/2/state", calm(2))
    say(hall, "a/status", b"stopped")
    assert [row["table"] for row in hall.rows()] == ["Table 2", "Table 1"]
    assert kinds(hall) == [[], []]


def test_a_table_that_is_taken_off_the_broker_is_gone() -> None:
    hall = Hall()
    say(hall, "a/1/state", calm(1))
    say(hall, "a/1/state", b"")
    assert hall.rows() == []


def test_a_table_that_the_broker_does_not_tell_of_any_more_is_gone() -> None:
    hall = Hall()
    say(hall, "a/1/state", calm(1))
    say(hall, "a/2/state", calm(2))
    hall.met_again(100.0, kept=True)
    say(hall, "a/2/state", calm(2), 101.0)
    hall.settle(100.0 + RETAINED_S, NOW)
    assert len(hall.rows()) == 2
    hall.settle(100.1 + RETAINED_S, NOW)
    assert [row["table"] for row in hall.rows()] == ["Table 2"]


@pytest.mark.parametrize(
    "payload",
    [
        b"\xff",
        b"[]",
        b"null",
        b"[" * 100_000,
        b'{"seq": 1' + b" " * LARGEST + b"}",
        b'{"score": ' + b"9" * 5000 + b"}",
    ],
)
def test_what_is_no_state_is_passed_over(payload: bytes) -> None:
    hall = Hall()
    for topic in ("a/1/state", "a/1/event"):
        say(hall, topic, payload)
    assert hall.rows() == []
    assert hall.unreadable == 2


HOSTILE: dict[str, Any] = {
    "table": "<b>\ud800\n" + "x" * 500,
    "seq": -1,
    "players": [{"a": 1}, None, "blue", "yellow"] * 9,
    "names": {"blue": ["x"], "yellow": "\u202e=1+1"},
    "score": 10**30,
    "to_move": 7,
    "ply": "3",
    "outcome": [],
    "question": {"text": None},
    "orphans": "many",
    "knob": {"wrong": True, "expected": "x"},
    "devices": {"camera": None, "x" * 500: {"state": "lost"}},
}


def test_a_state_of_wrong_kinds_becomes_a_row_that_can_be_sent() -> None:
    hall = Hall()
    say(hall, "a/1/state", json.dumps(HOSTILE).encode())
    (row,) = hall.rows()
    assert len(json.dumps(row, ensure_ascii=False).encode()) < 2000
    assert "\n" not in str(row["table"])


def test_every_key_of_a_state_may_be_missing_or_another_kind() -> None:
    whole = {**calm(1), "question": {"text": "?"}, "illegal": {"detail": "!"}, "orphans": [["A"]], "explanation": {}}
    for key in whole:
        for value in (None, 1, "x", [], {}, [1], {"x": 1}, True, 1.5):
            hall = Hall()
            say(hall, "a/1/state", {**whole, key: value})
            say(hall, "a/1/event", {**whole, "event": "game_started", "id": "g", key: value})
            say(hall, "a/1/event", {"seq": 2, "event": "game_over", "outcome": {"winner": value}, key: value})
            assert len(hall.rows()) == 1


def test_differences_make_the_same_rows() -> None:
    diffs, hall = Diffs(), Hall()
    known: dict[str, dict[str, Any]] = {}
    version = 0
    for step in range(200):
        number = step * 7 % 5
        if step % 13 == 12:
            say(hall, f"a/{number}/state", b"")
        else:
            say(hall, f"a/{number}/state", calm(number, seq=step, ply=step // 3, paused=step % 4 == 0))
        diffs.take([(str(place), hall.row(place)) for place in hall.changed], {"results": step // 50})
        hall.changed.clear()
        for each in diffs.since(version) or ():
            news = json.loads(each)
            for row in news.get("tables", ()):
                known.setdefault(row["id"], {}).update(row)
            for gone in news.get("gone", ()):
                del known[gone]
        version = diffs.version
    assert known == {row["id"]: dict(row) for row in hall.rows()}
    assert {row["id"]: row for row in json.loads(diffs.snapshot())["tables"]} == known


def test_who_was_away_too_long_gets_all_anew() -> None:
    diffs = Diffs()
    for number in range(KEPT + 5):
        diffs.take([("a", {"id": "a", "seq": number})], {})
    assert diffs.since(4) is None
    assert len(diffs.since(5) or ()) == KEPT
    assert diffs.since(diffs.version) == []
    assert diffs.since(diffs.version + 1) is None  # of another run of the program


def test_a_difference_is_small() -> None:
    diffs, hall = Diffs(), Hall()
    for seq in (1, 2):
        say(hall, "a/1/state", calm(1, seq=seq, ply=seq, score=seq))
        diffs.take([(str(place), hall.row(place)) for place in hall.changed], {})
    last = diffs.since(1)
    assert last is not None
    assert set(json.loads(last[0])["tables"][0]) == {"id", "seq", "ply", "sides"}
