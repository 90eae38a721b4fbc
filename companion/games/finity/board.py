"""The board as data: stations, pairs, corners, layouts and supply, from `board.json` or a user's own of the same form.

The form, with the built-in board as its example:

    centre    the station that ends every full path
    stations  name: [i, j]; x = 1.5 (i + j), y = (sqrt(3) / 2) (i - j), y down, in hexagon sides
    pairs     the stations between which bridges can lie; each pair has the slots L, M and R as seen from its first
    corners   the three slots that touch one hexagon corner, by name
    layouts   by number of players: the stations in use, base stations with their players' blockers (clockwise), and
              the order in which an online table seats the players
    supply    bridges by colour, shared; rings by size, of each player
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import combinations, permutations
from typing import Final

from companion.errors import InputError
from companion.games.finity.pieces import COLOURS, SIDES, SIZES
from companion.games.game import Json
from companion.games.shown import listed, shown
from companion.texts import joined, text

STEPS: Final = frozenset({(-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0)})
"""The differences of coordinates between neighbours."""

FLIPPED: Final = {"L": "R", "M": "M", "R": "L"}
PLAYER_COUNTS: Final = (2, 3, 4)

Coordinates = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LayoutData:
    """What a number of players uses of the board. `posts` maps base stations, clockwise, to their blockers' slots."""

    stations: tuple[str, ...]
    posts: Mapping[str, tuple[str, ...]]
    online_order: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A board that was checked; see `parse_board`. Two boards are equal only if they are the same object."""

    centre: str
    stations: Mapping[str, Coordinates]
    pairs: tuple[tuple[str, str], ...]
    corners: tuple[tuple[str, ...], ...]
    layouts: Mapping[int, LayoutData]
    bridges: Mapping[str, int]
    rings: Mapping[str, int]


@lru_cache(maxsize=1)
def builtin_board() -> Board:
    """The board of the published game."""
    return parse_board(json.loads(files(__package__).joinpath("board.json").read_text(encoding="utf-8")))


def parse_board(data: Json) -> Board:
    """Read a board.

    Raises:
        InputError: with every fault of it, in reading order.
    """
    reader = _Reader(data if isinstance(data, Mapping) else {})
    if not isinstance(data, Mapping):
        wanted = text("an object with stations, pairs, corners, layouts and supply")
        raise InputError(text("board must be {wanted}, not {given}", wanted=wanted, given=shown(data)))
    board = reader.board()
    if reader.faults or board is None:
        raise InputError(joined((text("board: {fault}", fault=fault) for fault in reader.faults), "; "))
    return board


class _Reader:
    """Reads a board and collects its faults."""

    def __init__(self, data: Mapping[str, Json]) -> None:
        self.data = data
        self.faults: list[str] = []
        self.stations: dict[str, Coordinates] = {}
        self.pairs: list[tuple[str, str]] = []

    def board(self) -> Board | None:
        self._read_stations()
        centre = self.data.get("centre")
        if not isinstance(centre, str) or centre not in self.stations:
            self.faults.append(text("centre must be one of the stations, not {given}", given=shown(centre)))
        self._read_pairs()
        corners = tuple(self._corners())
        layouts = {count: layout for count in PLAYER_COUNTS if (layout := self._layout(count, centre)) is not None}
        supply = self._object(self.data, "supply", "supply")
        bridges = self._counts(supply, "bridges", COLOURS)
        rings = self._counts(supply, "rings", SIZES)
        if self.faults:
            return None
        return Board(str(centre), self.stations, tuple(self.pairs), corners, layouts, bridges, rings)

    def _object(self, data: Mapping[str, Json], key: str, where: str) -> Mapping[str, Json]:
        value = data.get(key)
        if isinstance(value, Mapping):
            return value
        self.faults.append(text("{where} must be an object, not {given}", where=where, given=shown(value)))
        return {}

    def _texts(self, value: Json, where: str) -> tuple[str, ...]:
        if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
            return tuple(str(item) for item in value)
        self.faults.append(text("{where} must be a list of texts, not {given}", where=where, given=shown(value)))
        return ()

    def _read_stations(self) -> None:
        for name, at in self._object(self.data, "stations", "stations").items():
            where = text("station {name}", name=shown(name))
            if not name.isalnum():
                self.faults.append(text("{where} must have a name of letters and digits only", where=where))
            good = isinstance(at, list | tuple) and len(at) == 2 and all(type(number) is int for number in at)
            if not good or not isinstance(at, list | tuple):
                self.faults.append(
                    text("{where} must stand at two whole numbers [i, j], not {given}", where=where, given=shown(at))
                )
                continue
            i, j = (number for number in at if isinstance(number, int))
            if (twin := next((other for other, there in self.stations.items() if there == (i, j)), None)) is not None:
                self.faults.append(
                    text("{where} stands at [{i}, {j}], where {twin} stands", where=where, i=i, j=j, twin=twin)
                )
            self.stations[name] = (i, j)

    def _neighbours(self, a: str, b: str) -> bool:
        (i, j), (other_i, other_j) = self.stations[a], self.stations[b]
        return (other_i - i, other_j - j) in STEPS

    def _read_pairs(self) -> None:
        given = self.data.get("pairs")
        if not isinstance(given, list | tuple):
            self.faults.append(text("pairs must be a list of pairs of stations, not {given}", given=shown(given)))
            return
        for number, item in enumerate(given, 1):
            names = self._texts(item, text("pair {number}", number=number))
            unknown = [name for name in names if name not in self.stations]
            if unknown:
                self.faults.append(
                    text(
                        "pair {number}: there is no station {names}",
                        number=number,
                        names=listed(map(shown, unknown), "and"),
                    )
                )
            elif len(names) != 2:
                if names:
                    self.faults.append(
                        text("pair {number} must have two stations, not {count}", number=number, count=len(names))
                    )
            elif not self._neighbours(names[0], names[1]):
                self.faults.append(
                    text(
                        "pair {number}: {first} and {second} are no neighbours by their coordinates",
                        number=number,
                        first=names[0],
                        second=names[1],
                    )
                )
            elif names in self.pairs or names[::-1] in self.pairs:
                self.faults.append(
                    text(
                        "pair {number}: {first} and {second} are a pair already",
                        number=number,
                        first=names[0],
                        second=names[1],
                    )
                )
            else:
                self.pairs.append((names[0], names[1]))
        for a, b in combinations(self.stations, 2):
            if self._neighbours(a, b) and not {(a, b), (b, a)} & set(self.pairs):
                self.faults.append(text("{a} and {b} are neighbours by their coordinates, but no pair", a=a, b=b))

    def _slot(self, name: str) -> str | None:
        """A slot's name as seen from the first station of its pair; None where there is no such slot."""
        pair, _, side = name.partition(" ")
        a, _, b = pair.partition(">")
        if side in SIDES and (a, b) in self.pairs:
            return name
        return f"{b}>{a} {FLIPPED[side]}" if side in SIDES and (b, a) in self.pairs else None

    def _corners(self) -> Iterator[tuple[str, ...]]:
        given = self.data.get("corners")
        if not isinstance(given, list | tuple):
            self.faults.append(text("corners must be a list of three slots each, not {given}", given=shown(given)))
            return
        wanted = {frozenset(slots): stations for stations, slots in self._corners_by_coordinates()}
        for number, item in enumerate(given, 1):
            names = self._texts(item, text("corner {number}", number=number))
            slots = [self._slot(name) for name in names]
            known = [slot for slot in slots if slot is not None]
            if unknown := [name for name, slot in zip(names, slots, strict=True) if slot is None]:
                self.faults.append(
                    text(
                        "corner {number}: there is no slot {slots}",
                        number=number,
                        slots=listed(map(shown, unknown), "and"),
                    )
                )
            elif wanted.pop(frozenset(known), None) is None and names:
                self.faults.append(
                    text(
                        "corner {number}: {slots} do not touch one corner, or stand twice",
                        number=number,
                        slots=listed(names, "and"),
                    )
                )
            else:
                yield tuple(known)
        for stations in wanted.values():
            self.faults.append(
                text("the corner between {stations} is missing, or has other slots", stations=listed(stations, "and"))
            )

    def _corners_by_coordinates(self) -> Iterator[tuple[tuple[str, ...], list[str]]]:
        for stations in combinations(self.stations, 3):
            if all(self._neighbours(a, b) for a, b in combinations(stations, 2)):
                slots = []
                for a, b, third in permutations(stations):
                    if (a, b) in self.pairs:
                        slots.append(f"{a}>{b} {self._side_of(a, b, third)}")
                if len(slots) == 3:
                    yield stations, slots

    def _side_of(self, a: str, b: str, third: str) -> str:
        """On which side of the way from `a` to `b` a common neighbour lies: the sign of the cross product."""
        i, j = self.stations[a]
        ahead_i, ahead_j = self.stations[b][0] - i, self.stations[b][1] - j
        aside_i, aside_j = self.stations[third][0] - i, self.stations[third][1] - j
        return "R" if ahead_j * aside_i > ahead_i * aside_j else "L"

    def _layout(self, count: int, centre: Json) -> LayoutData | None:
        given = self._object(self.data, "layouts", "layouts").get(str(count))
        where = text("layout {count}", count=count)
        if not isinstance(given, Mapping):
            self.faults.append(
                text(
                    "{where} must be an object with stations, posts and online_order, not {given}",
                    where=where,
                    given=shown(given),
                )
            )
            return None
        stations = self._texts(given.get("stations"), text("{where}: stations", where=where))
        for name in stations:
            if name not in self.stations:
                self.faults.append(text("{where}: there is no station {name}", where=where, name=shown(name)))
        if len(set(stations)) != len(stations):
            self.faults.append(text("{where}: a station stands twice", where=where))
        if stations and centre not in stations:
            self.faults.append(text("{where} must have the centre", where=where))
        posts = self._posts(given, stations, centre, count, where)
        order = self._texts(given.get("online_order"), text("{where}: online_order", where=where))
        if sorted(order) != sorted(posts):
            self.faults.append(
                text(
                    "{where}: online_order must name the base stations, not {given}",
                    where=where,
                    given=listed(order, "and"),
                )
            )
        return LayoutData(stations, posts, order)

    def _posts(
        self, given: Mapping[str, Json], stations: tuple[str, ...], centre: Json, count: int, where: str
    ) -> dict[str, tuple[str, ...]]:
        posts: dict[str, tuple[str, ...]] = {}
        taken: set[str] = set()
        for name, slots in self._object(given, "posts", text("{where}: posts", where=where)).items():
            if name not in stations or name == centre:
                self.faults.append(
                    text(
                        "{where}: base station {name} must be a station of it, and not the centre",
                        where=where,
                        name=shown(name),
                    )
                )
            posts[name] = self._texts(slots, text("{where}: the blockers of {name}", where=where, name=name))
            for slot in posts[name]:
                seen = self._slot(slot)
                if seen is None or not set(slot.partition(" ")[0].split(">")) <= set(stations):
                    self.faults.append(
                        text(
                            "{where}: the blockers of {name}: there is no slot {slot}",
                            where=where,
                            name=name,
                            slot=shown(slot),
                        )
                    )
                elif seen in taken:
                    self.faults.append(
                        text("{where}: the blockers of {name}: slot {slot} is taken", where=where, name=name, slot=slot)
                    )
                taken.add(seen or "")
        if len(posts) != count:
            self.faults.append(
                text("{where} must have {count} base stations, not {given}", where=where, count=count, given=len(posts))
            )
        return posts

    def _counts(self, supply: Mapping[str, Json], key: str, names: tuple[str, ...]) -> dict[str, int]:
        given = self._object(supply, key, f"supply: {key}")
        counts: dict[str, int] = {}
        for name in names:
            value = given.get(name)
            if type(value) is int and value >= 1:
                counts[name] = value
            else:
                self.faults.append(
                    text(
                        "supply: {key}: {name} must be a whole number from 1 on, not {given}",
                        key=key,
                        name=name,
                        given=shown(value),
                    )
                )
        return counts
