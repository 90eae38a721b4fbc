"""The page's server: routes, and a thread that serves them.

    GET  ./                   the page
    GET  static/{name}        its files
    GET  events               server-sent events (`companion.page.stream`)
    GET  state                the whole state, for scripts
    GET  picture.jpg          the annotated camera picture, with its age in `X-Picture-Age-S`; 204 where none is fresh
    GET  access               whether the token that came along may command
    POST command/{name}       a command (`companion.page.commands`), with the token in `X-Companion-Token`

All addresses in the page are relative, so that it works behind a prefix (a reverse proxy, Home Assistant's ingress).
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import socket
import threading
from collections.abc import Iterable, Mapping
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING

from companion.errors import DeviceError
from companion.page.guard import TOKEN_HEADER, own_names, token_matches
from companion.page.table import PageTable

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

PORT = 8420
STOP_TIMEOUT_S = 5.0
"""Streams end at once when the server stops; this is for a command that is still under way."""

MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def new_token() -> str:
    """A secret that lets a browser command; it stands behind `#token=` in the link that the terminal shows."""
    return secrets.token_urlsafe(24)


def create_app(
    table: PageTable,
    *,
    token: str,
    hosts: Iterable[str] = (),
    beat_s: float = 10.0,
    fresh_picture_s: float = 3.0,
    command_timeout_s: float = 5.0,
) -> Starlette:
    """Build the page of one table.

    Args:
        token: whoever sends it may command; everybody who reaches the page may look.
        hosts: names beside this machine's own under which the page is reached.
        beat_s: seconds of silence on the event stream after which a beat is sent; the page calls the connection lost
            after two and a half of the default.
        fresh_picture_s: a camera picture that is older is not served. A camera under way gives 15 a second, a slow
            one 1, and an exposure step may cost one or two.
        command_timeout_s: how long a command may take before the person is told that the table does not answer.
    Raises:
        ValueError: on an empty token.
    """
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.responses import JSONResponse, Response, StreamingResponse
    from starlette.routing import Route

    from companion.page.gate import CommandGate
    from companion.page.guard import Guard
    from companion.page.stream import OpenStreams, server_sent_events

    if not token:
        raise ValueError("create_app() wants a token that is not empty")
    statics = read_statics()
    page = statics_mark(statics)
    streams = OpenStreams()
    outer_names = frozenset(name.lower() for name in hosts)

    async def static(request: Request) -> Response:
        return _static_response(statics, request.path_params.get("name", "index.html"), request.headers)

    async def events(request: Request) -> Response:
        stream = server_sent_events(table, streams, after_seq=_last_seq(request), page=page, beat_s=beat_s)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(stream, media_type="text/event-stream", headers=headers)

    async def state(_: Request) -> Response:
        return JSONResponse(table.state(), headers={"Cache-Control": "no-store"})

    async def picture(_: Request) -> Response:
        headers = {"Cache-Control": "no-store"}
        taken = table.picture()
        if taken is None:
            return Response(status_code=204, headers=headers)
        jpeg, age_s = taken
        headers["X-Picture-Age-S"] = f"{age_s:.2f}"
        if age_s > fresh_picture_s:
            return Response(status_code=204, headers=headers)
        return Response(jpeg, media_type="image/jpeg", headers=headers)

    async def access(request: Request) -> Response:
        may_command = token_matches(request.headers.get(TOKEN_HEADER), token)
        return JSONResponse({"may_command": may_command}, headers={"Cache-Control": "no-store"})

    gate = CommandGate(table, token=token, outer_names=outer_names, timeout_s=command_timeout_s)
    app = Starlette(
        routes=[
            Route("/", static),
            Route("/static/{name}", static),
            Route("/events", events),
            Route("/state", state),
            Route("/picture.jpg", picture),
            Route("/access", access),
            Route("/command/{name}", gate.receive, methods=["POST"]),
        ],
        middleware=[Middleware(partial(Guard, names=own_names(outer_names)))],
    )
    app.state.streams = streams
    return app


def read_statics() -> dict[str, tuple[bytes, str]]:
    """The page's files, from the installed package: name to content and media type."""
    folder = files("companion.page").joinpath("static")
    return {
        item.name: (item.read_bytes(), MEDIA_TYPES[suffix])
        for item in sorted(folder.iterdir(), key=lambda item: item.name)
        if (suffix := item.name[item.name.rfind(".") :]) in MEDIA_TYPES
    }


def statics_mark(statics: Mapping[str, tuple[bytes, str]]) -> str:
    """Changes whenever any of the page's files does."""
    digest = hashlib.sha256()
    for name, (content, _) in statics.items():
        digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()[:16]


def _static_response(statics: Mapping[str, tuple[bytes, str]], name: str, headers: Mapping[str, str]) -> Response:
    from starlette.responses import PlainTextResponse, Response

    if name not in statics:
        return PlainTextResponse("There is no such page here.\n", status_code=404)
    content, media_type = statics[name]
    etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    told = {"ETag": etag, "Cache-Control": "no-cache"}
    if headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=told)
    return Response(content, media_type=media_type, headers=told)


def _last_seq(request: Request) -> int | None:
    text = request.headers.get("last-event-id") or request.query_params.get("after") or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


class PageServer:
    """Serves an app of `create_app` from a thread of its own.

    Args:
        host: the address to listen on. Only this machine reaches the default; "0.0.0.0" lets the whole network look.
        port: 0 takes any free one; `port` is the real one after `start`.
    """

    def __init__(self, app: Starlette, host: str = "127.0.0.1", port: int = PORT) -> None:
        self.app = app
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
        listener = _listen(self.host, self.port)
        self.port = listener.getsockname()[1]
        config = uvicorn.Config(
            self.app, lifespan="off", ws="none", log_config=None, access_log=False, server_header=False,
            timeout_graceful_shutdown=int(STOP_TIMEOUT_S),
        )  # fmt: skip
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


ADVICE = {
    errno.EADDRINUSE: "stop the program that has it, or set another port for the page",
    errno.EACCES: "ports below 1024 belong to the system: set a larger one",
}


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket: from here on connections wait, so no browser meets a closed door while the thread starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=64)
    except OSError as error:
        advice = ADVICE.get(error.errno or 0, "set the page's host to an address of this machine")
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        raise DeviceError(f"the page cannot listen on {host}:{port}: {why}; {advice}") from error
    except OverflowError as error:
        raise DeviceError(f"the page cannot listen on port {port}: ports go from 0 to 65535") from error
