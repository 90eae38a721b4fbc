"""Who looks on while a table lives: browsers that come and go, and a subscriber that only counts events."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from companion.page.guard import TOKEN_HEADER
from tests.mqtt.material import EVENT, Listener

WITHIN_S = 10.0
"""Real seconds within which a page on loopback answers, however busy the machine."""


def give(link: str, name: str, seq: int, args: Mapping[str, Any]) -> bool:
    """A tap on the page: whether the table took the command."""
    address, _, token = link.partition("#token=")
    body = json.dumps({"seq": seq, "transaction": f"{name} {seq} {json.dumps(args)}"[:100], "args": dict(args)})
    headers = {"Content-Type": "application/json", TOKEN_HEADER: token}
    try:
        with urlopen(Request(f"{address}command/{name}", body.encode(), headers), timeout=WITHIN_S) as answer:
            return int(answer.status) == 200
    except OSError:
        return False


def look_at(link: str) -> None:
    """Somebody opens the page, looks at the picture, reads a little of what happens, and goes."""
    address = link.partition("#")[0]
    for path, most in (("", 10**6), ("state", 10**6), ("picture.jpg", 10**6), ("events", 500)):
        with suppress(OSError, http.client.HTTPException), urlopen(f"{address}{path}", timeout=WITHIN_S) as answer:
            answer.read(most)


class SlowPhone:
    """A browser that asked for everything that happens, and then reads nothing of it."""

    def __init__(self, link: str) -> None:
        at = urlsplit(link)
        self._connection = http.client.HTTPConnection(at.hostname or "", at.port, timeout=WITHIN_S)
        self._connection.request("GET", "/events")

    def go(self) -> None:
        self._connection.close()


class FaithfulViewer:
    """A page that stays open all the time, and what it has seen."""

    def __init__(self, link: str) -> None:
        self.last = 0
        self.missed: list[str] = []
        self.broke_off = ""
        self._leaving = False
        self._stream = urlopen(f"{link.partition('#')[0]}events", timeout=60)
        self._thread = threading.Thread(target=self._look, name="faithful viewer", daemon=True)
        self._thread.start()

    def leave(self) -> None:
        self._leaving = True
        self._thread.join(WITHIN_S)

    def _look(self) -> None:
        event = ""
        try:
            for line in self._stream:
                if line.startswith(b"event: "):
                    event = line[7:].strip().decode()
                elif line.startswith(b"data: ") and event in ("snapshot", "record"):
                    self._note(event, json.loads(line[6:]))
                if self._leaving:
                    break
        except (OSError, ValueError, http.client.HTTPException) as error:
            self.broke_off = "" if self._leaving else repr(error)
        self._stream.close()

    def _note(self, event: str, data: Any) -> None:
        seqs = [data["seq"]] if event == "record" else [record["seq"] for record in data["records"]]
        for seq in seqs:
            if self.last and seq != self.last + 1:
                self.missed.append(f"{seq} after {self.last}")
            self.last = seq


class EventCounter(Listener):
    """Hears every event and keeps none, so that it does not grow."""

    def __init__(self, port: int) -> None:
        self.last = 0
        self.missed: list[str] = []
        super().__init__(port, "counter")
        self._client.on_message = self._count

    def _count(self, _client: object, _data: object, message: Any) -> None:
        if message.topic != EVENT:
            return
        seq = json.loads(message.payload)["seq"]
        if seq > self.last + 1:
            self.missed.append(f"{seq} after {self.last}")
        self.last = max(self.last, seq)
