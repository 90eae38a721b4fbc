"""The looks since the last belief, settled or not: they tell in which order places changed.

A scene settles when hands are gone, and quick players make two moves until then. The looks in between, some with a
hand beside the board, still show which of the moves was made first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from companion.games.game import Label, Place
from companion.reconciler.looks import Look
from companion.reconciler.rates import Times

MOST_LOOKS = 60
"""Half a minute of looks: as long as a thing may hide the board."""

Steps = Sequence[Mapping[Place, Label]]
"""What each of several happenings changes, in order."""


class Trail:
    """Looks that do not share their noise, oldest first."""

    def __init__(self, times: Times) -> None:
        self._apart_s = times.independent_s
        self._looks: deque[Look] = deque(maxlen=MOST_LOOKS)

    def add(self, look: Look) -> None:
        if not self._looks or look.t_s - self._looks[-1].t_s >= self._apart_s:
            self._looks.append(look)

    def clear(self) -> None:
        self._looks.clear()

    def order(self, sight: Mapping[Place, Label], steps: Steps) -> float:
        """How well the looks fit these happenings in this order, 0 where no other order fits better.

        Each happening may have been at any time after the one before it: the best times are taken.
        """
        touched = [place for place in dict.fromkeys(place for step in steps for place in step) if place in sight]
        states = [dict(sight)]
        for step in steps:
            states.append({**states[-1], **step})
        best = [0.0] + [float("-inf")] * len(steps)
        free = 0.0
        for look in self._looks:
            seen = [(place, look.places[place]) for place in touched if place in look.places]
            for place, logs in seen:
                free += max(logs.logs.get(state[place], logs.floor) for state in states)
            reached = float("-inf")
            for number, state in enumerate(states):
                reached = max(reached, best[number])
                best[number] = reached + sum(logs.logs.get(state[place], logs.floor) for place, logs in seen)
        return min(0.0, max(best) - free)
