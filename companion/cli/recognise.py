"""`companion recognise`: what stands on the board in pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.file import Calibration
    from companion.games.game import Json


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
    """Tell what stands in every slot, in the well, and where the knob points; `?` where that is not certain.

    Example:

    \b
      companion recognise frame1.jpg frame2.jpg --calibration cal.json --json
    """
    from calibration.file import load
    from vision.runtime import other_opencv

    learnt = load(calibration)
    if told := other_opencv(learnt):
        typer.echo(f"{calibration}: {told}", err=True)
    if annotate is not None:
        _make_folder(annotate)
    unreadable = 0
    if not as_json:
        typer.echo(f"{'picture':24} {'status':9} {'board':20} {'knob':>5}  well")
    for image in images:
        line, readable = _look(image, learnt, annotate)
        unreadable += not readable
        typer.echo(json.dumps(line, ensure_ascii=False) if as_json else _row(line))
    if unreadable == len(images):
        what = "the picture" if unreadable == 1 else f"any of the {unreadable} pictures"
        raise InputError(f"could not read {what}; the reason stands beside its name")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--annotate {folder}: {error.strerror}; name a folder that can be made") from error


def _look(image: Path, learnt: Calibration, annotate: Path | None) -> tuple[dict[str, Json], bool]:
    """The answer for one file whatever came before it; one that is no picture or of another size is one, too."""
    from companion.games.infinity.sight_json import sight_json
    from vision.annotate import annotated_jpeg
    from vision.errors import PictureError
    from vision.pictures import read_picture
    from vision.reading import Reading, Status
    from vision.recogniser import recogniser_for

    try:
        picture = read_picture(image)
    except PictureError as error:
        return sight_json(str(image), Status.BAD_IMAGE, Reading(Status.BAD_IMAGE, detail=str(error))), False
    recogniser = recogniser_for(learnt)
    reading = recogniser.look(picture)
    if annotate is not None:
        (annotate / f"{image.stem}.jpg").write_bytes(
            annotated_jpeg(picture, reading, recogniser.calibration, 1280, recogniser.pose)
        )
    return sight_json(str(image), reading.status, reading), reading.status is not Status.BAD_IMAGE


def _row(line: Mapping[str, Json]) -> str:
    knob, well = line["knob"], line["well"]
    stop = "-" if not isinstance(knob, dict) else f"{knob['stop']}{'?' if knob['unsure'] else ''}"
    counts = "-" if not isinstance(well, dict) else " ".join(f"{kind}{count}" for kind, count in well.items())
    row = f"{Path(str(line['image'])).name:24} {line['status']:9} {line['board'] or '-':20} {stop:>5}  {counts}"
    return f"{row}  {line['detail']}" if "detail" in line else row
