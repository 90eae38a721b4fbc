"""The page of a club: all tables, calls for a referee first, and the standings. It takes no commands.

GET  ./                        the page; its files from static/{name}
GET  events?lang=              server-sent events: `snapshot` {"tables": [row, …], "broker", …}, then `state`, which is
                               what differs (`companion.club.diffs`), and `beat`
GET  tables                    all rows, for scripts
GET  standings?from=&to=       standings and the newest results of those days, for the page
GET  standings.csv?from=&to=   the standings, to keep; standings.json has all results, too
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import asdict
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from companion.club.standings import as_csv, as_json, days, result_json, standings
from companion.games.game import Json
from companion.page.statics import json_response

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from companion.club.club import Club
    from companion.page.site import Site

LISTED = 50
"""Results on the page; the files have all."""
NO_STORE = {"Cache-Control": "no-store"}
CSV = "text/csv; charset=utf-8"


def create_club_app(
    club: Club,
    *,
    hosts: Iterable[str] = (),
    frames: Iterable[str] = (),
    language: str = "en",
    beat_s: float = 10.0,
) -> Starlette:
    """Build a club's page; the arguments are those of `companion.page.app.create_app`."""
    from starlette.applications import Starlette
    from starlette.middleware import Middleware

    from companion.page.app import new_token
    from companion.page.guard import Guard, own_names
    from companion.page.site import Site

    outer_names = frozenset(name.lower() for name in hosts)
    site = Site({}, new_token(), outer_names, language, beat_s=beat_s)
    guard = partial(Guard, names=own_names(outer_names), frames=tuple(frames), refusals=site.refusals)
    app = Starlette(routes=club_routes(site, club), middleware=[Middleware(guard)])
    app.state.streams = site.streams
    app.state.refusals = site.refusals
    app.state.bound = None
    return app


def club_routes(site: Site, club: Club) -> list[Route]:
    """The routes of a club's page."""
    from starlette.responses import Response, StreamingResponse
    from starlette.routing import Route

    async def static(request: Request) -> Response:
        return site.file(request, request.path_params.get("name", "club.html"))

    async def events(_: Request) -> Response:
        headers = {**NO_STORE, "X-Accel-Buffering": "no"}
        return StreamingResponse(club_events(site, club), media_type="text/event-stream", headers=headers)

    async def tables(request: Request) -> Response:
        return json_response([*club.rows()], request.headers)

    async def table_of_players(request: Request) -> Response:
        results = await asyncio.to_thread(club.results, *_days(request))
        told: dict[str, Json] = {
            "standings": [asdict(line) for line in standings(results)],
            "results": [result_json(game) for game in results[:LISTED]],
            "games": len(results),
        }
        return json_response(told, request.headers)

    async def as_file(kind: str, request: Request) -> Response:
        results = await asyncio.to_thread(club.results, *_days(request))
        lines = standings(results)
        # spreadsheets take UTF-8 for it by the mark at its beginning
        content = as_csv(lines).encode("utf-8-sig") if kind == "csv" else as_json(lines, results).encode()
        headers = {**NO_STORE, "Content-Disposition": f'attachment; filename="standings.{kind}"'}
        return Response(content, media_type=CSV if kind == "csv" else "application/json", headers=headers)

    return [
        Route("/", static),
        Route("/static/{name}", static),
        Route("/events", events),
        Route("/tables", tables),
        Route("/standings", table_of_players),
        *(Route(f"/standings.{kind}", partial(as_file, kind)) for kind in ("csv", "json")),
    ]


async def club_events(site: Site, club: Club) -> AsyncIterator[bytes]:
    """Write the stream of one browser until it leaves or the server stops."""
    with site.streams.watching(club) as watch:
        version, whole = club.snapshot()
        yield _snapshot(whole)
        while not (site.streams.closed or watch.over):
            watch.changed.clear()
            version, news = club.since(version)
            if news is None:
                version, whole = club.snapshot()
                yield _snapshot(whole)
            for each in news or ():
                yield b"event: state\ndata: %s\n\n" % each
            try:
                await asyncio.wait_for(watch.changed.wait(), site.beat_s)
            except TimeoutError:
                yield b"event: beat\ndata: {}\n\n"


def _snapshot(whole: bytes) -> bytes:
    return b"event: snapshot\ndata: %s\n\n" % whole


def _days(request: Request) -> tuple[str, str]:
    """The days that an address asks for, as `Club.results` takes them.

    Raises:
        HTTPException: 400 where one is no day.
    """
    from starlette.exceptions import HTTPException

    first, last = (request.query_params.get(name, "") for name in ("from", "to"))
    try:
        return days(date.fromisoformat(first) if first else None, date.fromisoformat(last) if last else None)
    except ValueError as error:
        raise HTTPException(400, "Give days as from=2030-01-31 and to=2030-02-28.") from error
