"""Sights made by hand: what a camera would say of a board, with places misread on purpose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.events import Record
from companion.evidence import Sight
from companion.games.registry import game_named
from companion.table import Table, TableSettings
from vision.reading import PlaceReading, Reading, Status

LABELS = ".BKYW"
STOPS = tuple(str(stop) for stop in range(-4, 6))
EMPTY = "....|....|....|...."


def place(label: str, labels: Sequence[str] = LABELS, *, sure: bool = True) -> PlaceReading:
    return PlaceReading({each: 1.0 if each == label else 1e-4 for each in labels}, sure=sure)


COVERED = PlaceReading({}, sure=False, covered=True)


def board_places(board: str) -> dict[str, PlaceReading]:
    return {
        f"{channel}.{slot}": place(label)
        for channel, labels in enumerate(board.split("|"), start=1)
        for slot, label in enumerate(labels, start=1)
    }


def sight(
    t_s: float,
    board: str = EMPTY,
    *,
    knob: int | None = 0,
    foreign: bool = False,
    covered: Sequence[str] = (),
    misread: Mapping[str, str] | None = None,
) -> Sight:
    """A look at a board, e.g. `BY..|....|....|....`."""
    places = board_places(board) | {name: place(label) for name, label in (misread or {}).items()}
    places |= dict.fromkeys(covered, COVERED)
    reading = Reading(
        status=Status.OCCLUDED if covered else Status.OK,
        places=places,
        knob=None if knob is None else place(str(knob), STOPS),
        foreign=foreign or bool(covered),
        confidence=0.99,
    )
    return Sight(t_s, "camera", reading)


def hand(t_s: float, board: str = EMPTY, covered: Sequence[str] = ("2.1", "2.2", "3.1")) -> Sight:
    return sight(t_s, board, covered=covered, knob=None)


def infinity(**options: Any) -> Any:
    return game_named("infinity", options)


def a_table(*, gap_settles: bool = False, position: Mapping[str, Any] | None = None, **options: Any) -> Table:
    """A table whose game has begun, from a position where one is given."""
    table = Table(infinity(**options), TableSettings(gap_settles=gap_settles), game_id="a game")
    table.start(0.0)
    if position is not None:
        table.command("new_game", {"position": dict(position)}, 0.0)
    return table


def shown(table: Table, board: str, since_s: float, until_s: float, *, step_s: float = 0.1, **how: Any) -> list[Record]:
    """Let the camera see a board for a while."""
    told: list[Record] = []
    count = round((until_s - since_s) / step_s)
    for index in range(count + 1):
        told += table.take(sight(round(since_s + index * step_s, 3), board, **how))
    return told


def words(records: Sequence[Record], without: Sequence[str] = ("occluded", "clear", "score")) -> list[str]:
    """Moves as they are, everything else by its event; what is beside the point is left out."""
    found = [getattr(record.event, "move", record.event.event) for record in records]
    return [word for word in found if word not in without]
