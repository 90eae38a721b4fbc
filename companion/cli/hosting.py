"""A table and its set-up on one server, as `companion setup` and `companion referee` run them."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.language import teller
from companion.cli.link import tell_phone_link
from companion.cli.referee import sink_for
from companion.cli.stopping import stop_on_signals
from companion.texts import ENGLISH, text

if TYPE_CHECKING:
    from companion.config import Config, PageSection
    from companion.setup.evening import Stage
    from companion.setup.room import Room


@dataclass(frozen=True, slots=True)
class Hosted:
    """What is hosted.

    Attributes:
        path: the config file that the set-up writes.
        page: where the page listens.
        config: a game to begin with; None waits for the set-up to begin one.
        room, stage: what stands in for the machine's own devices, before the game and in it.
        kept: where an unfinished set-up is kept; the user's own folder if left out.
    """

    path: Path
    page: PageSection
    config: Config | None = None
    room: Room | None = None
    stage: Stage | None = None
    kept: Path | None = None
    language: str = ENGLISH
    as_json: bool = False
    new_game: bool = False
    qr: bool = False


def host(hosted: Hosted) -> None:
    """Serve a table's set-up and referee what is begun, until a signal comes.

    Raises:
        CompanionError, CalibrationError, BridgeError: where the page or the game to begin with cannot be.
    """
    from companion.page.pages import Pages
    from companion.service.watchdog import Watchdog
    from companion.setup.evening import Evening, own_stage
    from companion.setup.kept import Kept, default_folder
    from companion.setup.session import SetupSession

    tell = teller(hosted.language)

    def begun() -> None:
        if hosted.config is not None:
            tell(text("the page is at {link}", link=pages.link()))
            tell_phone_link(tell, pages.phone_link(), qr=hosted.qr)

    evening = Evening(
        lambda: [sink_for(hosted.as_json, hosted.language)],
        tell,
        hosted.stage or own_stage,
        new_game=hosted.new_game,
        must_begin=hosted.config is not None,
        begun=begun,
        beat=Watchdog().beat,
    )
    with ExitStack() as stack:
        kept = Kept(hosted.kept or default_folder(hosted.path), hosted.path)
        session = SetupSession(hosted.path, kept, hosted.room, evening.begin, hosted.config)
        stack.callback(session.stop)
        pages = stack.enter_context(Pages(hosted.page, setup=session, language=hosted.language))
        session.start(with_camera=hosted.config is None)
        stop_on_signals(evening.stop)
        if hosted.config is None:
            tell(text("set the table up at {link}", link=pages.link("setup/")))
            tell_phone_link(tell, pages.phone_link("setup/"), qr=hosted.qr)
        else:
            evening.begin(hosted.config)
        evening.run(session, pages)
