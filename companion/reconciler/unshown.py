"""Pushes that no look can show: into a channel that is full of one kind a marble of that kind goes, and one comes out.

A board that comes back tells of what the camera has seen long since, so looks decide what of it is news. Of these
pushes they cannot: what such a board tells of one that was not told meanwhile is weighed, doubtful as it is.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import replace
from typing import Generic

from companion.evidence import DeviceChanged, DeviceState
from companion.games.game import Illegal, P, Trace
from companion.reconciler.belief import Belief
from companion.reconciler.hypotheses import after_forced
from companion.reconciler.traces import Traced, pushes
from companion.reconciler.verdicts import MovesFound, Verdict

MOST_TOLD = 32
"""Beams of moves that were told; a board that was ill for longer has been started anew, and tells of none."""
SILENT_S = 2.0
"""A board's silence is told a second after it began, and a move a second or two after it was made."""


class Unshown(Generic[P]):
    """Knows what was told while a board was ill, and takes up what it tells afterwards and nothing else could show."""

    def __init__(self, belief: Belief[P]) -> None:
        self._belief = belief
        self._ill: set[str] = set()
        self._fell_ill_s: dict[str, float] = {}
        self._told: deque[tuple[float, Trace]] = deque(maxlen=MOST_TOLD)

    def take_device(self, change: DeviceChanged) -> None:
        if change.state in (DeviceState.OK, DeviceState.BACK):
            self._ill.discard(change.device)
        elif change.device not in self._ill:
            self._ill.add(change.device)
            self._fell_ill_s[change.device] = change.t_s

    def note(self, now_s: float, before: P, verdict: Verdict) -> None:
        """Note what was told from this position on."""
        if not isinstance(verdict, MovesFound) or verdict.replaced:
            return
        game, position = self._belief.game, before
        for found in verdict.moves:
            self._told.extend((now_s, trace) for trace in game.traces(position, found.move))
            played = game.play(position, found.move)
            if isinstance(played, Illegal):
                return
            position = after_forced(game, played.after)

    def take_up(self) -> None:
        """Let beams told late count where they are of a push that the looks cannot show, and that was not told."""
        belief = self._belief
        for push in pushes(belief.heard_late):
            if not self._was_told(push) and self._changes_nothing(push):
                belief.heard_late = [item for item in belief.heard_late if all(item is not each for each in push)]
                belief.traces += [replace(item, doubtful=True, missed=False) for item in push]
                belief.active = True

    def _was_told(self, push: list[Traced]) -> bool:
        since_s = self._fell_ill_s.get(push[0].device, float("-inf")) - SILENT_S
        told = Counter(trace for t_s, trace in self._told if t_s >= since_s)
        return all(told[item.trace] for item in push)

    def _changes_nothing(self, push: list[Traced]) -> bool:
        """Whether a move of whoever is next breaks these beams and leaves the board as it looks."""
        game, position = self._belief.game, self._belief.position
        beams, sight = [item.trace for item in push], game.sight(position)
        for move in game.legal_moves(position):
            if [*game.traces(position, move)] == beams:
                played = game.play(position, move)
                if not isinstance(played, Illegal) and game.sight(played.after) == sight:
                    return True
        return False
