"""The page of a table: what it shows, and the way of commands.

GET  ./                   the page
GET  static/{name}        its files
GET  events?lang=         server-sent events (`companion.page.stream`)
GET  state?lang=          the whole state, for scripts
GET  records?lang=        all records of the running game
GET  position?ply=&lang=  the table as it was after a ply, or with `&move=` as a move would make it
GET  moves?ply=&lang=     the legal moves after a ply (`companion.entering`), with the rings that each would cut off
GET  pictures             the camera's pictures in a row (`companion.page.pictures`)
GET  picture.jpg          the annotated camera picture, with its age in `X-Picture-Age-S`; 204 where none is fresh
GET  access               whether the token that came along may command
POST command/{name}       a command (`companion.page.commands`), with the token in `X-Companion-Token`
GET  ask/{name}?args=     what changes nothing (`companion.page.commands.ASKED`), with the token, too
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from companion.games.game import Json
from companion.page.commands import refused
from companion.page.guard import TOKEN_HEADER, token_matches
from companion.page.site import Site
from companion.page.statics import json_response
from companion.page.stream import records_of_game, server_sent_events
from companion.page.table import CommandResult
from companion.texts import in_language

if TYPE_CHECKING:
    from starlette.requests import Request

NO_STORE = {"Cache-Control": "no-store"}
STREAMED = {**NO_STORE, "X-Accel-Buffering": "no"}
"""Proxies are asked not to hold back what comes bit by bit."""
LONGEST_MOVE = 60
"""Characters; what is cut off was no move."""


def table_routes(site: Site, prefix: str = "") -> list[Route]:
    """The routes of a table's page.

    Args:
        prefix: "" for the first table, "/table/{table}" for any.
    """

    async def static(request: Request) -> Response:
        if prefix:
            site.table(request)
        return site.file(request, request.path_params.get("name", "index.html"))

    async def events(request: Request) -> Response:
        stream = server_sent_events(
            site.shared(site.table(request)).telling,
            site.streams,
            after_seq=_number(request.headers.get("last-event-id") or request.query_params.get("after")),
            more={
                "page": site.mark,
                "table": request.path_params.get("table") or next(iter(site.tables), ""),
                "tables": len(site.tables),
                "pages": site.pages,
            },
            beat_s=site.beat_s,
            language=site.language_of(request),
        )
        return StreamingResponse(stream, media_type="text/event-stream", headers=STREAMED)

    async def state(request: Request) -> Response:
        return json_response(in_language(site.table(request).state(), site.language_of(request)), request.headers)

    async def records(request: Request) -> Response:
        told = in_language(records_of_game(site.table(request)), site.language_of(request))
        return json_response(told, request.headers)

    async def position(request: Request) -> Response:
        ply, move = _number(request.query_params.get("ply")), request.query_params.get("move")
        if move is None:
            return await _looked_up(site, request, "position", {"ply": ply})
        return await _looked_up(site, request, "what_if", {"ply": ply, "move": move[:LONGEST_MOVE]})

    async def moves(request: Request) -> Response:
        ply = _number(request.query_params.get("ply"))
        return await _looked_up(site, request, "legal_moves", {"ply": None if ply is None else ply + 1})

    async def pictures(request: Request) -> Response:
        feed = site.shared(site.table(request)).feed
        row = feed.row(lambda: site.streams.closed)
        return StreamingResponse(row, media_type="application/octet-stream", headers=STREAMED)

    async def picture(request: Request) -> Response:
        jpeg, age_s = await site.shared(site.table(request)).feed.newest()
        headers = NO_STORE if age_s is None else {**NO_STORE, "X-Picture-Age-S": f"{age_s:.2f}"}
        if jpeg is None:
            return Response(status_code=204, headers=headers)
        return Response(jpeg, media_type="image/jpeg", headers=headers)

    async def access(request: Request) -> Response:
        may_command = token_matches(request.headers.get(TOKEN_HEADER), site.token)
        return JSONResponse({"may_command": may_command}, headers=NO_STORE)

    async def command(request: Request) -> Response:
        return await site.gate(site.table(request)).receive(request)

    async def ask(request: Request) -> Response:
        table = site.table(request)
        return await site.gate(table).ask(request, table)

    return [
        Route(f"{prefix}/", static),
        Route(f"{prefix}/static/{{name}}", static),
        Route(f"{prefix}/events", events),
        Route(f"{prefix}/state", state),
        Route(f"{prefix}/records", records),
        Route(f"{prefix}/position", position),
        Route(f"{prefix}/moves", moves),
        Route(f"{prefix}/pictures", pictures),
        Route(f"{prefix}/picture.jpg", picture),
        Route(f"{prefix}/access", access),
        Route(f"{prefix}/command/{{name}}", command, methods=["POST"]),
        Route(f"{prefix}/ask/{{name}}", ask),
    ]


async def _looked_up(site: Site, request: Request, name: str, args: Mapping[str, Json]) -> Response:
    """What the table answers to a question that everybody may ask who looks on."""
    table = site.table(request)
    if args["ply"] is None:
        return _refusal(site, request, refused("bad_args"), 400)
    try:
        work = asyncio.to_thread(table.ask, name, args)
        result = await asyncio.wait_for(work, site.command_timeout_s)
    except TimeoutError:
        result = refused("busy")
    if not result.ok:
        return _refusal(site, request, result, 503 if result.reason == "busy" else 404)
    return json_response(in_language(result.data, site.language_of(request)), request.headers)


def _refusal(site: Site, request: Request, result: CommandResult, status: int) -> Response:
    told: Json = {"reason": result.reason, "detail": result.detail}
    return json_response(in_language(told, site.language_of(request)), request.headers, status)


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 16 else None
