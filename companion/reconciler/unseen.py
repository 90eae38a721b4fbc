"""Moves where no camera sees: behind a tower a bridge may be laid, turned or taken, and nothing shows it.

What follows shows it mostly: somebody moves who would not be next, or does what the hidden bridge allows. Before
anybody is accused of that, people are asked whether such a move was made, where hands had the time for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic

from companion.games.game import Breach, P, Place
from companion.reconciler.belief import Belief
from companion.reconciler.hypotheses import could_follow
from companion.reconciler.verdicts import Ambiguous

MOST_CHOICES = 6
"""More than a person reads through; where none of them is right people correct the record."""

OUT_OF_TURN = "wrong_player"
"""The reason of a breach that a hidden move may explain: it was that player's turn."""


@dataclass(frozen=True, slots=True)
class _Way:
    """A hidden move before the last `back` moves told, and everything after it."""

    back: int
    moves: tuple[str, ...]


class Unseen(Generic[P]):
    """Thinks of hidden moves before what is seen."""

    def __init__(self, belief: Belief[P]) -> None:
        self._belief = belief
        self._thought: tuple[object, Ambiguous | None] = (None, None)

    def question(self, moves: tuple[str, ...]) -> Ambiguous | None:
        """Which hidden move makes these legal, if any was made; None where none does."""
        belief, last = self._belief, self._belief.window.last
        if not moves or last is None or belief.none_hidden:
            return None
        key = (belief.position, moves, belief.room, last.blind)
        if self._thought[0] != key:
            blind = [Place(name) for name in sorted(last.blind)]
            ways = [*self._read_otherwise(moves), *(self._all_ways(moves, blind) if blind else ())]
            self._thought = (key, self._asked(ways[:MOST_CHOICES]))
        return self._thought[1]

    def another_turn(self, breach: Breach) -> Ambiguous | None:
        """Which hidden move makes a breach out of turn one of another reason, where hands had the time for it."""
        belief, last = self._belief, self._belief.window.last
        if breach.reason != OUT_OF_TURN or last is None or belief.none_hidden or not belief.room:
            return None
        hidden = belief.possibilities(belief.position).unseen([Place(name) for name in sorted(last.blind)])
        ways = [each.moves for each in hidden if self._breaks_otherwise(each.position, breach)]
        return Ambiguous((*ways[:MOST_CHOICES], ())) if ways else None

    def _breaks_otherwise(self, position: P, breach: Breach) -> bool:
        wanted = {place: (label,) for place, label in breach.changes.items()}
        found = self._belief.game.breaches(position, wanted)
        return any(each.changes == breach.changes and each.reason != breach.reason for each in found)

    def doubt(self) -> Ambiguous | None:
        """Whether a move is hidden among the last ones told; None where what was seen speaks against all."""
        belief, last = self._belief, self._belief.window.last
        if last is None or not last.blind or belief.none_hidden:
            return None
        blind = [Place(name) for name in sorted(last.blind)]
        ways = self._all_ways((), blind)
        return self._asked(ways[:MOST_CHOICES], told_first=True)

    def twice(self) -> bool:
        """Whether hands had the time for more than one hidden move: too many ways to name them."""
        belief, last = self._belief, self._belief.window.last
        if last is None or not last.blind or belief.none_hidden:
            return False
        return belief.room + sum(each.room for each in belief.history) > 1

    def _all_ways(self, moves: tuple[str, ...], blind: list[Place]) -> list[_Way]:
        """All ways, those first for which hands were seen to have the time: a short visit falls between two looks."""
        belief = self._belief
        likely, others = list[_Way](), list[_Way]()
        for back in range(len(belief.history) + 1):
            room = belief.history[-back].room if back else belief.room
            (likely if room else others).extend(self._ways(back, moves, blind))
        return [*likely, *others]

    def _read_otherwise(self, moves: tuple[str, ...]) -> Iterator[_Way]:
        """Other readings of what was told that make these moves legal, where a quick move was taken for another."""
        belief = self._belief
        for number in reversed(range(len(belief.history))):
            told, rest = belief.history[number], belief.history[number + 1 :]
            seen = tuple(move for each in rest for move in each.moves)
            for other in told.others:
                if could_follow(belief.game, told.position, (*other, *seen, *moves)):
                    yield _Way(len(told.moves) + len(seen), (*other, *seen, *moves))

    def _ways(self, back: int, moves: tuple[str, ...], blind: list[Place]) -> Iterator[_Way]:
        belief = self._belief
        since = belief.history[len(belief.history) - back :]
        position = since[0].position if since else belief.position
        seen = (*(move for each in since for move in each.moves), *moves)
        for first in belief.possibilities(position).unseen(blind):
            if could_follow(belief.game, first.position, seen):
                yield _Way(len(seen) - len(moves), (*first.moves, *seen))

    def _asked(self, ways: list[_Way], *, told_first: bool = False) -> Ambiguous | None:
        if not ways:
            return None
        most = max(way.back for way in ways)
        told = [move for each in self._belief.history for move in each.moves]
        choices = [(*told[len(told) - most : len(told) - way.back], *way.moves) for way in ways]
        right = tuple(told[len(told) - most :])
        return Ambiguous((right, *choices) if told_first else (*choices, ()), replaces=most)
