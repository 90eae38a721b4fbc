"""A calibration renewed from the position that lies there, and believed only when it reads that position back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion.calibrating import parse_state
from companion.errors import InputError
from companion.texts import text

if TYPE_CHECKING:
    from calibration.file import Calibration
    from calibration.sampling import Picture
    from vision.reading import Reading

MOST_NAMED = 4
MOST_UNSURE = 0.25
"""Share of the places; a renewed calibration that leaves more open is kept only if the old one left more still."""

MOST_COVERED = 0.05
"""Share of the places; shade beside a piece may look like cover, a hand covers more."""


def renewed(calibration: Calibration, picture: Picture, position: Mapping[str, Any]) -> Calibration:
    """The calibration as this picture of a known position shows it.

    Args:
        picture: (H, W, 3) uint8, BGR, with no hand over the board.
        position: what lies there, as a reference state's file has it.
    Raises:
        InputError: where the board does not show the position, or what was learnt would misread it.
        CalibrationError: where nothing can be learnt from the picture.
    """
    from calibration.renewing import renew
    from vision.recogniser import recogniser_for

    state = parse_state(position, calibration.board)
    labels: Mapping[str, str] = state.slots if calibration.game == "infinity" else state.labels
    before = recogniser_for(calibration).look(picture)
    if other := _otherwise(before, labels):
        raise InputError(
            text(
                "the board does not look as the record has it: {places}; put it right or correct the record, then "
                "recalibrate",
                places=other,
            )
        )
    fresh = renew(calibration, picture, state)
    after = recogniser_for(fresh).look(picture)
    covered = sum(place.covered for name, place in after.places.items() if name not in after.blind)
    if covered > MOST_COVERED * len(labels):
        raise InputError(
            text(
                "{n} places look covered: take hands and things off the board; where there are none, calibrate anew",
                n=covered,
            )
        )
    if other := _otherwise(after, labels):
        raise InputError(
            text("what was learnt would misread {places}: clear the board and calibrate anew", places=other)
        )
    unsure = _unsure(after, labels)
    if unsure > MOST_UNSURE * len(labels) and unsure >= _unsure(before, labels):
        raise InputError(
            text(
                "{n} of {count} places could not be read afterwards: bring more light to the board, or calibrate anew",
                n=unsure,
                count=len(labels),
            )
        )
    return fresh


def _otherwise(reading: Reading, labels: Mapping[str, str]) -> str:
    """The places that are seen for sure otherwise than they should be; empty where there are none."""
    wrong = [name for name, place in reading.places.items() if place.sure and place.label != labels.get(name)]
    return ", ".join(wrong[:MOST_NAMED]) + (", …" if len(wrong) > MOST_NAMED else "")


def _unsure(reading: Reading, labels: Mapping[str, str]) -> int:
    """How many places are not read; all of them where there is no reading."""
    sure = sum(place.sure or name in reading.blind for name, place in reading.places.items())
    return len(labels) - sure
