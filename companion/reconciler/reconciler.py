"""From evidence to belief: what happened at the table since the last certain position.

With open eyes (a camera that sees the board) a settled scene decides: two looks about a second apart that agree, and a
reading that leads all others by a clear margin. Sensors then help to weigh, and hold up nothing.

Without eyes each push that the beams tell makes the belief branch: plain marble or Joker, and before the first move
whose. Every branch that is still likely is carried along (`lines`). A move is told at once where the branches agree;
where only the kind of marble is open it is told as the likeliest with the `others`, after waiting, where the knob
could still tell, for the knob or the next push; where even the player is open it is held back until that is known.
What later evidence shows to have been otherwise is told as `replaced`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Generic

from companion.evidence import (
    DeviceChanged,
    DeviceState,
    Evidence,
    KnobAt,
    MarbleEntered,
    MarbleLeft,
    Sight,
    SlotsOccupied,
)
from companion.games.game import Breach, Label, P, TableGame, Trace
from companion.reconciler.branching import Branching
from companion.reconciler.hypotheses import Hypothesis, Possible, after_forced
from companion.reconciler.knob import KnobWatch
from companion.reconciler.lines import Line, found_moves, pruned
from companion.reconciler.looks import Look, LookWindow, Table, change
from companion.reconciler.rates import RATES, TIMES, Rates, Times
from companion.reconciler.traces import Traced, pushes, without
from companion.reconciler.verdicts import (
    Ambiguous,
    FoundMove,
    IllegalFound,
    MovesFound,
    Nothing,
    Restored,
    Unexplained,
    Verdict,
)
from companion.reconciler.weighing import Scored, Weighing, looks_like
from vision.reading import READABLE

GAME_START_S = float("-inf")

MOST_JUDGED = 16
"""Lines that are compared with the looks; the others are a thousand times less likely."""

MOST_WITH_BREACH = 4
"""Lines that are compared with a move and a breach after it, a thousand pairs each."""

MOST_AT_ONCE = 2
"""Pushes that are weighed against all breaches of the rules at once; a breach is two pushes at most."""

FROM_ROOT = -6.0
"""What it costs to leave aside all that the beams told, once the belief has branched: one in four hundred."""

MOST_CHOICES = 6
"""More than a person reads through."""


class Reconciler(Generic[P]):
    """Holds what is believed. Time comes in with the evidence and with `conclude`.

    Args:
        game: the rules.
        position: what stands on the board at the start.
        gap_settles: whether a single clear look followed by a long gap settles a scene, as in recordings of a few
            pictures a turn. A live camera that falls silent settles nothing.
    """

    def __init__(
        self,
        game: TableGame[P],
        position: P,
        *,
        gap_settles: bool = False,
        rates: Rates = RATES,
        times: Times = TIMES,
    ) -> None:
        self._game = game
        self._gap_settles = gap_settles
        self._rates = rates
        self._times = times
        self.knob = KnobWatch()
        self._window = LookWindow(rates, times)
        self._traces: list[Traced] = []
        self._hands_gone = False
        self._hands_again = False
        self._occupied: SlotsOccupied | None = None
        self._active = True
        self._still_since_s: float | None = None
        self._last_look_s: float | None = None
        self._last_seen_s: float | None = None
        self._camera_well = True
        self._beams: dict[str, bool] = {}
        self._ill_s: dict[str, float] = {}
        self._possible: dict[P, Possible[P]] = {}
        self._branching = Branching(game, rates, self._possibilities)
        self._asked: tuple[tuple[str, ...], ...] = ()
        self._level_since_s: float | None = None
        self.reset(position)

    # What is believed

    def reset(self, position: P, breach: Breach | None = None) -> None:
        """A new game, an answer or a correction: this position is certain, and the board is looked at anew."""
        self._root = after_forced(self._game, position)
        self._lines: tuple[Line[P], ...] = (Line(self._root),)
        self._told: tuple[FoundMove, ...] = ()
        self._breach = breach
        self._level_since_s = None
        self._traces.clear()
        self._window.clear()
        self._active = True
        self._asked = ()
        self._level_since_s = None
        self._pushed_s = GAME_START_S
        self._possible = {}
        self._concluded: object = None
        self._judge_again_s = GAME_START_S

    @property
    def position(self) -> P:
        """The likeliest position."""
        return self._lines[0].position

    @property
    def lines(self) -> tuple[Line[P], ...]:
        return self._lines

    @property
    def doubtful(self) -> bool:
        return len(self._lines) > 1

    @property
    def told(self) -> int:
        """How many moves were told since the last certain position."""
        return len(self._told)

    def answered(self, turn: int, move: str, now_s: float) -> Verdict | None:
        """A person says that `move` was played at this turn since the last certain position, counted from 0.

        Returns:
            What follows; None where no line has that move there any more.
        """
        lines = [line for line in self._lines if line.moves[turn : turn + 1] == (move,)]
        if not lines:
            return None
        known = (frozenset[str](),)
        self._lines = pruned(
            replace(line, merged=line.merged[:turn] + known + line.merged[turn + 1 :]) for line in lines
        )
        return self._told_of_lines(now_s)

    def dismiss(self) -> None:
        """A person says that nothing happened: the same question is not put again."""
        self._traces.clear()
        self._level_since_s = None

    def look_anew(self) -> None:
        """Nobody watched for a while: anything may have been done to the board meanwhile."""
        self._traces.clear()
        self._window.clear()
        self._active = True

    # What is told by devices

    def take(self, evidence: Evidence) -> None:
        match evidence:
            case Sight():
                self._take_sight(evidence)
            case KnobAt():
                self.knob.take_encoder(evidence)
            case MarbleEntered():
                self._take_trace(evidence.t_s, evidence.device, Trace("entered", evidence.channel))
            case MarbleLeft():
                self._take_trace(evidence.t_s, evidence.device, Trace("left", evidence.channel))
            case SlotsOccupied():
                self._occupied = evidence
            case DeviceChanged():
                self._take_device(evidence)

    def _take_sight(self, sight: Sight) -> None:
        if self._last_look_s is not None and sight.t_s <= self._last_look_s:
            return  # a frame that is late shows the past
        before_s, self._last_look_s = self._last_look_s, sight.t_s
        self._camera_well = True
        self.knob.take_sight(sight)
        if sight.reading.status not in READABLE:
            self._window.clear()
            self._active = True
            return
        self._last_seen_s = sight.t_s
        look = Look.of(sight, self._rates)
        self._hands_again |= self._hands_gone and look.foreign
        self._hands_gone |= not look.foreign
        before = self._window.last
        if before_s is None or sight.t_s - before_s > self._times.unseen_s or look.foreign:
            self._active = True
        if before is not None and (look.foreign != before.foreign or not _same_cover(look, before)):
            self._window.clear()
            before = None
        if before is None:
            self._still_since_s = sight.t_s
        self._window.add(look)

    def _take_trace(self, t_s: float, device: str, trace: Trace) -> None:
        doubtful = t_s - self._ill_s.get(device, GAME_START_S) < self._times.coming_back_s
        if doubtful and self._eyes_open(t_s):
            return  # it may tell now of a push that the camera has seen long since
        self._beams[device] = True
        if self._breach is not None:
            return  # hands that put things right break beams as they like
        long_ago = bool(self._traces) and t_s - self._traces[-1].t_s > self._times.one_hand_s
        self._traces.append(Traced(t_s, trace, self._hands_gone or long_ago, doubtful))
        self._hands_gone = self._hands_again = False
        self._active = True
        self._window.start_at(t_s + self._times.after_beam_s)

    def _take_device(self, change: DeviceChanged) -> None:
        self.knob.take_device(change)
        well = change.state in (DeviceState.OK, DeviceState.BACK)
        if change.state is not DeviceState.OK:
            self._ill_s[change.device] = change.t_s
        if change.device in self._beams:
            self._beams[change.device] = change.state is DeviceState.OK
        elif not well and (change.device == "camera" or change.device.startswith("camera")):
            self._camera_well = False
            self._window.clear()
            self._active = True

    def _eyes_open(self, now_s: float) -> bool:
        if self._last_look_s is None or not self._camera_well:
            return False
        seen_s = self._last_seen_s if self._last_seen_s is not None else GAME_START_S
        silent = now_s - self._last_look_s >= self._times.blind_s and not self._gap_settles
        return self._last_look_s - seen_s < self._times.blind_s and not silent

    # What follows from it

    def conclude(self, now_s: float) -> Verdict:
        """What can be said at `now_s`. Call it after every piece of evidence and whenever time has passed."""
        if all(self._game.outcome(line.position) is not None for line in self._lines) and not self.doubtful:
            return Nothing()
        quiet = bool(self._traces) and now_s - self._traces[-1].t_s >= self._times.quiet_beam_s
        if self._eyes_open(now_s):
            if self._settled(now_s):
                return self._judge(now_s)
            early = pushes(self._traces)[:-MOST_AT_ONCE] if quiet else []
            if early:
                self._branch(now_s, early)  # while something hides the board the beams know what was pushed first
            return Nothing()
        if quiet:
            self._branch(now_s, pushes(self._traces))
        return self._told_of_lines(now_s)

    def finish(self, now_s: float) -> Verdict:
        """The evidence ends here: tell what is likeliest, with its doubts, where moves were held back."""
        verdict = self.conclude(now_s)
        if isinstance(verdict, Nothing) and self._traces and self._breach is None:
            self._branch(now_s, pushes(self._traces))
        if not isinstance(verdict, Nothing) or len(self._told) >= len(self._lines[0].moves):
            return verdict
        return self._tell(found_moves(self._lines, [found.move for found in self._told], self._rates))

    # With eyes

    def _settled(self, now_s: float) -> bool:
        """Nothing moves, no hand is near, and the looks reach far enough."""
        last = self._window.last
        if last is None:
            return False
        still_s = 0.0 if self._still_since_s is None else last.t_s - self._still_since_s
        if last.foreign and still_s < (self._times.object_s if last.covered else self._times.beside_s):
            return False
        if len(self._window) >= 2 and self._window.span_s >= self._times.settle_s:
            return True
        return self._gap_settles and last.clear and now_s - last.t_s >= self._times.gap_s

    def _judge(self, now_s: float) -> Verdict:
        if self._shows_belief():
            return self._nothing(now_s)
        if now_s < self._judge_again_s:
            return Nothing()
        self._judge_again_s = now_s + self._times.judge_s
        self._cut_to_tail()
        if not self._settled(now_s):
            return Nothing()
        ranked = self._ranked(self._window.table(), now_s)
        best = ranked[0]
        if (
            self._breach is not None
            and self._window.span_s < self._times.restoring_s
            and not best.hypothesis.is_nothing
        ):
            return Nothing()
        legal = best if best.hypothesis.breach is None else next(s for s in ranked if s.hypothesis.breach is None)
        if best.hypothesis.breach is not None:
            return self._judge_breach(now_s, best, ranked, legal)
        rivals = [each for each in ranked[1:] if not each.ends_like(best)]
        lead = best.score - rivals[0].score if rivals else float("inf")
        if best.sight < self._rates.misfit * self._window.independent:
            return self._unexplained(now_s)
        if best.sight < self._rates.place_misfit and not best.hypothesis.is_nothing and not self._waited(now_s):
            return Nothing()
        if lead < self._rates.commit_lead and not self._only_accused(now_s, best, rivals):
            return self._level(now_s, best, [best, *rivals])
        if lead < self._rates.illegal_lead and self._unseen(best) and not self._waited(now_s):
            return Nothing()
        if self._far_fetched(best):
            return self._level(now_s, best, [best, replace(best, hypothesis=self._possibilities(self._root).nothing)])
        if best.hypothesis.is_nothing:
            return self._nothing(now_s, best.line)
        return self._commit(best)

    def _shows_belief(self) -> bool:
        """Every place says what is believed best, and no beam says otherwise: by far the most looks."""
        untold = len(self._lines[0].moves) > len(self._told)
        if self.doubtful or untold or self._traces or self._breach is not None:
            return False
        sight = self._possibilities(self.position).sight
        table = self._window.table()
        return len(table) == len(sight) and all(table[name].best == label for name, label in sight.items())

    def _cut_to_tail(self) -> None:
        """Where the newest looks show clearly something else than the window, a change came without a hand."""
        if len(self._window) < 3:
            return
        tail = self._window.tail()
        if len(tail) == len(self._window):
            return
        whole = self._ranked_by_sight(self._window.table())
        now = self._ranked_by_sight(tail.table())
        if now[0][1] is whole[0][1]:
            return
        still = next(score for score, hypothesis in now if hypothesis is whole[0][1])
        if now[0][0] - still > self._rates.commit_lead:
            first = next(iter(tail)).t_s
            self._window.start_at(first)
            self._active = True

    def _ranked_by_sight(self, table: Table) -> list[tuple[float, Hypothesis[P]]]:
        possible = self._possibilities(self.position)
        scored = [(change(table, possible.sight, h.changes) + h.prior, h) for h in possible.usual]
        return sorted(scored, key=lambda pair: -pair[0])

    def _ranked(self, table: Table, now_s: float) -> list[Scored[P]]:
        """All hypotheses, best first; more than two moves only where less does not explain the looks."""
        lines = self._lines[:MOST_JUDGED]
        if lines[0].moves:
            lines = (*lines, Line(self._root, FROM_ROOT))
        weighing = self._weighing(table, now_s)
        scored: list[Scored[P]] = []
        for line in lines:
            possible = self._possibilities(line.position)
            scored += weighing.weigh(line, possible, possible.usual)
        best = max(scored, key=_score).score
        a_breach = any(each.hypothesis.breach and each.score > best - self._rates.illegal_lead for each in scored)
        if a_breach and self._breach is None:
            for line in lines[:MOST_WITH_BREACH]:
                possible = self._possibilities(line.position)
                scored += weighing.weigh(line, possible, possible.move_then_breach)
        entered = sum(item.trace.kind == "entered" for item in self._traces)
        now_best = max(scored, key=_score)
        accused = now_best.hypothesis.breach is not None and self._breach is None
        if accused or now_best.sight < self._rates.place_misfit or entered > MOST_AT_ONCE:
            for line in lines[:2]:
                possible = self._possibilities(line.position)
                scored += weighing.weigh(line, possible, possible.longer(table))
        return sorted(scored, key=_score, reverse=True)

    def _weighing(self, table: Table, now_s: float) -> Weighing[P]:
        return Weighing(
            game=self._game,
            rates=self._rates,
            window=self._window,
            table=table,
            traces=self._traces,
            silence=self._silence,
            knob=self.knob.seen(now_s),
            occupied=self._occupied,
            active=self._active,
            hands_again=self._hands_again,
            breach=self._breach,
        )

    def _judge_breach(self, now_s: float, best: Scored[P], ranked: list[Scored[P]], legal: Scored[P]) -> Verdict:
        breach = best.hypothesis.breach
        if breach is None:
            raise ValueError("_judge_breach() wants a hypothesis with a breach")
        if best.hypothesis.moves:
            return self._move_before(now_s, best, ranked, legal)
        if self._breach is not None and looks_like(breach, self._breach):
            return Nothing()
        enough = self._window.independent >= 3.0 or (self._gap_settles and len(self._window) >= 2)
        if best.score - legal.score < self._rates.illegal_lead:
            return self._level(now_s, legal, [each for each in ranked if each.hypothesis.breach is None])
        if not enough or best.sight < self._rates.place_misfit:
            return Nothing()
        rivals = [each for each in ranked if each.score > best.score - self._rates.commit_lead]
        also = tuple(
            each.hypothesis.breach
            for each in rivals
            if each.hypothesis.breach is not None and each.hypothesis.breach.reason != breach.reason
        )
        self._level_since_s = now_s if self._level_since_s is None else self._level_since_s
        if any(other.changes != breach.changes for other in also) and now_s - self._level_since_s < self._times.ask_s:
            return Nothing()
        self._breach = breach
        self._traces.clear()
        self._asked = ()
        return IllegalFound(breach, also)

    def _move_before(self, now_s: float, best: Scored[P], ranked: list[Scored[P]], legal: Scored[P]) -> Verdict:
        """A move and a breach on top of it: the move is told now, and the breach from the position after it.

        Where a single breach explains the board nearly as well, that is told: it takes less to go wrong.
        """
        moves = best.hypothesis.moves
        if best.sight < self._rates.misfit * self._window.independent:
            return Nothing()
        rival = next((each for each in ranked if each.hypothesis.moves[: len(moves)] != moves), None)
        if rival is None:
            raise ValueError("_move_before() wants all hypotheses, and nothing is one of them")
        single = rival.hypothesis.breach is not None and not rival.hypothesis.moves
        handled = single and not rival.hypothesis.traces  # hands on the board break no beams that could tell
        if best.score - rival.score < (self._rates.illegal_lead if handled else self._rates.commit_lead):
            return self._judge_breach(now_s, rival, ranked, legal) if single else Nothing()
        first = next(h for h in self._possibilities(best.line.position).one_move if h.moves == moves)
        left = without(self._traces, first.traces)
        verdict = self._commit_line(best.line, moves, first.position)
        self._traces = left
        return verdict

    def _nothing(self, now_s: float, line: Line[P] | None = None) -> Verdict:
        """The board shows what is believed: hands and beams since then made no move."""
        self._level_since_s = None
        self._traces = [item for item in self._traces if now_s - item.t_s < self._times.trace_s]
        if not self._traces and self._window.independent >= 3.0:
            self._active = False
        if line is not None and (self.doubtful or line.moves):
            return self._commit_line(line, ())
        self._asked = ()
        if self._breach is not None:
            self._breach = None
            return Restored()
        return Nothing(confirmed=True)

    def _commit(self, best: Scored[P]) -> Verdict:
        return self._commit_line(best.line, best.hypothesis.moves, best.hypothesis.position)

    def _commit_line(self, line: Line[P], moves: tuple[str, ...], position: P | None = None) -> Verdict:
        """This history is certain now: tell what was not told, and take back what was told otherwise."""
        told = self._told
        history = tuple(FoundMove(move) for move in (*line.moves, *moves))
        window, active, last = list(self._window), self._active, self._still_since_s
        self.reset(line.position if position is None else position)
        for look in window:
            self._window.add(look)
        self._active, self._still_since_s = active, last
        kept = _agreeing(told, history)
        if kept == len(told) == len(history):
            return Nothing(confirmed=True)
        return MovesFound(history[kept:], replaced=len(told) - kept)

    def _level(self, now_s: float, best: Scored[P], rivals: list[Scored[P]]) -> Verdict:
        """Two readings lead together: look for a while, then ask."""
        close = [each for each in rivals if best.score - each.score < self._rates.commit_lead]
        if self._level_since_s is None:
            self._level_since_s = now_s
        choices = tuple(
            dict.fromkeys(
                (*each.line.moves, *each.hypothesis.moves) for each in close if each.hypothesis.breach is None
            )
        )[:MOST_CHOICES]
        whether = any(each.hypothesis.is_nothing or each.hypothesis.breach is not None for each in close)
        wait_s = self._times.ask_whether_s if whether else self._times.ask_s
        if now_s - self._level_since_s < wait_s or set(choices) <= set(self._asked) or len(choices) < 2:
            return Nothing()
        self._asked = choices
        return Ambiguous(choices, replaces=len(self._told))

    def _unseen(self, best: Scored[P]) -> bool:
        """Whether something lies over a place that would have changed: then a move is inferred, not seen."""
        seen = {name for look in self._window for name in look.places}
        return not seen.issuperset(best.hypothesis.changes)

    def _far_fetched(self, best: Scored[P]) -> bool:
        """Whether several moves are needed of which beams that work told nothing: a person had better look."""
        entered = sum(item.trace.kind == "entered" for item in self._traces)
        moves = len(best.hypothesis.moves)
        return moves > MOST_AT_ONCE and bool(self._beams) and all(self._beams.values()) and entered < moves - 1

    def _only_accused(self, now_s: float, best: Scored[P], rivals: list[Scored[P]]) -> bool:
        """Whether nothing but a breach is level with a legal reading, and stays so: nobody is accused in doubt."""
        level = [each for each in rivals if best.score - each.score < self._rates.commit_lead]
        if self._level_since_s is None:
            self._level_since_s = now_s
        accused = all(each.hypothesis.breach is not None for each in level)
        return accused and now_s - self._level_since_s >= self._times.ask_s

    def _waited(self, now_s: float) -> bool:
        """Whether one place has contradicted the best reading for so long that it must be misread."""
        if self._level_since_s is None:
            self._level_since_s = now_s
        return now_s - self._level_since_s >= self._times.ask_whether_s

    def _unexplained(self, now_s: float) -> Verdict:
        if self._level_since_s is None:
            self._level_since_s = now_s
        if now_s - self._level_since_s < self._times.ask_whether_s or self._asked == ((),):
            return Nothing()
        self._asked = ((),)
        sight = self._possibilities(self.position).sight
        table = self._window.table()
        return Unexplained({name: Label(table[name].best) for name in table if table[name].best != sight[name]})

    # Without eyes

    def _branch(self, now_s: float, due: list[list[Traced]]) -> None:
        """The beams told of pushes: every line goes on in each way that fits them."""
        knob = self.knob.seen(now_s)
        self._lines = self._branching.grown(self._lines, due, knob, silence=self._silence)
        self._pushed_s = due[-1][-1].t_s
        done = {id(item) for push in due for item in push}
        self._traces = [item for item in self._traces if id(item) not in done]
        self._possible = {p: self._possible[p] for p in (line.position for line in self._lines) if p in self._possible}

    @property
    def _silence(self) -> float:
        """What a beam weighs that should have been broken and says nothing: by whether its device is well."""
        if not self._beams:
            return 0.0
        return self._rates.beam_missed if all(self._beams.values()) else self._rates.beam_silent

    def _told_of_lines(self, now_s: float) -> Verdict:
        """Tell what the lines agree on or what is likeliest, take back what they have turned against, or ask."""
        knob = self.knob.seen(now_s)
        late = now_s - self._pushed_s >= self._times.knob_s
        known = (self._lines, None if knob is None else knob.stop, late)
        if known == self._concluded:
            return Nothing()
        lines = self._branching.weighed(self._lines, knob, late=late)
        view = found_moves(lines, [found.move for found in self._told], self._rates)
        kept = _agreeing(self._told, view)
        may_come = self.knob.verified and not late
        free = self._branching.tellable(lines, view, knob_may_come=may_come)
        tellable = max(free, min(len(self._told), len(view)))
        if tellable > len(self._told) or kept < len(self._told):
            return self._tell(view[:tellable])
        self._concluded = known
        if tellable == len(view):
            return Nothing()
        held = view[tellable]
        choices = tuple((move,) for move in (held.move, *held.others))
        if set(choices) <= set(self._asked):
            return Nothing()
        self._asked = choices
        return Ambiguous(choices)

    def _tell(self, view: tuple[FoundMove, ...]) -> Verdict:
        kept = _agreeing(self._told, view)
        replaced = len(self._told) - kept
        self._told = view
        self._asked = ()
        return MovesFound(view[kept:], replaced)

    def _possibilities(self, position: P) -> Possible[P]:
        if position not in self._possible:
            self._possible[position] = Possible(self._game, position, self._rates)
        return self._possible[position]


def _same_cover(look: Look, before: Look) -> bool:
    """Whether what lies over the board lies still; single places flicker at its edge."""
    return len(look.covered ^ before.covered) <= 1


def _score(each: Scored[P]) -> float:
    return each.score


def _agreeing(told: tuple[FoundMove, ...], view: tuple[FoundMove, ...]) -> int:
    """How many moves from the first on are the same in both, and not more doubtful than told."""
    count = 0
    for one, other in zip(told, view, strict=False):
        if one != other:
            break
        count += 1
    return count
