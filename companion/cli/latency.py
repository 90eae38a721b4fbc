"""How long a settled move takes to a subscriber of the broker."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.cli.reconcile_speed import sights

MOVES = 40
"""Moves of the simulated game on which the way to MQTT is measured."""


def latency_ms(seed: int) -> list[float]:
    """Milliseconds from the look that settles a move to a subscriber of the broker, through the whole program."""
    from companion.games.registry import game_named
    from companion.journal.opening import open_journal
    from companion.live import TableLoop
    from companion.mqtt.local_broker import local_broker
    from companion.mqtt.node import MqttNode
    from companion.mqtt.settings import MqttSettings
    from companion.mqtt.topics import table_topics
    from companion.table import Table

    taken: list[float] = []
    with tempfile.TemporaryDirectory() as folder, local_broker() as broker:
        settings = MqttSettings(host=broker.host, port=broker.port, node="bench", mqtt5=broker.mqtt5)
        with _Listener(broker.host, broker.port, table_topics(settings, "bench").event) as listener:
            journal = open_journal(Path(folder) / "journal.sqlite").journal
            now_s = [0.0]
            table = Table(game_named("infinity", {}), game_id="bench")
            loop = TableLoop(
                table, [MqttNode(settings).table("bench", journal)], clock=lambda: now_s[0], keeper=journal
            )
            runner = threading.Thread(target=loop.run, name="bench table")
            runner.start()
            listener.wait_for("game_started")
            for first, settling in sights("infinity", seed):
                now_s[0] = settling.t_s
                loop.put(first)
                began = time.perf_counter()
                loop.put(settling)
                taken.append((listener.wait_for("move") - began) * 1e3)
                if len(taken) == MOVES:
                    break
            loop.stop()
            runner.join()
            journal.close()
    return taken


class _Listener:
    """An MQTT subscriber that notes when it heard of which event."""

    def __init__(self, host: str, port: int, topic: str) -> None:
        import queue

        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self._heard: queue.SimpleQueue[tuple[float, str]] = queue.SimpleQueue()
        self._ready = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_connect = lambda client, *_: client.subscribe(topic, qos=1)
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.on_message = lambda _client, _data, message: self._hear(message.payload)
        self._client.connect(host, port)

    def __enter__(self) -> _Listener:
        self._client.loop_start()
        self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def wait_for(self, event: str) -> float:
        """When the next event of this name arrived, in seconds of `time.perf_counter`."""
        while True:
            arrived, name = self._heard.get(timeout=10)
            if name == event:
                return arrived

    def _hear(self, payload: bytes | bytearray) -> None:
        import json

        arrived = time.perf_counter()
        line: Mapping[str, Any] = json.loads(payload)
        self._heard.put((arrived, str(line.get("event") or line.get("event_type"))))
