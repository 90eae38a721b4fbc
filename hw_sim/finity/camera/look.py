"""How one simulated table of Finity looks: colours, finishes, shapes left open by the board file, light and camera."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from hw_sim.camera.lens import Floats, Lens, Pose
from hw_sim.camera.look import Finish, Lamp, Sensor, Table
from hw_sim.camera.textures import RGB
from hw_sim.finity.scene import Piece, PieceKind

PLAYERS = "ABCD"


class Material(IntEnum):
    """What a point of the board is made of, as far as gloss goes."""

    PAPER = 0
    TILE = 1
    PIECE = 2
    BLACK = 3
    WHITE = 4


@dataclass(frozen=True, slots=True)
class FinityLook:
    """One set of colours, light and camera.

    Attributes:
        tile: of the hexagons; the tower's foot, too.
        bridges, cones: by "b" and "w".
        colours: of the players A, B, C and D.
        piece: the gloss of rings, posts and blockers; its own colour is not used.
        cone_mm: the height of one cone of the tower.
        roundness: of rings: 1 is a torus, 0 a flat washer.
        seed: draws the table's pattern and the tiles' grain.
    """

    name: str
    tile: Finish
    bridges: Mapping[str, Finish]
    cones: Mapping[str, Finish]
    colours: tuple[RGB, RGB, RGB, RGB]
    piece: Finish
    cone_mm: float
    table: Table
    lamp: Lamp
    lens: Lens
    pose: Pose
    sensor: Sensor = field(default_factory=Sensor)
    paper: Finish = field(default=Finish((0.74, 0.74, 0.72), 0.02, 0.6))
    roundness: float = 1.0
    seed: int = 0

    def finish_of(self, piece: Piece) -> Finish:
        if piece.kind is PieceKind.BRIDGE:
            return self.bridges[piece.colour]
        return Finish(self.colours[PLAYERS.index(piece.colour)], self.piece.f0, self.piece.roughness)

    def gloss_by_material(self) -> tuple[Floats, Floats]:
        """f0 and roughness, each indexed by `Material`."""
        finishes = (self.paper, self.tile, self.piece, self.bridges["b"], self.bridges["w"])
        f0, roughness = zip(*((finish.f0, finish.roughness) for finish in finishes), strict=True)
        return np.array(f0, np.float32), np.array(roughness, np.float32)


def material_of(piece: Piece) -> Material:
    if piece.kind is not PieceKind.BRIDGE:
        return Material.PIECE
    return Material.BLACK if piece.colour == "b" else Material.WHITE
