"""Calibrating from pictures and what they show, whatever the game, with what was measured in words for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.texts import text

if TYPE_CHECKING:
    from calibration.board import Board
    from calibration.camera import Lens
    from calibration.file import Calibration
    from calibration.finity.board import FinityBoard
    from calibration.infinity.board import InfinityBoard
    from calibration.sampling import Picture

LABELS = {
    "B": text("blue"),
    "K": text("black"),
    "Y": text("yellow"),
    "W": text("white"),
    ".": text("an empty slot"),
}


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture, what it is called in messages, and what lies there: of `parse_state`, None for the empty picture."""

    name: str
    picture: Picture
    state: Any = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What calibrating measured, for people.

    Attributes:
        colour_margin: how many times farther than the right label the nearest wrong one was; 1 would be equal.
        closest: which two labels came so close, in words.
        blind: places that this camera can never see.
    """

    reprojection_error_px: float
    colour_margin: float
    closest: tuple[str, str]
    markers: dict[str, int]
    focal_px: float
    k1: float
    blind: tuple[str, ...]
    doubtful: tuple[str, ...]


def parse_state(data: object, board: Board) -> Any:
    """Check a reference state of the board's game: `calibration.infinity.states.State`, `calibration.finity.examples`'.

    Raises:
        CalibrationError: with every fault.
    """
    from calibration.finity import states as finity
    from calibration.finity.board import FinityBoard
    from calibration.infinity import states as infinity
    from calibration.infinity.board import InfinityBoard

    if isinstance(board, FinityBoard):
        return finity.parse_state(data, board)
    if isinstance(board, InfinityBoard):
        return infinity.parse_state(data, board)
    raise TypeError(f"nobody calibrates {board.game}")


def learn(
    board: Board, empty: Shot, references: Sequence[Shot], lens: Lens | None, say: Callable[[str], None]
) -> tuple[Calibration, Measured]:
    """Calibrate, and read the references back with what was learnt.

    Args:
        say: told what is done next.
    Raises:
        CalibrationError: where it would misread, with what is wrong and what to do.
    """
    from calibration.finity.board import FinityBoard
    from calibration.infinity.board import InfinityBoard

    if isinstance(board, FinityBoard):
        return _learn_finity(board, empty, references, lens, say)
    if isinstance(board, InfinityBoard):
        return _learn_infinity(board, empty, references, lens, say)
    raise TypeError(f"nobody calibrates {board.game}")


def _learn_infinity(
    board: InfinityBoard, empty: Shot, references: Sequence[Shot], lens: Lens | None, say: Callable[[str], None]
) -> tuple[Calibration, Measured]:
    from calibration.infinity.procedure import Reference, calibrate
    from companion.read_back import Known, doubts

    known = [Reference(shot.name, shot.picture, shot.state) for shot in references]
    calibration, report = calibrate(board, empty.picture, known, lens, empty_name=empty.name, progress=say)
    say(text("reading the pictures back"))
    shown = [Known(shot.name, shot.picture, shot.state.slots, shot.state.hidden) for shot in references]
    first, second = (LABELS[label] for label in report.closest)
    return calibration, Measured(
        report.error_px,
        report.colour_margin,
        (first, second),
        dict(report.markers),
        report.focal_px,
        report.k1,
        (),
        (*report.doubts, *doubts(calibration, shown)),
    )


def _learn_finity(
    board: FinityBoard, empty: Shot, references: Sequence[Shot], lens: Lens | None, say: Callable[[str], None]
) -> tuple[Calibration, Measured]:
    from calibration.finity.procedure import Reference, calibrate
    from companion.read_back import Known, doubts

    known = [Reference(shot.name, shot.picture, shot.state) for shot in references]
    calibration, report = calibrate(board, empty.picture, known, lens, empty_name=empty.name, progress=say)
    say(text("reading the pictures back"))
    shown = [Known(shot.name, shot.picture, shot.state.labels, shot.state.hidden) for shot in references]
    pieces = calibration.appearance.stations
    first, second = (
        text("an empty place") if label == "." else text("player {label}'s colour", label=label)
        for label in pieces.closest
    )
    return calibration, Measured(
        report.error_px,
        pieces.margin,
        (first, second),
        dict(report.markers),
        report.focal_px,
        report.k1,
        report.blind,
        (*report.doubts, *doubts(calibration, shown)),
    )
