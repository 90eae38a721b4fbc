"""Rubik's Infinity: four channels of four slots, eighteen marbles, and a knob that keeps the score."""

from companion.games.infinity.options import Options
from companion.games.infinity.position import Position
from companion.games.infinity.rules import Infinity

__all__ = ["Infinity", "Options", "Position"]
