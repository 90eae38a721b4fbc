"""The looks since the last belief, settled or not: they tell in which order places changed.

A scene settles when hands are gone, and quick players make two moves until then. The looks in between, some with a
hand beside the board, still show which of the moves was made first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence

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

    def shown(self, sight: Mapping[Place, Label]) -> dict[Place, set[Label]]:
        """What places showed on the way, in two looks in a row, that they do not show in `sight`."""
        found: dict[Place, set[Label]] = {}
        before: Mapping[Place, Label] = {}
        for look in self._looks:
            other = {place: label for place, label in _best(look, sight) if label != sight[place]}
            for place, label in other.items():
                if before.get(place) == label:
                    found.setdefault(place, set()).add(label)
            before = other
        return found

    def order(self, sight: Mapping[Place, Label], steps: Steps, places: Collection[Place]) -> float:
        """How well the looks at some places fit these happenings in this order: a log likelihood.

        Each happening may have been at any time after the one before it: the best times are taken.
        """
        states = [dict(sight)]
        for step in steps:
            states.append({**states[-1], **step})
        best = [0.0] + [float("-inf")] * len(steps)
        for look in self._looks:
            seen = [(place, look.places[place]) for place in places if place in look.places]
            reached = float("-inf")
            for number, state in enumerate(states):
                reached = max(reached, best[number])
                best[number] = reached + sum(logs.logs.get(state[place], logs.floor) for place, logs in seen)
        return max(best)


def _best(look: Look, sight: Mapping[Place, Label]) -> Iterator[tuple[Place, Label]]:
    for name, seen in look.places.items():
        if name in sight and seen.logs:
            yield Place(name), Label(max(seen.logs, key=seen.logs.__getitem__))
