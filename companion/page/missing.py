"""What is not here, in the reader's language: a page with ways on for a browser, a line for a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.texts import in_language, languages

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from companion.page.site import Site
    from companion.summary.pages import Place

UNROUTED = "Not Found"
"""What Starlette says where no route has the address."""


def place_of(request: Request) -> Place:
    """Where the page stands: as many steps up as its address has folders."""
    from companion.summary.pages import Place

    depth = request.url.path.count("/") - request.scope.get("root_path", "").count("/") - 1
    asked = request.query_params.get("lang", "")
    return Place("../" * depth or "./", request.path_params.get("table", ""), asked if asked in languages() else "")


def missing_handler(site: Site) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Answers for every address where nothing is."""
    from starlette.exceptions import HTTPException
    from starlette.responses import HTMLResponse, PlainTextResponse

    from companion.page.site import NO_PAGE
    from companion.summary.pages import said_page

    async def missing(request: Request, error: Exception) -> Response:
        detail = error.detail if isinstance(error, HTTPException) else UNROUTED
        words = NO_PAGE if detail == UNROUTED else detail
        language = site.language_of(request)
        told = {"Cache-Control": "no-store"}
        if "text/html" in request.headers.get("accept", ""):
            return HTMLResponse(said_page(words, language, place_of(request)), 404, told)
        return PlainTextResponse(f"{in_language(words, language)}\n", 404, told)

    return missing
