"""Results that happen while the club's program, the broker or a node is away."""

from __future__ import annotations

import json
import signal
import subprocess
from contextlib import ExitStack
from pathlib import Path

from companion.club.store import open_to_read
from companion.mqtt.node import MqttNode
from tests.club.material import ClubProgram, Viewer
from tests.club.tables import PlayingTable, drain, settings, truth_of
from tests.club.test_book import STARTED, line, over, state
from tests.mqtt.material import Listener, Mosquitto, until
from tests.shared_material import program


class Tables:
    """Two nodes with three tables each, in this process."""

    def __init__(self, folder: Path, port: int) -> None:
        self.path = folder / "truth.jsonl"
        self._file = self.path.open("w", buffering=1)
        self._nodes = [MqttNode(settings(port, n), lambda _: None) for n in range(2)]
        self.each = [PlayingTable(node, n, self._file, n) for n, node in enumerate([*self._nodes] * 3)]
        for table in self.each:
            table.start()

    def play(self, moves: int = 60) -> None:
        """So many moves at each table, as fast as they can be."""
        for _ in range(moves):
            for table in self.each:
                table.step()

    def sent(self) -> bool:
        return drain(self.each)

    def stop(self) -> None:
        for table in self.each:
            table.sink.stop()
        self._file.close()

    @property
    def games(self) -> dict[str, str | None]:
        return {fact["key"]: fact["winner"] for fact in truth_of(self.path) if "key" in fact}


def kept(club: ClubProgram) -> dict[str, str | None]:
    store = open_to_read(club.store)
    results = {game.key: game.winner for game in store.results()}
    store.close()
    return results


def test_no_result_is_missed_while_the_program_is_killed_again_and_again(tmp_path: Path) -> None:
    with ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(tmp_path / "broker"))
        club = stack.enter_context(ClubProgram(tmp_path, broker.port))
        tables = Tables(tmp_path, broker.port)
        stack.callback(tables.stop)
        for _ in range(2):
            tables.play()
            club.kill()
            tables.play()
            assert tables.sent()
            club.start()
        assert club.stop() == 0
        tables.play()
        assert tables.sent()
        club.start()
        assert until(lambda: kept(club) == tables.games, 20)
        assert len(tables.games) > 30


def test_what_is_heard_and_not_yet_on_the_disk_comes_again_after_a_kill(tmp_path: Path) -> None:
    topic = "companion/node/table/"
    with ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(tmp_path / "broker"))
        club = stack.enter_context(ClubProgram(tmp_path, broker.port, disk_s=1000.0))
        other = stack.enter_context(Listener(broker.port))
        for event in (line(1, **STARTED), line(2, event="move", score=5), over(3)):
            other.say(f"{topic}event", json.dumps(event).encode())
        other.say(f"{topic}state", json.dumps(state(3, "blue")).encode())
        assert until(lambda: [row["over"] for row in club.get("tables")] == [True]), "shown before it is kept"
        club.kill()
        assert kept(club) == {}
        club.disk_s = 0.0
        club.start()
        assert until(lambda: kept(club) == {"id-1": "blue"})


def test_the_broker_is_killed_and_the_tables_are_seen_again(tmp_path: Path) -> None:
    with ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(tmp_path / "broker", persistent=True))
        club = stack.enter_context(ClubProgram(tmp_path, broker.port))
        viewer = stack.enter_context(Viewer(club.url))
        tables = Tables(tmp_path, broker.port)
        stack.callback(tables.stop)
        tables.play(30)
        assert tables.sent()
        assert until(lambda: len(viewer.rows) == 6)
        broker.stop()
        assert until(lambda: not viewer.head["broker"]["up"])
        tables.play(30)
        broker.start()
        assert tables.sent()
        assert until(lambda: viewer.head["broker"]["up"], 20)
        last = {fact["place"]: fact["seq"] for fact in truth_of(tables.path) if "seq" in fact}
        assert until(lambda: all(viewer.rows[place]["seq"] == seq for place, seq in last.items()), 20)
        assert until(lambda: kept(club) == tables.games, 20)


def test_a_node_that_dies_calls_for_a_referee(tmp_path: Path) -> None:
    with ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(tmp_path / "broker"))
        club = stack.enter_context(ClubProgram(tmp_path, broker.port))
        tables = Tables(tmp_path, broker.port)
        stack.callback(tables.stop)
        assert until(lambda: [row["status"] for row in club.get("tables")] == ["online"] * 6)
        told = [program("mosquitto_pub"), "-p", str(broker.port), "-r", "-q", "1", "-t"]
        subprocess.run([*told, "companion/dead/status", "-m", "offline"], check=True)
        subprocess.run([*told, "companion/dead/Old/state", "-m", '{"table":"Old","seq":1}'], check=True)
        assert until(lambda: [row["table"] for row in club.get("tables")][:1] == ["Old"])
        assert [call["kind"] for call in club.get("tables")[0]["calls"]] == ["offline"]


def test_the_program_ends_with_the_broker_away(tmp_path: Path) -> None:
    with Mosquitto(tmp_path / "broker") as broker, ClubProgram(tmp_path, broker.port) as club:
        broker.stop(signal.SIGKILL)
        assert until(lambda: any("trying again" in line for line in club.lines))
        assert club.stop() == 0
