"""Moves as values, and their texts."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from companion.games.finity import reasons
from companion.games.finity.layout import Layout
from companion.games.finity.pieces import COLOURS, SIZES, Kind, Slot, Station

HAND: Final = "hand"


class Add(NamedTuple):
    slot: Slot
    kind: Kind


class Reverse(NamedTuple):
    """`turned` as the bridge lies: 1 where it points against its pair's order."""

    slot: Slot
    turned: int


class Remove(NamedTuple):
    slot: Slot
    turned: int


class PlaceRing(NamedTuple):
    station: Station
    size: int


class MoveBlocker(NamedTuple):
    """`source` is None where the blocker comes from the hand."""

    source: Slot | None
    target: Slot


class Unblock(NamedTuple):
    slot: Slot


class MovePost(NamedTuple):
    station: Station


class Teleport(NamedTuple):
    station: Station


Move = Add | Reverse | Remove | PlaceRing | MoveBlocker | Unblock | MovePost | Teleport


class Unread(NamedTuple):
    """Text that is no move on this board, with the contract's reason."""

    reason: str
    detail: str


_NAME = r"([A-Za-z0-9]+)"
_SLOT = rf"{_NAME}>{_NAME} ([LMR])"
_FORMS: Final = tuple(
    (word, re.compile(pattern, re.ASCII))
    for word, pattern in (
        ("add", rf"add ([bw]) {_SLOT}"),
        ("reverse", rf"reverse {_SLOT}"),
        ("remove", rf"remove {_SLOT}"),
        ("ring", rf"ring {_NAME} ([SML])"),
        ("hand", rf"blocker hand to {_SLOT}"),
        ("blocker", rf"blocker {_SLOT} to {_SLOT}"),
        ("unblock", rf"unblock {_SLOT}"),
        ("post", rf"post {_NAME}"),
        ("teleport", rf"teleport {_NAME}"),
    )
)


class Notation:
    """The texts of moves on a layout. A slot may be named from either station; the texts made here name its pair in
    the board's order, and a bridge from tail to tip."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        names, slots = layout.names, layout.slot_names
        each = range(len(slots))
        along = [[layout.slot_from(Slot(slot), turned) for slot in each] for turned in (0, 1)]
        self.adds = tuple(
            tuple(f"add {COLOURS[kind >> 1]} {along[kind & 1][slot]}" for slot in each) for kind in range(4)
        )
        self.reversals = tuple(tuple(f"reverse {text}" for text in along[turned]) for turned in (0, 1))
        self.removals = tuple(tuple(f"remove {text}" for text in along[turned]) for turned in (0, 1))
        self.rings = tuple(tuple(f"ring {name} {size}" for size in SIZES) for name in names)
        self.posts = tuple(f"post {name}" for name in names)
        self.teleports = tuple(f"teleport {name}" for name in names)
        self.unblocks = tuple(f"unblock {slot}" for slot in slots)
        self.blockers = lru_cache(maxsize=len(slots) + 1)(self._blockers)
        self.parse = lru_cache(maxsize=1 << 13)(self._parse)

    def _blockers(self, source: Slot | None) -> tuple[str, ...]:
        """The moves of the blocker in a slot (or in hand) to every slot."""
        place = HAND if source is None else self._layout.slot_names[source]
        return tuple(f"blocker {place} to {target}" for target in self._layout.slot_names)

    def text(self, move: Move) -> str:
        """The text of a move; `parse` takes it back."""
        match move:
            case Add(slot, kind):
                return self.adds[kind][slot]
            case Reverse(slot, turned):
                return self.reversals[turned][slot]
            case Remove(slot, turned):
                return self.removals[turned][slot]
            case PlaceRing(station, size):
                return self.rings[station][size]
            case MoveBlocker(source, target):
                return self.blockers(source)[target]
            case Unblock(slot):
                return self.unblocks[slot]
            case MovePost(station):
                return self.posts[station]
            case Teleport(station):
                return self.teleports[station]

    def _parse(self, text: str) -> Move | Unread:
        for word, form in _FORMS:
            found = form.fullmatch(text)
            if found is not None:
                return self._move(word, found.groups())
        return Unread("unreadable_move", reasons.unreadable(text, self._meant(text)))

    def _meant(self, text: str) -> str | None:
        """The move that a text of other spaces and capitals would be."""
        spaced = " ".join(text[:80].split())
        for wanted in (spaced, spaced.replace(" >", ">").replace("> ", ">")):
            for known in self.texts_without_blockers():
                if known.lower() == wanted.lower() and known != text:
                    return known
        return None

    def texts_without_blockers(self) -> list[str]:
        """The texts of all moves on this board, but for blockers moved, of which there are thousands."""
        groups = (*self.adds, *self.reversals, *self.removals, *self.rings, self.posts, self.teleports, self.unblocks)
        return [text for group in groups for text in group]

    def _move(self, word: str, parts: tuple[str, ...]) -> Move | Unread:
        if word == "ring":
            station = self._station(parts[0])
            return station if isinstance(station, Unread) else PlaceRing(station, SIZES.index(parts[1]))
        if word in ("post", "teleport"):
            station = self._station(parts[0])
            if isinstance(station, Unread):
                return station
            return MovePost(station) if word == "post" else Teleport(station)
        slots = []
        for start in range(word == "add", len(parts), 3):
            found = self.slot(f"{parts[start]}>{parts[start + 1]} {parts[start + 2]}")
            if isinstance(found, Unread):
                return found
            slots.append(found)
        (slot, turned), *others = slots
        match word:
            case "add":
                return Add(slot, Kind(2 * COLOURS.index(parts[0]) + turned))
            case "reverse":
                return Reverse(slot, turned)
            case "remove":
                return Remove(slot, turned)
            case "unblock":
                return Unblock(slot)
        return MoveBlocker(slot, others[0][0]) if others else MoveBlocker(None, slot)

    def _station(self, name: str) -> Station | Unread:
        station = self._layout.index.get(name)
        return self._unknown(name) if station is None else station

    def _unknown(self, name: str) -> Unread:
        return Unread("no_such_station", reasons.no_such_station(name, self._layout.names))

    def slot(self, name: str) -> tuple[Slot, int] | Unread:
        """The slot of a name such as `N>NE M`, and whether it names the pair from its second station."""
        slot = self._layout.slot_named.get(name)
        if slot is not None:
            return slot
        a, b = name.partition(" ")[0].split(">")
        for station in (a, b):
            if station not in self._layout.index:
                return self._unknown(station)
        return Unread("not_adjacent", reasons.not_adjacent(a, b))
