"""The overlay for streaming software: a transparent page with score, turn, last move and calls. It takes no commands.

GET  overlay/{table}    the page; `?lang=&corner=&board=1&scale=&moves=0&calls=0` (docs/streaming.md)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.page.site import Site


def overlay_routes(site: Site) -> list[Route]:
    """The route of every table's overlay."""

    async def overlay(request: Request) -> Response:
        site.table(request)
        return site.file(request, "overlay.html")

    return [Route("/overlay/{table}", overlay)]
