"""Scenes of positions: marbles in their seats and in the well, from letters; and positions at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.infinity.board import InfinityBoard
from hw_sim.scene import Marble, MarbleKind

SET = "B" * 8 + "K" + "Y" * 8 + "W"
"""All marbles of the game."""
EMPTY = "....|....|....|...."


@dataclass(frozen=True, slots=True)
class Layout:
    """Marbles as letters: the channels, entry end first, and the well from left to right; and the knob's stop."""

    board: str
    well: str
    knob_stop: int

    def well_counts(self) -> dict[str, int]:
        return {kind.value: self.well.count(kind.value) for kind in MarbleKind}


def marbles_of(layout: Layout, board: InfinityBoard) -> tuple[Marble, ...]:
    """The marbles at rest in their places.

    Raises:
        ValueError: if the letters do not fit the board.
    """
    channels = layout.board.split("|")
    seats = board.slot_centres()
    if len(channels) != board.channels.count or any(len(channel) != board.slots.count for channel in channels):
        raise ValueError(f"{layout.board!r} is no position of {board.channels.count} x {board.slots.count} slots")
    seated = [
        Marble(MarbleKind(letter), *seats[f"{channel}.{slot}"])
        for channel, letters in enumerate(channels, 1)
        for slot, letter in enumerate(letters, 1)
        if letter != "."
    ]
    resting = zip(layout.well, board.well_centres(len(layout.well)), strict=True)
    return (*seated, *(Marble(MarbleKind(letter), *place) for letter, place in resting))


def random_layout(rng: np.random.Generator) -> Layout:
    """Channels filled from the entry end with any marbles, the rest in the well, the knob at any stop."""
    marbles = [str(letter) for letter in rng.permutation(list(SET))]
    channels = []
    for _ in range(4):
        count = int(rng.integers(0, 5))
        channels.append("".join(marbles.pop() for _ in range(count)).ljust(4, "."))
    return Layout("|".join(channels), "".join(marbles), int(rng.integers(-4, 6)))


def start_layout(rng: np.random.Generator) -> Layout:
    """Channels empty, all marbles in the well, knob at 0."""
    return Layout(EMPTY, "".join(str(letter) for letter in rng.permutation(list(SET))), 0)
