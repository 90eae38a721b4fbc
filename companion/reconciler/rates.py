"""How often devices err and people do what: the numbers behind every decision, each with its reason.

Everything here is a natural logarithm of a probability unless its name ends in a unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log


@dataclass(frozen=True, slots=True)
class Rates:
    """Attributes:
    sure_floor: a place told as sure is still wrong once in a hundred looks; no single place may weigh more.
    unsure_floor: a doubtful place is wrong once in twenty.
    place_cap: a reading that stays wrong (glare, a scratched seat) is wrong in every look; however many looks agree,
        one place weighs no more than once in a hundred million.
    beam_missed: a marble off the centre line is missed once in thirty.
    beam_spurious: a finger in a beam once in a hundred turns, in any of eight beams.
    one_hand: two pushes of one player are made by one hand that stays; one time in a hundred it goes and comes back.
    beam_doubtful: a board that comes back tells of pushes that the camera has seen long since, or of none.
    beam_silent: a push that a board told nothing of while it was ill: mostly it is well again before the next push.
    beam_order: two beams told in the wrong order; their times are good to a millisecond.
    knob_lags: a knob that still stands at its old stop says little while its grace time lasts.
    knob_forgotten: the next turn has begun and the knob was not turned: one in ten forget it.
    knob_wrong: it was turned to a stop that does not fit: one in sixty.
    well_differs: for each kind miscounted in the well. Marbles in the groove touch and hide each other: soft.
    well_cap: all of the well together weighs less than one sure place.
    nothing: no move, after a hand or a gap in which one could have been made.
    moves: one and two moves since the last belief, before they are shared among the legal ones.
    more_moves: each one more.
    had_time: hands are about for as long as two moves take once in three turns, and nearly always where there are two.
    same_piece: an answer touches the very piece that was moved before it five times as often as any other.
    no_time: two moves are made in the time of one by one pair of players in ten.
    misfit: a position that explains the looks worse than this, for every look, is not what is there: more than one
        place would have to be misread all the time. For a board of `few` places; see `allowed`.
    breach: one turn in two hundred breaks a rule, shared among the breaches of its kind.
    played: people break rules by a marble that they push five times as often as by one that they take off the board.
    strange: of these one in fifty with a piece of another game, which must lie at hand: a piece that is seen twice is
        mostly one that is misread.
    quiet: what a change costs when nothing was near the board in an unbroken row of looks.
    place_misfit: a reading that leaves so much unexplained has one place against it: no breach is told on it, and a
        move only when that place goes on being misread. For a board of `few` places; see `allowed`.
    few: the places of the board for which these two are right: the slots of Infinity.
    commit_lead: twenty to one, for a legal move in a settled scene.
    illegal_lead: a hundred and fifty to one: a player is not accused on a misread place.
    player_open: a move whose player is open by one in ten is held back; below that a correction is the lesser evil.
    doubt: other moves less likely than one in fifty are no doubt.
    """

    sure_floor: float = log(0.01)
    unsure_floor: float = log(0.05)
    place_cap: float = log(1e-8)
    beam_missed: float = log(0.03)
    beam_spurious: float = log(0.01 / 8)
    one_hand: float = log(0.01)
    beam_doubtful: float = log(0.5)
    beam_silent: float = log(0.2)
    beam_order: float = log(0.005)
    knob_lags: float = log(0.6)
    knob_forgotten: float = log(0.1)
    knob_wrong: float = log(0.015)
    well_differs: float = log(0.5)
    well_cap: float = log(0.05)
    nothing: float = log(0.2)
    moves: tuple[float, float] = (log(0.75), log(0.04))
    more_moves: float = log(0.05)
    had_time: float = log(3.0)
    same_piece: float = log(5.0)
    no_time: float = log(0.1)
    breach: float = log(0.005)
    played: float = log(5.0)
    strange: float = log(0.02)
    quiet: float = log(0.003)
    misfit: float = 1.5 * log(0.01)
    place_misfit: float = 1.1 * log(0.01)
    few: int = 16
    commit_lead: float = log(20)
    illegal_lead: float = log(150)
    player_open: float = log(0.1)
    doubt: float = log(0.02)

    def allowed(self, least: float, places: int) -> float:
        """How badly the right reading may fit on a board of so many places, where `least` is that on one of few.

        Any of the places may be the one that is misread all the time: on a board of eight times as many that happens
        eight times as often, and such a misfit is an eighth of the evidence against what is believed.
        """
        return least - log(max(1.0, places / self.few))


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds.

    Attributes:
        settle_s: two looks this far apart that agree settle a scene: pictures are taken "a second apart", give or take
            a frame; a piece that is slid slowly rests on its way for less than half of this.
        independent_s: looks closer than this share their noise, glare and shadows and count as one.
        window_s: looks older than this say nothing of now.
        tail_s: the newest looks, against which the window is checked for a change that no hand announced.
        restoring_s: while something is wrong on the board hands come and go and put it right piece by piece; what
            stands between two of them is no move.
        one_hand_s: a hand takes a second from one push over the well to the next; after twice that it is another turn.
        gap_s: a single clear look counts as settled after so long without another, where `gap_settles` is on.
        unseen_s: a hand can push a marble unseen in a gap between looks that is longer than this.
        beside_s: what is in the picture and covers no place may be a hand about to go on; after so long it is not.
        moments_s, early_s: a move that all looks of the last moments show in the open, over this span, is told while
            hands are still about: twice what settles a board that nothing is near.
        object_s: nobody holds a hand still over the board for so long: what lies there then is a thing.
        after_beam_s: a pushed marble comes to rest; looks that are earlier show it on its way.
        quiet_beam_s: the far beam is broken within this time after the near one.
        ask_s: two readings that stay level for so long are put to a person.
        ask_whether_s: the same where one of them is that nothing happened at all.
        blind_s: a camera that has not seen the board for so long does not hold up the sensors.
        trace_s: a beam that the camera has contradicted for so long was none.
        judge_s: a board that does not show the belief is weighed again after this time; looks come more often.
        coming_back_s: what a board tells in its first report after a silence may have happened long before.
        orphans_s: rings that must go are taken off within this time of open view: one more turn takes as long. Each
            reminder waits twice as long as the one before.
        visit_s: a hand that was away for so long comes for another reason.
        two_moves_s: hands that make one move are over the board for a second or two; in so long they make two.
        accident_s: a post that fell over is put up again, a piece that was lifted is put back; later it was taken.
        knob_s: a score is on the knob within this time, mostly; longer than this a move is not held back for it.
    """

    settle_s: float = 0.8
    independent_s: float = 0.4
    window_s: float = 4.0
    tail_s: float = 0.3
    restoring_s: float = 1.5
    one_hand_s: float = 2.0
    gap_s: float = 1.5
    unseen_s: float = 0.5
    beside_s: float = 1.5
    moments_s: float = 2.1
    early_s: float = 1.6
    object_s: float = 6.0
    after_beam_s: float = 0.3
    quiet_beam_s: float = 0.8
    ask_s: float = 3.0
    ask_whether_s: float = 10.0
    blind_s: float = 10.0
    trace_s: float = 6.0
    orphans_s: float = 12.0
    visit_s: float = 1.0
    two_moves_s: float = 3.0
    accident_s: float = 5.0
    knob_s: float = 8.0
    judge_s: float = 0.1
    coming_back_s: float = 0.1


RATES = Rates()
TIMES = Times()
