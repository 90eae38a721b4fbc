"""Where pieces of Finity belong: millimetres and turns of every place, on tiles that lie a little askew."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from calibration.finity.board import FinityBoard, SlotPlace
from hw_sim.finity.scene import PieceKind, TileShift

POST = "P"
EMPTY = "."


@dataclass(frozen=True, slots=True)
class Lie:
    """How something lies: its middle, its lowest point and its turn, as in `hw_sim.finity.scene.Piece`."""

    x_mm: float
    y_mm: float
    z_mm: float
    turn_deg: float = 0.0


def kind_of(place: str, label: str) -> PieceKind:
    """The kind of piece that shows a label at a place."""
    if "." in place:
        return PieceKind.POST if place.endswith(POST) else PieceKind.RING
    return PieceKind.BLOCKER if label.startswith("blocker") else PieceKind.BRIDGE


class Places:
    """The places of a board for a number of players.

    Attributes:
        names: all places that a camera reads, in the board's order.
        spots: middle of every place (x, y), tiles as they really lie.
    """

    def __init__(self, board: FinityBoard, players: int, tiles: Mapping[str, TileShift]) -> None:
        self.board = board
        self.players = players
        self.names = board.places(players)
        self._tiles = tiles
        self._slots = {slot.name: slot for slot in board.slot_places(players)}
        self.spots: Mapping[str, tuple[float, float]] = {name: self._spot(name) for name in self.names}

    def slot(self, place: str) -> SlotPlace:
        """A slot by its name from the first station of its pair."""
        return self._slots[place]

    def is_slot(self, place: str) -> bool:
        return place in self._slots

    def lie(self, place: str, label: str) -> Lie:
        """How a piece lies that shows a label at a place, exactly in its middle."""
        board = self.board
        x, y = self.spots[place] if place in self.spots else self.station(place.partition(".")[0])
        kind = kind_of(place, label)
        if kind is PieceKind.RING:
            return Lie(x, y, board.rings.seat_z[place[-1]])
        if kind is PieceKind.POST:
            return Lie(x, y, board.post.hub_z)
        turn_deg = self._slot_turn(place)
        if kind is PieceKind.BRIDGE and label.partition(" ")[2] != self._slots[place].stations[0]:
            turn_deg += 180.0
        return Lie(x, y, board.tile.floor_z, turn_deg % 360.0)

    def station(self, station: str) -> tuple[float, float]:
        """The middle of a station's tile as it really lies."""
        x, y = self.board.station_centres[station]
        shift = self._tiles.get(station, TileShift())
        return x + shift.dx_mm, y + shift.dy_mm

    def _spot(self, place: str) -> tuple[float, float]:
        slot = self._slots.get(place)
        if slot is None:
            return self.station(place.partition(".")[0])
        # a slot lies half on either tile: it moves with the mean of both
        ends = [self._carried(station, slot.x_mm, slot.y_mm) for station in slot.stations]
        return (ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2

    def _carried(self, station: str, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Where a tile's shift and turn carry a point."""
        x, y = self.board.station_centres[station]
        shift = self._tiles.get(station, TileShift())
        turn = math.radians(shift.turn_deg)
        dx, dy = x_mm - x, y_mm - y
        return (
            x + shift.dx_mm + dx * math.cos(turn) - dy * math.sin(turn),
            y + shift.dy_mm + dx * math.sin(turn) + dy * math.cos(turn),
        )

    def _slot_turn(self, place: str) -> float:
        slot = self._slots[place]
        turns = [self._tiles.get(station, TileShift()).turn_deg for station in slot.stations]
        return slot.angle_deg + sum(turns) / 2
