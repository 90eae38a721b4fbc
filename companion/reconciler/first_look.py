"""The first look at a board, and that after a person put the record right: does it lie as the record says?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic

from companion.games.game import Breach, Label, OtherStart, P, Place
from companion.reconciler.belief import Belief
from companion.reconciler.looks import AsItLay, fit, fit_at
from companion.reconciler.verdicts import NotAsAtStart, Nothing, Verdict
from companion.reconciler.weighing import Scored

ROUNDING = 1e-6
"""Sums of the same numbers in another order."""


class FirstLook(Generic[P]):
    """Judges what a board shows of which nothing has been seen yet."""

    def __init__(self, belief: Belief[P]) -> None:
        self._belief = belief

    def shows_awaited(self, best: float) -> bool:
        """Whether the board lies as it did before a person put the record right: that is no new move, and no breach.

        Args:
            best: how well the looks fit what fits them best; 0 where nothing could fit better.
        """
        awaited = self._belief.awaited
        return awaited is not None and fit(self._belief.window.table(), AsItLay(awaited)) >= best - ROUNDING

    def cannot_be_played(self, best: Scored[P]) -> bool:
        """Whether no move or two from the start explains the board: then it was set up otherwise."""
        belief, breach = self._belief, best.hypothesis.breach
        if best.sight < belief.place_misfit:
            return True
        return breach is not None and not self._left_alone(breach)

    def _left_alone(self, breach: Breach) -> bool:
        """Whether a person has put the record right, and at other places than a breach changes: then it is one."""
        belief = self._belief
        if belief.awaited is None:
            return False
        sight = belief.possibilities(belief.position).sight
        return all(belief.awaited[place] == sight[place] for place in breach.changes)

    def not_as_at_start(self, now_s: float) -> Verdict:
        """Every place of a settled board that clearly shows something else; `Nothing` while that may change."""
        belief, table = self._belief, self._belief.window.table()
        enough = belief.window.independent >= 3.0 or belief.gap_settles
        if not enough or belief.asked == ((),):
            return Nothing()
        if belief.awaited is not None and belief.level_s(now_s) < belief.times.ask_whether_s:
            return Nothing()
        possible = belief.possibilities(belief.position)
        lost = -belief.rates.commit_lead
        seen = {
            name: Label(place.best)
            for name, place in table.items()
            if name in possible.sight and fit_at(place, name, possible, possible.nothing) < lost
        }
        if not seen:
            return Nothing()
        belief.asked = ((),)
        return NotAsAtStart(seen, tuple(other.name for other in belief.game.other_starts() if self._shows(other, seen)))

    def _shows(self, other: OtherStart[P], seen: Mapping[Place, Label]) -> bool:
        sight = self._belief.game.sight(other.position)
        return all(sight[place] == label for place, label in seen.items())
