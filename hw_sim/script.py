"""The people of a simulated game: they think, play, turn the knob, break rules, and put right what they are told."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.game import Illegal, Played, TableGame
from hw_sim.breaches import KNOB_KINDS, REASONS, Breach, BreachKind, board_text, possible_breach
from hw_sim.happenings import BreachEnded, BreachMade, Happening, KnobTurned, MoveMade
from hw_sim.knob import stop_of
from hw_sim.players import Habits, Player
from hw_sim.table import SimTable
from hw_sim.timeline import Act
from hw_sim.waiting import SETTLES_S, Complaints, Scoreboard, free_hand


@dataclass(frozen=True, slots=True)
class Complaint:
    """What the referee said: a reason of the contract, and the board that it holds to be right, where it says so."""

    reason: str
    board: str | None = None


class Script:
    """One game, played by people at a table.

    Attributes:
        position: the game's truth, by the rules.
        moves: all turns so far, forfeits ("pass") too.
        planted: breaches committed so far.
        scoreboard: what people see of the referee's record.
        pending: breaches still to be committed, each at the first turn where it is possible.
    """

    def __init__(
        self,
        table: SimTable,
        game: TableGame[Any],
        players: tuple[Player, Player],
        habits: Habits,
        breaches: Sequence[BreachKind],
        tell: Callable[[Happening], None],
        rng: random.Random,
    ) -> None:
        self.game = game
        self.position: Any = game.start()
        self.moves: list[str] = []
        self.planted: list[BreachMade] = []
        self.pending = list(breaches)
        self.finished = False
        self.scoreboard = Scoreboard(table.timeline.clock)
        self._table = table
        self._players = dict(zip(("blue", "yellow"), players, strict=True))
        self._habits = habits
        self._tell = tell
        self._rng = rng
        self._complaints = Complaints[Complaint](table.timeline.clock, habits.patience_s, habits.reaction_s, rng)
        self._next_breach_ply = rng.randint(2, 8)
        self._late: str | None = None
        self._was_quick = False
        self._breaking = False
        self._mending = False

    def complain(self, complaint: Complaint) -> None:
        """The referee says what is wrong. People put right what is; they shrug at a complaint without a cause."""
        self._complaints.say(complaint)
        if complaint.reason == "knob_mismatch" and not self._breaking and not self._mending:
            self._mending = True
            self._table.start(self._mend_knob())

    def play(self) -> Act[None]:
        """The whole game."""
        yield 2.0
        while self.game.outcome(self.position) is None:
            forced = self.game.forced(self.position)
            if forced is not None:
                self._made(forced)
                continue
            breach = self._due_breach()
            if breach is not None:
                yield from self._think()
                yield from self._commit(breach)
                continue
            if not (yield from self._turn()):
                return
        self.finished = True
        if self._habits.clear_up:
            yield 3.0
            yield from self._table.person("blue").arrange("....|....|....|....")

    def _turn(self) -> Act[bool]:
        """One legal turn with its knob; False where the players stop."""
        mover = str(self.game.to_move(self.position) or self._rng.choice(self.game.players))
        move = self._players[mover].choose(self.game, self.position, self._rng)
        if move is None:
            return False
        mover = self._owner(move)
        self._was_quick = self._is_quick()
        if not self._was_quick:
            yield from self._think()
            yield from self._fidget(mover)
        yield from self._push(mover, move)
        if self._late is None and self._knob_is_behind():
            yield from self._see_to_knob(mover)
        elif self._late is not None:
            late, self._late = self._late, None
            if self._knob_is_behind():
                yield self._rng.uniform(*self._habits.knob_delay_s)
                yield from self._turn_knob(late, self._score_stop())
        return True

    def _owner(self, move: str) -> str:
        return "blue" if move[0] in "BK" else "yellow"

    def _is_quick(self) -> bool:
        """Two plies may come so close that nobody sees the board between them; three in a row do not."""
        if self._late is not None:
            return True
        chance = self._rng.random()
        return bool(self.moves) and not self._was_quick and chance < self._habits.quick_reply

    def _think(self) -> Act[None]:
        yield from self.scoreboard.wait_for(len(self.moves))
        yield self._rng.uniform(*self._habits.think_s)

    def _fidget(self, mover: str) -> Act[None]:
        """Hold a marble over a seat and take it back, or lift one and put it back."""
        # hold_rate counts a minute of play; a turn takes about 8 s of it
        if self._rng.random() >= 1 - math.exp(-self._table.faults.hold_rate * 8.0 / 60.0):
            return
        person, marbles = self._table.person(mover), self._table.marbles
        if marbles.slots and self._rng.random() < 0.5:
            yield from person.lift_and_put_back(self._rng.choice(sorted(marbles.slots)))
        else:
            seat = self._rng.choice(sorted(self._table.physics.seats))
            yield from person.hold_over_seat(self._rng.choice(marbles.well).kind, seat)
        yield self._rng.uniform(0.5, 1.5)

    def _push(self, mover: str, move: str) -> Act[None]:
        played = self.game.play(self.position, move)
        if isinstance(played, Illegal):
            raise ValueError(f"{mover} wanted to play {move}: {played.detail}")
        yield from self._free_hand(mover)
        person = self._table.person(mover)
        yield from person.push(move[0], int(move[1]), begun=lambda: self._made(played))

    def _free_hand(self, name: str) -> Act[None]:
        yield from free_hand(self._table.person(name))

    def _made(self, played: Played[Any]) -> None:
        before = self._table.marbles.board()
        self.position = played.after
        self.moves.append(played.move)
        outcome = self.game.outcome(self.position)
        score = played.facts.get("score", 0)
        row = "." * 4 if played.forfeit else before.split("|")[int(played.move[1]) - 1]
        self._tell(
            MoveMade(
                t_s=self._table.now_s,
                ply=len(self.moves),
                by=str(played.by),
                move=played.move,
                board=board_text(self.game, self.position),
                score=score if isinstance(score, int) else 0,
                knob_stop=self._score_stop(),
                over=row[-1] if row[-1] != "." else None,
                winner=outcome.winner if outcome else None,
                by_what=outcome.by if outcome else None,
                forfeit=played.forfeit,
            )
        )

    def _score_stop(self) -> int:
        return self.game.knob_stop(self.position) or 0

    def _knob_is_behind(self) -> bool:
        return stop_of(self._table.knob.detents) != self._score_stop()

    def _see_to_knob(self, mover: str) -> Act[None]:
        """The score has changed: the knob is turned, sooner or later, as habits and breaches have it."""
        due = next((kind for kind in self.pending if kind in KNOB_KINDS), None)
        if due is not None and self.game.outcome(self.position) is None:
            yield from self._leave_knob_wrong(due, mover)
            return
        chance, habits = self._rng.random(), self._habits
        if chance < habits.forgets_knob:
            return
        if chance < habits.forgets_knob + habits.wrong_knob:
            yield self._rng.uniform(*habits.knob_delay_s)
            yield from self._turn_knob(mover, self._wrong_stop())
        elif self._rng.random() < habits.late_knob and self._may_be_late():
            self._late = mover
        else:
            yield self._rng.uniform(*habits.knob_delay_s)
            yield from self._turn_knob(mover, self._score_stop())

    def _may_be_late(self) -> bool:
        """Only where a plain turn of the other player follows."""
        over = self.game.outcome(self.position) is not None
        return not (over or self._was_quick or self.pending or self.game.forced(self.position))

    def _wrong_stop(self) -> int:
        right, now = self._score_stop(), stop_of(self._table.knob.detents)
        near = [stop_of(right + off) for off in (-2, -1, 1, 2)]
        return self._rng.choice([stop for stop in near if stop not in (right, now)])

    def _turn_knob(self, name: str, stop: int) -> Act[None]:
        yield from self._free_hand(name)
        self._tell(KnobTurned(self._table.now_s, name, stop))
        yield from self._table.person(name).turn_knob(stop)

    def _mend_knob(self) -> Act[None]:
        """Somebody turns the knob that all had forgotten."""
        yield self._rng.uniform(*self._habits.reaction_s)
        if self._knob_is_behind():
            yield from self._turn_knob(self._rng.choice(self.game.players), self._score_stop())
        self._mending = False

    def _leave_knob_wrong(self, kind: BreachKind, mover: str) -> Act[None]:
        self.pending.remove(kind)
        words = f"{mover} does not turn the knob to {self._score_stop()}"
        made = self._breach_made(kind, mover, words)
        if kind is BreachKind.KNOB_WRONG:
            yield self._rng.uniform(*self._habits.knob_delay_s)
            yield from self._turn_knob(mover, self._wrong_stop())
        complaint = yield from self._complaints.hear()
        yield from self._turn_knob(mover, self._score_stop())
        yield from self._ended(made, complaint)

    def _due_breach(self) -> Breach | None:
        if len(self.moves) < self._next_breach_ply:
            return None
        for kind in self.pending:
            if kind in KNOB_KINDS or self._late is not None:
                continue
            breach = possible_breach(kind, self._table, self.game, self.position, self._rng)
            if breach is not None:
                self.pending.remove(kind)
                self._next_breach_ply = len(self.moves) + self._rng.randint(1, 4)
                return breach
        return None

    def _commit(self, breach: Breach) -> Act[None]:
        """Break a rule, wait to be told, and put it right; then the game goes on as if nothing had been."""
        yield from self._free_hand("blue")
        yield from self._free_hand("yellow")
        made = self._breach_made(breach.kind, breach.by, breach.words)
        yield from breach.perform()
        complaint = yield from self._complaints.hear()
        yield from self._table.person(breach.by).arrange(self._right_board(made, complaint))
        yield from self._ended(made, complaint)
        if self._knob_is_behind():
            yield from self._see_to_knob(breach.by)

    def _right_board(self, made: BreachMade, complaint: Complaint | None) -> str:
        """What to go back to: the referee's board, where that is one move on; else the board before."""
        if complaint is None or complaint.board in (None, made.board):
            return made.board
        for move in self.game.legal_moves(self.position):
            played = self.game.play(self.position, move)
            if isinstance(played, Played) and board_text(self.game, played.after) == complaint.board:
                self._made(played)
                return complaint.board
        return made.board

    def _breach_made(self, kind: BreachKind, by: str, words: str) -> BreachMade:
        self._complaints.forget()
        self._breaking = True
        board = self._table.marbles.board()
        made = BreachMade(self._table.now_s, kind, by, REASONS[kind], board, words)
        self.planted.append(made)
        self._tell(made)
        return made

    def _ended(self, made: BreachMade, complaint: Complaint | None) -> Act[None]:
        yield SETTLES_S
        self._complaints.forget()
        self._breaking = False
        self._tell(BreachEnded(self._table.now_s, made.kind, complaint.reason if complaint else None))
