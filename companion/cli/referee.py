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
        list[Path] | None,
        typer.Option(
            metavar="TABLE.toml",
            help="The table's config file; again for more tables. That of `companion setup` if left out.",
        ),
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
      companion referee --config kitchen.toml --config garden.toml
      companion referee --recording evening/ --json
    """
    if config and recording is not None:
        raise UsageError(text("give either --config TABLE.toml for a live table or --recording DIR"))
    from companion.cli.log import tell_log
    from companion.service.memory import share_one_heap

    share_one_heap()
    tell_log()
    setup = setup_of(players, pattern, posts)
    if recording is not None:
        _play(recording, setup, language, as_json)
    elif config and len(config) > 1:
        if setup:
            raise UsageError(
                text(
                    "{options}: of which table? Set it in its config",
                    options=" and ".join(f"--{key}" for key in setup),
                )
            )
        _referee_several(config, language, as_json, new_game, qr)
    else:
        _referee(config[0] if config else _own_config(), setup, language, as_json, new_game, qr)


def _own_config() -> Path:
    """The user's config.

    Raises:
        UsageError: where there is none yet.
    """
    from companion.config import default_config

    path = default_config()
    if not path.exists():
        raise UsageError(
            text(
                "there is no table yet: make one with `companion setup` (it writes {path}), or give "
                "--config TABLE.toml or --recording DIR",
                path=str(path),
            )
        )
    return path


def sink_for(as_json: bool, language: str = ENGLISH, table: str = "") -> Sink:
    """Who writes the events to standard output; lines of JSON are English. `table` names one of several."""
    if as_json:
        from companion.sinks.json_lines import JsonLines

        return JsonLines(sys.stdout, table)
    from companion.sinks.terminal import Terminal

    return Terminal(sys.stdout, language, table)


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
    tell = teller(language_of(language))
    for line in opened.faults.found:
        tell(line)


def _referee(
    path: Path, setup: Mapping[str, Json], language: str | None, as_json: bool, new_game: bool, qr: bool
) -> None:
    from companion.config import load_config
    from companion.service.watchdog import Watchdog
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
        watchdog = Watchdog()

        def goes_on(_: Mapping[str, Json]) -> bool:
            watchdog.beat()
            return False

        station.run(goes_on)


def _referee_several(paths: list[Path], language: str | None, as_json: bool, new_game: bool, qr: bool) -> None:
    from companion.cli.link import tell_phone_link
    from companion.config import load_config
    from companion.node import Node, Seat, joined_configs
    from companion.service.watchdog import Watchdog

    configs = [with_kept_token(config) for config in joined_configs([Seat(path, load_config(path)) for path in paths])]
    tell = teller(language_of(language, configs[0]))

    def ready() -> None:
        if node.pages is not None:
            tell(text("the page is at {link}", link=node.pages.link()))
            tell_phone_link(tell, node.pages.phone_link(), qr=qr)

    node = Node(
        configs,
        lambda config: [sink_for(as_json, language_of(language, config), config.table.name)],
        tell,
        new_game=new_game,
        beat=Watchdog().beat,
    )
    stop_on_signals(node.stop)
    node.run(ready)
