"""A broker that was away for hours: thousands of events have waited, and each is delivered once and in order."""

from __future__ import annotations

import json
from pathlib import Path

from companion.events import Record
from companion.games.registry import game_named
from companion.journal.opening import open_journal
from companion.table import Table
from tests.mqtt.material import EVENT, Listener, Mosquitto, until
from tests.station.material import config, play, running

EVENTS = 3000
"""An evening's games tell of some hundred an hour."""
A_GAME = 200
"""Events of one game: a start restores only the last one."""
DELIVERY_S = 60.0


def played(path: Path) -> int:
    """Write the journal of an evening; returns the number of its last event."""
    journal = open_journal(path).journal
    table = Table(game_named("infinity", {"first": "blue"}), game_id="evening")
    told: list[Record] = table.start(0.0)
    while told[-1].seq < EVENTS:
        if len(told) % A_GAME > A_GAME - 4:
            told += table.command("new_game", {}, 1.0)
        told += table.command("play", {"move": "B1"}, 1.0)
        told += table.command("undo", {"ply": 1}, 1.0)
    journal.append(told, table.state_json())
    journal.close()
    return told[-1].seq


def test_what_has_waited_for_hours_arrives_once_and_in_order(tmp_path: Path) -> None:
    last = played(tmp_path / "journal.sqlite")
    broker = Mosquitto(tmp_path / "broker", persistent=True)
    with broker:
        Listener(broker.port).close()  # the broker keeps for it what it does not hear
    mqtt = {"host": "127.0.0.1", "port": broker.port}
    told: list[str] = []
    try:
        with running(config(tmp_path, table={"node": "node"}, mqtt=mqtt), tell=told.append) as station:
            assert station.resumed
            assert until(lambda: any("cannot be reached" in line for line in told))
            play(station, "B2")
            broker.start()
            with Listener(broker.port) as listener:
                assert until(lambda: station.journal.unsent(1) == (), DELIVERY_S)
                play(station, "Y2")
                newest = station.journal.last_seq()
                assert newest > last + 1
                assert until(lambda: listener.seqs()[-1:] == [newest])
                heard = [json.loads(text) for text in listener.on(EVENT)]
                kept = [record.id for record in station.journal.records()]
    finally:
        broker.stop()
    assert [event["seq"] for event in heard] == list(range(1, newest + 1))
    assert [event["id"] for event in heard] == kept
