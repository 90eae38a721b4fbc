"""Moves that are seen while hands and things are still about: a busy table never lies open for long.

Only what is plain is told early: every place that the move changes lay open in a row of looks that all show it, a
piece stands where none stood (what was taken may be on its way elsewhere), nothing was undone by a later move, and
nothing else comes near as an explanation. The rest waits until the board settles.
"""

from __future__ import annotations

from typing import Generic

from companion.games.game import P
from companion.reconciler.belief import Belief
from companion.reconciler.hypotheses import Hypothesis, could_follow
from companion.reconciler.looks import Look, change, fit
from companion.reconciler.orphans import EMPTY
from companion.reconciler.ranking import Ranking, runners_up
from companion.reconciler.verdicts import FoundMove, Nothing, Verdict
from companion.reconciler.weighing import Scored

LEAST_LOOKS = 3
"""A place that is misread in one look in thirty is misread in the same way in three of them once in many games."""


class Early(Generic[P]):
    """Judges what the looks of the last moments show, with hands in them."""

    def __init__(self, belief: Belief[P], ranking: Ranking[P]) -> None:
        self._belief = belief
        self._ranking = ranking

    def judge(self, now_s: float) -> Verdict:
        """The move that is plain to see; `Nothing` where none is."""
        belief = self._belief
        if not self._worth_looking() or now_s < belief.judge_again_s:
            return Nothing()
        belief.judge_again_s = now_s + belief.times.judge_s
        ranked = self._ranking.ranked(belief.open, now_s)
        best = ranked[0]
        if not self._plain(best, ranked):
            return Nothing()
        hypothesis = best.hypothesis
        found = tuple(FoundMove(move, overlooked=n in hypothesis.overlooked) for n, move in enumerate(hypothesis.moves))
        since_s = next(iter(belief.open)).t_s
        return belief.commit(best.line, found, hypothesis.position, hypothesis.lying, since_s, runners_up(ranked))

    def _worth_looking(self) -> bool:
        """Whether looks enough lie close together, nothing moves in the newest, and a place shows a piece more."""
        belief = self._belief
        looks = list(belief.open)
        if len(looks) < LEAST_LOOKS or belief.open.span_s < belief.times.early_s or belief.first_look:
            return False
        if belief.breach is not None or belief.traces or belief.doubtful or not same_cover(looks[-1], looks[-2]):
            return False
        possible = belief.possibilities(belief.position)
        if not possible.piece_by_piece:
            return False
        seen = set(looks[0].places).intersection(*(look.places for look in looks[1:]))
        table = belief.open.table()
        return any(
            name in possible.sight
            and table[name].best not in (EMPTY, possible.sight[name], belief.orphans.lying.get(name))
            for name in table.keys() & seen
        )

    def _plain(self, best: Scored[P], ranked: list[Scored[P]]) -> bool:
        rates, hypothesis = self._belief.rates, best.hypothesis
        if not hypothesis.moves or hypothesis.breach is not None or best.sight < rates.place_misfit:
            return False
        open_to_all = all(
            hypothesis.changes.keys() - hypothesis.lying.keys() <= look.places.keys() for look in self._belief.open
        )
        pieces = all(any(label != EMPTY for label in step.values()) for step in hypothesis.steps)
        lasting = all(not step.keys().isdisjoint(hypothesis.changes) for step in hypothesis.steps)
        rival = next((each for each in ranked[1:] if not each.ends_like(best)), None)
        leads = rival is None or best.score - rival.score >= rates.illegal_lead
        return (
            open_to_all
            and pieces
            and lasting
            and leads
            and self._all_that_moves(hypothesis)
            and not self._hidden_before(hypothesis)
        )

    def _all_that_moves(self, seen: Hypothesis[P]) -> bool:
        """Whether the newest looks show nothing more: what is laid with it belongs to it."""
        belief = self._belief
        possible, newest = belief.possibilities(belief.position), belief.open.tail().table()
        return fit(newest, possible) + change(newest, possible, seen) >= belief.rates.place_misfit

    def _hidden_before(self, seen: Hypothesis[P]) -> bool:
        """Whether another move may have been made before, where nobody looks: under a hand, or a thing."""
        belief, looks = self._belief, list(self._belief.open)
        if not belief.room:
            return False
        possible = belief.possibilities(belief.position)
        hidden = possible.sight.keys() - {name for look in looks for name in look.places} - looks[-1].blind
        return any(could_follow(belief.game, each.position, seen.moves) for each in possible.unseen(hidden))


def same_cover(look: Look, before: Look) -> bool:
    """Whether what lies over the board lies still; single places flicker at its edge."""
    return len(look.covered ^ before.covered) <= 1
