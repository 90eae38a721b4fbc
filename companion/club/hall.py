"""All tables of a club as they are now: what the page shows of each, and who calls for a referee. Pure.

A row has `id` ("node/table"), `node`, `table` (its name), `game`, `sides` (player, name, points), `turn` (a player or
None), `seq` (of the last event), `ply`, `paused`, `winner`, `over`, `words` (of the outcome), `status` ("online",
"stopped", "offline", "" where nobody said), `calls` (each with `kind` and what it is about) and `rank`: the smaller,
the more urgent.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Final

from companion.club.book import WORDS, Book, number_of
from companion.club.games import Change, Game, Place, names_in, one_line
from companion.games.game import Json
from companion.standing import standing

ONLINE, OFFLINE, STOPPED = "online", "offline", "stopped"
CALLS: Final = ("question", "illegal", "orphans", "knob", "device", "offline")
"""Calls for a referee, the most urgent first: who waits for an answer cannot play on."""
CALM, AWAY = len(CALLS), len(CALLS) + 1
MOST_TABLES = 2000
"""Ten times the largest club that this is meant for: names made up on the broker must not take all memory."""
RETAINED_S = 20.0
"""A state that the broker has not told by then, of a whole club over a slow link, is not there any more."""
LARGEST = 1_000_000
"""Bytes of a message; the state of a game of hundreds of moves has a tenth."""

Row = Mapping[str, Json]


class Hall:
    """Takes what the broker says; gives rows for the page, and what is to be kept of games.

    Args:
        games: the newest game of each table, as an earlier run has kept it.
    """

    def __init__(self, games: Iterable[Game] = ()) -> None:
        self._books = {game.place: Book(game.place, game) for game in games}
        self._rows: dict[Place, dict[str, Json]] = {}
        self._status: dict[str, str] = {}
        self._untold: set[Place] = set()
        self._met_s = 0.0
        self.changed: set[Place] = set()
        """Tables whose row is another, or gone, since this was emptied."""
        self.unreadable = 0
        """Messages that were none of ours."""

    @property
    def missed(self) -> int:
        """Events that never came."""
        return sum(book.missed for book in self._books.values())

    def met_again(self, now_s: float, *, kept: bool) -> None:
        """The broker is here, and will tell all states that it has.

        Args:
            kept: whether it has kept for us what came while we were away.
        """
        self._untold, self._met_s = set(self._rows), now_s
        for book in () if kept else self._books.values():
            book.gap()

    def take(self, path: str, payload: bytes, now_s: float, now: str) -> list[Change]:
        """Take a message.

        Args:
            path: its topic behind the base: "node/status", "node/table/state" or "node/table/event".
            now_s, now: as `Book.event` takes them.
        Returns:
            what is to be kept.
        """
        levels = path.split("/")
        if len(levels) == 2 and levels[1] == "status":
            self._take_status(levels[0], payload)
            return []
        if len(levels) != 3:
            return []
        place = Place(levels[0], levels[1])
        if levels[2] == "state" and not payload:
            self._forget(place)
            return []
        told = self._read(payload)
        if told is None or not self._has_room(place):
            return []
        if levels[2] == "state":
            self._show(place, told)
            return self._book(place).state(told, now_s)
        return self._book(place).event(told, now_s, now) if levels[2] == "event" else []

    def settle(self, now_s: float, now: str) -> list[Change]:
        """What is to be kept because the time for it has come."""
        if self._untold and now_s - self._met_s > RETAINED_S:
            for place in tuple(self._untold):
                self._forget(place)
        return [change for book in self._books.values() for change in book.settle(now_s, now)]

    def row(self, place: Place) -> Row | None:
        """What the page shows of a table; None where it is gone."""
        told = self._rows.get(place)
        return None if told is None else with_status(told, self._status.get(place.node, ""))

    def rows(self) -> list[Row]:
        """All rows: calls for a referee first, then by name."""
        found = [row for place in self._rows if (row := self.row(place)) is not None]
        return sorted(found, key=lambda row: (row["rank"], str(row["table"]).casefold(), row["id"]))

    def _book(self, place: Place) -> Book:
        return self._books.setdefault(place, Book(place))

    def _has_room(self, place: Place) -> bool:
        return place in self._books or len(self._books) < MOST_TABLES

    def _read(self, payload: bytes) -> Mapping[str, Json] | None:
        try:
            told = json.loads(payload) if len(payload) <= LARGEST else None
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict):
            self.unreadable += 1
            return None
        return told

    def _take_status(self, node: str, payload: bytes) -> None:
        word = payload.decode("ascii", "replace")
        word = word if word in (ONLINE, OFFLINE, STOPPED) else ""
        if self._status.get(node, "") != word and (node in self._status or len(self._status) < MOST_TABLES):
            self._status[node] = word
            self.changed.update(place for place in self._rows if place.node == node)

    def _show(self, place: Place, state: Mapping[str, Json]) -> None:
        row = row_of(place, state)
        self._untold.discard(place)
        if self._rows.get(place) != row:
            self._rows[place] = row
            self.changed.add(place)

    def _forget(self, place: Place) -> None:
        """The table's state was taken off the broker: so it is off the page. Its results stay."""
        self._untold.discard(place)
        if self._rows.pop(place, None) is not None:
            self.changed.add(place)


