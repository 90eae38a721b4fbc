"""What is on the simulated table of Finity at one moment: the seam between the table's physics and its camera.

Board millimetres: the frame of the board file. Hands, things and light are those of `hw_sim.scene`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from hw_sim.scene import Hand, Thing


class PieceKind(StrEnum):
    RING = "ring"
    POST = "post"
    BRIDGE = "bridge"
    BLOCKER = "blocker"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece as it lies, stands or hangs in a hand.

    Attributes:
        colour: a player's letter for rings, posts and blockers; "b" or "w" for bridges.
        size: "S", "M" or "L" for a ring, else "".
        x_mm, y_mm: its middle.
        z_mm: its lowest point above the mat.
        turn_deg: counter-clockwise from +x; a bridge's from its tail to its tip.
        tilt_deg: 0 where it lies flat; a post that has fallen over has 90, towards `turn_deg`.
    """

    kind: PieceKind
    colour: str
    size: str
    x_mm: float
    y_mm: float
    z_mm: float
    turn_deg: float = 0.0
    tilt_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class TileShift:
    """How a tile lies against the board file."""

    dx_mm: float = 0.0
    dy_mm: float = 0.0
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class FinityScene:
    """Everything that a camera could see of a table of Finity.

    Pieces, tiles and hands are in the frame of the mat as it lies now, things in that of the mat as it lay at the
    start; both are the same until a bump.

    Attributes:
        players: whose layout of tiles lies there.
        pattern: the tower's cones, "b" and "w", bottom to top; empty where no tower stands.
        pieces: all pieces in sight, those in hands and beside the tiles too.
        tiles: how tiles lie; those that are not named lie where the board file has them.
        bump_mm, bump_deg: how the mat with all on it lies against where it lay at the start.
        board_present: False when somebody took mat, tiles and all away.
    """

    players: int
    pattern: str
    pieces: tuple[Piece, ...] = ()
    hands: tuple[Hand, ...] = ()
    things: tuple[Thing, ...] = ()
    tiles: Mapping[str, TileShift] = field(default_factory=dict)
    bump_mm: tuple[float, float] = (0.0, 0.0)
    bump_deg: float = 0.0
    board_present: bool = True
