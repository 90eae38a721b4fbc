"""What is said of the scene itself: something lies over the board, the board was moved, the calibration is doubtful.

Single looks say nothing here: a look in twenty is wrong, and a hand that passes is no news.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.evidence import Sight
from companion.texts import text
from vision.reading import READABLE, Reading, Status

STEADY_S = 0.5
"""Looks must agree for so long, or be two in a row that lie further apart."""

MOVED_PX = 3.0
"""Half of what a seat's sampled disc can be off before it takes in the seat's rim."""

DOUBTFUL_S = 5.0
"""Light that changes and hands that pass are over by then."""

DOUBTFUL_SHARE = 0.25
"""More unsure places than this with nothing over the board are no accident: one in twenty is usual."""

DOUBTFUL_AGAIN_S = 300.0
"""A calibration that goes on being doubtful is said so every five minutes, not in every look."""


@dataclass(frozen=True, slots=True)
class CoveredNews:
    """Places that are covered now; none where the board is clear again."""

    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MovedNews:
    shift_px: float
    followed: bool


@dataclass(frozen=True, slots=True)
class DoubtfulNews:
    detail: str


SceneNews = CoveredNews | MovedNews | DoubtfulNews


class _Steady:
    """A condition that has held for `needs_s`, in at least two looks."""

    def __init__(self, needs_s: float) -> None:
        self._needs_s = needs_s
        self._since_s: float | None = None

    def holds(self, t_s: float, now: bool) -> bool:
        if not now:
            self._since_s = None
            return False
        if self._since_s is None:
            self._since_s = t_s
            return False
        return t_s - self._since_s >= self._needs_s


class SceneWatch:
    """Watches the looks in the order of time."""

    def __init__(self) -> None:
        self._covered = False
        self._covering = _Steady(STEADY_S)
        self._clearing = _Steady(STEADY_S)
        self._shift_px = 0.0
        self._shifting = _Steady(STEADY_S)
        self._astray = _Steady(STEADY_S)
        self._told_astray = False
        self._doubting = _Steady(DOUBTFUL_S)
        self._absent = _Steady(DOUBTFUL_S)
        self._doubt_told_s: float | None = None
        self._last_s: float | None = None

    @property
    def covered(self) -> bool:
        return self._covered

    def take(self, sight: Sight) -> Iterator[SceneNews]:
        reading, t_s = sight.reading, sight.t_s
        yield from self._cover(t_s, reading)
        yield from self._moves(t_s, reading)
        yield from self._doubts(t_s, reading)

    def _cover(self, t_s: float, reading: Reading) -> Iterator[SceneNews]:
        if reading.status not in READABLE:
            return
        places = tuple(name for name, place in reading.places.items() if place.covered)
        after_gap = self._last_s is not None and t_s - self._last_s >= STEADY_S
        self._last_s = t_s
        covering = self._covering.holds(t_s, bool(places)) or (bool(places) and after_gap)
        clear = self._clearing.holds(t_s, not places) or (not places and after_gap)
        if covering and not self._covered:
            self._covered = True
            yield CoveredNews(places)
        elif clear and self._covered:
            self._covered = False
            yield CoveredNews(())

    def _moves(self, t_s: float, reading: Reading) -> Iterator[SceneNews]:
        if self._astray.holds(t_s, reading.status is Status.MOVED) and not self._told_astray:
            self._told_astray = True
            yield MovedNews(reading.shift_px, followed=False)
        if reading.status not in READABLE:
            return
        self._told_astray = False
        if self._shifting.holds(t_s, abs(reading.shift_px - self._shift_px) > MOVED_PX):
            self._shift_px = reading.shift_px
            yield MovedNews(reading.shift_px, followed=True)

    def _doubts(self, t_s: float, reading: Reading) -> Iterator[SceneNews]:
        gone = self._absent.holds(t_s, reading.status is Status.NO_BOARD)
        unsure = len(reading.unsure) > DOUBTFUL_SHARE * len(reading.places)
        doubtful = self._doubting.holds(t_s, reading.status is Status.UNSURE and not reading.foreign and unsure)
        again = self._doubt_told_s is None or t_s - self._doubt_told_s >= DOUBTFUL_AGAIN_S
        if (gone or doubtful) and again:
            self._doubt_told_s = t_s
            why = text(
                "{unsure} of {places} places cannot be told; calibrate again in this light",
                unsure=len(reading.unsure),
                places=len(reading.places),
            )
            yield DoubtfulNews((reading.detail or text("the board is not in the picture")) if gone else why)
