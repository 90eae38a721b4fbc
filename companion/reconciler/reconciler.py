"""From evidence to belief: what happened at the table since the last certain position.

With open eyes (a camera that sees the board) a settled scene decides: two looks about a second apart that agree, and a
reading that leads all others by a clear margin (`by_eyes`). Sensors then help to weigh, and hold up nothing.

Without eyes each push that the beams tell makes the belief branch: plain marble or Joker, and before the first move
whose (`by_beams`). Every branch that is still likely is carried along (`lines`). A move is told at once where the
branches agree; where only the kind of marble is open it is told as the likeliest with the `others`, after waiting,
where the knob could still tell, for the knob or the next push; where even the player is open it is held back until
that is known. What later evidence shows to have been otherwise is told as `replaced`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic

from companion.evidence import (
    BeamsCounted,
    DeviceChanged,
    DeviceState,
    Evidence,
    KnobAt,
    MarbleEntered,
    MarbleLeft,
    Sight,
    SlotsOccupied,
)
from companion.games.game import Breach, Label, P, Place, TableGame, Trace
from companion.reconciler.belief import GAME_START_S, Belief
from companion.reconciler.by_beams import ByBeams
from companion.reconciler.by_eyes import ByEyes
from companion.reconciler.early import same_cover
from companion.reconciler.knob import KnobWatch
from companion.reconciler.lines import Line
from companion.reconciler.looks import Look
from companion.reconciler.orphans import OrphanNews, OrphansFewer, OrphansGone
from companion.reconciler.ranking import MOST_AT_ONCE
from companion.reconciler.rates import RATES, TIMES, Rates, Times
from companion.reconciler.traces import Traced, orders, pushes
from companion.reconciler.unshown import Unshown
from companion.reconciler.verdicts import Nothing, Unexplained, Verdict
from vision.reading import READABLE, Status


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
        self._belief = Belief(game, position, rates, times, gap_settles=gap_settles)
        self._by_eyes = ByEyes(self._belief)
        self._by_beams = ByBeams(self._belief)
        self._unshown = Unshown(self._belief)
        self._last_look_s: float | None = None
        self._last_seen_s: float | None = None
        self._hand_s = GAME_START_S
        self._camera_well = True
        self._ill_s: dict[str, float] = {}
        self._ill_since_s: dict[str, float] = {}

    # What is believed

    def reset(
        self,
        position: P,
        breach: Breach | None = None,
        *,
        lying: Mapping[Place, Label] | None = None,
        first_look: bool = False,
        awaited: Mapping[Place, Label] | None = None,
    ) -> None:
        """A new game, an answer or a correction: this position is certain, and the board is looked at anew.

        Args:
            lying: pieces that must leave the board and may still lie there, as they show.
            first_look: whether the board may not have been set up like this yet.
            awaited: what the board showed before a person said otherwise: it may go on to show that for a while.
        """
        self._belief.reset(position, breach, lying)
        self._belief.first_look = first_look
        self._belief.awaited = awaited

    def sees(self, now_s: float) -> bool:
        """Whether a camera sees the board."""
        return self._eyes_open(now_s)

    @property
    def position(self) -> P:
        """The likeliest position."""
        return self._belief.position

    @property
    def lines(self) -> tuple[Line[P], ...]:
        return self._belief.lines

    @property
    def doubtful(self) -> bool:
        return self._belief.doubtful

    @property
    def knob(self) -> KnobWatch:
        return self._belief.knob

    @property
    def told(self) -> int:
        """How many moves were told since the last certain position."""
        return len(self._belief.told)

    @property
    def pending(self) -> tuple[Traced, ...] | None:
        """The beams whose meaning is open; None while moves are believed that were not told."""
        belief = self._belief
        return None if len(belief.lines[0].moves) > len(belief.told) else tuple(belief.traces)

    def answered(self, turn: int, move: str, now_s: float) -> Verdict | None:
        """A person says that `move` was played at this turn; see `ByBeams.answered`."""
        return self._by_beams.answered(turn, move, now_s)

    def dismiss(self) -> None:
        """A person says that nothing happened: the same question is not put again."""
        self._belief.forget_beams()
        self._belief.level_since_s = None
        self._belief.none_hidden = True

    def look_anew(self) -> None:
        """Nobody watched for a while: anything may have been done to the board meanwhile."""
        self._belief.forget_beams()
        self._disturbed()

    # What is told by devices

    def take(self, evidence: Evidence) -> None:
        match evidence:
            case Sight():
                self._take_sight(evidence)
            case KnobAt():
                self._belief.knob.take_encoder(evidence)
            case MarbleEntered():
                self._take_trace(evidence, Trace("entered", evidence.channel))
            case MarbleLeft():
                self._take_trace(evidence, Trace("left", evidence.channel))
            case BeamsCounted():
                if evidence.watched:
                    self._belief.beams[evidence.device] = True
            case SlotsOccupied():
                self._belief.occupied = evidence
            case DeviceChanged():
                self._take_device(evidence)

    def _take_sight(self, sight: Sight) -> None:
        if self._last_look_s is not None and sight.t_s <= self._last_look_s:
            return  # a frame that is late shows the past
        belief, times = self._belief, self._belief.times
        before_s, self._last_look_s = self._last_look_s, sight.t_s
        self._camera_well = True
        belief.knob.take_sight(sight)
        if sight.reading.status is Status.BAD_IMAGE:
            belief.active = True  # a picture that is none says nothing, not even that the board was disturbed
            return
        if sight.reading.status not in READABLE:
            self._disturbed()
            return
        self._last_seen_s = sight.t_s
        look = Look.of(sight, belief.rates)
        belief.orphans.look(look)
        belief.hands_again |= belief.hands_gone and look.foreign
        belief.hands_gone |= not look.foreign
        before = belief.window.last
        if before_s is None or sight.t_s - before_s > times.unseen_s or look.foreign:
            belief.active = True
        if before is not None and (look.foreign != before.foreign or not same_cover(look, before)):
            belief.window.clear()
            before = None
        if before is None:
            belief.still_since_s = sight.t_s
        if look.foreign:
            belief.visits += sight.t_s - self._hand_s > times.visit_s
            belief.hands_s += 0.0 if before_s is None else sight.t_s - before_s
            self._hand_s = sight.t_s
        belief.window.add(look)
        belief.open.add(look)
        belief.open.start_at(sight.t_s - times.moments_s)
        belief.trail.add(look)

    def _disturbed(self) -> None:
        self._belief.window.clear()
        self._belief.open.clear()
        self._belief.active = True

    def _take_trace(self, passed: MarbleEntered | MarbleLeft, trace: Trace) -> None:
        belief, times = self._belief, self._belief.times
        t_s, device = passed.t_s, passed.device
        doubtful = t_s - self._ill_s.get(device, GAME_START_S) < times.coming_back_s
        if doubtful and (self._eyes_open(t_s) or self._seen_while_ill(device)):
            # it may tell now of a push that the camera has seen long since, or of one that it is about to see
            if belief.breach is None:
                belief.heard_late.append(Traced(t_s, trace, another_hand=True, missed=True, device=device))
            return
        belief.beams[device] = True
        if belief.breach is not None:
            return  # hands that put things right break beams as they like
        long_ago = bool(belief.traces) and t_s - belief.traces[-1].t_s > times.one_hand_s
        another_hand = belief.hands_gone or long_ago or passed.missed
        belief.traces.append(Traced(t_s, trace, another_hand, doubtful, passed.missed, device))
        belief.hands_gone = belief.hands_again = False
        belief.active = True
        belief.window.start_at(t_s + times.after_beam_s)

    def _take_device(self, change: DeviceChanged) -> None:
        belief = self._belief
        belief.knob.take_device(change)
        self._unshown.take_device(change)
        well = change.state in (DeviceState.OK, DeviceState.BACK)
        if change.state is not DeviceState.OK:
            self._ill_s[change.device] = change.t_s
        if change.state is DeviceState.OK:
            self._ill_since_s.pop(change.device, None)
        elif not well:
            self._ill_since_s.setdefault(change.device, change.t_s)
        if change.device in belief.beams:
            belief.beams[change.device] = change.state is DeviceState.OK
        elif not well and (change.device == "camera" or change.device.startswith("camera")):
            self._camera_well = False
            self._disturbed()

    def _seen_while_ill(self, device: str) -> bool:
        """Whether a camera saw the board at any time since this device fell ill."""
        since_s = self._ill_since_s.get(device)
        return since_s is not None and self._last_seen_s is not None and self._last_seen_s > since_s

    def _eyes_open(self, now_s: float) -> bool:
        if self._last_look_s is None or not self._camera_well:
            return False
        blind_s = self._belief.times.blind_s
        seen_s = self._last_seen_s if self._last_seen_s is not None else GAME_START_S
        silent = now_s - self._last_look_s >= blind_s and not self._belief.gap_settles
        return self._last_look_s - seen_s < blind_s and not silent

    # What follows from it

    def conclude(self, now_s: float) -> Verdict:
        """What can be said at `now_s`. Call it after every piece of evidence and whenever time has passed."""
        if self._over:
            return Nothing()
        before = self.position
        if self._eyes_open(now_s) and self._belief.breach is None:
            self._unshown.take_up()
        verdict = self._concluded(now_s)
        self._unshown.note(now_s, before, verdict)
        return verdict

    def _concluded(self, now_s: float) -> Verdict:
        belief = self._belief
        quiet = bool(belief.traces) and now_s - belief.traces[-1].t_s >= belief.times.quiet_beam_s
        if self._eyes_open(now_s):
            if self._by_eyes.settled(now_s):
                return self._by_eyes.judge(now_s)
            late = any(item.late for item in (*belief.traces, *belief.heard_late))
            early = pushes(belief.traces)[:-MOST_AT_ONCE] if quiet and not late else []
            if early:
                self._by_beams.branch(now_s, early)  # while something hides the board beams know what came first
            return self._by_eyes.early(now_s)
        if self._asked_by_eyes(now_s):
            return Nothing()
        if quiet and not self._opening(now_s):
            due = pushes(belief.traces)
            if not orders(due, pushes(belief.heard_late)):
                belief.forget_beams()
                return Unexplained({})
            self._by_beams.branch(now_s, due)
        return self._by_beams.told_of_lines(now_s)

    def _asked_by_eyes(self, now_s: float) -> bool:
        """Whether looks that are not old left a question open: what beams tell of it afterwards is the lesser part."""
        asked, seen_s = self._belief.asked, self._last_seen_s
        return bool(asked) and seen_s is not None and now_s - seen_s < self._belief.times.blind_s

    def _opening(self, now_s: float) -> bool:
        """Whether a camera, which takes longer to open than a board, may still show what was pushed unheard."""
        missed_s = next((item.t_s for item in self._belief.traces if item.missed), None)
        return self._last_seen_s is None and missed_s is not None and now_s - missed_s < self._belief.times.blind_s

    def orphan_news(self, now_s: float) -> list[OrphanNews]:
        """What is to be said of the pieces that must leave the board. Call it after `conclude`."""
        if self._over or not self._eyes_open(now_s) or not self._by_eyes.settled(now_s):
            return []
        news = self._belief.orphans.news(self._belief.window)
        if any(isinstance(each, OrphansGone | OrphansFewer) for each in news):
            self._belief.hands_come_for_nothing()
        return news

    @property
    def _over(self) -> bool:
        """Whether the game has ended: hands may then clear up as they like."""
        belief = self._belief
        return not belief.doubtful and all(belief.game.outcome(line.position) is not None for line in belief.lines)

    def finish(self, now_s: float) -> Verdict:
        """The evidence ends here: tell what is likeliest, with its doubts, where moves were held back."""
        belief = self._belief
        verdict = self.conclude(now_s)
        due = pushes(belief.traces)
        told_apart = bool(due) and bool(orders(due, pushes(belief.heard_late)))
        if isinstance(verdict, Nothing) and told_apart and belief.breach is None:
            self._by_beams.branch(now_s, due)
        if not isinstance(verdict, Nothing):
            return verdict
        if len(belief.told) >= len(belief.lines[0].moves):
            return Nothing() if self._over else self._by_eyes.likeliest(now_s)
        return self._by_beams.likeliest()
