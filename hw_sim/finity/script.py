"""The people of a simulated game of Finity: they think, play, take orphans off and put right what they are told."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.games.finity.rules import Finity
from companion.games.game import Illegal, Played
from hw_sim.finity.breaches import FinityBreachKind
from hw_sim.finity.breaking import Breaking
from hw_sim.finity.deeds import deed_of, spelt
from hw_sim.finity.happenings import Happening, MoveMade, MoveSettled
from hw_sim.finity.looks import orphans_of
from hw_sim.finity.orphans import OrphanCare
from hw_sim.finity.places import EMPTY, POST
from hw_sim.finity.players import FinityHabits
from hw_sim.finity.table import SimFinityTable
from hw_sim.players import Player
from hw_sim.timeline import Act
from hw_sim.waiting import Scoreboard, free_hand

TURN_S = 8.0
"""About how long a turn takes: rates of faults that come with turns count minutes of play."""


class FinityScript:
    """One game, played by people at a table.

    Attributes:
        position: the game's truth, by the rules.
        moves: all moves so far.
        scoreboard: what people see of the referee's record.
        orphans: what becomes of the orphans of each.
        breaking: what people do that they may not.
    """

    def __init__(
        self,
        table: SimFinityTable,
        game: Finity,
        players: Mapping[str, Player],
        habits: FinityHabits,
        breaches: Sequence[FinityBreachKind],
        blind: Sequence[str],
        tell: Callable[[Happening], None],
        rng: random.Random,
    ) -> None:
        self.game = game
        self.position: Any = game.start()
        self.moves: list[str] = []
        self.finished = False
        self.scoreboard = Scoreboard(table.timeline.clock)
        self.orphans = OrphanCare(table, habits, tell, rng)
        self._table = table
        self._players = players
        self._habits = habits
        self._tell = tell
        self._rng = rng
        self.breaking = Breaking(table, game, habits, self.orphans, breaches, blind, tell, self._made, rng)
        self._last = ""
        self._was_quick = False
        self._had_orphans = False

    def play(self) -> Act[None]:
        """The whole game."""
        yield 2.0
        while self.game.outcome(self.position) is None:
            breach = self.breaking.due(self.position, self._last)
            if breach is not None:
                yield from self._think()
                yield from self.breaking.commit(breach, self.position)
            elif not (yield from self._turn()):
                return
        self.finished = True

    def _turn(self) -> Act[bool]:
        """One legal move and its orphans; False where the players stop."""
        before, mover = self.position, str(self.game.to_move(self.position))
        move = self._players[mover].choose(self.game, self.position, self._rng)
        if move is None:
            return False
        move = spelt(self.game, move)
        leading = self.breaking.leading(before)
        if leading and self._rng.random() < 0.5:
            move = self._rng.choice(leading)
        self._was_quick = self._is_quick()
        if not self._was_quick:
            yield from self._think()
            yield from self._fidget(mover)
        yield from self._make(mover, move)
        self._had_orphans = bool(self.orphans.lying)
        if self._had_orphans:
            wrong = self.breaking.with_orphans(self.position, before, move, self._last)
            yield from (self.orphans.see_to() if wrong is None else wrong)
        return True

    def _is_quick(self) -> bool:
        """Two moves may come so close that nobody sees the board between them; three in a row do not."""
        chance = self._rng.random()
        return bool(self.moves) and not (self._was_quick or self._had_orphans) and chance < self._habits.quick_reply

    def _think(self) -> Act[None]:
        yield from self.scoreboard.wait_for(len(self.moves))
        yield self._rng.uniform(*self._habits.think_s)

    def _make(self, mover: str, move: str) -> Act[None]:
        played = self.game.play(self.position, move)
        if isinstance(played, Illegal):
            raise ValueError(f"{mover} wanted to play {move}: {played.detail}")
        deed = deed_of(self.game, self.position, move)
        yield from self._free_hand(mover)
        ply = len(self.moves) + 1
        yield from self._table.person(mover).do(
            (deed,),
            changed=lambda: self._made(played),
            away=lambda: self._tell(MoveSettled(self._table.now_s, ply)),
        )

    def _made(self, played: Played[Any]) -> None:
        self.position = played.after
        self.moves.append(played.move)
        self._last = str(played.by)
        orphans = orphans_of(played)
        if orphans:
            self.orphans.cut_off(orphans, len(self.moves))
        outcome = self.game.outcome(self.position)
        self._tell(MoveMade(self._table.now_s, len(self.moves), str(played.by), played.move, orphans, outcome))

    def _free_hand(self, name: str) -> Act[None]:
        yield from free_hand(self._table.person(name))

    # What hands do that is no move

    def _fidget(self, mover: str) -> Act[None]:
        """Now and then: touch a piece, lift it and put it back, knock a post over, point at something."""
        faults = self._table.faults
        for rate, act in (
            (faults.hold_rate, self._hold),
            (faults.nudge_rate, self._nudge),
            (faults.topple_rate, self._topple),
            (faults.hands_rate / 2, self._point),
        ):
            if self._rng.random() < 1 - math.exp(-rate * TURN_S / 60.0):
                yield from self._free_hand(mover)
                yield from act(mover)
                yield self._rng.uniform(0.5, 1.5)

    def _lying(self) -> list[str]:
        return [name for name, label in self._table.shown().items() if label != EMPTY]

    def _hold(self, mover: str) -> Act[None]:
        """Lift a piece and put it back, or hold one over a place."""
        person = self._table.person(mover)
        if self._rng.random() < 0.5:
            yield from person.lift_and_put_back(self._rng.choice(self._lying()))
            return
        empty = [n for n, label in self._table.shown().items() if label == EMPTY and self._table.places.is_slot(n)]
        place = self._rng.choice(empty)
        yield from person.hold_over(place, self._rng.choice(self._table.places.slot(place).labels))

    def _nudge(self, mover: str) -> Act[None]:
        yield from self._table.person(mover).nudge(self._rng.choice(self._lying()))

    def _topple(self, mover: str) -> Act[None]:
        posts = [name for name in self._lying() if name.endswith(f".{POST}")]
        yield from self._table.person(mover).knock_over(self._rng.choice(posts))

    def _point(self, mover: str) -> Act[None]:
        yield from self._table.person(mover).point_at(self._rng.choice(self._table.places.names))
