"""What comes out of a simulated game, in time order: what devices give, and how things really are."""

from __future__ import annotations

from dataclasses import dataclass

from hw_sim.scene import Light, Scene
from hw_sim.senses import Seen
from hw_sim.wires import Edge


@dataclass(frozen=True, slots=True)
class FrameTaken:
    """A picture: the scene to draw, the light to draw it in, and how a reader of pictures would read it.

    `seen` is None in a game without `sights`.
    """

    t_s: float
    scene: Scene
    light: Light
    seen: Seen | None


@dataclass(frozen=True, slots=True)
class BytesSent:
    """Bytes that arrive from the board's serial port."""

    t_s: float
    data: bytes


@dataclass(frozen=True, slots=True)
class PortChanged:
    """The board's cable was pulled, or is back."""

    t_s: float
    plugged: bool


@dataclass(frozen=True, slots=True)
class MoveMade:
    """The truth of a legal turn, told when the marble begins to go in; a forfeit is the move "pass".

    Attributes:
        board, score, knob_stop, winner, by_what: as the rules have them after the turn; `knob_stop` is where the
            knob should be turned to.
        over: the kind of the marble that fell over at the far end.
    """

    t_s: float
    ply: int
    by: str
    move: str
    board: str
    score: int
    knob_stop: int
    over: str | None = None
    winner: str | None = None
    by_what: str | None = None
    forfeit: bool = False


@dataclass(frozen=True, slots=True)
class KnobTurned:
    """Somebody's hand starts to turn the knob to `stop`."""

    t_s: float
    by: str
    stop: int


@dataclass(frozen=True, slots=True)
class BreachMade:
    """Somebody begins to break the rules.

    Attributes:
        kind: one of `hw_sim.breaches.BreachKind`.
        reasons: what a referee may rightly call it.
        board: the board before it.
    """

    t_s: float
    kind: str
    by: str
    reasons: frozenset[str]
    board: str
    words: str


@dataclass(frozen=True, slots=True)
class BreachEnded:
    """The breach is put right. `complaint` is what the referee called it, None where people saw it themselves."""

    t_s: float
    kind: str
    complaint: str | None


@dataclass(frozen=True, slots=True)
class GameEnded:
    """Nothing comes after this. `finished` is False where the players stopped before the end by the rules."""

    t_s: float
    finished: bool


Happening = FrameTaken | Edge | BytesSent | PortChanged | MoveMade | KnobTurned | BreachMade | BreachEnded | GameEnded
