"""How people at a table wait: for the referee to say something, and for a hand to be free."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from hw_sim.arms import Arm
from hw_sim.players import Span
from hw_sim.timeline import Act

LOOK_S = 0.1
"""How often people look up to see whether something has changed."""
SETTLES_S = 2.5
"""After something is put right, people let the table rest for so long."""

FOLLOWS_S = 60.0
"""So long people wait for a referee who is behind; then something else is wrong, and they play on."""

C = TypeVar("C")
"""What a referee says."""


def wait(clock: Callable[[], float], until: Callable[[], bool], seconds: float) -> Act[None]:
    """Wait until something is so, but no longer than some seconds."""
    end_s = clock() + seconds
    while not until() and clock() < end_s:
        yield LOOK_S


def free_hand(person: Arm) -> Act[None]:
    """Wait until a person's hand is at nothing."""
    while person.busy:
        yield LOOK_S


class Scoreboard:
    """How many plies the referee has told of, where people can see that: they do not play on before it has followed.

    Args:
        clock: the time at the table.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._plies: int | None = None

    def show(self, plies: int) -> None:
        self._plies = plies

    def wait_for(self, plies: int) -> Act[None]:
        """Wait until so many are shown; not at all where nobody shows any."""
        yield from wait(self._clock, lambda: self._plies is None or self._plies >= plies, FOLLOWS_S)


class Complaints(Generic[C]):
    """What the referee has said and nobody has heeded yet.

    Args:
        clock: the time at the table.
        patience_s: how long people wait for a complaint before they see for themselves what is wrong.
        reaction_s: from the complaint to the hand that puts it right.
    """

    def __init__(self, clock: Callable[[], float], patience_s: float, reaction_s: Span, rng: random.Random) -> None:
        self._clock = clock
        self._patience_s = patience_s
        self._reaction_s = reaction_s
        self._rng = rng
        self._said: deque[C] = deque()

    def say(self, complaint: C) -> None:
        self._said.append(complaint)

    def forget(self) -> None:
        """People shrug at what was said so far: it had no cause."""
        self._said.clear()

    def hear(self) -> Act[C | None]:
        """The first complaint; None where people lost patience."""
        yield from wait(self._clock, lambda: bool(self._said), self._patience_s)
        if not self._said:
            return None
        yield self._rng.uniform(*self._reaction_s)
        return self._said.popleft()
