"""Pieces that a move asks to be taken off the board (orphaned rings): whether they are gone, late, or forgotten.

lying -> gone                       told when all of them are
lying -> still there after a time   told again and again, at growing intervals
lying -> the next move is made      told as not removed, when a look shows them after it
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.game import Label, Place
from companion.reconciler.looks import Look, LookWindow
from companion.reconciler.rates import Rates, Times

EMPTY = "."

Pieces = Mapping[Place, Label]


@dataclass(frozen=True, slots=True)
class OrphansGone:
    """All pieces that had to leave are off the board."""


@dataclass(frozen=True, slots=True)
class OrphansStay:
    """These still lie there after the time to take them off."""

    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class OrphansLeft:
    """These still lie there, and the next move has been made."""

    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class OrphansFewer:
    """Some are gone, and these still lie there."""

    places: tuple[Place, ...]


OrphanNews = OrphansGone | OrphansStay | OrphansLeft | OrphansFewer


class OrphanWatch:
    """Watches the seats of pieces that must leave the board.

    Attributes:
        lying: those that have not been seen gone, as they show.
    """

    def __init__(self, rates: Rates, times: Times) -> None:
        self._rates = rates
        self._times = times
        self.lying: dict[Place, Label] = {}
        self._late: set[Place] = set()
        self._open_s = 0.0
        self._due_s = times.orphans_s
        self._last: Look | None = None

    def reset(self, lying: Pieces) -> None:
        self.lying = dict(lying)
        self._late = set()
        self._wait_anew()

    def kept(self) -> tuple[dict[Place, Label], set[Place]]:
        return dict(self.lying), set(self._late)

    def go_on(self, kept: tuple[dict[Place, Label], set[Place]], due: Pieces, new: Pieces) -> None:
        """A move was made: what was `due` before it should have been gone, and `new` must go now."""
        lying, late = kept
        self.lying = {**lying, **new}
        self._late = (late | due.keys()) - new.keys()

    def look(self, look: Look) -> None:
        """Time in which the board lay open and no hand was near counts against those who should take them off."""
        before, self._last = self._last, look
        if self.lying and before is not None and not look.foreign and not before.foreign:
            gap_s = look.t_s - before.t_s
            self._open_s += gap_s if gap_s <= self._times.unseen_s * 4 else 0.0  # a longer gap hides hands

    def news(self, window: LookWindow) -> list[OrphanNews]:
        """What the newest looks at a settled board say.

        A ring that is taken for gone and lies there would next be taken for one that was placed: it takes as much to
        say so as to accuse somebody.
        """
        if not self.lying:
            return []
        table = window.tail().table()
        gone, there = set(), set()
        for place, label in self.lying.items():
            seen = table.get(place)
            lead = 0.0 if seen is None else seen.of(Label(EMPTY)) - seen.of(label)
            gone |= {place} if lead > self._rates.illegal_lead else set()
            there |= {place} if lead < -self._rates.commit_lead else set()
        return self._told(gone, there)

    def _told(self, gone: set[Place], there: set[Place]) -> list[OrphanNews]:
        told: list[OrphanNews] = []
        for place in gone:
            del self.lying[place]
            self._late.discard(place)
        if gone:
            told.append(OrphansFewer(tuple(self.lying)) if self.lying else OrphansGone())
        late = tuple(place for place in self.lying if place in self._late & there)
        if late:
            self._late -= set(late)
            told.append(OrphansLeft(late))
        if not self.lying:
            self._wait_anew()
        elif self._open_s >= self._due_s and there:
            self._open_s, self._due_s = 0.0, 2.0 * self._due_s
            told.append(OrphansStay(tuple(place for place in self.lying if place in there)))
        return told

    def _wait_anew(self) -> None:
        self._open_s, self._due_s = 0.0, self._times.orphans_s
