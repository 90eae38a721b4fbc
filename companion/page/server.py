"""A thread that serves the pages of `companion.page.app.create_app`."""

from __future__ import annotations

import errno
import os
import socket
import threading
from functools import partial
from typing import TYPE_CHECKING

from companion.errors import DeviceError, system_words
from companion.texts import text

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

    from companion.page.refusals import Refusals

PORT = 8420
REQUEST_S = 10.0
"""Seconds from opening a connection, or from the last answer, to the whole head of a request. A phone at the far end
of the garden needs one."""
STOP_TIMEOUT_S = 5.0
"""Streams end at once when the server stops; this is for a command that is still under way."""


class PageServer:
    """Serves an app of `companion.page.app.create_app` from a thread of its own.

    Args:
        host: the address to listen on. Only this machine reaches the default; "0.0.0.0" lets the whole network look.
        port: 0 takes any free one; `port` is the real one after `start`.
        request_s: how long a browser may take for the head of a request.
    """

    def __init__(
        self, app: Starlette, host: str = "127.0.0.1", port: int = PORT, *, request_s: float = REQUEST_S
    ) -> None:
        self.app = app
        self.request_s = request_s
        self.host = host
        self.port = port
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """Where this machine's browser finds the page."""
        everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}
        host = everywhere.get(self.host, self.host)
        return f"http://[{host}]:{self.port}/" if ":" in host else f"http://{host}:{self.port}/"

    def link(self, token: str) -> str:
        """The address that lets its browser command; the part behind # never leaves the browser."""
        return f"{self.url}#token={token}"

    def start(self) -> None:
        """Listen and serve; returns when browsers can connect.

        Raises:
            DeviceError: where the address or port cannot be had.
        """
        import uvicorn

        if self._thread is not None:
            raise RuntimeError("PageServer.start() was called on a server that runs")
        from companion.page.connections import connection_class

        listener = _listen(self.host, self.port)
        self.port = listener.getsockname()[1]
        self.app.state.bound = (self.host, self.port)
        refusals: Refusals | None = getattr(self.app.state, "refusals", None)  # none where another app has ours in it
        config = uvicorn.Config(
            self.app,
            http=connection_class(refusals, request_s=self.request_s),
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=int(STOP_TIMEOUT_S),
        )
        self._server = uvicorn.Server(config)
        serve = partial(self._server.run, sockets=[listener])
        self._thread = threading.Thread(target=serve, name="page", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End all streams and stop; safe to call twice."""
        if self._thread is None or self._server is None:
            return
        self.app.state.streams.close()
        self._server.should_exit = True
        self._thread.join(STOP_TIMEOUT_S + 2.0)
        self._thread = self._server = None

    def __enter__(self) -> PageServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def can_listen(host: str, port: int) -> None:
    """Find out whether a page can be served there, before what takes longer.

    Raises:
        DeviceError: as `PageServer.start`.
    """
    _listen(host, port).close()


ADVICE = {
    errno.EADDRINUSE: text("stop the program that has it, or set another port for the page"),
    errno.EACCES: text("ports below 1024 belong to the system: set a larger one"),
}


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket: from here on connections wait, so no browser meets a closed door while the thread starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=64)
    except OSError as error:
        advice = ADVICE.get(error.errno or 0, text("set the page's host to an address of this machine"))
        why = (
            system_words(OSError(error.errno, os.strerror(error.errno)))
            if error.errno and error.errno > 0
            else str(error)
        )
        raise DeviceError(
            text(
                "the page cannot listen on {host}:{port}: {why}; {advice}", host=host, port=port, why=why, advice=advice
            )
        ) from error
    except OverflowError as error:
        raise DeviceError(text("the page cannot listen on port {port}: ports go from 0 to 65535", port=port)) from error
