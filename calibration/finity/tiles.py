"""How the tiles and the tower of one table really stand, against the board file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from calibration.camera import Floats
from calibration.finity.board import FinityBoard, SlotPlace


@dataclass(frozen=True, slots=True)
class TilePlace:
    """How a tile lies against the board file: shifted, and turned about its own middle (counter-clockwise)."""

    dx_mm: float = 0.0
    dy_mm: float = 0.0
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Tiles:
    """Attributes:
    places: every tile's place, by station.
    tower_height_mm: bounds of the tower's top above the mat; what a tower of the upper bound may hide is hidden.
    """

    places: Mapping[str, TilePlace]
    tower_height_mm: tuple[float, float]

    def station_mm(self, board: FinityBoard, station: str, offsets_mm: Floats) -> Floats:
        """Board points (..., 3) of points (..., 3) given against a station's middle, on its tile as it really lies."""
        place = self.places[station]
        x, y = board.station_centres[station]
        return _moved(offsets_mm, x + place.dx_mm, y + place.dy_mm, place.turn_deg)

    def slot_mm(self, board: FinityBoard, slot: SlotPlace, offsets_mm: Floats) -> Floats:
        """Board points (..., 3) of points given against a slot's middle: x along the way from its first station to
        the second, y to the left of it. A slot lies half on either tile: it moves with the mean of both."""
        first, second = (self.places[station] for station in slot.stations)
        (x1, y1), (x2, y2) = (board.station_centres[station] for station in slot.stations)
        # how far the turns of both tiles carry the slot's middle
        ends = [
            _moved(np.array([slot.x_mm - x, slot.y_mm - y, 0.0]), x + place.dx_mm, y + place.dy_mm, place.turn_deg)
            for (x, y), place in (((x1, y1), first), ((x2, y2), second))
        ]
        middle = (ends[0] + ends[1]) / 2
        turn_deg = slot.angle_deg + (first.turn_deg + second.turn_deg) / 2
        return _moved(offsets_mm, float(middle[0]), float(middle[1]), turn_deg)

    def to_json(self) -> dict[str, Any]:
        places = {station: asdict(place) for station, place in self.places.items()}
        return {"places": places, "tower_height_mm": list(self.tower_height_mm)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Tiles:
        low, high = data["tower_height_mm"]
        return cls({str(name): TilePlace(**place) for name, place in data["places"].items()}, (float(low), float(high)))

    @classmethod
    def as_in_file(cls, board: FinityBoard, players: int) -> Tiles:
        """Every tile just where the board file has it, the tower as high as it may be."""
        low, high = (board.tower.foot + board.tile.floor_z + board.tower.cones * h for h in board.tower.cone_height)
        return cls({station: TilePlace() for station in board.stations(players)}, (low, high))


def _moved(offsets_mm: Floats, x_mm: float, y_mm: float, turn_deg: float) -> Floats:
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    x, y, z = offsets_mm[..., 0], offsets_mm[..., 1], offsets_mm[..., 2]
    return np.stack([x_mm + cos * x - sin * y, y_mm + sin * x + cos * y, z], axis=-1)
