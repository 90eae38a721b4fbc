"""`companion referee`: a live table, or a recording at full speed."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.game_options import Pattern, Players, Posts, setup_of
from companion.cli.language import Language, language_of, teller
from companion.cli.link import Qr, with_kept_token
from companion.cli.stopping import stop_on_signals
from companion.errors import UsageError
from companion.texts import ENGLISH, text

if TYPE_CHECKING:
    from companion.games.game import Json
    from companion.sinks.sink import Sink


def referee(
    config: Annotated[
        Path | None,
        typer.Option(metavar="TABLE.toml", help="The table's config file; that of `companion setup` if left out."),
    ] = None,
    recording: Annotated[Path | None, typer.Option(metavar="DIR", help="Play a recording instead.")] = None,
    players: Players = None,
    pattern: Pattern = None,
    posts: Posts = None,
    new_game: Annotated[bool, typer.Option("--new-game", help="Do not go on with an unfinished game.")] = False,
    qr: Qr = False,
    language: Language = None,
    as_json: Annotated[bool, typer.Option("--json", help="Events in JSON, one object a line.")] = False,
) -> None:
    """Referee a live table by its config, or play a recording and print what the referee says to it.

    A game of Finity needs the tower's pattern: in the config, in the recording, or here.

    Example:

    \b
      companion referee
      companion referee --config table.toml --pattern bwbbwbww --new-game
      companion referee --recording evening/ --json
    """
    if config is not None and recording is not None:
        raise UsageError("give either --config TABLE.toml for a live table or --recording DIR")
    from companion.cli.log import tell_log

    tell_log()
    setup = setup_of(players, pattern, posts)
    if recording is not None:
        _play(recording, setup, language, as_json)
    else:
        _referee(config or _own_config(), setup, language, as_json, new_game, qr)


def _own_config() -> Path:
    """The user's config.

    Raises:
        UsageError: where there is none yet.
    """
    from companion.config import default_config

    path = default_config()
    if not path.exists():
        raise UsageError(
            f"there is no table yet: make one with `companion setup` (it writes {path}), "
            "or give --config TABLE.toml or --recording DIR"
        )
    return path


def sink_for(as_json: bool, language: str = ENGLISH) -> Sink:
    """Who writes the events to standard output; lines of JSON are English."""
    if as_json:
        from companion.sinks.json_lines import JsonLines

        return JsonLines(sys.stdout)
    from companion.sinks.terminal import Terminal

    return Terminal(sys.stdout, language)


def _play(folder: Path, setup: Mapping[str, Json], language: str | None, as_json: bool) -> None:
    from companion.cli.progress import progress
    from companion.recording import RecordingPlayer, open_recording

    opened = open_recording(folder, setup)
    player = RecordingPlayer(opened)
    sink = sink_for(as_json, language_of(language))
    sink.start()
    try:
        with progress("playing", None, quiet=sys.stdout.isatty()) as advance:
            for record in player.play():
                sink.publish([record], {})
                advance(player.progress.lines)
    finally:
        sink.stop()
    for line in opened.faults.found:
        typer.echo(f"companion: {line}", err=True)


def _referee(
    path: Path, setup: Mapping[str, Json], language: str | None, as_json: bool, new_game: bool, qr: bool
) -> None:
    from companion.config import load_config
    from companion.station import Station

    config = with_kept_token(load_config(path, setup))
    talks = language_of(language, config)
    if config.page.enabled:
        from companion.cli.hosting import Hosted, host

        host(Hosted(path, config.page, config, language=talks, as_json=as_json, new_game=new_game, qr=qr))
        return
    tell = teller(talks)
    with Station(config, [sink_for(as_json, talks)], new_game=new_game, tell=tell) as station:
        if station.resumed:
            tell(text("going on with the unfinished game; --new-game begins another"))
        stop_on_signals(station.loop.stop)
        station.run()
