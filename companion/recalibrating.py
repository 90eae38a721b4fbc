"""A calibration renewed from the position that lies there, and believed only when it reads that position back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion.calibrating import parse_state
from companion.errors import InputError
from companion.read_back import Known, doubts, read_back
from companion.texts import text

if TYPE_CHECKING:
    from calibration.file import Calibration
    from calibration.sampling import Picture

THE_BOARD = "the board now"
MOST_NAMED = 4


def renewed(calibration: Calibration, picture: Picture, position: Mapping[str, Any]) -> Calibration:
    """The calibration as this picture of a known position shows it.

    Args:
        picture: (H, W, 3) uint8, BGR, with no hand over the board.
        position: what lies there, as a reference state's file has it.
    Raises:
        InputError: where the board does not show the position.
        CalibrationError: where nothing can be learnt from the picture, or what was learnt would misread it.
    """
    from calibration.errors import RefusedError
    from calibration.renewing import renew

    state = parse_state(position, calibration.board)
    labels = state.slots if calibration.game == "infinity" else state.labels
    known = Known(THE_BOARD, picture, labels, state.hidden)
    try:
        other = read_back(calibration, known)
    except RefusedError:
        other = ()  # the old one cannot read it: that is why it is renewed
    if other:
        more = ", …" if len(other) > MOST_NAMED else ""
        raise InputError(
            text(
                "the board does not look as the record has it: {places}; put it right or correct the record, then "
                "recalibrate",
                places=", ".join(other[:MOST_NAMED]) + more,
            )
        )
    fresh = renew(calibration, picture, state)
    if seen := doubts(fresh, [known]):
        raise RefusedError("; ".join(seen) + ": see that the board shows this position, or calibrate anew")
    return fresh
