"""Without eyes: what beams and the knob tell of the pushes, told as far as the lines agree."""

from __future__ import annotations

from dataclasses import replace
from typing import Generic

from companion.games.game import P
from companion.reconciler.belief import Belief, agreeing
from companion.reconciler.branching import Branching
from companion.reconciler.lines import found_moves, pruned
from companion.reconciler.traces import Traced, orders, pushes
from companion.reconciler.verdicts import Ambiguous, FoundMove, MovesFound, Nothing, Verdict


class ByBeams(Generic[P]):
    """Lets the belief branch with every push, and tells what follows."""

    def __init__(self, belief: Belief[P]) -> None:
        self._belief = belief
        self._branching = Branching(belief.game, belief.rates, belief.possibilities)

    def branch(self, now_s: float, due: list[list[Traced]]) -> None:
        """The beams told of pushes: every line goes on in each way that fits them."""
        belief = self._belief
        knob = belief.knob.seen(now_s)
        ways = orders(due, pushes(belief.heard_late))
        grown = [self._branching.grown(belief.lines, each, knob, silence=belief.silence) for each in ways]
        belief.lines = grown[0] if len(grown) == 1 else pruned(line for lines in grown for line in lines)
        belief.pushed_s = due[-1][-1].t_s
        belief.heard_late.clear()
        done = {id(item) for push in due for item in push}
        belief.traces = [item for item in belief.traces if id(item) not in done]
        belief.forget_possibilities(but=[line.position for line in belief.lines])

    def told_of_lines(self, now_s: float) -> Verdict:
        """Tell what the lines agree on or what is likeliest, take back what they have turned against, or ask."""
        belief = self._belief
        knob = belief.knob.seen(now_s)
        late = now_s - belief.pushed_s >= belief.times.knob_s
        known = (belief.lines, None if knob is None else knob.stop, late)
        if known == belief.concluded:
            return Nothing()
        lines = self._branching.weighed(belief.lines, knob, late=late)
        view = found_moves(lines, [found.move for found in belief.told], belief.rates)
        kept = agreeing(belief.told, view)
        may_come = belief.knob.verified and not late
        free = self._branching.tellable(lines, view, knob_may_come=may_come)
        tellable = max(free, min(len(belief.told), len(view)))
        if tellable > len(belief.told) or kept < len(belief.told):
            return self._tell(view[:tellable])
        belief.concluded = known
        if tellable == len(view):
            return Nothing()
        held = view[tellable]
        choices = tuple((move,) for move in (held.move, *held.others))
        if set(choices) <= set(belief.asked):
            return Nothing()
        belief.asked = choices
        return Ambiguous(choices)

    def likeliest(self) -> Verdict:
        """The evidence ends here: tell what is likeliest, with its doubts, where moves were held back."""
        belief = self._belief
        return self._tell(found_moves(belief.lines, [found.move for found in belief.told], belief.rates))

    def answered(self, turn: int, move: str, now_s: float) -> Verdict | None:
        """A person says that `move` was played at this turn since the last certain position, counted from 0.

        Returns:
            What follows; None where no line has that move there any more.
        """
        belief = self._belief
        lines = [line for line in belief.lines if line.moves[turn : turn + 1] == (move,)]
        if not lines:
            return None
        known = (frozenset[str](),)
        belief.lines = pruned(
            replace(line, merged=line.merged[:turn] + known + line.merged[turn + 1 :]) for line in lines
        )
        return self.told_of_lines(now_s)

    def _tell(self, view: tuple[FoundMove, ...]) -> Verdict:
        belief = self._belief
        kept = agreeing(belief.told, view)
        replaced = len(belief.told) - kept
        belief.told = view
        belief.asked = ()
        return MovesFound(view[kept:], replaced)
