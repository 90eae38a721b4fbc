"""The pictures to calibrate from: what to lay for each, what was said to lie there, what was taken."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.setup.positions import State
from companion.texts import Text, text

EMPTY: Final = "empty"
REFERENCES: Final = ("first", "second", "third", "fourth")
NAMES: Final = (EMPTY, *REFERENCES)

CALLED: Final[Mapping[str, Text]] = {
    EMPTY: text("the picture of the bare board"),
    "first": text("the first position"),
    "second": text("the second position"),
    "third": text("the third position"),
    "fourth": text("the fourth position"),
}
BARE: Final[Mapping[str, Text]] = {
    "infinity": text("Clear the channels: all marbles lie in the well, and the knob points at the star."),
    "finity": text(
        "The bare tiles on their mat, pushed together, with the tower on the middle one: no ring, no bridge."
    ),
}
COPY: Final = text("Lay this position, then take your hands away. What lies otherwise you can change by tapping.")


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture to take.

    Attributes:
        suggested: what to lay; None for the bare board.
        entered: what somebody said lies there, in place of that.
        jpeg: the picture, where it was taken.
        problems: what is wrong with it, in sentences.
    """

    name: str
    words: Text
    suggested: State | None
    entered: State | None = None
    jpeg: bytes | None = None
    problems: tuple[str, ...] = field(default=())

    @property
    def state(self) -> State | None:
        """What lies there."""
        return self.suggested if self.entered is None else self.entered


def shots_of(
    game: str,
    suggested: Sequence[State],
    entered: Mapping[str, State],
    taken: Mapping[str, bytes],
) -> tuple[Shot, ...]:
    """The pictures of a set-up, in their order.

    Args:
        suggested: a position for each picture after the empty one.
    """
    found = [Shot(EMPTY, BARE[game], None, jpeg=taken.get(EMPTY))]
    for name, state in zip(REFERENCES, suggested, strict=False):
        found.append(Shot(name, COPY, state, entered.get(name), taken.get(name)))
    return tuple(found)


def next_shot(shots: Sequence[Shot]) -> str | None:
    """The picture to take next."""
    return next((shot.name for shot in shots if shot.jpeg is None), None)


def mark_of(board_digest: str, shots: Sequence[Shot]) -> str:
    """Changes with every picture, with what is said of it, and with the board."""
    digest = hashlib.sha256(board_digest.encode())
    for shot in shots:
        if shot.jpeg is not None:
            digest.update(f"\0{shot.name}\0{json.dumps(shot.state, sort_keys=True, default=dict)}\0".encode())
            digest.update(hashlib.sha256(shot.jpeg).digest())
    return digest.hexdigest()
