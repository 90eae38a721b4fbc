"""`companion board`: a board file of your own copy, by numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from companion.cli.mat import board_of
from companion.errors import UsageError
from companion.texts import text


def board(
    out: Annotated[Path, typer.Option(metavar="BOARD.json", help="Where to write the board file.")],
    game: Annotated[str, typer.Option(metavar="NAME", help="The game.")] = "infinity",
    start: Annotated[
        Path | None,
        typer.Option("--from", metavar="BOARD.json", help="Board file to begin from; else the built-in one."),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="PICTURE", help="Measure where the markers lie from this picture.")
    ] = None,
    scale: Annotated[float, typer.Option(help="How many times as large everything but the print is.")] = 1.0,
    shift: Annotated[str, typer.Option(metavar="X,Y", help="Where the game lies under the print, in mm.")] = "0,0",
    turn: Annotated[float, typer.Option(help="How far it is turned counter-clockwise, in degrees.")] = 0.0,
    place: Annotated[
        list[str] | None, typer.Option(metavar="PLACE=X,Y", help="A place and where it lies, in mm; again for more.")
    ] = None,
    number: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=NUMBER", help="A number of the board file; again for more."),
    ] = None,
) -> None:
    """Write a board file for another copy of a board; the set-up page does the same over the camera's picture.

    Edits are done in this order: the markers are measured, the whole is scaled, turned and shifted, places are put
    where they lie, numbers are set. A board that cannot be is refused with all that is wrong, and nothing is written.

    Examples:

    \b
      companion board --game infinity --set channels.pitch=26.5 --place knob=0,-45 --out mine.json
      companion board --game finity --scale 0.95 --out small.json
      companion board --game infinity --picture board.jpg --out mine.json
    """
    from calibration.editing import begin, edit, moved_to_mm
    from vision.pictures import read_picture

    editing = begin(None if picture is None else read_picture(picture), board_of(game, start))
    if picture is not None:
        editing = edit(editing, {"do": "measure_markers"})
    placing = {"do": "shape", "scale": scale, "shift_mm": [*_pair("--shift", shift)], "turn_deg": turn}
    editing = edit(editing, placing)
    for each in place or []:
        name, at = _named("--place", each)
        editing = moved_to_mm(editing, name, *_pair("--place", at))
    for each in number or []:
        name, value = _named("--set", each)
        editing = edit(editing, {"do": "set", "what": name, "value": _number("--set", value)})
    edit(editing, {"do": "save", "path": str(out)})
    typer.echo(text("written to {path}", path=str(out)))


def _named(option: str, given: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not equals:
        raise UsageError(text("{option} {given}: write it like knob=0,-45", option=option, given=given))
    return name.strip(), value


def _pair(option: str, given: str) -> tuple[float, float]:
    parts = given.split(",")
    if len(parts) != 2:
        raise UsageError(text("{option} {given}: write two numbers like 1.5,-2", option=option, given=given))
    return _number(option, parts[0]), _number(option, parts[1])


def _number(option: str, given: str) -> Any:
    try:
        return float(given)
    except ValueError:
        raise UsageError(text("{option} {given}: is no number", option=option, given=given)) from None
