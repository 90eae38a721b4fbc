"""What lies under a hand or a thing: their outlines on the board, for senses that see no pictures.

The sizes are those of the things that the camera draws. A spot counts as covered where the outline reaches its middle.
"""

from __future__ import annotations

import math
from itertools import pairwise

from hw_sim.scene import Hand, Scene, Thing, ThingKind

ARM = ((0.0, 9.0), (30.0, 12.0), (50.0, 42.0), (165.0, 44.0), (185.0, 30.0), (320.0, 38.0))
"""Half width of a hand and its arm (mm) by distance from the fingertip: one finger, the others, the wrist, the arm."""

OBLONGS = {ThingKind.PEN: (71.0, 4.5), ThingKind.CARD: (43.0, 28.0), ThingKind.PHONE: (75.0, 37.0)}
"""Half length and half width of things that lie flat."""
MUG_MM = 40.0
SLEEVE = (324.0, 36.0)
"""Length and half width; a sleeve begins at its place."""


def covered(scene: Scene, x_mm: float, y_mm: float) -> bool:
    """Whether a hand or a thing lies over a spot of the board."""
    return any(under_hand(hand, x_mm, y_mm) for hand in scene.hands) or any(
        under_thing(thing, x_mm, y_mm) for thing in scene.things
    )


def under_hand(hand: Hand, x_mm: float, y_mm: float) -> bool:
    along, across = _seen_from(hand.x_mm, hand.y_mm, hand.arm_deg, x_mm, y_mm)
    if along < 0:
        return math.hypot(along, across) < ARM[0][1]
    for (start, narrow), (end, wide) in pairwise(ARM):
        if start <= along < end:
            return abs(across) < narrow + (wide - narrow) * (along - start) / (end - start)
    return False


def under_thing(thing: Thing, x_mm: float, y_mm: float) -> bool:
    along, across = _seen_from(thing.x_mm, thing.y_mm, thing.turn_deg, x_mm, y_mm)
    if thing.kind is ThingKind.MUG:
        return math.hypot(along, across) < MUG_MM
    if thing.kind is ThingKind.SLEEVE:
        return 0 <= along < SLEEVE[0] and abs(across) < SLEEVE[1]
    half_length, half_width = OBLONGS[thing.kind]
    return abs(along) < half_length and abs(across) < half_width


def _seen_from(x0: float, y0: float, turn_deg: float, x: float, y: float) -> tuple[float, float]:
    """A spot in the frame of something that lies at (x0, y0), turned: along it and across."""
    turn = math.radians(turn_deg)
    dx, dy = x - x0, y - y0
    return dx * math.cos(turn) + dy * math.sin(turn), dy * math.cos(turn) - dx * math.sin(turn)
