"""All that could have happened since the last belief, ranked by how well it explains the evidence."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Generic

from companion.games.game import Label, P, Place
from companion.reconciler.belief import Belief
from companion.reconciler.hypotheses import Hypothesis
from companion.reconciler.lines import Line
from companion.reconciler.looks import LookWindow, Table, change
from companion.reconciler.past import WORTH_ORDERING, Past
from companion.reconciler.weighing import Scored, Weighing, score_of

MOST_JUDGED = 16
"""Lines that are compared with the looks; the others are a thousand times less likely."""

MOST_WITH_BREACH = 4
"""Lines that are compared with a move and a breach after it, a thousand pairs each."""

MOST_AT_ONCE = 2
"""Pushes that are weighed against all breaches of the rules at once; a breach is two pushes at most."""

FROM_ROOT = -6.0
"""What it costs to leave aside all that the beams told, once the belief has branched: one in four hundred."""


NOT_FORGOTTEN = 10.0
"""Other moves that would have left the same board are remembered where they were so little less likely."""


def runners_up(ranked: Sequence[Scored[P]]) -> tuple[tuple[str, ...], ...]:
    """Other moves than those of the best reading that leave the same board, likeliest first."""
    best = ranked[0]
    near = [each.hypothesis for each in ranked[1:] if each.score > best.score - NOT_FORGOTTEN]
    same = [each.moves for each in near if each.breach is None and each.changes == best.hypothesis.changes]
    return tuple(moves for moves in dict.fromkeys(same) if moves and moves != best.hypothesis.moves)


class Ranking(Generic[P]):
    """Ranks the hypotheses of a belief."""

    def __init__(self, belief: Belief[P]) -> None:
        self._belief = belief
        self._known: tuple[object, list[Scored[P]]] = (None, [])

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
        if not self._otherwise(now, then, possible.sight):
            return
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

    def _otherwise(self, now: Table, then: Table, sight: Mapping[Place, Label]) -> bool:
        """Whether the newest looks show a place otherwise than all of them clearly do."""
        clear = -self._belief.rates.commit_lead
        return any(
            seen.best != then[name].best or (seen.best != sight[name] and then[name].of(sight[name]) > clear)
            for name, seen in now.items()
            if name in sight
        )

    def ranked(self, window: LookWindow, now_s: float) -> list[Scored[P]]:
        """All hypotheses, best first; more than two moves only where less does not explain the looks.

        Args:
            window: the looks that show how the board is now.
        """
        evidence = self._evidence(window, now_s)
        if self._known[0] != evidence:
            self._known = (evidence, self._rank(window, now_s))
        return self._known[1]

    def _evidence(self, window: LookWindow, now_s: float) -> object:
        """Another thing whenever there is something new to weigh; time alone changes nothing."""
        belief = self._belief
        last = window.last
        looks = (id(window), len(window), None if last is None else last.t_s)
        hands = (belief.active, belief.hands_again, belief.room)
        signs = (tuple(belief.traces), belief.silence, belief.knob.seen(now_s), belief.occupied)
        return looks, hands, signs, belief.lines, belief.breach, tuple(belief.orphans.lying)

    def _rank(self, window: LookWindow, now_s: float) -> list[Scored[P]]:
        belief, rates = self._belief, self._belief.rates
        lines = belief.lines[:MOST_JUDGED]
        if lines[0].moves:
            lines = (*lines, Line(belief.root, FROM_ROOT))
        table = window.table()
        known = self._with_memory(lines, table)
        weighing = self._weighing(table, now_s)
        scored: list[Scored[P]] = []
        for line in lines:
            possible = belief.possibilities(line.position)
            scored += weighing.weigh(line, possible, possible.usual(known))
        best = max(scored, key=score_of)
        near = (each for each in scored if each.score > best.score - rates.illegal_lead)
        accused = belief.breach is None and any(each.hypothesis.breach is not None for each in near)
        if accused or best.sight < belief.place_misfit:
            for line in lines[:MOST_WITH_BREACH]:
                possible = belief.possibilities(line.position)
                scored += weighing.weigh(line, possible, possible.move_then_breach(known))
        past = self._past(window, lines)
        ranked = self._ordered(scored, past)
        if self._needs_more(ranked[0], table, past):
            for line in lines[:2]:
                possible = belief.possibilities(line.position)
                scored += weighing.weigh(line, possible, possible.longer(known, belief.room))
            ranked = self._ordered(scored, past)
            if len(ranked[0].hypothesis.moves) > MOST_AT_ONCE and past is None:
                line, found = ranked[0].line, {each.hypothesis.name for each in ranked}
                possible = belief.possibilities(line.position)
                others = (each for each in possible.reordered(ranked[0].hypothesis) if each.name not in found)
                ranked = self._ordered([*scored, *weighing.weigh(line, possible, others)], past)
        return ranked

    def _needs_more(self, best: Scored[P], table: Table, past: Past[P] | None) -> bool:
        """Whether more than two moves may have been made."""
        belief = self._belief
        entered = sum(item.trace.kind == "entered" for item in belief.traces)
        accused = best.hypothesis.breach is not None and belief.breach is None
        if accused or best.sight < belief.place_misfit or entered > MOST_AT_ONCE:
            return True
        twice = belief.possibilities(belief.position).touched_twice(table)
        return twice or (past is not None and past.leaves_open(best.hypothesis))

    def _piece_by_piece(self, lines: Sequence[Line[P]]) -> bool:
        """Whether what lay at a place before says something of it now; while a breach is put right it does not."""
        belief = self._belief
        alone = len(lines) == 1 and not lines[0].moves and belief.breach is None
        return alone and belief.possibilities(lines[0].position).piece_by_piece

    def _with_memory(self, lines: Sequence[Line[P]], table: Table) -> Table:
        """The table with what was seen last at places that are out of sight now."""
        if not self._piece_by_piece(lines):
            return table
        belief = self._belief
        sight = belief.possibilities(lines[0].position).sight
        remembered = belief.trail.remembered(sight, table.keys())
        return {**remembered, **table} if remembered else table

    def _past(self, window: LookWindow, lines: Sequence[Line[P]]) -> Past[P] | None:
        if not self._piece_by_piece(lines):
            return None
        belief = self._belief
        return Past(belief.possibilities(lines[0].position), belief.trail, window, belief.rates, belief.room)

    def _ordered(self, scored: list[Scored[P]], past: Past[P] | None) -> list[Scored[P]]:
        return sorted(self._in_order(scored), key=score_of, reverse=True) if past is None else past.weighed(scored)

    def _in_order(self, scored: list[Scored[P]]) -> Iterator[Scored[P]]:
        """What leads, weighed by whether the looks on the way show its happenings in that order.

        While a breach is open they show how it is put right.
        """
        near = max(map(score_of, scored)) - WORTH_ORDERING
        alike: dict[Hashable, list[Scored[P]]] = {}
        for each in scored:
            if each.score > near and not each.line.moves and self._belief.breach is None:
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
