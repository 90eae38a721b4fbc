"""After a game: its summary, its replay, things to keep and send, and the list of all games.

GET  summary/{table}                        the summary of the newest game
GET  summary/{table}/picture.png            its picture
GET  summary/{table}/{game}                 the summary of any game of the journal, by its number
GET  summary/{table}/{game}/picture.png     its picture
GET  summary/{table}/{game}/replay.html     one file to step through the game without this program
GET  summary/{table}/{game}/record.txt      the record in our own notation, which `companion import` reads
GET  summary/{table}/{game}/record.json     the record and every event
GET  replay/{table}/{game}                  steps through the game
GET  games/                                 all games of all tables; `?table=&before=` goes on
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.errors import InputError, error_words
from companion.page.archive import Archive
from companion.page.missing import place_of
from companion.page.site import NO_TABLE
from companion.summary.pages import Place, Row, games_page, replay_page, said_page, summary_page
from companion.texts import text

if TYPE_CHECKING:
    from starlette.requests import Request

    from companion.page.site import Site

GAMES_SHOWN = 50
NO_STORE = {"Cache-Control": "no-store"}

Made = str | bytes


def summary_routes(site: Site) -> list[Route]:
    """The routes of all pages after a game."""

    def page(make: Callable[[Request, Archive, int, Place], str]) -> Callable[[Request], object]:
        """A page about a game; where there is none, a page that says so."""

        async def answer(request: Request) -> Response:
            place = place_of(request)
            archive = _archive(site, request)
            return await _answered(site, request, place, lambda: make(request, archive, _game(request, archive), place))

        return answer

    def file(name: str, media_type: str, make: Callable[[Request, Archive, int], Made]) -> Callable[[Request], object]:
        """A file about a game, under a name of its own where it is kept."""

        async def answer(request: Request) -> Response:
            archive = _archive(site, request)
            try:
                number = await asyncio.to_thread(_game, request, archive)
                made = await asyncio.to_thread(make, request, archive, number)
            except InputError as error:
                raise HTTPException(404, error_words(error)) from error
            shown = "inline" if media_type.startswith("image/") else "attachment"
            headers = {**NO_STORE, "Content-Disposition": f'{shown}; filename="game-{number}{name}"'}
            return Response(made, media_type=media_type, headers=headers)

        return answer

    def language(request: Request) -> str:
        return site.language_of(request)

    def summary(request: Request, archive: Archive, number: int, place: Place) -> str:
        return summary_page(archive.story(number), language(request), place)

    def replay(request: Request, archive: Archive, number: int, place: Place) -> str:
        return replay_page(archive.story(number), language(request), place)

    async def games(request: Request) -> Response:
        place = place_of(request)
        return await _answered(site, request, place, lambda: _games(site, request, place))

    picture = file(".png", "image/png", lambda request, archive, n: archive.picture(n, language(request)))
    alone = file(
        ".html", "text/html", lambda request, archive, n: replay_page(archive.story(n), language(request), Place(None))
    )
    own = "/summary/{table}/{game:int}"
    return [
        Route("/summary/{table}", page(summary)),
        Route("/summary/{table}/picture.png", picture),
        Route(own, page(summary)),
        Route(f"{own}/picture.png", picture),
        Route(f"{own}/replay.html", alone),
        Route(f"{own}/record.txt", file(".txt", "text/plain", lambda _, archive, n: archive.text(n))),
        Route(f"{own}/record.json", file(".json", "application/json", lambda _, archive, n: archive.json(n))),
        Route("/replay/{table}/{game:int}", page(replay)),
        Route("/games/", games),
    ]


async def _answered(site: Site, request: Request, place: Place, make: Callable[[], str]) -> Response:
    try:
        return HTMLResponse(await asyncio.to_thread(make), headers=NO_STORE)
    except InputError as error:
        words = error.args[0]
        return HTMLResponse(said_page(words, site.language_of(request), place), 404, headers=NO_STORE)


def _games(site: Site, request: Request, place: Place) -> str:
    before = request.query_params.get("before", "")
    wanted, last = request.query_params.get("table"), int(before) if before.isdecimal() and len(before) < 10 else None
    rows: list[Row] = []
    for name, archive in site.archives.items():
        if wanted in (None, name):
            rows += archive.rows(name, GAMES_SHOWN + 1, last)
    older = None
    if len(rows) > GAMES_SHOWN and (wanted is not None or len(site.archives) == 1):
        rows = rows[:GAMES_SHOWN]
        lang = f"&lang={place.language}" if place.language else ""
        older = f"?table={rows[-1].table}&before={rows[-1].number}{lang}"
    return games_page(rows, site.language_of(request), place, older=older)


def _archive(site: Site, request: Request) -> Archive:
    archive = site.archives.get(request.path_params["table"])
    if archive is None:
        raise HTTPException(404, NO_TABLE)
    return archive


def _game(request: Request, archive: Archive) -> int:
    number = request.path_params.get("game") or archive.newest()
    if number is None:
        raise InputError(text("No game was played here yet."))
    return int(number)
