"""A table's server for those who knock with bad intent, what its log says, and whether anything has changed."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from companion.page.app import create_app
from companion.page.server import PageServer
from tests.page.fake_table import TOKEN, FakePageTable

PATIENCE_S = 20.0


class House(logging.Handler):
    """A real server with a table that remembers all that it was told to do, and what was logged of refusals."""

    def __init__(self, server: PageServer, table: FakePageTable) -> None:
        super().__init__()
        self.server = server
        self.table = table
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(record.getMessage())

    @property
    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.server.url, timeout=PATIENCE_S)

    def command(self, name: str = "undo", *, transaction: str = "t1", **changes: Any) -> httpx.Response:
        """A good command, but for the headers or the content that are given."""
        body = {"seq": 1, "transaction": transaction, "args": {"ply": 1}}
        given = {"X-Companion-Token": TOKEN, **changes.get("headers", {})}
        headers = {key: value for key, value in given.items() if value is not None}
        with self.client as client:
            if "content" in changes:
                return client.post(f"command/{name}", content=changes["content"], headers=headers)
            return client.post(f"command/{name}", json=body, headers=headers)

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE_S)

    def raw(self, data: bytes) -> bytes:
        """Send bytes as no client would; what comes back until the server closes."""
        with self.connected() as sock:
            sock.sendall(data)
            return everything(sock)

    def undisturbed(self) -> bool:
        """Whether an honest visitor is served as before, and nothing has changed at the table."""
        with self.client as client:
            served = client.get("state")
        return served.status_code == 200 and served.json()["seq"] == 1 and self.table.commands == []


def everything(sock: socket.socket) -> bytes:
    """What comes until the other end closes."""
    answer = b""
    try:
        while chunk := sock.recv(65536):
            answer += chunk
    except ConnectionResetError:
        pass
    return answer


@contextmanager
def house(**limits: Any) -> Iterator[House]:
    """A house at work; `limits` as `PageServer` takes them."""
    table = FakePageTable()
    server = PageServer(create_app({"table": table}, token=TOKEN, hosts=["table.home"]), port=0, **limits)
    found = House(server, table)
    log = logging.getLogger("companion.page.refusals")
    log.addHandler(found)
    try:
        with server:
            yield found
    finally:
        log.removeHandler(found)
