"""The page's connections: how many there may be, and how long one may keep the server waiting.

A browser holds a few; somebody who opens a thousand, or sends a request letter by letter, must not take the files and
the patience of a program that also looks after a game. uvicorn has no such limits of its own: it closes idle
connections only after their first request.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from companion.page.refusals import Refusals

MOST: Final = 200
"""Connections at once: twenty viewers with six each, and room; a process may open 1024 files at least."""
MOST_EACH: Final = 60
"""Connections of one other machine, so that it cannot take them all."""


log = logging.getLogger(__name__)
log.addFilter(lambda record: record.levelno > logging.WARNING)
"""uvicorn warns of every broken request, which `Refusals` tells once; faults of our own stay to be read."""


class Connection(H11Protocol):
    """One connection. The class has the count: there is one server in a process, as there is one page."""

    most = MOST
    most_each = MOST_EACH
    request_s = 10.0
    refusals: Refusals | None = None
    _waiting: asyncio.TimerHandle | None = None
    _begun = False

    def connection_made(self, transport: Any) -> None:
        self.logger = log
        super().connection_made(transport)
        if len(self.connections) > self.most or self._same_client() > self.most_each:
            self._refuse("too many connections")
            return
        self._wait()

    def _same_client(self) -> int:
        """How many connections this one's machine has; a proxy on this machine stands for many people."""
        if self.client is None or ipaddress.ip_address(self.client[0]).is_loopback:
            return 0
        clients = (getattr(each, "client", None) for each in self.connections)
        return sum(client is not None and client[0] == self.client[0] for client in clients)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._begun = True
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._done_waiting()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete):
            self._wait()

    def send_400_response(self, msg: str) -> None:
        if self.refusals is not None:
            self.refusals.note("no request")
        super().send_400_response(msg)

    def connection_lost(self, exc: Exception | None) -> None:
        self._done_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._done_waiting()
        self._begun = False
        self._waiting = self.loop.call_later(self.request_s, self._too_late)

    def _too_late(self) -> None:
        """Browsers open connections that they may need soon: one that never said a word is closed without a word."""
        if self._begun:
            self._refuse("slow request")
        else:
            self.transport.close()

    def _done_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _refuse(self, kind: str) -> None:
        self._done_waiting()
        if self.refusals is not None:
            self.refusals.note(kind)
        self.transport.abort()


def connection_class(refusals: Refusals | None, *, most: int = MOST, request_s: float) -> type[Connection]:
    """A class of connections with limits of its own, as uvicorn takes it; `request_s` is for the head of a request."""
    return type("PageConnection", (Connection,), {"refusals": refusals, "most": most, "request_s": request_s})
