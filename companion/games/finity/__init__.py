"""Finity: stations, bridges and rings; the first whose walk follows the whole pattern to the centre wins."""

from companion.games.finity.options import Options
from companion.games.finity.position import Position
from companion.games.finity.rules import Finity
from companion.games.finity.setup import Setup

__all__ = ["Finity", "Options", "Position", "Setup"]
