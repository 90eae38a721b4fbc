"""How a game is set up, as options of a command; they stand in place of what a file says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from companion.errors import UsageError
from companion.texts import text

if TYPE_CHECKING:
    from companion.games.game import Json

Players = Annotated[
    int | None, typer.Option("--players", min=2, max=4, help="Finity: how many play.", show_default=False)
]
Pattern = Annotated[
    str | None,
    typer.Option("--pattern", metavar="PATTERN", help="Finity: the tower's cones bottom to top, e.g. bwbbwbww."),
]
Posts = Annotated[
    str | None, typer.Option("--posts", metavar="A=N,B=S", help="Finity: at which base stations players start.")
]


def setup_of(players: int | None, pattern: str | None, posts: str | None = None) -> dict[str, Json]:
    """The setup that was given, as `game_named` takes it.

    Raises:
        UsageError: where the posts are not written as they should be; whether they can be, the rules say.
    """
    given: dict[str, Json] = {"players": players, "pattern": pattern, "posts": _posts(posts)}
    return {key: value for key, value in given.items() if value is not None}


def _posts(given: str | None) -> dict[str, Json] | None:
    if given is None:
        return None
    pairs = [[part.strip() for part in pair.split("=")] for pair in given.split(",")]
    posts: dict[str, Json] = {pair[0]: pair[1] for pair in pairs if len(pair) == 2 and all(pair)}
    if len(posts) < len(pairs):
        raise UsageError(
            text("--posts {given}: write each player once with a base station, such as A=N,B=S", given=given)
        )
    return posts
