"""The pieces and the words for them, and how indices and masks stand for places.

Inside the rules a station is its index, a slot `3 * pair + side`, a player's seat 0 to 3. A set of slots is a number
with one bit a slot. A set of stations is a number with two bits a station, of which the lower one is used: so the
three sets of stations on which a player has a small, a medium and a large ring add up to the ring counts, two bits a
station.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, NewType

from companion.games.game import Player
from companion.texts import text

PLAYERS: Final = tuple(Player(letter) for letter in "ABCD")

Station = NewType("Station", int)
Slot = NewType("Slot", int)
Kind = NewType("Kind", int)
"""A bridge's colour and direction: `2 * colour + 1` where it points against its pair's order, else `2 * colour`."""

SlotSet = int
StationSet = int

COLOURS: Final = ("b", "w")
SIZES: Final = ("S", "M", "L")
"""Ring sizes, top marker first."""
SIDES: Final = ("L", "M", "R")
BLOCKERS_EACH: Final = 2

COLOUR_WORD: Final = MappingProxyType({"b": text("black"), "w": text("white")})
SIZE_WORD: Final = MappingProxyType({"S": text("small"), "M": text("medium"), "L": text("large")})

Bridges = tuple[SlotSet, SlotSet, SlotSet, SlotSet]
"""The slots of the bridges of each kind."""
Rings = tuple[StationSet, StationSet, StationSet]
"""The stations of one player's rings of each size."""

NO_BRIDGES: Final[Bridges] = (0, 0, 0, 0)


def slots_in(slots: SlotSet) -> list[Slot]:
    """The members of a set of slots, in order."""
    found = []
    while slots:
        low = slots & -slots
        found.append(Slot(low.bit_length() - 1))
        slots ^= low
    return found


def stations_in(stations: StationSet) -> list[Station]:
    """The members of a set of stations, in order."""
    found = []
    while stations:
        low = stations & -stations
        found.append(Station(low.bit_length() >> 1))
        stations ^= low
    return found


def bit_of(station: Station) -> StationSet:
    return 1 << 2 * station
