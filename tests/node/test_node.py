"""Several tables in one program: each with a record of its own, on one page and one connection."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from companion.config import Config, load_config
from companion.errors import CompanionError, UsageError
from companion.events import Record
from companion.games.game import Json
from companion.node import Node, Seat, joined_configs
from tests.mqtt.material import Listener, Mosquitto, until


def seat(folder: Path, name: str, text: str = "") -> Seat:
    path = folder / f"{name}.toml"
    path.write_text(f'[table]\nname = "{name}"\nnode = "club"\n{text}')
    return Seat(path, load_config(path))


def mqtt(port: int) -> str:
    return f'[mqtt]\nhost = "127.0.0.1"\nport = {port}\ncommands = true\n'


PAGE = "[page]\nport = 0\n"


class Notes:
    """A sink that keeps what is told of a table."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def start(self) -> None:
        pass

    def publish(self, records: Any, state: Any) -> None:
        self.records += records

    def stop(self) -> None:
        pass


@contextmanager
def refereed(seats: list[Seat], folder: Path) -> Iterator[tuple[Node, list[str], dict[str, Notes]]]:
    told: list[str] = []
    notes: dict[str, Notes] = {}

    def sinks(config: Config) -> list[Notes]:
        notes[config.table.name] = Notes()
        return [notes[config.table.name]]

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder))
        ready = threading.Event()
        node = Node(joined_configs(seats), sinks, told.append)
        thread = threading.Thread(target=node.run, args=(ready.set,))
        thread.start()
        try:
            assert ready.wait(20), told
            yield node, told, notes
        finally:
            node.stop()
            thread.join(20)
            assert not thread.is_alive()


def play(listener: Listener, table: str, move: str) -> dict[str, Json]:
    topic = f"companion/club/{table}"
    before = len(listener.on(f"{topic}/result/play"))
    at = time.strftime("%FT%TZ", time.gmtime())
    body = {"transaction": f"{move}{time.monotonic()}", "at": at, "args": {"move": move}}
    listener.say(f"{topic}/cmd/play", json.dumps(body).encode())
    assert until(lambda: len(listener.on(f"{topic}/result/play")) > before)
    found: dict[str, Json] = json.loads(listener.on(f"{topic}/result/play")[-1])
    return found


def test_each_table_has_its_own_record_and_all_one_page_and_connection(tmp_path: Path) -> None:
    finity = 'game = "finity"\npattern = "bwbbwbww"\n'
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker.port) as listener:
        kitchen = seat(tmp_path, "Kitchen", f'{mqtt(broker.port)}{PAGE}[rules]\nfirst = "blue"\n')
        garden = seat(tmp_path, "Garden", finity)
        with refereed([kitchen, garden], tmp_path) as (node, told, notes):
            status = "companion/club/status"
            assert until(lambda: listener.on(status) == ["online"]), told
            assert play(listener, "Kitchen", "B1")["ok"]
            assert play(listener, "Garden", "add w SW>NW R")["ok"]
            assert play(listener, "Garden", "B1")["ok"] is False
            assert [line.event.event for line in notes["Kitchen"].records].count("move") == 1
            assert until(lambda: len(listener.on("companion/club/Garden/event")) >= 2)
            assert {json.loads(text)["table"] for text in listener.on("companion/club/Garden/event")} == {"Garden"}
            assert node.pages is not None
            page = node.pages.link().split("#")[0]
            for table, ply in (("Kitchen", 1), ("Garden", 1)):
                assert httpx.get(f"{page}table/{table}/state").json()["ply"] == ply
        assert until(lambda: listener.on(status)[-1] == "stopped")
        assert (tmp_path / "companion" / "Kitchen" / "journal.sqlite").exists()
        assert (tmp_path / "companion" / "Garden" / "journal.sqlite").exists()


def test_a_table_that_cannot_be_does_not_keep_the_others_from_it(tmp_path: Path) -> None:
    camera = '[camera]\ndevice = 7\ncalibration = "none.json"\n'
    with Mosquitto(tmp_path / "broker") as broker, Listener(broker.port) as listener:
        seats = [seat(tmp_path, "Good", f"{mqtt(broker.port)}{PAGE}"), seat(tmp_path, "Bad", camera)]
        with refereed(seats, tmp_path) as (_, told, _notes):
            assert any(line.startswith("Bad: ") and "none.json" in line for line in told), told
            assert until(lambda: listener.on("companion/club/status") == ["online"]), "the bad one is not waited for"
            assert play(listener, "Good", "B1")["ok"]


def test_without_any_table_there_is_an_error(tmp_path: Path) -> None:
    camera = '[camera]\ndevice = 7\ncalibration = "none.json"\n'
    configs = joined_configs([seat(tmp_path, "A", camera + PAGE), seat(tmp_path, "B", camera)])
    with pytest.raises(CompanionError, match="none of the tables"):
        Node(configs, lambda _: [], lambda _: None).run()


@pytest.mark.parametrize(
    ("first", "second", "names", "why"),
    [
        ("", "", ("Ala", "Ała"), "two tables of one name"),
        ("[page]\nport = 1\n", "[page]\nport = 2\n", ("A", "B"), r"\[page\] differs"),
        ('[journal]\npath = "j"\n', '[journal]\npath = "j"\n', ("A", "B"), "two tables with one journal"),
    ],
)
def test_tables_that_are_in_each_others_way_are_refused(
    tmp_path: Path, first: str, second: str, names: tuple[str, str], why: str
) -> None:
    with pytest.raises(UsageError, match=why):
        joined_configs([seat(tmp_path, names[0], first), seat(tmp_path, names[1], second)])


Run = Callable[[list[str]], int]


def test_options_of_one_game_are_refused_for_several_tables(tmp_path: Path) -> None:
    from companion.cli.app import run

    one, two = (seat(tmp_path, name, PAGE if name == "A" else "") for name in ("A", "B"))
    assert run(["referee", "--config", str(one.path), "--config", str(two.path), "--pattern", "bwbbwbww"]) == 2
