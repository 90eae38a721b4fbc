"""A table of Finity and what its camera would say, for tests of what people tell the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.events import Record
from companion.evidence import Sight
from companion.games.registry import game_named
from companion.table import Table
from vision.reading import PlaceReading, Reading, Status

PATTERN = "bwbbwbww"


def finity(players: int = 2) -> Any:
    return game_named("finity", {}, {"players": players, "pattern": PATTERN})


def finity_table(*moves: str) -> Table:
    """A table on which these moves were entered by hand."""
    table = Table(finity(), game_id="a game", names={"A": "Anna"})
    table.start(0.0)
    for number, move in enumerate(moves, start=1):
        table.command("play", {"move": move}, float(number), "Anna")
    return table


def told_moves(table: Table) -> list[str]:
    moves = table.state_json()["moves"]
    assert isinstance(moves, list)
    return [str(move["move"]) for move in moves if isinstance(move, dict)]


def sight_of(t_s: float, sight: Mapping[Any, Any], unsure: Mapping[str, Mapping[str, float]] | None = None) -> Sight:
    """A look at a board that shows these labels; `unsure` places could be several things."""
    places = {str(place): PlaceReading({str(label): 1.0, "?": 1e-4}, sure=True) for place, label in sight.items()}
    places |= {name: PlaceReading(likelihoods, sure=False) for name, likelihoods in (unsure or {}).items()}
    return Sight(t_s, "camera", Reading(Status.OK, places, confidence=0.99))


def shown_sight(table: Table, sight: Mapping[Any, Any], since_s: float, until_s: float) -> list[Record]:
    """Let the camera see a board for a while, ten looks a second."""
    told: list[Record] = []
    for step in range(round((until_s - since_s) * 10) + 1):
        told += table.take(sight_of(since_s + step / 10, sight))
    return told


def events(records: Sequence[Record]) -> list[str]:
    return [record.event.event for record in records]
