"""A station on a table whose moves are entered by hand or looked at, and what its journal says of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from companion.config import Config
from companion.journal.reader import read_journal
from companion.page.table import Request
from companion.station import Station
from tests.mqtt.material import until
from tests.reconciler.sights import sight

MOVES = ("B1", "Y2", "B3", "Y4", "B2", "Y1")
BOARD = "YB..|BY..|B...|Y..."
"""What the board shows after these moves."""
SOON_S = 20.0
"""Within this a fault is told even where many tests share the machine; by itself it takes a second or two."""
LOOK_S = 0.45
"""From one look to the next: two of them are told apart, and three settle a board."""


def config(folder: Path, **more: Any) -> Config:
    told = {"page": {"port": 0}, "rules": {"first": "blue"}, "journal": {"path": folder / "journal.sqlite"}}
    return Config.model_validate({**told, **more})


@contextmanager
def running(chosen: Config, **more: Any) -> Iterator[Station]:
    with Station(chosen, [], **more) as station:
        thread = threading.Thread(target=station.run)
        thread.start()
        try:
            assert until(lambda: station.loop.state()["seq"])
            yield station
        finally:
            station.loop.stop()
            thread.join(10)
            assert not thread.is_alive()


def play(station: Station, *moves: str) -> None:
    for move in moves:
        command(station, "play", move=move)


def command(station: Station, name: str, **args: Any) -> None:
    seq = station.loop.state()["seq"]
    assert isinstance(seq, int)
    result = station.loop.command(Request(name, seq, f"{name} at {seq}", args, "Ada"))
    assert result.ok, result


def look_at(station: Station, board: str, since_s: float, seconds: float) -> None:
    """Let a camera see the board for so long, as fast as the table takes it.

    Args:
        since_s: the table's time of the first look, later than that of the last one before.
    """
    for number in range(round(seconds / LOOK_S) + 1):
        station.loop.put(sight(since_s + LOOK_S * number, board, knob=None))
        while not station.loop._inbox.empty():  # the loop leaves out looks that wait behind newer ones
            time.sleep(0.001)


def journal_device(station: Station) -> Mapping[str, Any]:
    devices = station.loop.state()["devices"]
    assert isinstance(devices, Mapping)
    device = devices.get("journal", {})
    assert isinstance(device, Mapping)
    return device


def kept_moves(path: Path) -> list[str]:
    with closing(read_journal(path)) as journal:
        seqs = [record.seq for record in journal.records()]
        assert seqs == list(range(1, len(seqs) + 1))
        return moves_of(journal.last_state() or {})


def moves_of(state: Mapping[str, Any]) -> list[str]:
    return [move["move"] for move in state["moves"]]
