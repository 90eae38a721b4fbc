"""Without eyes: the belief branches with every push, and the knob tells the branches apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Generic

from companion.games.game import P, TableGame
from companion.reconciler.hypotheses import Possible
from companion.reconciler.knob import KnobSeen
from companion.reconciler.lines import Line, pruned
from companion.reconciler.rates import Rates
from companion.reconciler.traces import Traced, trace_fit
from companion.reconciler.verdicts import FoundMove

WITH_MISSED_PUSH = 4
"""Lines from which a push that no beam saw is thought of, too; it takes a likely line to be worth it."""


@dataclass(frozen=True, slots=True)
class Branching(Generic[P]):
    """How lines grow and are told apart."""

    game: TableGame[P]
    rates: Rates
    possible: Callable[[P], Possible[P]]

    def grown(
        self, lines: Sequence[Line[P]], due: Iterable[Sequence[Traced]], knob: KnobSeen | None, *, silence: float
    ) -> tuple[Line[P], ...]:
        """Every line goes on in each way that fits the beams, push by push.

        Args:
            due: the beams of one push after the other.
            knob: where it stands now, when it should show what each line's last move scored.
            silence: what a beam weighs that should have been broken and says nothing.
        """
        for push in due:
            longer: list[Line[P]] = []
            for rank, line in enumerate(lines):
                weight = line.weight + self._knob_fit(line, knob, self.rates.knob_forgotten)
                possible = self.possible(line.position)
                unseen = possible.two_moves if rank < WITH_MISSED_PUSH else ()
                for each in (possible.nothing, *possible.one_move, *unseen):
                    beams = trace_fit(each.traces, push, silence=silence, rates=self.rates)
                    longer.append(line.after(each, weight + each.prior + beams))
            lines = pruned(longer)
        return tuple(lines)

    def weighed(self, lines: tuple[Line[P], ...], knob: KnobSeen | None, *, late: bool) -> tuple[Line[P], ...]:
        """The lines, weighed by where the knob stands now; `late` when it should have been turned by now."""
        if knob is None or len(lines) == 1:
            return lines
        lags = self.rates.knob_forgotten if late else self.rates.knob_lags
        return pruned(replace(line, weight=line.weight + self._knob_fit(line, knob, lags)) for line in lines)

    def _knob_fit(self, line: Line[P], knob: KnobSeen | None, lags: float) -> float:
        """How well the knob fits a line; `lags` is what a knob weighs that nobody has turned since the last move."""
        expected = self.game.knob_stop(line.position)
        if knob is None or expected is None or knob.stop == expected:
            return 0.0
        before = None if line.before is None else self.game.knob_stop(line.before)
        return lags if knob.stop == before else self.rates.knob_wrong

    def tellable(self, lines: Sequence[Line[P]], view: Sequence[FoundMove], *, knob_may_come: bool) -> int:
        """How many moves of the view may be told: up to the first whose player is open, or that the knob will tell."""
        for turn, found in enumerate(view):
            last = turn == len(view) - 1
            if found.player_open or (found.others and last and knob_may_come and self._knob_will_tell(lines, turn)):
                return turn
        return len(view)

    def _knob_will_tell(self, lines: Sequence[Line[P]], turn: int) -> bool:
        """Whether the lines that differ in this turn, the last, want the knob at different stops."""
        stops: dict[str, set[int | None]] = {}
        for line in lines:
            if len(line.moves) == turn + 1 and exp(line.weight) > exp(self.rates.doubt):
                stops.setdefault(line.moves[turn], set()).add(self.game.knob_stop(line.position))
        return len(stops) > 1 and len(set(map(frozenset, stops.values()))) > 1
