"""What a club keeps: each result once, over restarts, damage and a disk that refuses."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from companion.club.games import Game, Place, Side, Voided
from companion.club.store import Store, open_store, open_to_read
from companion.errors import DeviceError, InputError
from tests.club.conftest import NIGHT

PLACE = Place("node", "table")


def game(key: str = "a", day: int = 2, seq: int = 5, **more: object) -> Game:
    sides = (Side("blue", "Ada", 5), Side("yellow", "Żaneta", None))
    ended = f"2030-01-{day:02d}T17:00:00.000+00:00"
    fields: dict[str, object] = {"sides": sides, "ended": ended, "winner": "blue", "over": True, "seq": seq, **more}
    return Game(key, PLACE, "Kitchen", "infinity", **fields)  # type: ignore[arg-type]


def test_a_result_is_kept_once_and_over_restarts(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite"
    for _ in range(3):
        store = open_store(path, NIGHT).store
        assert store.keep([game()])
        assert store.results() == [game()]
        client = store.client
        store.close()
    again = open_to_read(path)
    assert again.results() == [game()]
    assert again.client == client
    again.close()


def test_a_later_word_stands_in_place_of_the_earlier_one(store: Store) -> None:
    store.keep([game(), game(winner="yellow")])
    assert [each.winner for each in store.results()] == ["yellow"]
    store.keep([Voided("a")])
    assert store.results() == []


def test_results_of_some_days_newest_first(store: Store) -> None:
    store.keep([game("a", 1), game("b", 3), game("c", 2), game("d", 2, over=False)])
    assert [each.key for each in store.results()] == ["b", "c", "a"]
    assert [each.key for each in store.results("2030-01-02", "2030-01-03")] == ["c"]
    assert [each.key for each in store.results(limit=1)] == ["b"]


def test_what_a_state_told_makes_room_for_the_event(store: Store) -> None:
    store.keep([game("state:m", seq=7, by_state=True, mark="m")])
    store.keep([game("a", seq=5)])
    assert [each.key for each in store.results()] == ["a"]


def test_what_a_state_tells_again_is_not_kept_beside_the_event(store: Store) -> None:
    store.keep([game("a", mark="m")])
    store.keep([game("state:m", by_state=True, mark="m")])
    assert [each.key for each in store.results()] == ["a"]


def test_the_newest_game_of_each_table_is_known_again(store: Store) -> None:
    other = replace(game("c"), place=Place("node", "other"))
    store.keep([game("a"), other, game("b", over=False)])
    assert {each.key for each in store.newest()} == {"b", "c"}


@pytest.mark.parametrize("how", ["scribbled", "cut", "empty", "no_table", "row"])
def test_a_damaged_file_is_set_aside_whole_and_told(tmp_path: Path, how: str) -> None:
    path = tmp_path / "club.sqlite"
    store = open_store(path, NIGHT).store
    store.keep([game(str(n)) for n in range(500)])
    store.close()
    if how in ("no_table", "row"):
        with sqlite3.connect(path) as db:
            db.execute("DROP TABLE games" if how == "no_table" else "UPDATE games SET sides = '{' WHERE key = '3'")
        db.close()
    else:
        sound = path.read_bytes()
        path.write_bytes({"scribbled": b"x" * len(sound), "cut": sound[: len(sound) // 2], "empty": b""}[how])
    damaged = path.read_bytes()
    opened = open_store(path, NIGHT)
    (aside,) = (found for found in tmp_path.glob("club.sqlite.damaged-*") if not found.name.endswith(("-wal", "-shm")))
    assert aside.read_bytes() == damaged
    assert opened.notice is not None
    assert aside.name in opened.notice
    assert opened.store.keep([game()])
    opened.store.close()


def test_a_disk_that_refuses_is_told_and_may_be_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite"
    store = open_store(path, NIGHT).store
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    assert not store.keep([game("a")])
    assert str(path) in str(store.trouble)
    blocker.execute("ROLLBACK")
    blocker.close()
    assert store.keep([game("a"), game("b")])
    assert not store.trouble
    assert {each.key for each in store.results()} == {"a", "b"}
    store.close()


def test_one_program_a_store(tmp_path: Path) -> None:
    store = open_store(tmp_path / "club.sqlite", NIGHT).store
    with pytest.raises(DeviceError, match="already running"):
        open_store(tmp_path / "club.sqlite", NIGHT)
    store.close()


def test_what_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE precious (x)")
    db.close()
    before = path.read_bytes()
    for wrong in (path, tmp_path):
        with pytest.raises(InputError):
            open_store(wrong, NIGHT)
    assert path.read_bytes() == before
    with pytest.raises(InputError, match="no results yet"):
        open_to_read(tmp_path / "none.sqlite")
