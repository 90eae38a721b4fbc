"""The games of one table, from its events and states. Pure: messages and times in, what is to be kept out.

Events come in order and perhaps twice; those already known change nothing (docs/mqtt.md, "Rules for whoever listens").
A state may come before or after the events that are in it. It speaks of the same game as the events only where its
`seq` is that of the last event: only then it is believed about names, points, and a result that was taken back. Where a
state shows an end whose event does not come (the broker has lost it), that is taken for the result after a while.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from companion.club.games import Change, Game, Place, Voided, one_line
from companion.games.game import Json

OWED_S = 15.0
"""How long a state's end may lack its event. Both leave the table in one moment; a slow link needs seconds."""
WORDS = 200
OLDEST = "2024"
"""No game was refereed before the program was written."""
ABOUT = ("table", "game", "players", "names", "score", "explanation")


@dataclass(frozen=True, slots=True)
class Seen:
    """A table's newest state, as far as results need it; `end` is its outcome, None in a game that is played."""

    seq: int
    about: Mapping[str, Json]
    end: Mapping[str, Json] | None
    words: str
    mark: str


class Book:
    """Keeps the games of one table.

    Args:
        game: the newest game that is known of an earlier run.
    """

    def __init__(self, place: Place, game: Game | None = None) -> None:
        self.place = place
        self.game = game
        self.missed = 0
        """Events that never came, by their numbers."""
        self._heard = False
        """Whether an event has come: those between what an earlier run has kept and the first one it may have heard."""
        self._last_seq = 0 if game is None else game.seq
        self._last_at = "" if game is None else game.ended or game.began
        self._sure = True
        self._seen: Seen | None = None
        self._owed_s: float | None = None
        self._contested = False
        self._taken_for_over = ""

    def gap(self) -> None:
        """Events may have been missed: which game is played is known again from the next one's start on."""
        self._sure = False

    def event(self, line: Mapping[str, Json], now_s: float, now: str) -> list[Change]:
        """Take an event.

        Args:
            now_s: of a clock that never jumps.
            now: the time on the wall (UTC, ISO 8601), for events without a time of their own.
        """
        seq, kind = number_of(line), line.get("event")
        if seq is None or not isinstance(kind, str) or self._knows(seq, line):
            return []
        lost = max(0, seq - self._last_seq - 1) if self._heard else 0
        self._heard = True
        self.missed += lost
        self._sure = self._sure and not lost
        self._last_seq, self._last_at = seq, max(self._last_at, time_of(line))
        if self._owed_s is not None:
            self._owed_s = now_s  # the events are on their way
        before = self.game
        at = believed(time_of(line), now)
        if kind == "game_started":
            self._begin(line, seq, at)
        else:
            if self.game is None or not self._sure:
                self._join(line, seq)
            self._go_on(kind, line, at)
        return self._changes(before) + self._compare()

    def state(self, state: Mapping[str, Json], now_s: float) -> list[Change]:
        """Take the newest state."""
        seq = number_of(state)
        if seq is None:
            return []
        end = state.get("outcome")
        end = end if isinstance(end, Mapping) else None
        about = {key: state[key] for key in ABOUT if state.get(key) is not None}
        words = one_line(str(state.get("outcome_words") or ""), WORDS)
        self._seen = Seen(seq, about, end, words, "" if end is None else mark_of(self.place, state))
        changes = self._compare()
        known = self.game is not None and self.game.over and self.game.mark == self._seen.mark
        if end is None or known:
            self._owed_s = None
        elif self._owed_s is None and self._taken_for_over != self._seen.mark:
            self._owed_s = now_s
        return changes

    def settle(self, now_s: float, now: str) -> list[Change]:
        """Take a state's word for an end whose event has not come."""
        seen = self._seen
        if self._owed_s is None or now_s - self._owed_s < OWED_S or seen is None or seen.end is None:
            return []
        self._owed_s = None
        self._taken_for_over = seen.mark
        game = Game(seen.mark, self.place, self._name(), mark=seen.mark, by_state=True).with_players(seen.about)
        return [_ended(game, seen.end, seen.words, seen.seq, now)]

    def _knows(self, seq: int, line: Mapping[str, Json]) -> bool:
        """Numbers go back where a damaged journal was restored, and times where a clock was wrong; both together only
        where it is an event that was heard."""
        return seq <= self._last_seq and time_of(line) <= self._last_at

    def _begin(self, line: Mapping[str, Json], seq: int, at: str) -> None:
        self._sure, self._contested = True, False
        # A game that is taken up again stays the one that it was, and has one result.
        key = one_line(str(line.get("takes_up") or line.get("id") or f"{self.place}@{seq}"))
        if self.game is not None and self.game.key == key:
            return  # told again to a program that was away: what is known of the game since stays
        self.game = replace(Game(key, self.place, table=self._name(line), began=at).with_players(line), seq=seq)

    def _join(self, line: Mapping[str, Json], seq: int) -> None:
        """A game whose beginning was not heard."""
        self._sure, self._contested = True, False
        key = one_line(str(line.get("id") or f"{self.place}@{seq}"))
        self.game = Game(key, self.place, table=self._name(line), seq=seq)

    def _go_on(self, kind: str, line: Mapping[str, Json], at: str) -> None:
        assert self.game is not None
        if kind in ("move", "forfeit", "score", "correction") and "score" in line:
            self.game = self.game.with_players({"score": line["score"]})
        if kind == "correction":
            self._contested = self.game.over
        elif kind in ("move", "forfeit") and self.game.over:
            self._reopen()
        outcome = line.get("outcome")
        if kind == "game_over" and isinstance(outcome, Mapping):
            self._contested = False
            seq = self._last_seq
            words = one_line(str(line.get("words") or ""), WORDS)
            # the state is older, or has not been compared yet: its mark would be another result's
            self.game = _ended(replace(self.game, mark="", table=self._name(line)), outcome, words, seq, at)

    def _compare(self) -> list[Change]:
        """What the state says about the game of the events, where both speak of the same moment."""
        game, seen = self.game, self._seen
        if game is None or seen is None or seen.seq != self._last_seq:
            return []
        self.game = replace(game.with_players(seen.about), mark=seen.mark, table=self._name())
        if self._contested or (game.over and seen.end is None):
            self._contested = False
            if seen.end is None:
                self._reopen()
        if self.game.over:
            self._owed_s = None
        return self._changes(game)

    def _reopen(self) -> None:
        assert self.game is not None
        self.game = replace(self.game, over=False, winner=None, words="", ended="", mark="")

    def _changes(self, before: Game | None) -> list[Change]:
        """What has to be kept: a game's beginning, its names, its result. Points on the way are not worth a write."""
        game = self.game
        if game is None or game == before:
            return []
        same = before is not None and before.key == game.key
        if same and before is not None and before.over and not game.over:
            return [Voided(game.key), game]
        worth = not same or game.over or before is None or _names(before) != _names(game)
        return [game] if worth else []

    def _name(self, line: Mapping[str, Json] | None = None) -> str:
        """What people call the table."""
        told = (line or {}).get("table") or (self._seen and self._seen.about.get("table"))
        return one_line(told) if isinstance(told, str) else self.place.table


