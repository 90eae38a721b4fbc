"""All evidence since the last belief, weighed against one hypothesis after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

from companion.evidence import SlotsOccupied
from companion.games.game import Breach, P, TableGame
from companion.reconciler.hypotheses import Hypothesis, Possible
from companion.reconciler.knob import KnobSeen
from companion.reconciler.lines import Line
from companion.reconciler.looks import LookWindow, Table, change, fit
from companion.reconciler.occupancy import occupancy_fit
from companion.reconciler.rates import Rates
from companion.reconciler.traces import Traced, pushes, told_of, trace_fit


@dataclass(frozen=True, slots=True)
class Scored(Generic[P]):
    """A hypothesis from a line, with the log of how well all evidence fits it.

    Attributes:
        sight: the part of the score that the looks make.
    """

    line: Line[P]
    hypothesis: Hypothesis[P]
    score: float
    sight: float

    def ends_like(self, other: Scored[P]) -> bool:
        """Whether both say the same in the end."""
        mine, theirs = self.hypothesis, other.hypothesis
        same_moves = self.line.moves + mine.moves == other.line.moves + theirs.moves
        return same_moves and mine.breach == theirs.breach


@dataclass(frozen=True, slots=True)
class Weighing(Generic[P]):
    """What there is to weigh at one moment.

    Attributes:
        window, table: the looks since the last disturbance, and what they say together.
        traces: the beams broken since the last belief; `silence` is what one weighs that was due and says nothing.
        knob: where the knob stands, None where nobody knows.
        occupied: what switches in the slots say, where fitted.
        active: whether hands were near, or could have been unseen.
        hands_again: whether hands went away and came back since the last beam.
        breach: the breach that is open.
    """

    game: TableGame[P]
    rates: Rates
    window: LookWindow
    table: Table
    traces: Sequence[Traced]
    silence: float
    knob: KnobSeen | None
    occupied: SlotsOccupied | None
    active: bool
    hands_again: bool
    breach: Breach | None

    def weigh(self, line: Line[P], possible: Possible[P], hypotheses: Iterable[Hypothesis[P]]) -> Iterator[Scored[P]]:
        """Score hypotheses from a line; only the places that differ are looked at."""
        base = fit(self.table, possible)
        for hypothesis in hypotheses:
            sight = base + change(self.table, possible, hypothesis)
            score = line.weight + sight + self._prior(hypothesis) + self._signs(hypothesis, line.position)
            score += occupancy_fit(self.occupied, possible, hypothesis, self.rates)
            yield Scored(line, hypothesis, score, sight)

    def _signs(self, hypothesis: Hypothesis[P], before: P) -> float:
        """Beams, hands, knob and well; while a breach is put right hands break beams as they like."""
        score = 0.0
        if self.breach is None:
            ordered = hypothesis.breach is None or bool(hypothesis.moves)
            score += trace_fit(
                hypothesis.traces, self.traces, silence=self.silence, ordered=ordered, rates=self.rates
            ) + self._hands_fit(hypothesis)
        if hypothesis.breach is not None:
            return score + self._well_fit(before)
        return score + self._knob_fit(hypothesis.position, before) + self._well_fit(hypothesis.position)

    def _prior(self, hypothesis: Hypothesis[P]) -> float:
        if self.breach is not None and hypothesis.breach is not None and looks_like(hypothesis.breach, self.breach):
            return self.rates.nothing
        if hypothesis.is_nothing or self.active:
            return hypothesis.prior
        return hypothesis.prior + self.rates.quiet

    def _hands_fit(self, hypothesis: Hypothesis[P]) -> float:
        """Whether one hand pushed twice or two hands pushed: seen by whether hands were away in between."""
        breach = hypothesis.breach
        if breach is None or len(breach.moves) + len(hypothesis.moves) != 2:
            return 0.0
        felt = pushes(told_of(hypothesis.traces, self.traces))
        if not 1 <= len(felt) <= 2:
            return 0.0
        another_hand = felt[1][0].another_hand if len(felt) == 2 else self.hands_again
        by_one = len(breach.moves) == 2
        return self.rates.one_hand if by_one == another_hand else 0.0

    def _knob_fit(self, position: P, before: P) -> float:
        expected = self.game.knob_stop(position)
        if self.knob is None or expected is None or self.knob.stop == expected:
            return 0.0
        still = self.knob.stop == self.game.knob_stop(before)
        return self.rates.knob_lags if still else self.rates.knob_forgotten

    def _well_fit(self, position: P) -> float:
        counts = [look.well for look in self.window if look.well is not None]
        well = self.game.well(position)
        if not counts or well is None:
            return 0.0
        wrong = sum(count.get(label, 0) != number for count in counts for label, number in well.items())
        return max(self.rates.well_cap, self.rates.well_differs * wrong / len(counts))


def looks_like(one: Breach, other: Breach) -> bool:
    """Whether two breaches leave the same board."""
    return one.changes == other.changes


def score_of(each: Scored[P]) -> float:
    return each.score
