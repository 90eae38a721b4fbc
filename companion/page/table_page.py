"""The page of a table: what it shows, and the way of commands.

GET  ./                   the page
GET  static/{name}        its files
GET  events?lang=         server-sent events (`companion.page.stream`)
GET  state?lang=          the whole state, for scripts
GET  picture.jpg          the annotated camera picture, with its age in `X-Picture-Age-S`; 204 where none is fresh
GET  access               whether the token that came along may command
POST command/{name}       a command (`companion.page.commands`), with the token in `X-Companion-Token`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from companion.page.guard import TOKEN_HEADER, token_matches
from companion.page.site import Site
from companion.page.stream import server_sent_events
from companion.texts import in_language

if TYPE_CHECKING:
    from starlette.requests import Request

NO_STORE = {"Cache-Control": "no-store"}


def table_routes(site: Site, prefix: str = "") -> list[Route]:
    """The routes of a table's page.

    Args:
        prefix: "" for the first table, "/table/{table}" for any.
    """

    async def static(request: Request) -> Response:
        site.table(request)
        return site.file(request, request.path_params.get("name", "index.html"))

    async def events(request: Request) -> Response:
        table = site.table(request)
        stream = server_sent_events(
            table,
            site.streams,
            after_seq=_last_seq(request),
            page=site.mark,
            beat_s=site.beat_s,
            language=site.language_of(request),
        )
        headers = {**NO_STORE, "X-Accel-Buffering": "no"}
        return StreamingResponse(stream, media_type="text/event-stream", headers=headers)

    async def state(request: Request) -> Response:
        told = in_language(site.table(request).state(), site.language_of(request))
        return JSONResponse(told, headers=NO_STORE)

    async def picture(request: Request) -> Response:
        taken = site.table(request).picture()
        if taken is None:
            return Response(status_code=204, headers=NO_STORE)
        jpeg, age_s = taken
        headers = {**NO_STORE, "X-Picture-Age-S": f"{age_s:.2f}"}
        if age_s > site.fresh_picture_s:
            return Response(status_code=204, headers=headers)
        return Response(jpeg, media_type="image/jpeg", headers=headers)

    async def access(request: Request) -> Response:
        may_command = token_matches(request.headers.get(TOKEN_HEADER), site.token)
        return JSONResponse({"may_command": may_command}, headers=NO_STORE)

    async def command(request: Request) -> Response:
        return await site.gate(site.table(request)).receive(request)

    return [
        Route(f"{prefix}/", static),
        Route(f"{prefix}/static/{{name}}", static),
        Route(f"{prefix}/events", events),
        Route(f"{prefix}/state", state),
        Route(f"{prefix}/picture.jpg", picture),
        Route(f"{prefix}/access", access),
        Route(f"{prefix}/command/{{name}}", command, methods=["POST"]),
    ]


def _last_seq(request: Request) -> int | None:
    text = request.headers.get("last-event-id") or request.query_params.get("after") or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None
