"""`companion calibrate`: from pictures to a calibration file."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.errors import UsageError

if TYPE_CHECKING:
    from companion.calibrating import Measured


def calibrate(
    empty: Annotated[
        Path,
        typer.Option(
            metavar="PICTURE",
            help="Picture of the bare board. Infinity: channels empty, all marbles in the well, knob at *. "
            "Finity: bare tiles; the tower may stand.",
        ),
    ],
    reference: Annotated[
        list[Path], typer.Option(metavar="PICTURE", help="Picture of a known position; may be given again.")
    ],
    reference_state: Annotated[
        list[Path],
        typer.Option(metavar="STATE.json", help="What the reference shows, as in the examples; one each."),
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
    """Learn where the camera sees the board and how its pieces look.

    Takes one picture of the bare board and one or more of known positions, all with the camera fixed and its exposure
    locked. Every colour of marble, and every player's rings, post and blockers, should stand in some reference.

    Examples:

    \b
      echo '{"board":"BY..|K...|W...|....","knob_stop":0}' > ref1.json
      companion calibrate --empty empty.jpg --reference ref1.jpg \\
        --reference-state ref1.json --out infinity.json

    \b
      echo '{"players":2,"bridges":["b N>NE M","w E>NE L"],
        "rings":{"NE":{"S":"A","L":"B"}},"posts":{"A":"N","B":"S"},
        "blockers":{"A":["N>C L"],"B":["S>C L"]}}' > ref1.json
      companion calibrate --game finity --empty empty.jpg --reference ref1.jpg \\
        --reference-state ref1.json --out finity.json
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
    from calibration.state_file import read_state
    from companion.calibrating import Shot, learn, parse_state
    from vision.pictures import read_picture

    copy = load_board(board or game)
    if copy.game != game:
        raise UsageError(f"--board {board}: describes a board of {copy.game}; give --game {copy.game} or another file")
    if out.is_dir():
        raise UsageError(f"--out {out}: is a folder; name a file in it, such as {out / 'calibration.json'}")
    if not out.resolve().parent.is_dir():
        raise UsageError(f"--out {out}: there is no folder {out.resolve().parent}")
    say = (lambda _: None) if as_json else (lambda step: typer.echo(f"{step} ...", err=True))
    known = load_lens(lens) if lens else None
    shown = [
        Shot(str(at), read_picture(at), read_state(state, lambda data: parse_state(data, copy)))
        for at, state in zip(reference, reference_state, strict=True)
    ]
    calibration, measured = learn(copy, Shot(str(empty), read_picture(empty)), shown, known, say)
    save(calibration, out)
    typer.echo(_report_json(measured, out) if as_json else _report_text(measured, out))


def _report_json(measured: Measured, out: Path) -> str:
    digits = {"reprojection_error_px": 3, "colour_margin": 2, "focal_px": 1, "k1": 4}
    values = {key: round(value, digits[key]) if key in digits else value for key, value in asdict(measured).items()}
    return json.dumps({"calibration": str(out), **values}, ensure_ascii=False)


def _report_text(measured: Measured, out: Path) -> str:
    first, second = measured.closest
    lines = [
        f"reprojection error   {measured.reprojection_error_px:.2f} px",
        f"smallest margin      {measured.colour_margin:.1f} ({first} against {second}; 1 would be equal)",
        f"lens                 focal length {measured.focal_px:.0f} px, k1 {measured.k1:+.3f}",
        f"markers              {', '.join(f'{count} in {name}' for name, count in measured.markers.items())}",
        *([f"never seen           {', '.join(measured.blind)}"] if measured.blind else []),
        f"doubtful             {'; '.join(measured.doubtful) or 'nothing'}",
        f"written to           {out}",
    ]
    return "\n".join(lines)
