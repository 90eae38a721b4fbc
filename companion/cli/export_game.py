"""`companion export`: a game of the journal as text, to read, to send, and to import again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.errors import InputError

if TYPE_CHECKING:
    from companion.events import GameStarted, Record


def export_game(
    journal: Annotated[
        Path | None, typer.Argument(metavar="[JOURNAL]", help="The journal; the one in your data folder if left out.")
    ] = None,
    game: Annotated[int, typer.Option(help="Which game, by its number; 0 is the newest.")] = 0,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; the terminal if left out.")] = None,
) -> None:
    """Write a game as text: one numbered move a line, corrections applied, and what each move did said beside it.

    `companion import` reads it back.

    Example:

    \b
      companion export --out evening.txt
      companion import evening.txt
    """
    from companion.cli.replay import chosen_game
    from companion.journal.place import default_journal
    from companion.journal.reader import read_journal

    path = journal or default_journal()
    reader = read_journal(path)
    try:
        records = list(reader.records(chosen_game(reader, game, path)))
    finally:
        reader.close()
    text = _text(records, path)
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out}: {error.strerror}; name a file that can be written") from error
    typer.echo(f"Wrote {out}")


def _text(records: list[Record], path: Path) -> str:
    from companion.events import GameStarted
    from companion.games.registry import game_named
    from companion.notation.game_text import format_game
    from companion.referee import Referee

    started: GameStarted | None = next((r.event for r in records if isinstance(r.event, GameStarted)), None)
    if started is None:
        raise InputError(f"{path}: this game has no beginning in the journal, so it cannot be exported")
    rules: Any = game_named(started.game, started.options, started.setup)
    referee: Referee[Any] = Referee.restore(rules, "export", records)
    return format_game(referee.record, started.names)
