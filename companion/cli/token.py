"""`companion token`: the page's token, which lets a browser command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.language import say
from companion.texts import text


def token(
    config: Annotated[
        Path | None, typer.Option(metavar="TABLE.toml", help="The table's config file, where it names a token_file.")
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Make another: links with the old one only look on from then.")
    ] = False,
) -> None:
    """Say where the page's token is kept, or make another one.

    The token stands behind # in the link that `companion referee` prints. It is never printed by itself. A new one
    counts from the next start of `companion referee` on.

    Example:

    \b
      companion token --new
    """
    from companion.config import load_config
    from companion.page.token_file import default_token_file, write_new_token

    path = (load_config(config).page.token_file if config is not None else None) or default_token_file()
    if new:
        write_new_token(path)
        say(
            text(
                "A new token is in {path}; start `companion referee` again, then open its new link on every phone.",
                path=str(path),
            )
        )
    elif path.is_file():
        say(text("The page's token is in {path}.", path=str(path)))
    else:
        say(text("There is no token yet; the first `companion referee` makes one in {path}.", path=str(path)))
