"""The page of the set-up (`companion.setup` says what goes over it).

GET  setup/                   the page; its files from setup/static/{name}
GET  setup/events?lang=       server-sent events: the state whenever it changes, whole
GET  setup/state?lang=        the state
GET  setup/access             whether the token that came along may command
GET  setup/preview.jpg        the camera's newest picture; 204 where none is fresh
GET  setup/shot/{name}.jpg    a picture that was taken
GET  setup/board.jpg          the picture of the board editor
GET  setup/mat.pdf?paper=     the chosen board's mat to print, on a4, a3 or letter
POST setup/command/{name}     a command
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from companion.games.game import Json
from companion.page.gate import CommandGate
from companion.page.guard import TOKEN_HEADER, token_matches
from companion.page.site import Site
from companion.setup.commands import COMMANDS
from companion.texts import in_language

if TYPE_CHECKING:
    from starlette.requests import Request

    from companion.setup.session import SetupSession

NO_STORE = {"Cache-Control": "no-store"}
PREVIEW_S = 0.1
"""So often at most a picture is drawn and encoded, however many look."""


def setup_routes(site: Site, setup: SetupSession) -> list[Route]:
    """The routes of the set-up's page."""
    gate = CommandGate(
        setup,
        token=site.token,
        outer_names=site.outer_names,
        timeout_s=site.command_timeout_s,
        forms=COMMANDS,
        language=site.language,
    )
    telling = SetupTelling(setup)
    preview = Preview(setup)

    async def static(request: Request) -> Response:
        return site.file(request, request.path_params.get("name", "setup.html"))

    async def events(request: Request) -> Response:
        stream = setup_events(site, telling, site.language_of(request))
        return StreamingResponse(
            stream, media_type="text/event-stream", headers={**NO_STORE, "X-Accel-Buffering": "no"}
        )

    async def state(request: Request) -> Response:
        told = telling.state(site.language_of(request))
        return Response(told, media_type="application/json", headers=NO_STORE)

    async def access(request: Request) -> Response:
        may_command = token_matches(request.headers.get(TOKEN_HEADER), site.token)
        return JSONResponse({"may_command": may_command}, headers=NO_STORE)

    async def picture(_: Request) -> Response:
        return _jpeg(await preview.newest(), 204)

    async def shot(request: Request) -> Response:
        return _jpeg(setup.shot(request.path_params["name"]), 404)

    async def board(_: Request) -> Response:
        return _jpeg(setup.board_picture(), 404)

    async def mat(request: Request) -> Response:
        paper = request.query_params.get("paper", "a4")
        pdf = await asyncio.to_thread(setup.mat, paper, site.language_of(request))
        if pdf is None:
            return PlainTextResponse("There is no such mat.\n", status_code=404, headers=NO_STORE)
        return Response(pdf, media_type="application/pdf", headers=NO_STORE)

    async def command(request: Request) -> Response:
        return await gate.receive(request)

    return [
        Route("/setup/", static),
        Route("/setup/static/{name}", static),
        Route("/setup/events", events),
        Route("/setup/state", state),
        Route("/setup/access", access),
        Route("/setup/preview.jpg", picture),
        Route("/setup/shot/{name}.jpg", shot),
        Route("/setup/board.jpg", board),
        Route("/setup/mat.pdf", mat),
        Route("/setup/command/{name}", command, methods=["POST"]),
    ]


class SetupTelling:
    """The state as JSON, made once in each language for everybody who looks on in it."""

    def __init__(self, setup: SetupSession) -> None:
        self.setup = setup
        self._state: Mapping[str, Json] | None = None
        self._told: dict[str, bytes] = {}

    def state(self, language: str) -> bytes:
        state = self.setup.state()
        if state is not self._state:
            self._state = state
            self._told.clear()
        if language not in self._told:
            told = in_language(state, language)
            self._told[language] = json.dumps(told, ensure_ascii=False, separators=(",", ":"), default=dict).encode()
        return self._told[language]


async def setup_events(site: Site, telling: SetupTelling, language: str) -> AsyncIterator[bytes]:
    """Write the stream of one browser until it leaves or the server stops."""
    with site.streams.watching(telling.setup) as watch:
        sent = telling.state(language)
        yield b'event: snapshot\ndata: {"state":%s,"page":"%s"}\n\n' % (sent, site.mark.encode())
        while not (site.streams.closed or watch.over):
            watch.changed.clear()
            state = telling.state(language)
            if state != sent:
                sent = state
                yield b"event: state\ndata: %s\n\n" % state
            try:
                await asyncio.wait_for(watch.changed.wait(), site.beat_s)
            except TimeoutError:
                yield b"event: beat\ndata: {}\n\n"


class Preview:
    """The camera's newest picture for everybody who looks; drawn once for all of them, and for nobody never."""

    def __init__(self, setup: SetupSession) -> None:
        self._setup = setup
        self._drawing: asyncio.Task[bytes | None] | None = None
        self._drawn_s = float("-inf")

    async def newest(self) -> bytes | None:
        """The picture as JPEG; None where none is fresh."""
        now_s = asyncio.get_running_loop().time()
        if self._drawing is None or (self._drawing.done() and now_s - self._drawn_s >= PREVIEW_S):
            self._drawn_s = now_s
            self._drawing = asyncio.create_task(asyncio.to_thread(self._setup.preview))
        # a browser that leaves must not take away the picture that others wait for
        return await asyncio.shield(self._drawing)


def _jpeg(jpeg: bytes | None, otherwise: int) -> Response:
    if jpeg is not None:
        return Response(jpeg, media_type="image/jpeg", headers=NO_STORE)
    if otherwise == 204:
        return Response(status_code=204, headers=NO_STORE)
    return PlainTextResponse("There is no such picture.\n", status_code=otherwise, headers=NO_STORE)
