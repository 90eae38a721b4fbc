"""With open eyes: a settled scene decides, by a reading that leads all others by a clear margin."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Generic

from companion.games.game import Label, P, Place
from companion.reconciler.belief import Belief
from companion.reconciler.early import Early
from companion.reconciler.first_look import FirstLook
from companion.reconciler.hypotheses import Hypothesis
from companion.reconciler.lines import Line
from companion.reconciler.looks import Look
from companion.reconciler.ranking import MOST_AT_ONCE, Ranking, runners_up
from companion.reconciler.traces import trace_fit, without
from companion.reconciler.unseen import Unseen
from companion.reconciler.verdicts import (
    Ambiguous,
    FoundMove,
    IllegalFound,
    Nothing,
    Restored,
    Unexplained,
    Verdict,
)
from companion.reconciler.weighing import Scored, looks_like

MOST_CHOICES = 6
"""More than a person reads through."""


class ByEyes(Generic[P]):
    """Judges what the looks show."""

    def __init__(self, belief: Belief[P]) -> None:
        self._belief = belief
        self._ranking = Ranking(belief)
        self._early = Early(belief, self._ranking)
        self._unseen_before = Unseen(belief)
        self._first = FirstLook(belief)
        self._missing: tuple[Hashable, float] | None = None

    def settled(self, now_s: float) -> bool:
        """Nothing moves, no hand is near, and the looks reach far enough."""
        belief, times = self._belief, self._belief.times
        last = belief.window.last
        if last is None:
            return False
        if last.foreign and self._still_s(last) < (times.object_s if last.covered else times.beside_s):
            return False
        if len(belief.window) >= 2 and belief.window.span_s >= times.settle_s:
            return True
        return belief.gap_settles and last.clear and now_s - last.t_s >= times.gap_s

    def _still_s(self, last: Look) -> float:
        """For how long nothing has moved."""
        since_s = self._belief.still_since_s
        return 0.0 if since_s is None else last.t_s - since_s

    def _being_put_right(self) -> bool:
        """Whether hands may still put right what is wrong, piece by piece: what stands meanwhile is no move."""
        belief, last = self._belief, self._belief.window.last
        if belief.breach is None or last is None:
            return False
        hands = last.foreign and self._still_s(last) < belief.times.object_s
        return hands or belief.window.span_s < belief.times.restoring_s

    def early(self, now_s: float) -> Verdict:
        """What is plain to see before the board has settled."""
        return self._early.judge(now_s)

    def likeliest(self, now_s: float) -> Verdict:
        """The evidence ends: what leads is told without waiting for more, what does not is asked."""
        belief = self._belief
        window = belief.window if len(belief.window) > 1 else belief.open
        told_otherwise = belief.breach is not None or belief.first_look or belief.awaited is not None
        if told_otherwise or len(window) < 2 or self._ranking.shows_belief():
            return self._unseen_before.doubt() or Nothing()
        ranked = self._ranking.ranked(window, now_s)
        best = ranked[0]
        if not best.hypothesis.moves or best.hypothesis.breach is not None or best.sight < belief.place_misfit:
            return self._unseen_before.doubt() or Nothing()
        near = [each for each in ranked if best.score - each.score < belief.rates.commit_lead]
        if all(each.ends_like(best) for each in near):
            return self._commit(ranked)
        choices = tuple(dict.fromkeys((*each.line.moves, *each.hypothesis.moves) for each in near))[:MOST_CHOICES]
        return self._ask(Ambiguous(choices, replaces=len(belief.told)))

    def judge(self, now_s: float) -> Verdict:
        belief = self._belief
        if self._ranking.shows_belief():
            return self._nothing(now_s)
        if now_s < belief.judge_again_s:
            return Nothing()
        long = any(len(choice) > MOST_AT_ONCE for choice in belief.asked)
        waiting = long or (belief.first_look and (belief.awaited is not None or belief.asked == ((),)))
        # What a person is to look at changes slowly, and boards that nothing explains take the longest to weigh.
        belief.judge_again_s = now_s + (belief.times.settle_s if waiting else belief.times.judge_s)
        self._ranking.cut_to_tail()
        if not self.settled(now_s):
            return Nothing()
        if self._first.shows_awaited(0.0):
            return self._first.not_as_at_start(now_s)
        ranked = self._ranking.ranked(belief.window, now_s)
        if belief.none_hidden:
            ranked = [each for each in ranked if not self._half_hidden(each)]
        best = ranked[0]
        if not best.hypothesis.is_nothing and self._first.shows_awaited(best.sight):
            return self._first.not_as_at_start(now_s)
        if self._being_put_right() and not best.hypothesis.is_nothing:
            return Nothing()
        if belief.first_look and self._first.cannot_be_played(best):
            return self._first.not_as_at_start(now_s)
        legal = best if best.hypothesis.breach is None else next(s for s in ranked if s.hypothesis.breach is None)
        if best.hypothesis.breach is not None:
            return self._judge_breach(now_s, best, ranked, legal)
        if best.sight < belief.misfit(belief.window.independent):
            return self._unexplained(now_s)
        if best.sight < belief.place_misfit and not best.hypothesis.is_nothing and not self._waited(now_s):
            return Nothing()
        return self._judge_legal(now_s, ranked)

    def _judge_legal(self, now_s: float, ranked: list[Scored[P]]) -> Verdict:
        """A legal reading is best: tell it where it leads, unless a person had better say so."""
        belief, best = self._belief, ranked[0]
        rivals = [each for each in ranked[1:] if not each.ends_like(best)]
        lead = best.score - rivals[0].score if rivals else float("inf")
        if (seen := self._as_seen(best)) != best.hypothesis.moves:
            question = self._unseen_before.question(seen)
            return self._ask(question) if question else self._level(now_s, best, [best, self._none_of(best), *rivals])
        if lead < belief.rates.commit_lead and not self._only_accused(now_s, best, rivals):
            return self._level(now_s, best, [best, *rivals])
        if lead < belief.rates.illegal_lead and self._unseen(best) and not self._waited(now_s, self._half_hidden(best)):
            return Nothing()
        if lead < belief.rates.illegal_lead and self._half_hidden(best):
            return self._ask(Ambiguous((best.hypothesis.moves, ()), replaces=len(belief.told)))
        if self._far_fetched(best):
            return self._level(now_s, best, [best, self._none_of(best)])
        if best.hypothesis.is_nothing:
            return self._nothing(now_s, best.line)
        return self._commit(ranked)

    def _none_of(self, best: Scored[P]) -> Scored[P]:
        """That nothing of what leads was played, as likely as that."""
        root = self._belief.root
        return replace(best, line=Line(root), hypothesis=self._belief.possibilities(root).nothing)

    def _ask(self, question: Ambiguous) -> Verdict:
        belief = self._belief
        if question.choices == belief.asked:
            return Nothing()
        belief.asked = question.choices
        return question

    def _half_hidden(self, best: Scored[P]) -> bool:
        """Whether a move took a piece to where no camera sees: it may as well have been taken off the board."""
        last = self._belief.window.last
        return last is not None and not last.blind.isdisjoint(best.hypothesis.changes)

    def _commit(self, ranked: list[Scored[P]]) -> Verdict:
        best = ranked[0]
        return self._belief.commit(best.line, *_told_by(best.hypothesis), others=runners_up(ranked))

    def _judge_breach(self, now_s: float, best: Scored[P], ranked: list[Scored[P]], legal: Scored[P]) -> Verdict:
        belief = self._belief
        breach = best.hypothesis.breach
        if breach is None:
            raise ValueError("_judge_breach() wants a hypothesis with a breach")
        if best.hypothesis.moves:
            return self._move_before(now_s, best, ranked, legal)
        if belief.breach is not None and looks_like(breach, belief.breach):
            return Nothing()
        enough = belief.window.independent >= 3.0 or (belief.gap_settles and len(belief.window) >= 2)
        if best.score - legal.score < belief.rates.illegal_lead:
            without_breach = (each for each in ranked if each.hypothesis.breach is None)
            return self._level(now_s, legal, [self._none_of(legal), *without_breach])
        if not enough:
            return Nothing()
        if best.sight < belief.place_misfit:
            return self._unexplained(now_s) if belief.breach is None else Nothing()
        if question := self._unseen_before.question(breach.moves) or self._unseen_before.another_turn(breach):
            return self._ask(question)
        if breach.moves and self._unseen_before.twice():
            if belief.asked == ((),):
                return Nothing()
            belief.asked = ((),)
            return Unexplained(breach.changes)
        if breach.accident and not belief.orphans.lying and not self._lasts(now_s, best.hypothesis):
            return Nothing()
        rivals = [each for each in ranked if each.score > best.score - belief.rates.commit_lead]
        also = tuple(
            each.hypothesis.breach
            for each in rivals
            if each.hypothesis.breach is not None and each.hypothesis.breach.reason != breach.reason
        )
        level_s = belief.level_s(now_s)
        if any(other.changes != breach.changes for other in also) and level_s < belief.times.ask_s:
            return Nothing()
        belief.breach = breach
        belief.forget_beams()
        belief.asked = ()
        return IllegalFound(breach, also)

    def _move_before(self, now_s: float, best: Scored[P], ranked: list[Scored[P]], legal: Scored[P]) -> Verdict:
        """A move and a breach on top of it: the move is told now, and the breach from the position after it.

        Where a single breach explains the board nearly as well, that is told: it takes less to go wrong.
        """
        belief = self._belief
        moves = best.hypothesis.moves
        if best.sight < belief.misfit(belief.window.independent):
            return Nothing()
        seen = self._as_seen(legal) if legal.sight >= belief.place_misfit else legal.hypothesis.moves
        if seen != legal.hypothesis.moves and (question := self._unseen_before.question(seen)):
            return self._ask(question)
        rival = next((each for each in ranked if each.hypothesis.moves[: len(moves)] != moves), None)
        if rival is None:
            raise ValueError("_move_before() wants all hypotheses, and nothing is one of them")
        # hands on the board break no beams that could tell
        handled = rival.hypothesis.breach is not None and not (rival.hypothesis.moves or rival.hypothesis.traces)
        if best.score - rival.score < (belief.rates.illegal_lead if handled else belief.rates.commit_lead):
            single = _at_once(rival, ranked)
            return Nothing() if single is None else self._judge_breach(now_s, single, ranked, legal)
        first = best.hypothesis.first
        if first is None:
            raise ValueError("_move_before() wants a breach on top of a move")
        left = without(belief.traces, first.traces)
        verdict = belief.commit(best.line, *_told_by(first))
        belief.traces = left
        return verdict

    def _nothing(self, now_s: float, line: Line[P] | None = None) -> Verdict:
        """The board shows what is believed: hands and beams since then made no move."""
        belief = self._belief
        belief.level_since_s = self._missing = None
        belief.first_look, belief.awaited = False, None
        if belief.breach is not None or self._all_seen():
            belief.trail.clear()  # what came and went until now was no move
        belief.traces = [item for item in belief.traces if now_s - item.t_s < belief.times.trace_s]
        shown_s = belief.times.after_beam_s + belief.times.settle_s if self._all_seen() else belief.times.trace_s
        belief.heard_late = [item for item in belief.heard_late if now_s - item.t_s < shown_s]
        if not belief.traces and belief.window.independent >= 3.0:
            belief.active = False
        if line is not None and (belief.doubtful or line.moves):
            return belief.commit(line, ())
        belief.asked = ()
        belief.none_hidden = False
        if belief.breach is not None:
            belief.breach = None
            belief.hands_come_for_nothing()
            return Restored()
        return Nothing(confirmed=True)

    def _all_seen(self) -> bool:
        """Whether the looks show every place that this camera can see."""
        belief = self._belief
        seen = {name for look in belief.window for name in look.places}
        blind = next(iter(belief.window)).blind
        return seen.union(blind).issuperset(belief.possibilities(belief.position).sight)

    def _level(self, now_s: float, best: Scored[P], rivals: list[Scored[P]]) -> Verdict:
        """Two readings lead together: look for a while, then ask."""
        belief = self._belief
        close = [each for each in rivals if best.score - each.score < belief.rates.commit_lead]
        level_s = belief.level_s(now_s)
        choices = tuple(
            dict.fromkeys(
                (*each.line.moves, *each.hypothesis.moves) for each in close if each.hypothesis.breach is None
            )
        )[:MOST_CHOICES]
        if any(self._half_hidden(each) for each in close) and () not in choices:
            choices = (*choices, ())  # the piece may as well have been taken off the board
        whether = any(each.hypothesis.is_nothing or each.hypothesis.breach is not None for each in close)
        wait_s = belief.times.ask_whether_s if whether else belief.times.ask_s
        if all(each.hypothesis.changes == best.hypothesis.changes for each in close) and not whether:
            wait_s = 0.0  # only their order is open, and no look to come shows that
        if level_s < wait_s or set(choices) <= set(belief.asked) or len(choices) < 2:
            return Nothing()
        belief.asked = choices
        return Ambiguous(choices, replaces=len(belief.told))

    def _unseen(self, best: Scored[P]) -> bool:
        """Whether something lies over a place that would have changed: then a move is inferred, not seen."""
        belief = self._belief
        seen = {name for look in belief.window for name in look.places}
        return not seen.issuperset(best.hypothesis.changes)

    def _as_seen(self, best: Scored[P]) -> tuple[str, ...]:
        """Its moves that the looks show, in the order in which they show them.

        What differs was thought of to make all of it legal, as a move could be that was made where no camera sees.
        """
        belief, supposed = self._belief, best.hypothesis
        possible = belief.possibilities(best.line.position)
        if not possible.piece_by_piece or len(supposed.moves) < 2:
            return supposed.moves
        clear, before = -belief.rates.commit_lead, possible.at_first
        shown = belief.trail.shown(possible.sight)
        seen = {place for place in shown if belief.trail.unexplained(place, before[place]) < clear}
        seen |= supposed.changes.keys()
        unseen = {move for move, step in zip(supposed.moves, supposed.steps, strict=True) if seen.isdisjoint(step)}
        in_turn = possible.out_of_order(supposed) > -belief.rates.illegal_lead
        ordered = supposed.moves if in_turn else possible.as_seen(supposed)
        return tuple(move for move in ordered if move not in unseen)

    def _far_fetched(self, best: Scored[P]) -> bool:
        """Whether a person had better look: beams that work must have missed a push and felt one too many, or several
        moves are needed of which they told nothing, that they contradict, or for which there was any time because
        nobody watched.

        Where no beams are fitted and as many moves are needed as are thought of, it may have been more.
        """
        belief, rates, felt = self._belief, self._belief.rates, best.hypothesis.traces
        missed = bool(best.line.moves) and best.line.weight < -rates.commit_lead
        if missed and not all(item.doubtful for item in without(belief.traces, felt)):
            return True
        entered = sum(item.trace.kind == "entered" for item in belief.traces)
        moves = len(best.hypothesis.moves)
        if moves <= MOST_AT_ONCE:
            return False
        if belief.first_look and entered != moves:
            return True
        if not belief.beams:
            return moves >= belief.possibilities(belief.position).most_moves(belief.room)
        if trace_fit(felt, belief.traces, silence=0.0, rates=rates) < -rates.illegal_lead:
            return True
        return all(belief.beams.values()) and entered < moves - 1

    def _only_accused(self, now_s: float, best: Scored[P], rivals: list[Scored[P]]) -> bool:
        """Whether nothing but a breach is level with a legal reading, and stays so: nobody is accused in doubt.

        Where a place that is seen would tell them apart there is glare on it, which passes.
        """
        belief = self._belief
        level_s = belief.level_s(now_s)
        level = [each for each in rivals if best.score - each.score < belief.rates.commit_lead]
        accused = all(each.hypothesis.breach is not None for each in level)
        glare = any(self._seen_apart(best.hypothesis, each.hypothesis) for each in level)
        return accused and level_s >= (belief.times.ask_whether_s if glare else belief.times.ask_s)

    def _seen_apart(self, one: Hypothesis[P], other: Hypothesis[P]) -> bool:
        """Whether the looks see a place at which the two leave something else."""
        differ = dict(one.changes.items() ^ other.changes.items())
        return not differ.keys().isdisjoint(self._belief.window.table())

    def _waited(self, now_s: float, ever_hidden: bool = False) -> bool:
        """Whether one place has contradicted the best reading for so long that it must be misread.

        Args:
            ever_hidden: whether waiting longer shows nothing more.
        """
        belief = self._belief
        return belief.level_s(now_s) >= (belief.times.ask_s if ever_hidden else belief.times.ask_whether_s)

    def _unexplained(self, now_s: float) -> Verdict:
        belief = self._belief
        if belief.level_s(now_s) < belief.times.ask_whether_s or belief.asked == ((),):
            return Nothing()
        belief.asked = ((),)
        sight = belief.possibilities(belief.position).sight
        table = belief.window.table()
        return Unexplained({name: Label(table[name].best) for name in table if table[name].best != sight[name]})

    def _lasts(self, now_s: float, hypothesis: Hypothesis[P]) -> bool:
        """Whether the same has been seen for so long that a piece which fell or was lifted would be back."""
        belief = self._belief
        if self._missing is None or self._missing[0] != hypothesis.name:
            self._missing = (hypothesis.name, now_s)
        return now_s - self._missing[1] >= belief.times.accident_s


def _at_once(rival: Scored[P], ranked: list[Scored[P]]) -> Scored[P] | None:
    """The breach by itself that leaves the same board: which of two moves was the first and legal one stays open."""
    if rival.hypothesis.breach is None:
        return None
    alike = (each for each in ranked if each.hypothesis.changes == rival.hypothesis.changes)
    return next((each for each in alike if each.hypothesis.breach is not None and not each.hypothesis.moves), None)


def _told_by(
    hypothesis: Hypothesis[P],
) -> tuple[tuple[FoundMove, ...], P, Mapping[Place, Label]]:
    """What a hypothesis makes certain: its moves, the position after them, and what must leave the board."""
    found = tuple(
        FoundMove(move, overlooked=number in hypothesis.overlooked) for number, move in enumerate(hypothesis.moves)
    )
    return found, hypothesis.position, hypothesis.lying
