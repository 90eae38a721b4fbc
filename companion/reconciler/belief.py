"""What is believed since the last certain position, and the evidence since then, for those who conclude from it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Generic

from companion.evidence import SlotsOccupied
from companion.games.game import Breach, Label, P, Place, TableGame
from companion.reconciler.hypotheses import Possible, after_forced
from companion.reconciler.knob import KnobWatch
from companion.reconciler.lines import Line
from companion.reconciler.looks import LookWindow
from companion.reconciler.orphans import OrphanWatch
from companion.reconciler.rates import Rates, Times
from companion.reconciler.touching import possible
from companion.reconciler.traces import Traced
from companion.reconciler.trail import Trail
from companion.reconciler.verdicts import FoundMove, MovesFound, Nothing, Verdict

GAME_START_S = float("-inf")

MOST_TOLD = 12
"""Moves that are thought over again: of so many in a row one shows whose it is."""


@dataclass(frozen=True, slots=True)
class Before(Generic[P]):
    """What was believed before moves that were told.

    Attributes:
        room: for how many moves more than these hands had the time.
        others: other moves that would have left the same board, and were less likely.
    """

    position: P
    moves: tuple[str, ...]
    room: int
    others: tuple[tuple[str, ...], ...] = ()


class Belief(Generic[P]):
    """Attributes:
    root: the last position that was certain; `lines` are the histories since then that could all be true.
    told: the moves of the likeliest that were told.
    breach: what is wrong on the board and was told.
    orphans: the pieces that must leave the board and may still lie there.
    window, traces: the looks since the last disturbance, and the beams broken since the last belief.
    heard_late: beams that a board told of on coming back while a camera saw, until the looks have shown what they were.
    open: the looks of the last moments, with whatever hides parts of the board in them.
    trail: the looks since the last belief.
    visits, hands_s: how often hands have come to the board since the last belief, and for how long.
    history: the moves told since a person put the record right, the newest last.
    none_hidden: whether a person says that no move was made where nobody sees it, until the board shows the belief.
    active: whether hands were near, or could have been unseen.
    first_look: whether no look has shown the board of the start yet; only then may it have been set up wrongly.
    awaited: what the board showed before a person put the record right, until a look shows what the record has.
    asked: the choices that a person was last asked about; `level_since_s`, since when readings are level.
    """

    def __init__(self, game: TableGame[P], position: P, rates: Rates, times: Times, *, gap_settles: bool) -> None:
        self.game = game
        self.rates = rates
        self.times = times
        self.gap_settles = gap_settles
        self.knob = KnobWatch()
        self.orphans = OrphanWatch(rates, times)
        self.window = LookWindow(rates, times, 2.0 if gap_settles else 1.0)
        self.open = LookWindow(rates, times)
        self.trail = Trail(rates, times)
        self.traces: list[Traced] = []
        self.heard_late: list[Traced] = []
        self.hands_gone = False
        self.hands_again = False
        self.occupied: SlotsOccupied | None = None
        self.active = True
        self.still_since_s: float | None = None
        self.beams: dict[str, bool] = {}
        self._possible: dict[P, Possible[P]] = {}
        self.reset(position)

    def reset(self, position: P, breach: Breach | None = None, lying: Mapping[Place, Label] | None = None) -> None:
        """A new game, an answer or a correction: this position is certain, and the board is looked at anew."""
        self.window.clear()
        self.open.clear()
        self.forget_beams()
        self._begin(position, breach, lying)

    def _begin(self, position: P, breach: Breach | None = None, lying: Mapping[Place, Label] | None = None) -> None:
        """This position is certain, and nothing is known since, but for the looks in the windows."""
        self.root = after_forced(self.game, position)
        self.lines: tuple[Line[P], ...] = (Line(self.root),)
        self.told: tuple[FoundMove, ...] = ()
        self.breach = breach
        self.orphans.reset(lying or {})
        self.first_look = False
        self.awaited: Mapping[Place, Label] | None = None
        self.traces.clear()
        self.trail.clear()
        self.active = True
        self.asked: tuple[tuple[str, ...], ...] = ()
        self.level_since_s: float | None = None
        self.pushed_s = GAME_START_S
        self._possible = {}
        self.concluded: object = None
        self.hands_come_for_nothing()
        self.history: tuple[Before[P], ...] = ()
        self.none_hidden = False
        self.judge_again_s = GAME_START_S

    def forget_beams(self) -> None:
        """Whatever beams told until now is explained, or can be no more."""
        self.traces.clear()
        self.heard_late.clear()

    def hands_come_for_nothing(self) -> None:
        """What hands were seen to come for explains that they came."""
        self.visits, self.hands_s = 0, 0.0

    def level_s(self, now_s: float) -> float:
        """For how many seconds readings have been level, or the best of them in doubt; 0 from now on."""
        if self.level_since_s is None:
            self.level_since_s = now_s
        return now_s - self.level_since_s

    @property
    def room(self) -> int:
        """For how many moves that nobody saw hands had the time, beside one that shows."""
        return max(0, self.visits - 1, int(self.hands_s / self.times.two_moves_s))

    @property
    def position(self) -> P:
        """The likeliest position."""
        return self.lines[0].position

    @property
    def place_misfit(self) -> float:
        """`Rates.place_misfit` for this board."""
        return self._allowed(self.rates.place_misfit)

    def misfit(self, looks: float) -> float:
        """`Rates.misfit` for this board, and for so many independent looks."""
        return self._allowed(self.rates.misfit * looks)

    def _allowed(self, least: float) -> float:
        return self.rates.allowed(least, len(self.possibilities(self.position).sight))

    @property
    def doubtful(self) -> bool:
        return len(self.lines) > 1

    @property
    def silence(self) -> float:
        """What a beam weighs that should have been broken and says nothing: by whether its device is well."""
        if not self.beams:
            return 0.0
        return self.rates.beam_missed if all(self.beams.values()) else self.rates.beam_silent

    def possibilities(self, position: P) -> Possible[P]:
        if position not in self._possible:
            self._possible[position] = possible(self.game, position, self.rates, self.orphans.lying, self.trail)
        return self._possible[position]

    def forget_possibilities(self, but: Collection[P] = ()) -> None:
        self._possible = {p: self._possible[p] for p in but if p in self._possible}

    def commit(
        self,
        line: Line[P],
        moves: tuple[FoundMove, ...] = (),
        position: P | None = None,
        lying: Mapping[Place, Label] | None = None,
        since_s: float = GAME_START_S,
        others: tuple[tuple[str, ...], ...] = (),
    ) -> Verdict:
        """This history is certain now: tell what was not told, and take back what was told otherwise.

        Args:
            since_s: looks from then on show the position that is certain now.
            others: see `Before.others`.
        """
        told = self.told
        history = (*(FoundMove(move) for move in line.moves), *moves)
        self.window.start_at(since_s)
        first = next(iter(self.window), None)
        self.open.start_at(first.t_s if first is not None and since_s == GAME_START_S else since_s)
        active, still = self.active, self.still_since_s
        watch, before = self.orphans, self.history
        if moves and not line.moves:
            mine = tuple(each.move for each in moves)
            before = (*before, Before(self.root, mine, self.room, others))[-MOST_TOLD:]
        if line.moves or any(each.overlooked for each in moves):
            before = ()
        due = watch.lying if moves else {}
        kept_lying = watch.kept()
        self._begin(line.position if position is None else position)
        watch.go_on(kept_lying, due, lying or {})
        self.active, self.still_since_s, self.history = active, still, before
        kept = agreeing(told, history)
        if kept == len(told) == len(history):
            return Nothing(confirmed=True)
        return MovesFound(history[kept:], replaced=len(told) - kept)


def agreeing(told: tuple[FoundMove, ...], view: tuple[FoundMove, ...]) -> int:
    """How many moves from the first on are the same in both, and not more doubtful than told."""
    count = 0
    for one, other in zip(told, view, strict=False):
        if one != other:
            break
        count += 1
    return count
