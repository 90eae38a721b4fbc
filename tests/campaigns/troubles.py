"""What fails at a table in the course of an evening: one thing after the other, and some for hours."""

from __future__ import annotations

import random
import shutil
import sqlite3
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.journal.journal import Journal
from tests.campaigns.lookers import SlowPhone, look_at
from tests.campaigns.stepped_devices import SteppedCamera

SAID_S = 2.0
"""Within this a fault is told."""
CLEARED_S = 6.0
"""A camera is opened anew every two seconds and its first pictures are left out; a board listens to its boot loader
for up to two. After this whatever failed is well again by itself."""
LASTS_S = (4.0, 9.0)
BETWEEN_S = (5.0, 20.0)
FILLS_S = (60.0, 90.0)
"""A page of the journal's file has room for some events."""
ILL, WELL = ("stale", "lost"), ("ok", "back", None)


def _at_once() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Trouble:
    """One fault.

    Attributes:
        device: which of the devices tells of it; None where nothing is to be told.
        shows: whether it can be noticed by now: a full disk is none before something is to be written.
        lasts_s: for how long, at least and at most.
    """

    name: str
    device: str | None
    begin: Callable[[], object]
    end: Callable[[], object]
    shows: Callable[[], bool] = _at_once
    lasts_s: tuple[float, float] = LASTS_S


@dataclass
class Tally:
    """How often each fault was there, and what was told of it too late or not at all."""

    times: dict[str, int] = field(default_factory=dict)
    late: list[str] = field(default_factory=list)
    slowest_s: dict[str, float] = field(default_factory=dict)
    unseen: dict[str, int] = field(default_factory=dict)


class Turns:
    """Lets every trouble come in its turn, one at a time, and watches that it is told and forgotten again."""

    def __init__(self, troubles: list[Trouble], rng: random.Random, tick_s: float) -> None:
        self.tally = Tally()
        self._troubles = troubles
        self._rng = rng
        self._tick_s = tick_s
        self._turn = 0
        self._next_s = 20.0
        self._trouble: Trouble | None = None
        self._shown_s: float | None = None
        self._told = False
        self._clearing: tuple[float, Trouble] | None = None

    def mind(self, now_s: float, state: Mapping[str, Any], playing: bool) -> None:
        """Time has come to `now_s`; new troubles come only while people play."""
        self._mind_cleared(now_s, state)
        if self._trouble is None:
            if now_s >= self._next_s and playing and self._clearing is None:
                self._begin(now_s)
            return
        self._mind_told(now_s, state)
        if now_s >= self._next_s:
            self.end(now_s)

    def end(self, now_s: float) -> None:
        """What is wrong at the moment is put right."""
        trouble, self._trouble = self._trouble, None
        if trouble is None:
            return
        if trouble.device and not self._told:
            if self._shown_s is None:
                self.tally.unseen[trouble.name] = self.tally.unseen.get(trouble.name, 0) + 1
            elif now_s - self._shown_s > SAID_S:
                self.tally.late.append(f"{trouble.name} at {now_s:.1f} s not told at all")
        trouble.end()
        self.tally.times[trouble.name] = self.tally.times.get(trouble.name, 0) + 1
        self._next_s = now_s + self._rng.uniform(*BETWEEN_S)
        if trouble.device is not None:
            self._clearing = now_s + CLEARED_S, trouble

    def leave(self) -> None:
        """Everybody goes: what is wrong at the moment is put right, and nobody waits for that to be told."""
        trouble, self._trouble = self._trouble, None
        if trouble is not None:
            trouble.end()

    def _begin(self, now_s: float) -> None:
        trouble = self._trouble = self._troubles[self._turn % len(self._troubles)]
        self._turn += 1
        self._shown_s, self._told = None, False
        self._next_s = now_s + self._rng.uniform(*trouble.lasts_s)
        trouble.begin()
        if trouble.shows is _at_once:
            self._shown_s = now_s

    def _mind_told(self, now_s: float, state: Mapping[str, Any]) -> None:
        trouble = self._trouble
        assert trouble is not None
        if self._shown_s is None and trouble.shows():
            self._shown_s = now_s
        if trouble.device is None or self._told or self._shown_s is None:
            return
        if state_of(state, trouble.device) in ILL:
            self._told = True
            took_s = now_s - self._shown_s
            self.tally.slowest_s[trouble.name] = max(took_s, self.tally.slowest_s.get(trouble.name, 0.0))
            if took_s > SAID_S + self._tick_s:  # it is looked at in every tick
                self.tally.late.append(f"{trouble.name} told after {took_s:.1f} s")

    def _mind_cleared(self, now_s: float, state: Mapping[str, Any]) -> None:
        if self._clearing is None:
            return
        by_s, trouble = self._clearing
        now = state_of(state, trouble.device)
        if now in WELL:
            self._clearing = None
        elif now_s > by_s:
            self._clearing = None
            self.tally.late.append(f"{trouble.name}: {trouble.device} is {now} {CLEARED_S:g} s after it was put right")


def state_of(state: Mapping[str, Any], device: str | None) -> str | None:
    found = state["devices"].get(device)
    return None if found is None else str(found["state"])


def camera_troubles(camera: SteppedCamera) -> list[Trouble]:
    def set_to(name: str, value: bool) -> Callable[[], None]:
        def act() -> None:
            setattr(camera, name, value)
            camera.stir()

        return act

    return [
        Trouble("camera unplugged", "camera", set_to("plugged", False), set_to("plugged", True)),
        Trouble("camera frozen", "camera", set_to("frozen", True), set_to("frozen", False)),
        Trouble("camera's driver hangs", "camera", set_to("hangs", True), set_to("hangs", False)),
        Trouble("camera dark", "camera", set_to("dark", True), set_to("dark", False)),
    ]


def stick(folder: Path) -> Trouble:
    """The stick with the journal is pulled, and put in again."""
    away = folder.with_name("pulled")

    def plug() -> None:
        shutil.copytree(away, folder)
        shutil.rmtree(away)

    return Trouble("journal's stick pulled", "journal", lambda: folder.rename(away), plug)


def full_disk(journal: Callable[[], Journal]) -> Trouble:
    """The journal's file may not grow by a page."""

    def limit(pages: int) -> None:
        db: sqlite3.Connection = journal()._db
        db.execute(f"PRAGMA max_page_count = {pages}")

    def fill() -> None:
        limit(int(journal()._db.execute("PRAGMA page_count").fetchone()[0]))

    def refused() -> bool:
        return journal().trouble is not None

    return Trouble("disk full", "journal", fill, lambda: limit(2**30), refused, FILLS_S)


def viewers(link: Callable[[], str]) -> Trouble:
    """Some people look in, and a phone falls asleep with the page open."""
    asleep: list[SlowPhone] = []

    def come() -> None:
        asleep.append(SlowPhone(link()))
        for _ in range(3):
            threading.Thread(target=look_at, args=(link(),), name="viewer", daemon=True).start()

    return Trouble("viewers", None, come, lambda: asleep.pop().go())
