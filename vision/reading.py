"""What one picture says of a board. No NumPy or OpenCV here: this is the seam to the reconciler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    """How a picture could be read, in the words of `companion recognise`."""

    OK = "ok"
    UNSURE = "unsure"
    OCCLUDED = "occluded"
    NO_BOARD = "no_board"
    MOVED = "moved"
    BAD_IMAGE = "bad_image"


READABLE = frozenset({Status.OK, Status.UNSURE, Status.OCCLUDED})
"""The statuses that report every place; the others report none."""


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """What one place shows.

    Attributes:
        likelihoods: label to P(what is seen | label), scaled so that the largest is 1. All ones (or an empty
            mapping) where the place says nothing, as under a hand.
        sure: whether the best label may be told as certain; a covered or doubtful place is not sure.
        covered: whether a hand or an object lies over the place.
    """

    likelihoods: Mapping[str, float]
    sure: bool
    covered: bool = False

    @property
    def label(self) -> str | None:
        """The best label, None where nothing is known."""
        return max(self.likelihoods, key=self.likelihoods.__getitem__, default=None)


@dataclass(frozen=True, slots=True)
class Reading:
    """One picture, read.

    Attributes:
        places: place name to its reading; every place of the board when `status` is readable, else empty.
        knob: labels are the stops as text, "-4" to "5"; None where there is no knob or it cannot be seen.
        well: pieces beside the board by label, None where they cannot be counted.
        foreign: whether a hand or an object is in the picture near the board, covering a place or not.
        confidence: 0 to 1, the smallest posterior of the sure places.
        shift_px: how far the board lies from where the calibration has it.
        blind: places that the camera can never see from where it stands, as behind the tower; they stand in `places`
            as covered and make no status.
        detail: a sentence for people where the status needs one ("no marker of the board is in the picture").
    """

    status: Status
    places: Mapping[str, PlaceReading] = field(default_factory=dict)
    knob: PlaceReading | None = None
    well: Mapping[str, int] | None = None
    foreign: bool = False
    confidence: float = 0.0
    shift_px: float = 0.0
    detail: str = ""
    blind: tuple[str, ...] = ()

    @property
    def unsure(self) -> tuple[str, ...]:
        """The places that are not sure though the camera could see them, in board order."""
        return tuple(name for name, place in self.places.items() if not place.sure and name not in self.blind)
