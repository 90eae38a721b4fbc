"""Contacts and beams that chatter, made clean on the time they are given: no clock, no thread, no pin library.

contact:  raw    __|'|_|''''''''|_|'|______      first edge at once, then deaf for a while, then looked at again
          clean  __|'''''''''''''|_________
beam:     raw    ____||____|''''|_|''|______     broken once it is dark long enough (the first flash was too short),
          clean  __________|''''''''''''''|_     clear once it is clear long enough: one marble, however it rolls
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    """A clean level, from `t_s` on."""

    t_s: float
    level: int


class Bounce:
    """A switch contact: an edge counts at once, the rest of its chatter does not, and no lasting change is ever missed.

    A level told twice, outside any chatter, is passed on: an edge between the two was lost, which the decoder can use.
    """

    def __init__(self, deaf_s: float, level: int) -> None:
        _check("the bounce time of a contact", deaf_s)
        self.level = level
        self._deaf_s = deaf_s
        self._raw = level
        self._deaf_until: float | None = None

    @property
    def due_s(self) -> float | None:
        """When `tick` has something to do next."""
        return self._deaf_until

    def feed(self, t_s: float, level: int) -> list[Level]:
        levels = self.tick(t_s)
        self._raw = level
        return levels if self._deaf_until is not None else [*levels, self._take(t_s, level)]

    def tick(self, t_s: float) -> list[Level]:
        levels: list[Level] = []
        while self._deaf_until is not None and t_s >= self._deaf_until:
            now, self._deaf_until = self._deaf_until, None
            if self._raw != self.level:
                levels.append(self._take(now, self._raw))
        return levels

    def end(self, t_s: float) -> list[Level]:
        """The chatter is over, whatever the time says: what the contact shows is its level."""
        levels = self.tick(t_s)
        self._deaf_until = None
        return [*levels, self._take(t_s, self._raw)] if self._raw != self.level else levels

    def _take(self, t_s: float, level: int) -> Level:
        self.level = level
        self._deaf_until = t_s + self._deaf_s
        return Level(t_s, level)


class Hold:
    """Something that is active (1) for a moment: a marble in a beam, a finger on a button.

    Active as soon as the raw level has been active for `least_s`, from its first moment on; idle again after
    `quiet_s` without a break. `weak` counts what was active for less.
    """

    def __init__(self, least_s: float, quiet_s: float, level: int = 0) -> None:
        _check("the least pulse", least_s)
        _check("the quiet time", quiet_s)
        self.level = level
        self.weak = 0
        self._least_s = least_s
        self._quiet_s = quiet_s
        self._raw = level
        self._since_s = 0.0

    @property
    def due_s(self) -> float | None:
        """When `tick` has something to do next."""
        if self._raw == self.level:
            return None
        return self._since_s + (self._least_s if self._raw else self._quiet_s)

    def feed(self, t_s: float, level: int) -> list[Level]:
        levels = self.tick(t_s)
        if level != self._raw:
            if self._raw and not self.level:
                self.weak += 1
            self._raw, self._since_s = level, t_s
            levels += self.tick(t_s)
        return levels

    def tick(self, t_s: float) -> list[Level]:
        if self.due_s is None or t_s < self.due_s:
            return []
        self.level = self._raw
        return [Level(self._since_s, self.level)]


def _check(what: str, value_s: float) -> None:
    if not 0 <= value_s <= 10:
        raise ValueError(f"{what} is 0 to 10 seconds, not {value_s}")
