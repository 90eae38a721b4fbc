"""A fresh calibration reads its own reference pictures: what it sees otherwise than their states say is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.texts import joined, text

if TYPE_CHECKING:
    from calibration.file import Calibration
    from calibration.sampling import Picture

MOST_DOUBTS = 2
"""So many places seen otherwise may be slips of a state, or misread; more are a calibration that would misread, as one
from an empty picture that was not empty."""
MOST_NAMED = 6
MOST_UNSURE = 0.25
"""Share of the places asked for; a good calibration leaves one in twenty of its own references' places open, one from
an empty picture with pieces on it nearly half."""


@dataclass(frozen=True, slots=True)
class Known:
    """A reference picture, the label of every place by its state, and the places that the state leaves open."""

    name: str
    picture: Picture
    labels: Mapping[str, str]
    hidden: frozenset[str]


def read_back(calibration: Calibration, known: Known) -> tuple[str, ...]:
    """The places that are seen for sure otherwise than the state says, as "S>SE L (says nothing, looks like b S)".

    Raises:
        RefusedError: where too many places of the picture cannot be read.
    """
    from calibration.errors import RefusedError
    from vision.recogniser import recogniser_for

    reading = recogniser_for(calibration).look(known.picture)
    asked = {
        name: place
        for name, place in reading.places.items()
        if name in known.labels and name not in known.hidden and name not in reading.blind
    }
    unsure = [name for name, place in asked.items() if not place.sure]
    if len(unsure) > MOST_UNSURE * len(asked):
        raise RefusedError(
            text(
                "{picture}: {unsure} of {asked} places cannot be read with what was learnt: does the "
                "empty picture show the bare board, with nothing on it that is not always there? "
                "Take it again without hands",
                picture=known.name,
                unsure=len(unsure),
                asked=len(asked),
            )
        )
    return tuple(
        text(
            "{place} (says {due}, looks like {seen})",
            place=name,
            due=_said(known.labels[name]),
            seen=_said(place.label or "."),
        )
        for name, place in asked.items()
        if place.sure and place.label != known.labels[name]
    )


def _said(label: str) -> str:
    return text("nothing") if label == "." else label


def doubts(calibration: Calibration, references: list[Known]) -> tuple[str, ...]:
    """A sentence for each reference that is seen otherwise than its state says.

    Raises:
        RefusedError: where too much is.
    """
    from calibration.errors import RefusedError

    found = [(known.name, seen) for known in references if (seen := read_back(calibration, known))]
    for name, seen in found:
        if len(seen) > MOST_DOUBTS:
            named = joined(seen[:MOST_NAMED], ", ")
            if len(seen) > MOST_NAMED:
                named = text("{places} and {count} more", places=named, count=len(seen) - MOST_NAMED)
            raise RefusedError(
                text(
                    "{picture} does not look like its state: {places}; correct the state, and see "
                    "that the empty picture shows the bare board and that all pictures are of one "
                    "camera in one place",
                    picture=name,
                    places=named,
                )
            )
    return tuple(
        text("{picture} does not look like its state at {places}", picture=name, places=joined(seen, ", "))
        for name, seen in found
    )
