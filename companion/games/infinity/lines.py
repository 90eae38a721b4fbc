"""The ten lines of four, and who has a row in them.

A line is a set of seats, held as 16 bits: bit 4 * channel + slot, both from 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple, NewType

from companion.games.game import Player
from companion.games.infinity.marbles import BLUE, CHANNELS, SLOTS, YELLOW
from companion.games.infinity.position import Channels

Line = NewType("Line", int)


def _line(*seats: tuple[int, int]) -> Line:
    return Line(sum(1 << (4 * channel + slot) for channel, slot in seats))


LINES: Final = (
    *(_line(*((channel, slot) for slot in range(SLOTS))) for channel in CHANNELS),
    *(_line(*((channel, slot) for channel in CHANNELS)) for slot in range(SLOTS)),
    _line(*((index, index) for index in range(4))),
    _line(*((index, 3 - index) for index in range(4))),
)


class Rows(NamedTuple):
    """One player's rows at the end of a turn, and those of them that hold the own Joker."""

    lines: tuple[Line, ...]
    with_joker: tuple[Line, ...]


Count = Mapping[Player, Rows]
"""Both players' rows."""


def count_rows(channels: Channels) -> dict[Player, Rows]:
    """Count both players' rows: lines filled with their plain marbles and their own Joker."""
    blue, black, yellow, white = _seats(channels)
    return {BLUE: _rows(blue | black, black), YELLOW: _rows(yellow | white, white)}


REMEMBERED = 1 << 10
"""A player's rows are remembered for so many sets of seats: about what can come of a few positions in two moves. A
longer memory answers hardly more often, and would grow for hours."""


@lru_cache(maxsize=REMEMBERED)
def _rows(own: int, joker: int) -> Rows:
    lines = tuple(line for line in LINES if own & line == line)
    return Rows(lines, tuple(line for line in lines if line & joker))


def _seats(channels: Channels) -> tuple[int, int, int, int]:
    """The seats of the blue, black, yellow and white marbles, 16 bits each."""
    a, b, c, d = channels
    packed = _PACKED[a] | _PACKED[b] << 4 | _PACKED[c] << 8 | _PACKED[d] << 12
    return packed & 0xFFFF, packed >> 16 & 0xFFFF, packed >> 32 & 0xFFFF, packed >> 48


_FIELD: Final[Mapping[str, int]] = {"B": 0, "K": 16, "Y": 32, "W": 48}
"""Where the seats of each kind of marble stand in a packed number."""


def _packed(channel: str) -> int:
    return sum(1 << (_FIELD[marble] + slot) for slot, marble in enumerate(channel))


_PACKED: Final = {
    "".join(channel): _packed("".join(channel)) for size in range(SLOTS + 1) for channel in product(_FIELD, repeat=size)
}
