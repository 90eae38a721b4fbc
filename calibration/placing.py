"""How a template is moved over what is printed: the one change that dragging its four corners, or numbers, make."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.errors import EDIT, BoardError
from calibration.sentences import Sentence

Xy = tuple[float, float]

SCALES = (0.2, 5.0)
"""A template drawn smaller or larger than this was dragged by mistake."""
MOST_TURN_DEG = 180.0


@dataclass(frozen=True, slots=True)
class Placing:
    """First scaled about the frame's origin, then turned counter-clockwise, then shifted, in board millimetres."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    turn_deg: float = 0.0
    shift_mm: Xy = (0.0, 0.0)

    @property
    def scale(self) -> float:
        return math.sqrt(self.scale_x * self.scale_y)


def checked(placing: Placing) -> Placing:
    """The same.

    Raises:
        BoardError: with everything in it that cannot be meant.
    """
    faults = [
        Sentence(
            "{name} must be from {low:g} to {high:g}, not {value:g}",
            name=name,
            low=SCALES[0],
            high=SCALES[1],
            value=value,
        )
        for name, value in (("scale_x", placing.scale_x), ("scale_y", placing.scale_y))
        if not SCALES[0] <= value <= SCALES[1]
    ]
    if not abs(placing.turn_deg) <= MOST_TURN_DEG:
        faults.append(Sentence("turn_deg must be from -180 to 180, not {turn:g}", turn=placing.turn_deg))
    if not all(math.isfinite(value) for value in placing.shift_mm):
        faults.append(Sentence("shift_mm must be two numbers"))
    if faults:
        raise BoardError(EDIT, tuple(faults))
    return placing


def placing_of(was_mm: Sequence[Xy], now_mm: Sequence[Xy]) -> Placing:
    """The placing that takes the four corners of a rectangle where they were dragged, as well as it can.

    An affine map is fitted; the shear in it is left out, for boards are right-angled.

    Raises:
        BoardError: where the corners are no such quadrilateral.
    """
    was = np.column_stack([np.array(was_mm), np.ones(4)])
    fitted = np.linalg.lstsq(was, np.array(now_mm), rcond=None)[0]
    matrix, shift = fitted[:2].T, fitted[2]
    if not np.isfinite(fitted).all() or np.linalg.det(matrix) <= 0:
        raise BoardError(EDIT, (Sentence("the corners are crossed: top left, top right, bottom right, bottom left"),))
    turn = math.atan2(matrix[1, 0] - matrix[0, 1], matrix[0, 0] + matrix[1, 1])
    cos, sin = math.cos(turn), math.sin(turn)
    straight = np.array([[cos, sin], [-sin, cos]]) @ matrix
    return checked(
        Placing(
            float(straight[0, 0]),
            float(straight[1, 1]),
            math.degrees(turn),
            (float(shift[0]), float(shift[1])),
        )
    )


def turned_back(placing: Placing, at: Sequence[float]) -> Xy:
    """A point that stays where it is, in the frame that went with the template."""
    turn = math.radians(placing.turn_deg)
    x, y = at[0] - placing.shift_mm[0], at[1] - placing.shift_mm[1]
    return math.cos(turn) * x + math.sin(turn) * y, -math.sin(turn) * x + math.cos(turn) * y


def carried(placing: Placing, at: Sequence[float]) -> Xy:
    """Where a point of the template is after it, in the frame that stayed."""
    turn = math.radians(placing.turn_deg)
    x, y = at[0] * placing.scale_x, at[1] * placing.scale_y
    return (
        placing.shift_mm[0] + math.cos(turn) * x - math.sin(turn) * y,
        placing.shift_mm[1] + math.sin(turn) * x + math.cos(turn) * y,
    )


def moved(at: Sequence[float], dx: float, dy: float) -> Xy:
    return at[0] + dx, at[1] + dy
