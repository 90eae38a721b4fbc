"""`companion calibrate`: from pictures to a calibration file."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.language import say
from companion.errors import UsageError
from companion.texts import in_words, joined, text

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
        raise UsageError(text("there is no game {game}; known: {known}", game=game, known=", ".join(game_names())))
    if len(reference) != len(reference_state):
        raise UsageError(
            text(
                "{count} reference pictures and {states} states were given: each --reference needs "
                "its --reference-state, in the same order",
                count=len(reference),
                states=len(reference_state),
            )
        )
    from calibration.board import load_board
    from calibration.camera import load_lens
    from calibration.file import save
    from calibration.state_file import read_state
    from companion.calibrating import Shot, learn, parse_state
    from vision.pictures import read_picture

    copy = load_board(board or game)
    if copy.game != game:
        raise UsageError(
            text(
                "--board {path}: describes a board of {game}; give --game {game} or another file",
                path=str(board),
                game=copy.game,
            )
        )
    if out.is_dir():
        raise UsageError(
            text(
                "--out {path}: is a folder; name a file in it, such as {example}",
                path=str(out),
                example=str(out / "calibration.json"),
            )
        )
    if not out.resolve().parent.is_dir():
        raise UsageError(
            text("--out {path}: there is no folder {folder}", path=str(out), folder=str(out.resolve().parent))
        )
    tell: Callable[[str], None] = (
        (lambda _: None) if as_json else (lambda step: say(text("{step} ...", step=in_words(step)), err=True))
    )
    known = load_lens(lens) if lens else None
    shown = [
        Shot(str(at), read_picture(at), read_state(state, lambda data: parse_state(data, copy)))
        for at, state in zip(reference, reference_state, strict=True)
    ]
    calibration, measured = learn(copy, Shot(str(empty), read_picture(empty)), shown, known, tell)
    save(calibration, out)
    if as_json:
        typer.echo(_report_json(measured, out))
    else:
        say(_report_text(measured, out))


def _report_json(measured: Measured, out: Path) -> str:
    digits = {"reprojection_error_px": 3, "colour_margin": 2, "focal_px": 1, "k1": 4}
    values = {key: round(value, digits[key]) if key in digits else value for key, value in asdict(measured).items()}
    return json.dumps({"calibration": str(out), **values}, ensure_ascii=False)


def _report_text(measured: Measured, out: Path) -> str:
    first, second = measured.closest
    markers = (
        text("{count} in {picture}", count=count, picture=in_words(name)) for name, count in measured.markers.items()
    )
    margin = text(
        "{margin:.1f} ({first} against {second}; 1 would be equal)",
        margin=measured.colour_margin,
        first=first,
        second=second,
    )
    lines = [
        (text("reprojection error"), f"{measured.reprojection_error_px:.2f} px"),
        (text("smallest margin"), margin),
        (text("lens"), text("focal length {px:.0f} px, k1 {k1:+.3f}", px=measured.focal_px, k1=measured.k1)),
        (text("markers"), joined(markers, ", ")),
        *([(text("never seen"), ", ".join(measured.blind))] if measured.blind else []),
        (text("doubtful"), joined(map(in_words, measured.doubtful), "; ") or text("nothing")),
        (text("written to"), str(out)),
    ]
    return joined((text("{label:20} {value}", label=label, value=value) for label, value in lines), "\n")
