"""What a simulated game of any kind is to those who let it pass: a row of happenings in time order."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from hw_sim.happenings import GameEnded
from hw_sim.timeline import Act, Doing, Timeline

H = TypeVar("H")
"""What may happen in the game."""
AFTER_S = 4.0
"""The devices go on for so long after the last move, so that the referee can settle it."""


class RunningGame(Generic[H]):
    """Steps a table's timeline and tells what comes of it; a game adds its table, its people and its eyes."""

    def __init__(self, timeline: Timeline, frame_s: float, lost_frames: float, rng: random.Random) -> None:
        self._timeline = timeline
        self._frame_s = frame_s
        self._lost_frames = lost_frames
        self._frames_rng = rng
        self._told: list[H | GameEnded] = []
        self._playing: Doing[None] | None = None
        self._ends_s: float | None = None
        self._over = False

    def begin(self, play: Act[None]) -> None:
        """Let the camera run and the people play."""
        if self._frame_s:
            self._timeline.after(0.0, self._take_frame)
        self._playing = self._timeline.start(play)

    @property
    def next_s(self) -> float | None:
        """When something happens next; None when the game and what follows it are over."""
        return None if self._over else self._timeline.next_s

    @property
    def finished(self) -> bool:
        """Whether the game came to its end by the rules."""
        raise NotImplementedError

    def step(self) -> list[H | GameEnded]:
        """Let the next thing happen, and tell what came of it; often nothing that anybody sees."""
        timeline = self._timeline
        if self._over or timeline.next_s is None:
            return []
        if self._ends_s is not None and timeline.next_s > self._ends_s:
            self._over = True
            timeline.clock.advance_to(self._ends_s)
            return [GameEnded(self._ends_s, self.finished)]
        timeline.step()
        if self._playing is not None and self._playing.done and self._ends_s is None:
            self._ends_s = timeline.now_s + AFTER_S
            timeline.at(self._ends_s + 1e-6, lambda: None)  # so that there is a last step
        told, self._told = self._told, []
        return told

    def run(self) -> Iterator[H | GameEnded]:
        """Everything that happens, in time order; the last is `GameEnded`."""
        while not self._over:
            yield from self.step()

    def stay_on(self) -> None:
        """The game is over, and its devices go on at a table where nobody plays."""
        self._over, self._ends_s = False, float("inf")

    def point_out(self, orphans: Iterable[tuple[str, str, str]]) -> None:
        """The referee names rings that must leave the board; people shrug where the game has none."""

    def remind(self, orphans: Iterable[tuple[str, str, str]]) -> None:
        """The referee says that these rings still lie there."""

    def _tell(self, happening: H) -> None:
        self._told.append(happening)

    def _frame(self) -> H:
        """The picture of this moment."""
        raise NotImplementedError

    def _take_frame(self) -> None:
        if self._frames_rng.random() >= self._lost_frames:
            self._tell(self._frame())
        # Cameras are not quite even; a sixth of the time between frames is more than most waver.
        self._timeline.after(self._frame_s * self._frames_rng.uniform(5 / 6, 7 / 6), self._take_frame)
