"""`companion mat`: markers, patches and the board's lines to print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.language import Language, language_of
from companion.errors import InputError, UsageError, system_words
from companion.texts import text

if TYPE_CHECKING:
    from calibration.board import Board


def mat(
    out: Annotated[Path, typer.Option(metavar="MAT.pdf", help="Where to write the sheets.")],
    game: Annotated[str, typer.Option(metavar="NAME", help="The game.")] = "infinity",
    board: Annotated[
        Path | None, typer.Option(metavar="BOARD.json", help="Board file of your own copy; else the built-in board.")
    ] = None,
    players: Annotated[
        int | None,
        typer.Option("--players", min=2, max=4, help="Finity: whose tiles are drawn; else all.", show_default=False),
    ] = None,
    paper: Annotated[str, typer.Option(metavar="PAPER", help="a4, a3 or letter.")] = "a4",
    stickers: Annotated[
        bool, typer.Option("--stickers", help="Only the markers to stick on the board's own frame.")
    ] = False,
    language: Language = None,
) -> None:
    """Make the sheets to print at true scale: markers by which the camera finds the board, and patches for its light.

    Print at 100 % (actual size) and check the line of 100 mm at the foot. The last sheet has single markers to stick on
    a board's own frame in place of the mat.

    Examples:

    \b
      companion mat --game infinity --out mat.pdf
      companion mat --game finity --players 3 --paper a3 --out mat.pdf
      companion mat --game finity --stickers --language pl --out znaczniki.pdf
    """
    from companion.mat.content import content_of
    from companion.mat.drawing import mat_pdf, stickers_pdf
    from companion.mat.papers import PAPERS

    if paper.lower() not in PAPERS:
        raise UsageError(text("--paper {paper}: there are {known}", paper=paper, known=", ".join(PAPERS)))
    copy = board_of(game, board)
    content = content_of(copy, players)
    write = stickers_pdf if stickers else mat_pdf
    pdf = write(content, paper.lower(), language_of(language))
    try:
        out.write_bytes(pdf)
    except OSError as error:
        why = system_words(error)
        raise InputError(text("--out {path}: cannot be written: {why}", path=str(out), why=why)) from None
    typer.echo(text("written to {path}: print it at 100 % and check the line of 100 mm", path=str(out)))


def board_of(game: str, board: Path | None) -> Board:
    """The board file that was given, or the game's built-in board.

    Raises:
        UsageError: where there is no such game, or the file is another game's.
        BoardError: where the file describes no board.
    """
    from calibration.board import load_board
    from companion.games.registry import game_names

    if game not in game_names():
        raise UsageError(text("there is no game {game}; known: {known}", game=game, known=", ".join(game_names())))
    copy = load_board(board or game)
    if copy.game != game:
        raise UsageError(
            text(
                "--board {path}: describes a board of {game}; give --game {game} or another file",
                path=str(board),
                game=copy.game,
            )
        )
    return copy
