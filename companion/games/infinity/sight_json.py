"""What a picture shows of Infinity, as the line that `companion recognise --json` prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from companion.games.game import Json


class PlaceSeen(Protocol):
    """A place as vision reads it (`vision.reading.PlaceReading`)."""

    @property
    def sure(self) -> bool: ...
    @property
    def covered(self) -> bool: ...
    @property
    def label(self) -> str | None: ...


class TableSeen(Protocol):
    """A picture as vision reads it (`vision.reading.Reading`)."""

    @property
    def places(self) -> Mapping[str, PlaceSeen]: ...
    @property
    def knob(self) -> PlaceSeen | None: ...
    @property
    def well(self) -> Mapping[str, int] | None: ...
    @property
    def confidence(self) -> float: ...
    @property
    def detail(self) -> str: ...


def sight_json(image: str, status: str, seen: TableSeen) -> dict[str, Json]:
    """One answer line; a status that reports no places has no board, and says why in `detail`."""
    knob = seen.knob
    line: dict[str, Json] = {
        "image": image,
        "game": "infinity",
        "status": status,
        "board": board_text(seen.places) if seen.places else None,
        "unsure": [place for place, what in seen.places.items() if not what.sure]
        + (["knob"] if knob is not None and not knob.sure else []),
        "well": dict(seen.well) if seen.well is not None else None,
        "knob": _knob_json(knob),
        "confidence": round(seen.confidence, 4),
    }
    if seen.detail:
        line["detail"] = seen.detail
    return line


def board_text(places: Mapping[str, PlaceSeen]) -> str:
    """The position in the game's notation, `?` where a slot is covered or doubtful."""
    columns: dict[str, str] = {}
    for place, seen in places.items():
        channel = place.partition(".")[0]
        columns[channel] = columns.get(channel, "") + (seen.label or "?" if seen.sure else "?")
    return "|".join(columns.values())


def _knob_json(knob: PlaceSeen | None) -> Json:
    """A covered knob cannot be seen and is null; a doubtful one keeps its best guess."""
    if knob is None or knob.covered or knob.label is None:
        return None
    return {"stop": int(knob.label), "unsure": not knob.sure}
