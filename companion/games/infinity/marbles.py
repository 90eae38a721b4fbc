"""The two players, the eighteen marbles, and the names of the sixteen seats."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, NewType

from companion.games.game import Label, Place, Player

BLUE: Final = Player("blue")
YELLOW: Final = Player("yellow")
PLAYERS: Final = (BLUE, YELLOW)
OTHER: Final = MappingProxyType({BLUE: YELLOW, YELLOW: BLUE})

Marble = NewType("Marble", str)
"""A kind of marble by its letter: `B` blue, `K` black (Blue's Joker), `Y` yellow, `W` white (Yellow's Joker)."""

SUPPLY: Final = MappingProxyType({Marble("B"): 8, Marble("K"): 1, Marble("Y"): 8, Marble("W"): 1})
PLAIN: Final = MappingProxyType({BLUE: Marble("B"), YELLOW: Marble("Y")})
JOKER: Final = MappingProxyType({BLUE: Marble("K"), YELLOW: Marble("W")})
OWNER: Final = MappingProxyType({Marble("B"): BLUE, Marble("K"): BLUE, Marble("Y"): YELLOW, Marble("W"): YELLOW})

Channel = NewType("Channel", int)
"""A channel by its index, 0 to 3 from the left; people and moves count it from 1."""

CHANNELS: Final = tuple(Channel(index) for index in range(4))
SLOTS: Final = 4
EMPTY: Final = Label(".")

SEATS: Final = tuple(tuple(Place(f"{channel + 1}.{slot + 1}") for slot in range(SLOTS)) for channel in CHANNELS)
"""Place names by channel and slot, both from 0; slot 0 is at the entry end."""

INFINITY: Final = 5
"""The knob's last stop, reached by whoever is five ahead."""
