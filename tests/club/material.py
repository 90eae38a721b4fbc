"""A club's program in a process of its own, and a browser that only listens."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from bisect import bisect_left
from collections.abc import Mapping
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from companion.mqtt.local_broker import free_port
from tests.cli.processes import cpu_s
from tests.mqtt.material import until

Saw = dict[str, list[tuple[float, int]]]
"""By table: when which state was seen, in seconds and by its `seq`."""


def seen_s(saw: Saw, place: str, seq: int) -> float | None:
    """When this state of a table, or a newer one, was seen first."""
    seen = saw.get(place, [])
    first = bisect_left(seen, seq, key=itemgetter(1))
    return seen[first][0] if first < len(seen) else None


class ClubProgram:
    """`companion club` on loopback.

    Args:
        disk_s: seconds that a commit takes longer, as on a slow disk; taken up at each start.
    """

    def __init__(self, folder: Path, broker_port: int, *more: str, disk_s: float = 0.0) -> None:
        self.page_port = free_port()
        self.url = f"http://127.0.0.1:{self.page_port}/"
        self.store = folder / "club.sqlite"
        told = ["--host", "127.0.0.1", "--port", str(broker_port), "--page-port", str(self.page_port)]
        self.disk_s = disk_s
        self._arguments = ["club", *told, "--store", str(self.store), *more]
        self._process: subprocess.Popen[str] | None = None
        self.lines: list[str] = []

    def start(self) -> None:
        program = ["tests.club.slow_disk", str(self.disk_s)] if self.disk_s else ["companion"]
        command = [sys.executable, "-m", *program, *self._arguments]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        threading.Thread(target=self._read, args=(self._process,), daemon=True).start()
        assert until(lambda: any("connected" in line for line in self.lines), 20), self.lines

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        for line in process.stderr:
            self.lines.append(line)

    def cpu_s(self) -> float:
        """Processor seconds that it has used."""
        assert self._process is not None
        return cpu_s(self._process.pid)

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait(10)
        self.lines.clear()

    def stop(self) -> int:
        assert self._process is not None
        self._process.terminate()
        code = self._process.wait(20)
        self.lines.clear()
        return code

    def get(self, path: str) -> Any:
        return httpx.get(f"{self.url}{path}", timeout=10).json()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._process is not None and self._process.poll() is None:
            self.stop()


class AtBroker:
    """Hears every state straight from the broker, as the club does, and notes when."""

    def __init__(self, port: int) -> None:
        self.saw: Saw = {}
        self._client = Client(CallbackAPIVersion.VERSION2, "beside the club")
        self._client.on_connect = lambda client, *_: client.subscribe("companion/+/+/state")
        self._client.on_message = self._note
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def _note(self, _client: object, _data: object, message: Any) -> None:
        _, node, table, _ = message.topic.split("/")
        state = json.loads(message.payload)
        self.saw.setdefault(f"{node}/{table}", []).append((time.monotonic(), state["seq"]))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._client.disconnect()
        self._client.loop_stop()


class Viewer:
    """Looks on at a club's page as its script does, and notes when it saw which state of which table."""

    def __init__(self, url: str) -> None:
        self.rows: dict[str, dict[str, Any]] = {}
        self.head: dict[str, Any] = {}
        self.saw: Saw = {}
        self.bytes = 0
        self.snapshots = 0
        self._url = url
        self._over = threading.Event()
        self._socket: socket.socket
        self._thread = threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        with suppress(httpx.HTTPError):  # the program may end first, and leaving cuts the line
            self._follow()

    def _follow(self) -> None:
        with httpx.stream("GET", f"{self._url}events", timeout=30) as response:
            self._socket = response.extensions["network_stream"].get_extra_info("socket")
            event = ""
            for line in response.iter_lines():
                self.bytes += len(line) + 1
                if self._over.is_set():
                    return
                if line.startswith("event: "):
                    event = line.removeprefix("event: ")
                elif line.startswith("data: ") and event in ("snapshot", "state"):
                    self._take(event, json.loads(line.removeprefix("data: ")))

    def _take(self, event: str, told: Mapping[str, Any]) -> None:
        now_s = time.monotonic()
        rows = {} if event == "snapshot" else dict(self.rows)
        for row in told.get("tables", ()):
            rows[row["id"]] = {**rows.get(row["id"], {}), **row}
            if "seq" in row:
                self.saw.setdefault(row["id"], []).append((now_s, row["seq"]))
        for gone in told.get("gone", ()):
            rows.pop(gone, None)
        self.rows = rows  # all of a message at once, for whoever reads meanwhile
        self.head = {**self.head, **{key: value for key, value in told.items() if key not in ("tables", "gone")}}
        self.snapshots += event == "snapshot"

    def __enter__(self) -> Self:
        self._thread.start()
        assert until(lambda: self.snapshots, 10)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(15)
