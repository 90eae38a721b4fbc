"""`companion setup`: set a table up in the browser, and play."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.language import Language, language_of
from companion.cli.link import Qr, with_kept_token
from companion.cli.plan import Sensors
from companion.errors import UsageError
from companion.texts import text

if TYPE_CHECKING:
    from companion.config import PageSection


def setup(
    config: Annotated[
        Path | None,
        typer.Option(metavar="TABLE.toml", help="The config file to write; the one in your config folder if left out."),
    ] = None,
    host_address: Annotated[
        str | None,
        typer.Option(
            "--host", metavar="ADDRESS", help="Where the page listens; 0.0.0.0 lets phones in your network see it."
        ),
    ] = None,
    page_port: Annotated[
        int | None, typer.Option("--page-port", metavar="PORT", min=0, max=65535, help="The page's port; 0: any.")
    ] = None,
    simulate: Annotated[
        str | None, typer.Option(metavar="GAME", help="Try it without hardware: infinity or finity.")
    ] = None,
    sensors: Annotated[
        Sensors | None, typer.Option("--device", help="Simulated Infinity: how beams and knob are read.")
    ] = None,
    speed: Annotated[
        float | None, typer.Option(min=0.1, max=5, help="How fast a simulated game passes; 1 (usual) is real time.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed is another simulated table and game.")] = 1,
    look: Annotated[
        str | None, typer.Option(metavar="NAME", help="The simulated table's colours; a wrong name lists all.")
    ] = None,
    qr: Qr = False,
    language: Language = None,
) -> None:
    """Set a table up in the browser: game, camera, pictures to learn from, players, house rules; then play.

    Open the link that is printed. What was set up is written to the config file, and can be changed there or here at
    any time. With --simulate simulated people lay what is asked and play in the end.

    Examples:

    \b
      companion setup
      companion setup --simulate finity
    """
    from companion.cli.hosting import Hosted, host
    from companion.cli.log import tell_log
    from companion.config import default_config

    tell_log()
    if simulate is None and (sensors or speed or look):
        raise UsageError(
            text("--device, --speed and --look are of simulated tables: add --simulate infinity or finity")
        )
    if config is not None and config.is_dir():
        raise UsageError(
            text(
                "{path}: this is a folder; name the config file in it, such as {path}/table.toml",
                path=str(config).rstrip("/"),
            )
        )
    if simulate is None:
        path = config or default_config()
        host(Hosted(path, page_at(path, host_address, page_port), language=language_of(language), qr=qr))
        return
    from companion.cli.simulated_setup import SimulatedTable, checked_wish

    wish = checked_wish(simulate, seed, speed or 1.0, sensors, look)
    with tempfile.TemporaryDirectory() as name, SimulatedTable(wish, Path(name)) as table:
        path = config or Path(name) / "table.toml"
        page = page_at(path, host_address, page_port)
        host(Hosted(path, page, None, table.room(), table.stage, Path(name) / "kept", language_of(language), qr=qr))


def page_at(config: Path, host_address: str | None, port: int | None) -> PageSection:
    """Where the page listens: as the config says, where the command does not say otherwise."""
    from companion.config import PageSection, load_config
    from companion.errors import CompanionError

    try:
        section = with_kept_token(load_config(config)).page
    except CompanionError:
        section = PageSection()  # the set-up itself says what is wrong with the file
    told = {key: value for key, value in (("host", host_address), ("port", port)) if value is not None}
    return section.model_copy(update=told)
