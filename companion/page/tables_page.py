"""The first page of a server with several tables: a list of them, with their scores and whose turn it is.

GET  ./         the list, or the page of the one table that there is, or the way to the set-up where there is none yet
GET  tables     the list, for the page and for scripts
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse
from starlette.routing import Route

from companion.games.game import Json
from companion.page.statics import json_response
from companion.texts import in_language

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.page.site import Site

SETUP = "setup"
TOLD = ("game", "players", "names", "score", "to_move", "ply", "outcome", "outcome_words", "paused")


def tables_routes(site: Site) -> list[Route]:
    """The routes of the first page."""

    async def first(request: Request) -> Response:
        if not site.tables and SETUP in site.pages:
            return RedirectResponse(f"{SETUP}/", headers={"Cache-Control": "no-store"})
        return site.file(request, "tables.html" if len(site.tables) > 1 else "index.html")

    async def tables(request: Request) -> Response:
        told: Json = [row(name, table.state(), table.layout()) for name, table in [*site.tables.items()]]
        return json_response(in_language(told, site.language_of(request)), request.headers)

    return [Route("/", first), Route("/tables", tables)]


def row(name: str, state: Mapping[str, Json], layout: Mapping[str, Json]) -> dict[str, Json]:
    """What the list shows of a table.

    Returns:
        `table` (its name in addresses), what `TOLD` names of its state, `calls` (whether it waits for a person); where
        there is one score, `leader`; where players follow a pattern, `paths` (how far each has come) and `goal`.
    """
    told: dict[str, Json] = {"table": name, **{key: state.get(key) for key in TOLD}}
    score, sides = state.get("score"), layout.get("score")
    if isinstance(score, int) and isinstance(sides, Mapping):
        told["leader"] = sides.get("positive" if score > 0 else "negative") if score else None
    told["calls"] = any(state.get(key) for key in ("question", "illegal", "orphans"))
    explanation, pattern = state.get("explanation"), layout.get("pattern")
    partial = explanation.get("partial_paths") if isinstance(explanation, Mapping) else None
    if isinstance(partial, Mapping) and isinstance(pattern, list):
        told["paths"] = {player: path.get("length") for player, path in partial.items() if isinstance(path, Mapping)}
        told["goal"] = len(pattern)
    return told
