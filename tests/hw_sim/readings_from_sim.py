"""What simulated eyes say, as the reading that vision would give."""

from __future__ import annotations

from hw_sim.senses import PlaceSeen, Seen
from vision.reading import PlaceReading, Reading, Status


def reading_from(seen: Seen) -> Reading:
    return Reading(
        status=Status(seen.status),
        places={name: _place(place) for name, place in seen.places.items()},
        knob=_place(seen.knob) if seen.knob else None,
        well=seen.well,
        foreign=seen.foreign,
        confidence=seen.confidence,
        shift_px=seen.shift_px,
        detail=seen.detail,
        blind=seen.blind,
    )


def _place(seen: PlaceSeen) -> PlaceReading:
    return PlaceReading(seen.likelihoods, seen.sure, seen.covered)
