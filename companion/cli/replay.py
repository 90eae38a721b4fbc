"""`companion replay`: step through a game of the journal in the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.language import Language, language_of
from companion.errors import InputError
from companion.texts import Text, in_language, joined, text

if TYPE_CHECKING:
    from companion.journal.reader import Entry, GameEntry, JournalReader


def replay(
    journal: Annotated[
        Path | None, typer.Argument(metavar="JOURNAL", help="The journal; the one in your data folder if left out.")
    ] = None,
    game: Annotated[int, typer.Option(help="Which game, by its number; 0 is the newest.")] = 0,
    games: Annotated[bool, typer.Option("--list", help="List the games and stop.")] = False,
    step: Annotated[bool, typer.Option("--step/--all", help="Wait for Enter after each event.")] = False,
    language: Language = None,
    as_json: Annotated[bool, typer.Option("--json", help="The events as they were told, one object a line.")] = False,
) -> None:
    """Step through a recorded game: every event as it was told, and the position after each move.

    Example:

    \b
      companion replay --list
      companion replay --step
    """
    from companion.journal.place import default_journal
    from companion.journal.reader import read_journal

    path = journal or default_journal()
    reader = read_journal(path)
    try:
        if games:
            _list(reader.whole_games(), language_of(language), as_json)
            return
        _show(list(reader.entries(chosen_game(reader, game, path))), language_of(language), step, as_json)
    finally:
        reader.close()


def chosen_game(reader: JournalReader, game: int, path: Path) -> int:
    """The number of a journal's game that a person asked for; 0 is the newest.

    Raises:
        InputError: where there is no such game.
    """
    known = [entry.game_id for entry in reader.games()]
    if not known:
        raise InputError(
            text("{path}: no game was played yet; `companion demo --journal {path}` plays one", path=str(path))
        )
    if game == 0:
        return known[-1]
    if game not in known:
        raise InputError(
            text(
                "{path}: there is no game {game}; `companion replay --list` shows {first} to {last}",
                path=str(path),
                game=game,
                first=known[0],
                last=known[-1],
            )
        )
    return game


def _list(games: Sequence[GameEntry], language: str, as_json: bool) -> None:
    for entry in games:
        line = {"game": entry.game_id, "rules": entry.game, "started": entry.started_utc, "names": dict(entry.names)}
        if as_json:
            typer.echo(json.dumps(line, ensure_ascii=False))
        else:
            began = entry.started_utc[:16].replace("T", " ")
            typer.echo(f"{entry.game_id:5}  {began}  {entry.game}  {in_language(_who(entry), language)}")


def _who(entry: GameEntry) -> Text:
    """Who played, by name where names were given."""
    names = tuple(entry.names.values())
    if not names:
        return text("players without names")
    first, *others = names
    return joined([first, *(text("against {player}", player=other) for other in others)])


def _show(entries: Sequence[Entry], language: str, step: bool, as_json: bool) -> None:
    from companion.events import record_json

    _tell_of_other_rules(entries, language)
    if as_json:
        for entry in entries:
            typer.echo(json.dumps(record_json(entry.record), ensure_ascii=False))
        return
    for told in _steps(entries, language):
        typer.echo(told)
        if step:
            typer.prompt("", prompt_suffix="", default="", show_default=False)


def _tell_of_other_rules(entries: Sequence[Entry], language: str) -> None:
    """Say where the rules that judged a game are read otherwise now."""
    from companion.events import GameStarted
    from companion.referee import RULES_VERSION
    from companion.wording import other_rules

    versions = [entry.record.event.rules_version for entry in entries if isinstance(entry.record.event, GameStarted)]
    words = other_rules(versions[0], RULES_VERSION) if versions else None
    if words is not None:
        typer.echo(f"companion: {in_language(words, language)}", err=True)


def _steps(entries: Sequence[Entry], language: str) -> Iterator[str]:
    """One text an event: its words, and the board wherever a move or a correction changed it."""
    from companion.events import Corrected, Forfeited, GameStarted, MovePlayed
    from companion.games.registry import game_named
    from companion.sinks.terminal import words_of

    names: Mapping[str, str] = {}
    rules = position = None
    for entry in entries:
        event = entry.record.event
        if isinstance(event, GameStarted):
            names = event.names
            rules = game_named(event.game, event.options, event.setup)
            position = rules.parse_position(event.position)
        elif rules is not None and isinstance(event, Corrected):
            position = rules.parse_position(event.position)
        elif rules is not None and isinstance(event, MovePlayed | Forfeited):
            played = rules.play(position, event.move) if isinstance(event, MovePlayed) else rules.forced(position)
            position = getattr(played, "after", position)
        told = words_of(entry.record, language, names)
        if rules is not None and isinstance(event, GameStarted | MovePlayed | Forfeited | Corrected):
            board = rules.position_json(position)
            told += "\n" + "\n".join(f"      {key:9} {value}" for key, value in board.items() if value is not None)
        yield told