def row_of(place: Place, state: Mapping[str, Json]) -> dict[str, Json]:
    """What the page shows of a table's state; nothing in it is longer than a card can show."""
    points, names = standing(state), names_in(state) or {}
    players = state.get("players")
    outcome = state.get("outcome")
    turn = state.get("to_move")
    ply = state.get("ply")
    return {
        "id": str(place),
        "node": place.node,
        "table": one_line(str(state.get("table") or place.table)),
        "game": one_line(str(state.get("game") or "")),
        "sides": [
            {"player": one_line(str(player), 20), "name": names.get(str(player), ""), "points": points.get(str(player))}
            for player in (players if isinstance(players, list) else [])[:8]
        ],
        "turn": one_line(turn, 20) if isinstance(turn, str) else None,
        "seq": number_of(state) or 0,
        "ply": ply if isinstance(ply, int) else 0,
        "paused": state.get("paused") is True,
        "over": isinstance(outcome, Mapping),
        "winner": _winner(outcome),
        "words": one_line(str(state.get("outcome_words") or ""), WORDS),
        "calls": calls_of(state),
    }


def calls_of(state: Mapping[str, Json]) -> list[Json]:
    """Why a table needs a referee, the most urgent first."""
    calls: list[Json] = []
    question, illegal, orphans, knob = (state.get(key) for key in ("question", "illegal", "orphans", "knob"))
    if isinstance(question, Mapping):
        calls.append({"kind": "question", "words": one_line(str(question.get("text") or ""), WORDS)})
    if isinstance(illegal, Mapping):
        calls.append({"kind": "illegal", "words": one_line(str(illegal.get("detail") or ""), WORDS)})
    if isinstance(orphans, list) and orphans:
        calls.append({"kind": "orphans", "n": len(orphans)})
    if isinstance(knob, Mapping) and knob.get("wrong") is True:
        calls.append({"kind": "knob", "expected": _number(knob.get("expected")), "seen": _number(knob.get("seen"))})
    devices = state.get("devices")
    for name, device in list(devices.items())[:8] if isinstance(devices, Mapping) else ():
        if isinstance(device, Mapping) and device.get("state") == "lost":
            calls.append({"kind": "device", "device": one_line(str(name), 40)})
    return calls


def with_status(row: Mapping[str, Json], status: str) -> Row:
    """A row with what is known of the program that referees the table."""
    calls = list(calls) if isinstance(calls := row["calls"], list) else []
    if status == OFFLINE:
        calls = [{"kind": "offline"}]  # what it said last cannot be acted on any more
    elif status == STOPPED:
        calls = []
    rank = AWAY if status == STOPPED else CALM
    first = calls[0] if calls else None
    if isinstance(first, Mapping):
        rank = CALLS.index(str(first["kind"]))
    return {**row, "status": status, "calls": calls, "rank": rank}


def _winner(outcome: Json) -> str | None:
    winner = outcome.get("winner") if isinstance(outcome, Mapping) else None
    return one_line(winner, 20) if isinstance(winner, str) else None


def _number(value: Json) -> int | None:
    return value if isinstance(value, int) else None
