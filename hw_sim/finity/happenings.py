"""What comes out of a simulated game of Finity, in time order: what the camera gives, and how things really are."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.game import Outcome
from hw_sim.finity.scene import FinityScene
from hw_sim.happenings import BreachEnded, GameEnded
from hw_sim.scene import Light
from hw_sim.senses import Seen

Ring = tuple[str, str, str]
"""A ring on the board: player, station, size."""


@dataclass(frozen=True, slots=True)
class FrameTaken:
    """A picture: the scene to draw, the light to draw it in, and how a reader of pictures would read it.

    `seen` is None in a game without `sights`.
    """

    t_s: float
    scene: FinityScene
    light: Light
    seen: Seen | None


@dataclass(frozen=True, slots=True)
class MoveMade:
    """The truth of a legal move, told when its last piece lies (or is off the board).

    Attributes:
        ply: counted from 1.
        orphans: the rings that it cuts off and that must leave the board now.
        outcome: how the game ended by this move; None while it goes on.
    """

    t_s: float
    ply: int
    by: str
    move: str
    orphans: tuple[Ring, ...] = ()
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class MoveSettled:
    """The hand that made a move has left the board; `t_s` is when."""

    t_s: float
    ply: int


@dataclass(frozen=True, slots=True)
class RingsRemoved:
    """All orphans of a move are off the board."""

    t_s: float
    ply: int
    rings: tuple[Ring, ...]


@dataclass(frozen=True, slots=True)
class BreachMade:
    """Somebody begins to break the rules.

    Attributes:
        kind: one of `hw_sim.finity.breaches.FinityBreachKind`.
        reasons: what a referee may rightly call it.
        changes: what the board shows differently when it is done, as (place, label).
    """

    t_s: float
    kind: str
    by: str
    reasons: frozenset[str]
    words: str
    changes: tuple[tuple[str, str], ...] = ()


Happening = FrameTaken | MoveMade | MoveSettled | RingsRemoved | BreachMade | BreachEnded | GameEnded

__all__ = [
    "BreachEnded",
    "BreachMade",
    "FrameTaken",
    "GameEnded",
    "Happening",
    "MoveMade",
    "MoveSettled",
    "Ring",
    "RingsRemoved",
]
