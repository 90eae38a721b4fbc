"""A table with its set-up on one page, as `companion setup` and `companion referee` run it."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from companion.cli.referee import sink_for
from companion.cli.stopping import stop_on_signals

if TYPE_CHECKING:
    from companion.config import PageSection
    from companion.setup.evening import Stage
    from companion.setup.room import Room


def tell(line: str) -> None:
    typer.echo(f"companion: {line}", err=True)


def host_table(
    stack: ExitStack,
    path: Path,
    page: PageSection,
    room: Room | None = None,
    stage: Stage | None = None,
    kept: Path | None = None,
) -> None:
    """Serve the set-up of a config, and referee what is begun there, until a signal comes.

    Raises:
        CompanionError: where another set-up runs, or the page's port cannot be had.
    """
    from companion.page.pages import Pages
    from companion.setup.evening import Evening, own_stage
    from companion.setup.kept import Kept, default_folder
    from companion.setup.session import SetupSession

    evening = Evening(lambda: [sink_for(False)], tell, stage or own_stage)
    session = SetupSession(path, Kept(kept or default_folder(), path), room, evening.begin)
    stack.callback(session.stop)
    pages = stack.enter_context(Pages(page, setup=session))
    session.start()
    stop_on_signals(evening.stop)
    tell(f"set the table up at {pages.link('setup/')}")
    evening.run(session, pages)
