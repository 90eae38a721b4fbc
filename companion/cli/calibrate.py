"""`companion calibrate`: from pictures to a calibration file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.errors import UsageError

if TYPE_CHECKING:
    from calibration.infinity.procedure import Report


def calibrate(
    empty: Annotated[
        Path,
        typer.Option(
            metavar="PICTURE", help="Picture of the board with empty channels, all marbles in the well, knob at *."
        ),
    ],
    reference: Annotated[
        list[Path], typer.Option(metavar="PICTURE", help="Picture of a known position; may be given again.")
    ],
    reference_state: Annotated[
        list[Path],
        typer.Option(
            metavar="STATE.json",
            help='What the reference shows: {"board":"BY..|K...|W...|....","knob_stop":0}; one each.',
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="CAL.json", help="Where to write the calibration.")],
    game: Annotated[str, typer.Option(metavar="NAME", help="The game.")] = "infinity",
    board: Annotated[
        Path | None, typer.Option(metavar="BOARD.json", help="Board file of your own copy; else the built-in board.")
    ] = None,
    lens: Annotated[
        Path | None,
        typer.Option(metavar="LENS.json", help="Lens file; else the lens is estimated from the markers."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was measured as JSON.")] = False,
) -> None:
    """Learn where the camera sees the board and how its marbles look.

    Takes one picture without marbles in the channels and one or more of known positions, all with the camera fixed
    and its exposure locked. Every colour of marble should stand in a slot of some reference.

    Example:

    \b
      companion calibrate --empty empty.jpg --reference ref1.jpg \\
        --reference-state ref1.json --out cal.json
    """
    from companion.games.registry import game_names

    if game not in game_names():
        raise UsageError(f"there is no game {game}; known: {', '.join(game_names())}")
    if len(reference) != len(reference_state):
        raise UsageError(
            f"{len(reference)} reference pictures and {len(reference_state)} states were given: "
            "each --reference needs its --reference-state, in the same order"
        )
    from calibration.board import load_board
    from calibration.camera import load_lens
    from calibration.file import save
    from calibration.infinity.board import InfinityBoard
    from calibration.infinity.procedure import Reference
    from calibration.infinity.procedure import calibrate as learn
    from calibration.infinity.states import load_state
    from vision.pictures import read_picture

    copy = load_board(board or game)
    if out.is_dir():
        raise UsageError(f"--out {out}: is a folder; name a file in it, such as {out / 'calibration.json'}")
    if not out.resolve().parent.is_dir():
        raise UsageError(f"--out {out}: there is no folder {out.resolve().parent}")
    if not isinstance(copy, InfinityBoard):
        raise UsageError(f"{game} cannot be calibrated yet")
    known = load_lens(lens) if lens else None
    pairs = [
        Reference(str(picture), read_picture(picture), load_state(state, copy))
        for picture, state in zip(reference, reference_state, strict=True)
    ]
    say = (lambda _: None) if as_json else (lambda step: typer.echo(f"{step} ...", err=True))
    calibration, report = learn(copy, read_picture(empty), pairs, known, empty_name=str(empty), progress=say)
    save(calibration, out)
    typer.echo(json.dumps(_report_json(report, out)) if as_json else _report_text(report, out))


def _report_json(report: Report, out: Path) -> dict[str, object]:
    return {
        "calibration": str(out),
        "reprojection_error_px": round(report.error_px, 3),
        "colour_margin": round(report.colour_margin, 2),
        "closest": list(report.closest),
        "markers": dict(report.markers),
        "focal_px": round(report.focal_px, 1),
        "k1": round(report.k1, 4),
        "blind": [],
        "doubtful": list(report.doubts),
    }


def _report_text(report: Report, out: Path) -> str:
    names = {"B": "blue", "K": "black", "Y": "yellow", "W": "white", ".": "an empty slot"}
    first, second = (names[label] for label in report.closest)
    lines = [
        f"reprojection error   {report.error_px:.2f} px",
        f"smallest margin      {report.colour_margin:.1f} ({first} against {second}; 1 would be equal)",
        f"lens                 focal length {report.focal_px:.0f} px, k1 {report.k1:+.3f}",
        f"markers              {', '.join(f'{count} in {name}' for name, count in report.markers.items())}",
        f"doubtful             {'; '.join(report.doubts) or 'nothing'}",
        f"written to           {out}",
    ]
    return "\n".join(lines)
