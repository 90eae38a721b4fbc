"""The page's link for phones, in the terminal, and where its token is kept."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from companion.texts import text

if TYPE_CHECKING:
    from companion.config import Config

Qr = Annotated[bool, typer.Option("--qr", help="Show the page's link for phones as a QR code.")]

NO_PHONE = text('only this machine reaches the page; for phones, set host = "0.0.0.0" in [page] of the config')


def tell_phone_link(tell: Callable[[str], object], link: str | None, *, qr: bool) -> None:
    """Say how a phone finds the page, with a QR code where somebody looks at a terminal, or asked for one.

    Args:
        tell: takes a line for people.
        link: the link with its token; None where only this machine reaches the page.
        qr: whether a QR code was asked for; where there can be none, it is said why.
    """
    if link is None:
        if qr:
            tell(NO_PHONE)
        return
    tell(text("phones in the same network find it at {link}", link=link))
    if qr or sys.stderr.isatty():
        from companion.page.sharing import qr_text

        typer.echo(qr_text(link), err=True)


def with_kept_token(config: Config) -> Config:
    """The config of a table that is used again: its page's token is kept, so that links on phones stay good."""
    if config.page.token_file is not None:
        return config
    from companion.page.token_file import default_token_file

    return config.model_copy(update={"page": config.page.model_copy(update={"token_file": default_token_file()})})
