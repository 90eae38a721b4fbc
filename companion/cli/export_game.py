"""`companion export`: a game of the journal as text, as JSON, as a picture, or as a page to step through."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.language import Language, language_of, say
from companion.errors import InputError, error_words, system_words
from companion.texts import text

if TYPE_CHECKING:
    from companion.summary.story import Story


def export_game(
    journal: Annotated[
        Path | None, typer.Argument(metavar="[JOURNAL]", help="The journal; the one in your data folder if left out.")
    ] = None,
    game: Annotated[int, typer.Option(help="Which game, by its number; 0 is the newest.")] = 0,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; the terminal if left out.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON with every event, instead of text.")] = False,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="A picture: result, board, course of the game.")
    ] = None,
    page: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="One file to step through the game in any browser.")
    ] = None,
    language: Language = None,
) -> None:
    """Write a game as text: one numbered move a line, corrections applied, and what each move did said beside it.

    `companion import` reads it back. With --picture or --page only those are written.

    Example:

    \b
      companion export --out evening.txt
      companion export --picture evening.png --page evening.html
      companion import evening.txt
    """
    from companion.cli.replay import chosen_game
    from companion.journal.place import default_journal
    from companion.journal.reader import read_journal
    from companion.summary.exports import json_record, text_record
    from companion.summary.story import story_of

    spoken = language_of(language)
    path = journal or default_journal()
    reader = read_journal(path)
    try:
        number = chosen_game(reader, game, path)
        entries = list(reader.entries(number))
    finally:
        reader.close()
    try:
        story = story_of(number, entries)
    except InputError as error:
        raise InputError(text("{path}: {why}", path=str(path), why=error_words(error))) from error
    if picture is not None or page is not None:
        _drawn(story, spoken, picture, page)
        if out is None:
            return
    record = json_record(story, entries) if as_json else text_record(story)
    if out is None:
        typer.echo(record, nl=False)
    else:
        _write(out, record.encode())


def _drawn(story: Story, language: str, picture: Path | None, page: Path | None) -> None:
    from companion.summary.pages import Place, replay_page
    from companion.summary.picture import png_of
    from companion.summary.sheet import sheet

    if picture is not None:
        _write(picture, png_of(sheet(story, language)))
    if page is not None:
        _write(page, replay_page(story, language, Place(None)).encode())


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(
            text("{path}: {why}; name a file that can be written", path=str(path), why=system_words(error))
        ) from error
    say(text("Wrote {path}", path=str(path)))
