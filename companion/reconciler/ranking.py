"""All that could have happened since the last belief, ranked by how well it explains the evidence."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Generic

from companion.games.game import P
from companion.reconciler.belief import Belief
from companion.reconciler.hypotheses import Hypothesis
from companion.reconciler.lines import Line
from companion.reconciler.looks import Table, change
from companion.reconciler.weighing import Scored, Weighing

MOST_JUDGED = 16
"""Lines that are compared with the looks; the others are a thousand times less likely."""

MOST_WITH_BREACH = 4
"""Lines that are compared with a move and a breach after it, a thousand pairs each."""

MOST_AT_ONCE = 2
"""Pushes that are weighed against all breaches of the rules at once; a breach is two pushes at most."""

WORTH_ORDERING = 20.0
"""Two looks on the way can outweigh that one move is so much likelier than two that look the same."""

FROM_ROOT = -6.0
"""What it costs to leave aside all that the beams told, once the belief has branched: one in four hundred."""


class Ranking(Generic[P]):
    """Ranks the hypotheses of a belief."""

    def __init__(self, belief: Belief[P]) -> None:
        self._belief = belief

    def shows_belief(self) -> bool:
        """Every place says what is believed best, and no beam says otherwise: by far the most looks."""
        belief = self._belief
        untold = len(belief.lines[0].moves) > len(belief.told)
        last = belief.window.last
        if belief.doubtful or untold or belief.traces or belief.breach is not None or last is None:
            return False
        sight, lying = belief.possibilities(belief.position).sight, belief.orphans.lying
        table = belief.window.table()
        return len(table) >= len(sight) - len(last.blind) and all(
            place.best in (sight[name], lying.get(name)) for name, place in table.items() if name in sight
        )

    def cut_to_tail(self) -> None:
        """Where the newest looks show clearly something else than the window, a change came without a hand."""
        belief = self._belief
        if len(belief.window) < 3:
            return
        tail = belief.window.tail()
        if len(tail) == len(belief.window):
            return
        then, now = belief.window.table(), tail.table()
        possible = belief.possibilities(belief.position)
        hypotheses = {h.name: h for h in (*possible.usual(then), *possible.usual(now))}.values()
        whole = max(hypotheses, key=lambda h: change(then, possible, h) + h.prior)
        best = max(hypotheses, key=lambda h: change(now, possible, h) + h.prior)
        if best is whole:
            return

        def fits(hypothesis: Hypothesis[P]) -> float:
            return change(now, possible, hypothesis) + hypothesis.prior

        if fits(best) - fits(whole) > belief.rates.commit_lead:
            belief.window.start_at(next(iter(tail)).t_s)
            belief.active = True

    def ranked(self, table: Table, now_s: float) -> list[Scored[P]]:
        """All hypotheses, best first; more than two moves only where less does not explain the looks."""
        belief, rates = self._belief, self._belief.rates
        lines = belief.lines[:MOST_JUDGED]
        if lines[0].moves:
            lines = (*lines, Line(belief.root, FROM_ROOT))
        weighing = self._weighing(table, now_s)
        scored: list[Scored[P]] = []
        for line in lines:
            possible = belief.possibilities(line.position)
            scored += weighing.weigh(line, possible, possible.usual(table))
        best = max(scored, key=score_of).score
        a_breach = any(each.hypothesis.breach and each.score > best - rates.illegal_lead for each in scored)
        if a_breach and belief.breach is None:
            for line in lines[:MOST_WITH_BREACH]:
                possible = belief.possibilities(line.position)
                scored += weighing.weigh(line, possible, possible.move_then_breach(table))
        entered = sum(item.trace.kind == "entered" for item in belief.traces)
        now_best = max(scored, key=score_of)
        accused = now_best.hypothesis.breach is not None and belief.breach is None
        twice = belief.possibilities(lines[0].position).touched_twice(table)
        if accused or now_best.sight < rates.place_misfit or entered > MOST_AT_ONCE or twice:
            for line in lines[:2]:
                possible = belief.possibilities(line.position)
                scored += weighing.weigh(line, possible, possible.longer(table))
        return sorted(self._in_order(scored), key=score_of, reverse=True)

    def _in_order(self, scored: list[Scored[P]]) -> Iterator[Scored[P]]:
        """What leads, weighed by whether the looks on the way show its happenings in that order."""
        near = max(map(score_of, scored)) - WORTH_ORDERING
        alike: dict[Hashable, list[Scored[P]]] = {}
        for each in scored:
            if each.score > near and each.hypothesis.breach is None and not each.line.moves:
                alike.setdefault(frozenset(each.hypothesis.changes.items()), []).append(each)
            else:
                yield each
        for same in alike.values():
            possible = self._belief.possibilities(same[0].line.position)
            for each, fits in zip(same, possible.in_order([one.hypothesis for one in same]), strict=True):
                yield replace(each, score=each.score + fits)

    def _weighing(self, table: Table, now_s: float) -> Weighing[P]:
        belief = self._belief
        return Weighing(
            game=belief.game,
            rates=belief.rates,
            window=belief.window,
            table=table,
            traces=belief.traces,
            silence=belief.silence,
            knob=belief.knob.seen(now_s),
            occupied=belief.occupied,
            active=belief.active,
            hands_again=belief.hands_again,
            breach=belief.breach,
        )


def score_of(each: Scored[P]) -> float:
    return each.score
