"""Where the 18 marbles are: in slots, in the well, in hands, rolling, or put aside. No time here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from hw_sim.motion import Track
from hw_sim.scene import MarbleKind
from hw_sim.wires import CHANNELS, SLOTS

FULL_SET = "BBBBBBBBKYYYYYYYYW"
EMPTY_BOARD = "....|....|....|...."

Slot = tuple[int, int]
"""(channel, slot), both from 1, the slot from the entry end."""


class Whereabouts(StrEnum):
    WELL = "well"
    SLOT = "slot"
    HELD = "held"
    ROLLING = "rolling"
    ASIDE = "aside"


@dataclass(eq=False, slots=True)
class SimMarble:
    """One marble; `number` tells it from others of its kind. `track` is None while a hand holds it."""

    number: int
    kind: MarbleKind
    where: Whereabouts
    track: Track | None = None
    holder: str = ""


@dataclass(eq=False, slots=True)
class Marbles:
    """All marbles of a game. `well` is the row in the groove, left to right."""

    all: tuple[SimMarble, ...]
    well: list[SimMarble] = field(default_factory=list)
    slots: dict[Slot, SimMarble] = field(default_factory=dict)

    @classmethod
    def in_well(cls, order: Iterable[str]) -> Marbles:
        """A full set, all in the well, in this order from left to right."""
        marbles = tuple(SimMarble(n, MarbleKind(kind), Whereabouts.WELL) for n, kind in enumerate(order))
        if "".join(sorted(m.kind for m in marbles)) != "".join(sorted(FULL_SET)):
            raise ValueError(f"a game has the marbles {FULL_SET}, not {''.join(m.kind for m in marbles)}")
        return cls(marbles, list(marbles))

    def board(self) -> str:
        """The board in the contract's words: "BY..|K...|....|Y..."."""
        return "|".join(
            "".join(self.slots[c, s].kind if (c, s) in self.slots else "." for s in CHANNELS) for c in CHANNELS
        )

    def well_row(self) -> str:
        return "".join(marble.kind for marble in self.well)

    def in_well_of(self, kind: str) -> list[SimMarble]:
        """The marbles of a kind that lie in the well.

        Raises:
            LookupError: if there is none.
        """
        found = [marble for marble in self.well if marble.kind == kind]
        if not found:
            raise LookupError(f"no {kind} lies in the well ({self.well_row() or 'empty'})")
        return found

    def at(self, slot: Slot) -> SimMarble:
        """The marble in a slot.

        Raises:
            LookupError: if the slot is empty.
        """
        if slot not in self.slots:
            raise LookupError(f"slot {slot[0]}.{slot[1]} is empty ({self.board()})")
        return self.slots[slot]


def board_slots(board: str) -> dict[Slot, str]:
    """The filled slots of a board text, slot to kind.

    Raises:
        ValueError: if the text is no board.
    """
    channels = board.split("|")
    if len(channels) != len(CHANNELS) or any(len(c) != len(CHANNELS) or set(c) - set(".BKYW") for c in channels):
        raise ValueError(f"a board looks like {EMPTY_BOARD}, not {board!r}")
    return {(c, s): channels[c - 1][s - 1] for c, s in SLOTS if channels[c - 1][s - 1] != "."}
