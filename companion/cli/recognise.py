"""`companion recognise`: what stands on the board in pictures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.language import language_of, say
from companion.errors import InputError, error_words, system_words
from companion.texts import in_language, in_words, plural, text

if TYPE_CHECKING:
    from calibration.file import Calibration
    from companion.games.game import Json
    from vision.reading import Reading


def recognise(
    images: Annotated[list[Path], typer.Argument(metavar="PICTURE", help="Pictures from the calibrated camera.")],
    calibration: Annotated[
        Path, typer.Option(metavar="CAL.json", help="Calibration file, from `companion calibrate`.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    annotate: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Also write each picture with what was seen drawn in.")
    ] = None,
) -> None:
    """Tell what stands at every place of the board, and what is not certain.

    The calibration says which game it is. Infinity: the marble in every slot (`?` where that is not certain), the well
    and the knob. Finity: bridges from tail to tip, rings, posts and blockers; places that are unsure, and those that
    the camera can never see.

    Examples:

    \b
      companion recognise frame1.jpg frame2.jpg --calibration infinity.json --json
      companion recognise table.jpg --calibration finity.json --annotate seen
    """
    from calibration.file import load
    from vision.runtime import one_thread, other_opencv

    one_thread()

    learnt = load(calibration)
    if told := other_opencv(learnt):
        say(text("{file}: {why}", file=str(calibration), why=in_words(told)), err=True)
    if annotate is not None:
        _make_folder(annotate)
    unreadable = 0
    if not as_json and learnt.game == "infinity":
        typer.echo(f"{'picture':24} {'status':9} {'board':20} {'knob':>5}  well")
    for image in images:
        reading = _look(image, learnt, annotate)
        unreadable += reading.status == "bad_image"
        typer.echo(_json(image, learnt.game, reading) if as_json else _text(image, learnt.game, _spoken(reading)))
    if unreadable == len(images):
        what = plural(
            "could not read the picture; the reason stands beside its name",
            "could not read any of the {n} pictures; the reason stands beside its name",
            unreadable,
        )
        raise InputError(what)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            text(
                "--annotate {folder}: {why}; name a folder that can be made",
                folder=str(folder),
                why=system_words(error),
            )
        ) from error


def _look(image: Path, learnt: Calibration, annotate: Path | None) -> Reading:
    """The answer for one file whatever came before it; one that is no picture or of another size is one, too."""
    from vision.annotate import annotated_jpeg
    from vision.errors import PictureError
    from vision.pictures import read_picture
    from vision.reading import Reading, Status
    from vision.recogniser import recogniser_for

    try:
        picture = read_picture(image)
    except PictureError as error:
        return Reading(Status.BAD_IMAGE, detail=error_words(error))
    recogniser = recogniser_for(learnt)
    reading = recogniser.look(picture)
    if annotate is not None:
        (annotate / f"{image.stem}.jpg").write_bytes(
            annotated_jpeg(picture, reading, recogniser.calibration, 1280, recogniser.pose)
        )
    return reading


def _spoken(reading: Reading) -> Reading:
    """The same, with its sentence in the terminal's language."""
    return replace(reading, detail=str(in_language(in_words(reading.detail), language_of(None))))


def _json(image: Path, game: str, reading: Reading) -> str:
    if game == "finity":
        from companion.games.finity.sight_json import sight_json as finity_json

        return json.dumps(finity_json(str(image), reading.status, reading), ensure_ascii=False)
    return json.dumps(_infinity_json(image, reading), ensure_ascii=False)


def _infinity_json(image: Path, reading: Reading) -> dict[str, Json]:
    from companion.games.infinity.sight_json import sight_json

    return sight_json(str(image), reading.status, reading)


def _text(image: Path, game: str, reading: Reading) -> str:
    """A picture's answer for people."""
    if game == "finity":
        from companion.games.finity.sight_json import sight_text

        return sight_text(image.name, reading.status, reading)
    line = _infinity_json(image, reading)
    knob, well = line["knob"], line["well"]
    stop = "-" if not isinstance(knob, dict) else f"{knob['stop']}{'?' if knob['unsure'] else ''}"
    counts = "-" if not isinstance(well, dict) else " ".join(f"{kind}{count}" for kind, count in well.items())
    row = f"{image.name:24} {line['status']:9} {line['board'] or '-':20} {stop:>5}  {counts}"
    return f"{row}  {line['detail']}" if "detail" in line else row
