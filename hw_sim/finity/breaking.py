"""The people of a simulated game of Finity break rules, are told, and put it right."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.finity.position import Position
from companion.games.finity.rules import Finity
from companion.games.game import Played
from hw_sim.finity.breaches import ORPHAN_KINDS, Breach, FinityBreachKind, possible_breach
from hw_sim.finity.deeds import deed_of
from hw_sim.finity.happenings import BreachEnded, BreachMade, Happening
from hw_sim.finity.looks import LegalLooks
from hw_sim.finity.orphan_breaches import RING_NOT_REMOVED, WRONG_RING_REMOVED, play_on, wrong_rings
from hw_sim.finity.orphans import OrphanCare, places_of
from hw_sim.finity.players import FinityHabits, orphaning_moves
from hw_sim.finity.situation import Situation
from hw_sim.finity.table import SimFinityTable
from hw_sim.timeline import Act
from hw_sim.waiting import SETTLES_S, Complaints, free_hand

LEADS_TO: Mapping[FinityBreachKind, str] = {
    FinityBreachKind.UNDO: "reverse ",
    FinityBreachKind.REFILL_AFTER_REMOVAL: "remove ",
    FinityBreachKind.SIZE_TAKEN: "ring ",
    FinityBreachKind.RING_NOT_REMOVED: "ring ",
    FinityBreachKind.WRONG_RING_REMOVED: "ring ",
}
"""Moves that make a breach possible, at once or later: only who has rings can lose them."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """What the referee said: a reason of the contract, and what the board shows in the position that it goes on from,
    where it says so."""

    reason: str
    sight: Mapping[str, str] | None = None


class Breaking:
    """Commits breaches, each at the first turn where it is possible.

    Args:
        made: called with a legal move that turns out to stand.

    Attributes:
        pending: breaches still to be committed.
        planted: those committed so far.
    """

    def __init__(
        self,
        table: SimFinityTable,
        game: Finity,
        habits: FinityHabits,
        orphans: OrphanCare,
        breaches: Sequence[FinityBreachKind],
        blind: Sequence[str],
        tell: Callable[[Happening], None],
        made: Callable[[Played[Any]], None],
        rng: random.Random,
    ) -> None:
        self.pending = list(breaches)
        self.planted: list[BreachMade] = []
        self._table = table
        self._game = game
        self._habits = habits
        self._orphans = orphans
        self._blind = frozenset(blind)
        self._tell = tell
        self._made = made
        self._rng = rng
        self._complaints = Complaints[Complaint](table.timeline.clock, habits.patience_s, habits.reaction_s, rng)
        self._next_ply = rng.randint(3, 8)

    def complain(self, complaint: Complaint) -> None:
        """People put right what is wrong; they shrug at a complaint without a cause."""
        self._complaints.say(complaint)

    def leading(self, position: Position) -> list[str]:
        """Legal moves that make one of the pending breaches possible; often none."""
        kinds = [kind for kind in self.pending if kind in LEADS_TO]
        if not kinds or position.ply + 1 < self._next_ply:
            return []
        kind, legal = self._rng.choice(kinds), self._game.legal_moves(position)
        orphaning = orphaning_moves(self._game, position, legal) if kind in ORPHAN_KINDS else []
        return orphaning or [move for move in legal if move.startswith(LEADS_TO[kind])]

    def due(self, position: Position, last: str) -> Breach | None:
        """A breach that takes the place of the next move."""
        if position.ply < self._next_ply:
            return None
        at = self._situation(position, last)
        for kind in self.pending:
            breach = None if kind in ORPHAN_KINDS else possible_breach(kind, at)
            if breach is not None:
                self._planted(kind, position)
                return breach
        return None

    def commit(self, breach: Breach, position: Position) -> Act[None]:
        """Break a rule, wait to be told, and put it right; then the game goes on as if nothing had been."""
        yield SETTLES_S  # so that it is told apart from the move before
        yield from self._free_hand(breach.by)
        made = self._breach_made(breach.kind, breach.by, breach.reasons, breach.words, breach.changes)
        yield from self._table.person(breach.by).do(breach.deeds)
        complaint = yield from self._complaints.hear()
        yield from self._put_right(breach.by, self._right_sight(position, complaint))
        yield from self._ended(made, complaint)

    def with_orphans(self, position: Position, before: Position, move: str, last: str) -> Act[None] | None:
        """What people do wrong about the orphans of a move; None where they do it right.

        Args:
            position: after the move, the orphans swept.
            before: before it.
        """
        if position.to_move is None:
            return None
        chance, habits = self._rng.random(), self._habits
        at = self._situation(position, last)
        wrong = FinityBreachKind.WRONG_RING_REMOVED
        if wrong in self.pending or chance < habits.wrong_orphan:
            owner = self._orphans.lying[0][0]
            others = wrong_rings(at, owner, places_of(self._orphans.lying))
            if others:
                self._planted(wrong, position)
                return self._take_wrong_ring(position, owner, self._rng.choice(others))
        left = FinityBreachKind.RING_NOT_REMOVED
        if left in self.pending or habits.wrong_orphan <= chance < habits.wrong_orphan + habits.leaves_orphans:
            following = play_on(at, before, move, places_of(self._orphans.lying))
            if following is not None:
                self._planted(left, position)
                return self._leave_and_play_on(position, following)
        return None

    def _take_wrong_ring(self, position: Position, owner: str, other: str) -> Act[None]:
        yield from self._orphans.wait_to_be_named()
        yield self._rng.uniform(*self._habits.reaction_s)
        yield from self._free_hand(owner)
        lying = self._orphans.lying
        also = {player for player, _, _ in lying} == {owner} and self._rng.random() < 0.5
        words = f"{owner} takes the ring off {other}, {'too' if also else 'and leaves the orphans'}"
        changes = {other: "."} | (dict.fromkeys(places_of(lying), ".") if also else {})
        made = self._breach_made(FinityBreachKind.WRONG_RING_REMOVED, owner, WRONG_RING_REMOVED, words, changes)
        places = self._rng.sample([*changes], len(changes))
        yield from self._table.person(owner).take_off(places, changed=self._orphans.gone if also else lambda: None)
        complaint = yield from self._complaints.hear()
        yield from self._put_right(owner, self._sight(position))
        yield from self._ended(made, complaint)

    def _leave_and_play_on(self, position: Position, move: str) -> Act[None]:
        """The next player moves though orphans lie there. Told, people take the rings off, and sometimes the move."""
        yield from self._orphans.wait_to_be_named()
        yield self._rng.uniform(*self._habits.think_s)
        by = str(self._game.to_move(position))
        yield from self._free_hand(by)
        words = f"{by} plays {move} though orphans lie on the board"
        deed = deed_of(self._game, position, move)
        made = self._breach_made(FinityBreachKind.RING_NOT_REMOVED, by, RING_NOT_REMOVED, words, deed.changes)
        yield from self._table.person(by).do((deed,))
        complaint = yield from self._complaints.hear()
        played = self._game.play(position, move)
        assert isinstance(played, Played)
        wanted, stands = None if complaint is None else complaint.sight, self._sight(played.after)
        if wanted == stands or self._rng.random() < 0.5:
            yield from self._put_right(by, stands)
            self._made(played)
        else:
            yield from self._put_right(by, self._sight(position))
        yield from self._ended(made, complaint)

    def _put_right(self, by: str, sight: Mapping[str, str]) -> Act[None]:
        yield from self._free_hand(by)
        yield from self._table.person(by).arrange(sight)
        self._orphans.gone()

    def _right_sight(self, position: Position, complaint: Complaint | None) -> Mapping[str, str]:
        """What to go back to: the referee's board, where that is one legal move on; else the board before."""
        before = self._sight(position)
        if complaint is None or complaint.sight in (None, before):
            return before
        for move in self._game.legal_moves(position):
            played = self._game.play(position, move)
            if isinstance(played, Played) and (after := self._sight(played.after)) == complaint.sight:
                self._made(played)
                return after
        return before

    def _sight(self, position: Position) -> Mapping[str, str]:
        return {str(place): str(label) for place, label in self._game.sight(position).items()}

    def _situation(self, position: Position, last: str) -> Situation:
        legal = LegalLooks(self._game, position)
        return Situation(self._game, position, self._table.shown(), self._blind, last, self._rng, legal)

    def _planted(self, kind: FinityBreachKind, position: Position) -> None:
        if kind in self.pending:
            self.pending.remove(kind)
        self._next_ply = position.ply + self._rng.randint(1, 4)

    def _breach_made(
        self, kind: FinityBreachKind, by: str, reasons: frozenset[str], words: str, changes: Mapping[str, str]
    ) -> BreachMade:
        self._complaints.forget()
        made = BreachMade(self._table.now_s, kind, by, reasons, words, tuple(changes.items()))
        self.planted.append(made)
        self._tell(made)
        return made

    def _ended(self, made: BreachMade, complaint: Complaint | None) -> Act[None]:
        yield SETTLES_S
        self._complaints.forget()
        self._tell(BreachEnded(self._table.now_s, made.kind, complaint.reason if complaint else None))

    def _free_hand(self, name: str) -> Act[None]:
        yield from free_hand(self._table.person(name))
