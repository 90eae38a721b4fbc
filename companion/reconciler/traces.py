"""How well the beams that were broken fit the beams that a hypothesis breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, pairwise, permutations

from companion.games.game import Trace
from companion.reconciler.rates import Rates

MOST_ARRANGED = 4
"""Pushes that were missed and are thought of in every order: two dozen at most."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A beam broken at `t_s`; `another_hand` where hands went away since the beam before, `doubtful` where its device
    has only just come back, `missed` where it was while no program listened: when is not known for either."""

    t_s: float
    trace: Trace
    another_hand: bool = False
    doubtful: bool = False
    missed: bool = False
    device: str = ""

    @property
    def late(self) -> bool:
        """Whether it is told after it happened, at one time with all others that are: in which order is not known."""
        return self.doubtful or self.missed


def pushes(traces: Sequence[Traced]) -> list[list[Traced]]:
    """The beams of one push after the other: a near beam, and the far one of the same channel; strays stand alone."""
    groups: list[list[Traced]] = []
    for item in sorted(traces, key=lambda item: item.t_s):
        entered = Trace("entered", item.trace.channel)
        mine = [group for group in groups if [each.trace for each in group] == [entered]]
        if item.trace.kind == "left" and mine:
            mine[-1].append(item)
        else:
            groups.append([item])
    return groups


def orders(due: Sequence[Sequence[Traced]], perhaps: Sequence[Sequence[Traced]] = ()) -> list[list[Sequence[Traced]]]:
    """The orders in which pushes may have been made: as they were felt, but those that were told late in every order.

    Args:
        perhaps: pushes that came before, or were known already: any of them may not be among the new ones.

    Returns:
        Empty where too many were told late to think of.
    """
    late = [push for push in due if any(item.late for item in push)]
    if len(late) + len(perhaps) > MOST_ARRANGED:
        return []
    first = due.index(late[0]) if late else 0
    before, rest = due[:first], [push for push in due[first:] if push not in late]
    channels = {
        tuple(push[0].trace.channel for push in order): order
        for count in range(len(perhaps) + 1)
        for new in combinations(perhaps, count)
        for order in permutations([*new, *late])
    }
    return [[*before, *order, *rest] for order in channels.values()]


def without(seen: Sequence[Traced], explained: Sequence[Trace]) -> list[Traced]:
    """The beams that are left when the first of each explained one is taken away."""
    due = Counter(explained)
    left = []
    for item in seen:
        if due[item.trace] > 0:
            due[item.trace] -= 1
        else:
            left.append(item)
    return left


def told_of(expected: Sequence[Trace], seen: Sequence[Traced]) -> list[Traced]:
    """The beams seen that explain expected ones."""
    extra = {id(item) for item in without(seen, expected)}
    return [item for item in seen if id(item) not in extra]


def trace_fit(
    expected: Sequence[Trace], seen: Sequence[Traced], *, silence: float, rates: Rates, ordered: bool = True
) -> float:
    """Log likelihood of the beams seen.

    Args:
        ordered: whether the order of the pushes means something; a breach of two marbles is one in either order.
        silence: what a beam weighs that should have been broken and says nothing; 0 where no beams are fitted.
    """
    extra = without(seen, expected)
    missed = len(expected) - (len(seen) - len(extra))
    score = sum(rates.beam_doubtful if item.doubtful else rates.beam_spurious for item in extra)
    score += missed * silence
    if not extra and len(seen) > 1 and not any(item.late for item in seen):
        score += _order(expected, seen, ordered=ordered, rates=rates)
    return score


def _order(expected: Sequence[Trace], seen: Sequence[Traced], *, ordered: bool, rates: Rates) -> float:
    """Which end of a channel came first tells the push from the wrong end; which channel came first tells the turns."""
    if ordered and not _in_turn(expected, pushes(seen)):
        return rates.beam_order
    told = [item.trace for item in sorted(seen, key=lambda item: item.t_s)]
    for channel in {trace.channel for trace in expected}:
        mine = [trace for trace in expected if trace.channel == channel]
        theirs = [trace for trace in told if trace.channel == channel]
        if len(mine) == len(theirs) == 2 and mine != theirs:
            return rates.beam_order
    return 0.0


def _in_turn(expected: Sequence[Trace], felt: Sequence[Sequence[Traced]]) -> bool:
    """Whether pushes may have been made in the order expected; of some no beam may have told.

    A far beam alone tells of a push that was made some time before: after a near one it leaves the order open.
    """
    near = [push[0].trace.kind == "entered" for push in felt]
    if any(before and not after for before, after in pairwise(near)):
        return True
    channels = (channel for channel, _ in groupby(trace.channel for trace in expected))
    return all(channel in channels for channel, _ in groupby(push[0].trace.channel for push in felt))