def mark_of(place: Place, state: Mapping[str, Json]) -> str:
    """The same for the same game at the same table: made of its moves and players."""
    moves = state.get("moves")
    played = [move.get("move") for move in moves if isinstance(move, Mapping)] if isinstance(moves, list) else []
    told = json.dumps([str(place), state.get("players"), state.get("names"), played], sort_keys=True, default=str)
    return "state:" + hashlib.sha256(told.encode()).hexdigest()[:24]


def _ended(game: Game, outcome: Mapping[str, Json], words: str, seq: int, at: str) -> Game:
    winner = outcome.get("winner")
    won = one_line(winner, 20) if isinstance(winner, str) else None
    return replace(game, over=True, winner=won, words=words, seq=seq, ended=at)


def _names(game: Game) -> tuple[tuple[str, str], ...]:
    return tuple((side.player, side.name) for side in game.sides)


def number_of(told: Mapping[str, Json]) -> int | None:
    """The `seq` of an event or a state; None where there is none that can be."""
    seq = told.get("seq")
    return seq if isinstance(seq, int) and not isinstance(seq, bool) and 0 <= seq < 2**53 else None


def time_of(line: Mapping[str, Json]) -> str:
    """When an event happened, UTC in ISO 8601, all in one form so that they compare; empty where it does not say."""
    at = line.get("at")
    if not isinstance(at, str):
        return ""
    try:
        return datetime.fromisoformat(at).astimezone(UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError):
        return ""


def believed(at: str, now: str) -> str:
    """The time of an event, or now where its clock cannot be right: a small computer begins in 1970 without a network.

    Args:
        at, now: UTC in ISO 8601.
    """
    tomorrow = (datetime.fromisoformat(now) + timedelta(days=1)).isoformat(timespec="milliseconds")
    return at if OLDEST <= at <= tomorrow else now
