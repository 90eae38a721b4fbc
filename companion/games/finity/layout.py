"""The board as one number of players uses it, in the tables that rules and search read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from companion.games.finity.board import FLIPPED, Board
from companion.games.finity.pieces import SIDES, Kind, Slot, SlotSet, Station, StationSet, bit_of


class Way(NamedTuple):
    """From a station to a neighbour: the three slots between them; `turned` where their pair is named from there."""

    target: Station
    bit: StationSet
    slots: SlotSet
    turned: int


@dataclass(frozen=True, eq=False)
class Layout:
    """Stations and slots of a board in use, by index; see `pieces` for how sets are written.

    Attributes:
        names: of the stations; pairs, slots and ways follow the board's order.
        corner: for each slot the slots that share its corner, itself too; 0 where it touches none.
        touching: for each station the slots of its pairs.
        into: for bridges along and against their pair's order, for each station the slots from which they lead there.
        firsts: the first slot of every pair.
        base_posts: clockwise.
    """

    board: Board
    names: tuple[str, ...]
    index: Mapping[str, Station]
    centre: Station
    all_slots: SlotSet
    all_stations: StationSet
    pairs: tuple[tuple[Station, Station], ...]
    slot_names: tuple[str, ...]
    slot_named: Mapping[str, tuple[Slot, int]]
    """Every name of a slot, with 1 where it names the pair from its second station."""
    corners: tuple[SlotSet, ...]
    corner: tuple[SlotSet, ...]
    touching: tuple[SlotSet, ...]
    into: tuple[tuple[SlotSet, ...], tuple[SlotSet, ...]]
    firsts: SlotSet
    ways: tuple[tuple[Way, ...], ...]
    base_posts: tuple[str, ...]
    start_blockers: Mapping[Station, SlotSet]
    online_order: tuple[str, ...]

    def tail_and_tip(self, slot: Slot, kind: Kind) -> tuple[Station, Station]:
        a, b = self.pairs[slot // 3]
        return (b, a) if kind & 1 else (a, b)

    def slot_from(self, slot: Slot, turned: int) -> str:
        """The slot's name from the pair's first station, or from its second where `turned`."""
        a, b = self.pairs[slot // 3]
        side = SIDES[slot % 3]
        if turned:
            return f"{self.names[b]}>{self.names[a]} {FLIPPED[side]}"
        return f"{self.names[a]}>{self.names[b]} {side}"


@lru_cache(maxsize=16)
def layout_of(board: Board, players: int) -> Layout:
    """The tables for a number of players, made once for each board."""
    data = board.layouts[players]
    index = {name: Station(number) for number, name in enumerate(data.stations)}
    pairs = tuple((index[a], index[b]) for a, b in board.pairs if a in index and b in index)
    slot_named: dict[str, tuple[Slot, int]] = {}
    slot_names = []
    for number, (a, b) in enumerate(pairs):
        for place, side in enumerate(SIDES):
            slot = Slot(3 * number + place)
            name = f"{data.stations[a]}>{data.stations[b]} {side}"
            slot_names.append(name)
            slot_named[name] = slot, 0
            slot_named[f"{data.stations[b]}>{data.stations[a]} {FLIPPED[side]}"] = slot, 1
    corners = tuple(
        sum(1 << slot_named[name][0] for name in names) for names in board.corners if set(names) <= slot_named.keys()
    )
    count = len(slot_names)
    blockers = {index[post]: _set_of(slots, slot_named) for post, slots in data.posts.items()}
    for station, name in enumerate(data.stations):
        flanks = [f"{name}>{board.centre} {side}" for side in ("L", "R")]
        if Station(station) not in blockers and set(flanks) <= slot_named.keys():
            blockers[Station(station)] = _set_of(flanks, slot_named)
    return Layout(
        board=board,
        names=data.stations,
        index=index,
        centre=index[board.centre],
        all_slots=(1 << count) - 1,
        all_stations=sum(bit_of(station) for station in index.values()),
        pairs=pairs,
        slot_names=tuple(slot_names),
        slot_named=slot_named,
        corners=corners,
        corner=tuple(next((c for c in corners if c >> slot & 1), 0) for slot in range(count)),
        touching=tuple(_slots_of([station in pair for pair in pairs]) for station in range(len(index))),
        into=(
            tuple(_slots_of([b == station for _, b in pairs]) for station in range(len(index))),
            tuple(_slots_of([a == station for a, _ in pairs]) for station in range(len(index))),
        ),
        firsts=sum(1 << 3 * number for number in range(len(pairs))),
        ways=tuple(tuple(_ways(Station(station), pairs)) for station in range(len(index))),
        base_posts=tuple(data.posts),
        start_blockers=blockers,
        online_order=data.online_order,
    )


def _slots_of(chosen: list[bool]) -> SlotSet:
    """All slots of the chosen pairs."""
    return sum(7 << 3 * number for number, each in enumerate(chosen) if each)


def _set_of(names: list[str] | tuple[str, ...], slot_named: Mapping[str, tuple[Slot, int]]) -> SlotSet:
    return sum(1 << slot_named[name][0] for name in names)


def _ways(station: Station, pairs: tuple[tuple[Station, Station], ...]) -> list[Way]:
    ways = []
    for number, (a, b) in enumerate(pairs):
        if station in (a, b):
            target = b if station == a else a
            ways.append(Way(target, bit_of(target), 7 << 3 * number, int(station == b)))
    return ways
