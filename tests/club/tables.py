"""Tables that play real games by the real rules, refereed and told on a broker: several nodes in one process.

python -m tests.club.tables PORT TRUTH --nodes 20 --tables 10 --seconds 60 --pace 0.6

TRUTH is written as it happens, a JSON object a line: {"place", "seq", "at_s", "connected"} for every state that was
handed over, with the time of the system's monotonic clock and whether the node had reached the broker; {"place", "key",
"winner", "score"} for every game that was over.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import threading
import time
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from companion.events import GameOver, GameStarted, Record, record_json
from companion.games.registry import game_named
from companion.journal.journal import Outgoing
from companion.mqtt.node import MqttNode
from companion.mqtt.settings import MqttSettings
from companion.mqtt.table import MqttTable
from companion.reconciler.verdicts import FoundMove, MovesFound
from companion.table import Table


class MemoryOutbox:
    """Keeps what waits for the broker; forgets what it has."""

    def __init__(self) -> None:
        self._waiting: deque[Outgoing] = deque()
        self._sent: set[int] = set()
        self._lock = threading.Lock()

    def put(self, records: list[Record]) -> None:
        utc = datetime.now(UTC).isoformat(timespec="milliseconds")
        with self._lock:
            self._waiting += [Outgoing(r.seq, "event", utc, json.dumps(record_json(r), default=dict)) for r in records]

    def unsent(self, limit: int, after: int = 0) -> tuple[Outgoing, ...]:
        with self._lock:
            found = [each for each in self._waiting if each.seq > after and each.seq not in self._sent]
            return tuple(found[:limit])

    def mark_sent(self, *seqs: int) -> None:
        with self._lock:
            self._sent.update(seqs)
            while self._waiting and self._waiting[0].seq in self._sent:
                self._sent.discard(self._waiting.popleft().seq)


class PlayingTable:
    """One table that plays game after game."""

    def __init__(self, node: MqttNode, number: int, truth: TextIO, seed: int) -> None:
        self.name = f"Table {number}"
        self.place = f"{node.settings.node}/Table_{number}"
        self.outbox = MemoryOutbox()
        self._node = node
        self.sink: MqttTable = node.table(self.name, self.outbox)
        self._truth = truth
        self._chance = random.Random(seed)
        self._number = number
        self._games = 0
        self._key = ""
        self._table = self._new_table()
        self._moves_left = 0

    def _new_table(self) -> Table:
        names = {"blue": f"Ada {self._number}", "yellow": f"Ben {self._number}"}
        return Table(game_named("infinity", {}), game_id=f"{self.place} {self._games}", names=names)

    def start(self) -> None:
        self.sink.start()
        self.step()

    def step(self) -> None:
        """The next thing that happens: a game begins, or a move is played."""
        referee = self._table.referee
        position = referee.record.position
        if not referee.started or referee.game.outcome(position) is not None:
            self._games += 1
            seq, self._table = referee.seq, self._new_table()
            self._table.referee.seq = seq
            self._tell(self._table.start(float(seq)))
            return
        move = self._chance.choice(referee.game.legal_moves(position))
        self._tell(referee.take(float(referee.seq), MovesFound((FoundMove(move),), replaced=0)))

    def _tell(self, records: list[Record]) -> None:
        state = self._table.state_json()
        self.outbox.put(records)
        for record in records:
            if isinstance(record.event, GameStarted):
                self._key = record.id
            elif isinstance(record.event, GameOver):
                over = {"key": self._key, "winner": record.event.outcome.get("winner"), "score": state["score"]}
                self._note(over)
        self._note({"seq": state["seq"], "at_s": time.monotonic(), "connected": self._node.connected})
        self.sink.publish(records, state)

    def _note(self, fact: dict[str, Any]) -> None:
        self._truth.write(json.dumps({"place": self.place, **fact}) + "\n")


CROWD = 1.5
"""Tables know nothing of each other: many of them hardly ever have half as many moves again in a moment as on average.
Without this they would play all at once whenever the machine has stood still, as no club does."""

SHORT_S = 0.03
"""What a table is late by because the system let it sleep too long is made up for."""


def settings(port: int, number: int) -> MqttSettings:
    return MqttSettings(host="127.0.0.1", port=port, node=f"node{number}", retry_min_s=0.2, retry_max_s=1.0)


def play(tables: list[PlayingTable], seconds: float, pace_s: float) -> None:
    """Let all tables play, each a move in `pace_s` seconds on average, and together at most `CROWD` times as fast."""
    chance = random.Random(1)
    least_s = pace_s / len(tables) / CROWD
    began_s = time.monotonic()
    due = [(began_s + chance.uniform(0, pace_s), n) for n in range(len(tables))]
    heapq.heapify(due)
    free_s = began_s
    while due[0][0] < began_s + seconds:
        at_s, n = heapq.heappop(due)
        time.sleep(max(0.0, max(at_s, free_s) - time.monotonic()))
        free_s = max(free_s, time.monotonic() - SHORT_S) + least_s
        tables[n].step()
        heapq.heappush(due, (at_s + chance.uniform(0.5, 1.5) * pace_s, n))


def drain(tables: list[PlayingTable], seconds: float = 20.0) -> bool:
    """Wait until the broker has all events."""
    ends_s = time.monotonic() + seconds
    while any(table.outbox.unsent(1) for table in tables):
        if time.monotonic() > ends_s:
            return False
        time.sleep(0.05)
    return True


def truth_of(path: Path) -> Iterator[dict[str, Any]]:
    with path.open() as file:
        for line in file:
            yield json.loads(line)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--nodes", type=int, default=4)
    parser.add_argument("--tables", type=int, default=5, help="of each node")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--pace", type=float, default=0.6)
    asked = parser.parse_args()
    with asked.truth.open("w") as truth:
        nodes = [MqttNode(settings(asked.port, n), print) for n in range(asked.nodes)]
        tables = [
            PlayingTable(node, n * asked.tables + k, truth, seed=n * asked.tables + k)
            for n, node in enumerate(nodes)
            for k in range(asked.tables)
        ]
        for table in tables:
            table.start()
        reached_by_s = time.monotonic() + 60
        while not all(node.connected for node in nodes) and time.monotonic() < reached_by_s:
            time.sleep(0.1)
        play(tables, asked.seconds, asked.pace)
        all_sent = drain(tables)
        for table in tables:
            table.sink.stop()
    return 0 if all_sent else 1


if __name__ == "__main__":
    raise SystemExit(main())
