"""`companion club`: all tables of a club on one page, from MQTT alone; or its standings as a file."""

from __future__ import annotations

import threading
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.language import Language, language_of, say, teller
from companion.cli.stopping import stop_on_signals
from companion.errors import DeviceError, UsageError, system_words
from companion.texts import text

if TYPE_CHECKING:
    from companion.club.options import ClubConfig


def club(
    config: Annotated[
        Path | None,
        typer.Option(metavar="CLUB.toml", help="A file with [mqtt], and perhaps [page], as a table's config has them."),
    ] = None,
    host: Annotated[str | None, typer.Option(metavar="BROKER", help="The broker's name or address.")] = None,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="The broker's port; 1883, with TLS 8883.")] = None,
    base: Annotated[str | None, typer.Option(help="The first level of all topics, as in the tables' configs.")] = None,
    username: Annotated[str | None, typer.Option(help="Who logs in to the broker.")] = None,
    password_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Has the password; or set COMPANION_MQTT_PASSWORD.")
    ] = None,
    ca_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The certificate of the broker's authority; encrypts.")
    ] = None,
    page_host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where the page listens; 0.0.0.0 lets your network see it.")
    ] = None,
    page_port: Annotated[
        int | None, typer.Option(metavar="PORT", min=0, max=65535, help="The page's port; 0: any.")
    ] = None,
    store: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where results are kept; in your data folder if left out.")
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the standings to a .csv or .json file, and end.", show_default=False),
    ] = None,
    since: Annotated[
        str | None, typer.Option("--from", metavar="2030-01-31", help="With --export: from this day on.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--to", metavar="2030-02-28", help="With --export: up to this day.")
    ] = None,
    language: Language = None,
) -> None:
    """Show all tables of a club on one page, calls for a referee first, and keep results and standings.

    It hears of the tables from the MQTT broker alone, and needs nothing of them.

    Examples:

    \b
      companion club --host broker.local --username club --password-file club.password
      companion club --config club.toml
      companion club --export standings.csv --from 2030-01-01
    """
    from companion.cli.log import tell_log
    from companion.club.options import default_store, read_options

    tell_log()
    place = store or default_store()
    if export is not None:
        _export(place, export, _day("--from", since), _day("--to", until))
        return
    if since or until:
        raise UsageError(text("--from and --to go with --export FILE; on the page the days are chosen there"))
    told: dict[str, dict[str, Any]] = {
        "mqtt": {
            "host": host,
            "port": port or (8883 if ca_file is not None and config is None else None),
            "base": base,
            "username": username,
            "password_file": password_file,
            "ca_file": ca_file,
        },
        "page": {"host": page_host, "port": page_port},
    }
    _run(read_options(config, told), place, language_of(language))


def _run(config: ClubConfig, path: Path, language: str) -> None:
    from companion.club.club import Club
    from companion.club.listener import ClubListener
    from companion.club.store import open_store
    from companion.page.club import create_club_app
    from companion.page.reach import lan_url
    from companion.page.server import PageServer

    tell = teller(language)
    opened = open_store(path, datetime.now(UTC))
    if opened.notice is not None:
        tell(opened.notice)
    try:
        club = Club(opened.store)
        page = config.page
        app = create_club_app(club, hosts=page.hosts, frames=page.frames, language=language)
        listener = ClubListener(config.settings(), club, tell)
        ended = threading.Event()
        with PageServer(app, page.host, page.port) as server:
            tell(text("the club's page is at {link}", link=server.url))
            if (link := lan_url((server.host, server.port))) is not None:
                tell(text("others in the same network find it at {link}", link=link))
            stop_on_signals(ended.set)
            listener.start()
            try:
                ended.wait()
            finally:
                listener.stop()
    finally:
        opened.store.close()


def _export(path: Path, file: Path, first: date | None, last: date | None) -> None:
    from companion.club.standings import as_csv, as_json, days, standings
    from companion.club.store import open_to_read
    from companion.setup.writing import write_whole

    kind = file.suffix.lower()
    if kind not in (".csv", ".json"):
        raise UsageError(text("--export {file}: the name must end in .csv or .json", file=str(file)))
    store = open_to_read(path)
    try:
        results = store.results(*days(first, last))
    finally:
        store.close()
    lines = standings(results)
    # spreadsheets take UTF-8 for it by the mark at its beginning
    content = as_csv(lines).encode("utf-8-sig") if kind == ".csv" else as_json(lines, results).encode()
    try:
        write_whole(file, content)
    except OSError as error:
        raise DeviceError(
            text("{file}: cannot be written ({why}); name another file", file=str(file), why=system_words(error))
        ) from error
    say(text("Wrote {file}: {players} players, {games} games", file=str(file), players=len(lines), games=len(results)))


def _day(option: str, given: str | None) -> date | None:
    try:
        return None if given is None else date.fromisoformat(given)
    except ValueError as error:
        raise UsageError(
            text("{option} {given}: is no day; write it as 2030-01-31", option=option, given=str(given))
        ) from error
