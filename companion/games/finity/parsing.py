"""Positions as people write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.errors import PositionError
from companion.games.finity import naming, reasons
from companion.games.finity.endings import completers, key_of, outcome_of
from companion.games.finity.moves import Unread
from companion.games.finity.pieces import (
    BLOCKERS_EACH,
    COLOUR_WORD,
    COLOURS,
    PLAYERS,
    SIZE_WORD,
    SIZES,
    Bridges,
    Kind,
    Rings,
    Slot,
    SlotSet,
    Station,
    bit_of,
    slots_in,
    stations_in,
)
from companion.games.finity.position import Position
from companion.games.finity.terms import Terms
from companion.games.game import Json, Outcome, Player
from companion.games.shown import listed, shown
from companion.texts import text

PAST_FIRST_MOVE = 1
"""The ply of a position that does not say: all that matters is that it is not the first move."""

_WON_BY = ("full_path", "tie_stations", "tie_rings")
_DRAWN_BY = ("no_ring_change", "tie", "repetition")


def start_position(terms: Terms) -> Position:
    seats = len(terms.players)
    in_hand = terms.options.blockers_start == "in_hand"
    blockers = [0 if in_hand else terms.layout.start_blockers[post] for post in terms.setup.posts]
    position = Position(
        to_move=0,
        rings=((0, 0, 0),) * seats,
        posts=terms.setup.posts,
        blockers=tuple(blockers),
        in_hand=(BLOCKERS_EACH if in_hand else 0,) * seats,
    )
    return _with_seen(terms, position)


def _with_seen(terms: Terms, position: Position) -> Position:
    if not terms.options.repetition_limit or position.seen:
        return position
    return Position(**{**_fields(position), "seen": (key_of(position),)})


def _fields(position: Position) -> dict[str, Any]:
    return {name: getattr(position, name) for name in Position.__slots__}


def parse_position(data: Mapping[str, Json], terms: Terms) -> Position:
    """Read a `position` object; see `Game.parse_position`. Keys that are not known are left alone.

    Beside the contract's keys: `in_hand` (blockers by player), `ringless` (moves without a ring added or removed),
    `barred` (moves that would undo the last one), `places` (players who finished), `outcome`, and `seen`.
    """
    reader = _Reader(data, terms)
    position = reader.position()
    if reader.faults:
        raise PositionError(tuple(reader.faults))
    done = () if position.outcome else completers(terms, position)
    if done:
        outcome = outcome_of(terms, position, None, done)
        position = Position(**{**_fields(position), "outcome": outcome})
    if position.to_move is None and position.outcome is None:
        raise PositionError(
            (text("to_move is null, but nobody has a full path and no outcome is given: say who is to move"),)
        )
    return _with_seen(terms, position)


class _Reader:
    """Reads a position and collects its faults."""

    def __init__(self, data: Mapping[str, Json], terms: Terms) -> None:
        self.data = data
        self.terms = terms
        self.layout = terms.layout
        self.letters = terms.players
        self.faults: list[str] = []
        self.taken: dict[Slot, str] = {}

    def position(self) -> Position:
        to_move = self._to_move()
        bridges = self._bridges()
        rings = self._rings()
        posts = self._posts()
        blockers = self._blockers()
        in_hand = self._in_hand(blockers)
        return Position(
            to_move=to_move,
            bridges=bridges,
            rings=rings,
            posts=posts,
            blockers=blockers,
            in_hand=in_hand,
            ply=self._count("ply", PAST_FIRST_MOVE),
            ringless=self._count("ringless", 0),
            barred=self._barred(),
            places=self._places(to_move),
            outcome=self._outcome(),
            seen=self._texts("seen"),
        )

    # Reading values

    def _object(self, key: str) -> Mapping[str, Json]:
        value = self.data.get(key)
        if value is None or isinstance(value, Mapping):
            return value or {}
        self.faults.append(text("{key} must be an object, not {given}", key=key, given=shown(value)))
        return {}

    def _texts(self, key: str) -> tuple[str, ...]:
        return self._text_list(self.data.get(key), key)

    def _text_list(self, value: Json, where: str) -> tuple[str, ...]:
        if value is None:
            return ()
        if not isinstance(value, list | tuple):
            self.faults.append(text("{where} must be a list of texts, not {given}", where=where, given=shown(value)))
            return ()
        for number, item in enumerate(value, 1):
            if not isinstance(item, str):
                self.faults.append(
                    text(
                        "{where}, number {number}: must be a text, not {given}",
                        where=where,
                        number=number,
                        given=shown(item),
                    )
                )
        return tuple(item for item in value if isinstance(item, str))

    def _count(self, key: str, default: int) -> int:
        value = self.data.get(key, default)
        if type(value) is int and value >= 0:
            return value
        self.faults.append(text("{key} must be a whole number from 0 on, not {given}", key=key, given=shown(value)))
        return 0

    def _seat(self, letter: Json, where: str) -> int | None:
        if isinstance(letter, str) and letter in self.letters:
            return self.letters.index(Player(letter))
        self.faults.append(
            text(
                "{where}: there is no player {given}; there are {known}",
                where=where,
                given=shown(letter),
                known=listed(self.letters, "and"),
            )
        )
        return None

    def _station(self, name: Json, where: str) -> Station | None:
        if isinstance(name, str) and name in self.layout.index:
            return self.layout.index[name]
        self.faults.append(
            text("{where}: {why}", where=where, why=reasons.no_such_station(str(name), self.layout.names))
        )
        return None

    def _slot(self, name: str, where: str) -> tuple[Slot, int] | None:
        pair, _, side = name.partition(" ")
        if pair.count(">") != 1 or side not in ("L", "M", "R"):
            self.faults.append(
                text("{where} {given} is no slot; a slot is such as 'N>NE M'", where=where, given=shown(name))
            )
            return None
        found = self.terms.notation.slot(name)
        if isinstance(found, Unread):
            self.faults.append(text("{where} {given}: {why}", where=where, given=shown(name), why=found.detail))
            return None
        return found

    def _take(self, slot: Slot, piece: str) -> None:
        if slot in self.taken:
            name = self.layout.slot_names[slot]
            self.faults.append(
                text(
                    "two pieces in {slot}: {taken} and {piece}",
                    slot=naming.slot_words(name),
                    taken=self.taken[slot],
                    piece=piece,
                )
            )
        self.taken.setdefault(slot, piece)

    # The pieces

    def _to_move(self) -> int | None:
        if "to_move" not in self.data:
            self.faults.append(text("to_move is missing"))
            return None
        given = self.data["to_move"]
        return None if given is None else self._seat(given, "to_move")

    def _bridges(self) -> Bridges:
        lying = [0, 0, 0, 0]
        for written in self._texts("bridges"):
            colour, _, name = written.partition(" ")
            if colour not in COLOURS:
                self.faults.append(
                    text(
                        "bridge {given} is no bridge; a bridge is such as 'b N>NE M', tail to tip", given=shown(written)
                    )
                )
            elif (found := self._slot(name, text("bridge {colour}", colour=colour))) is not None:
                slot, turned = found
                self._take(slot, text("the bridge {bridge}", bridge=written))
                self._check_pair(lying, slot, 2 * COLOURS.index(colour) + turned, written)
                lying[2 * COLOURS.index(colour) + turned] |= 1 << slot
        self._check_corners(lying[0] | lying[1] | lying[2] | lying[3])
        for number, colour in enumerate(COLOURS):
            count = (lying[2 * number] | lying[2 * number + 1]).bit_count()
            if self.terms.options.enforce_supply and count > self.terms.bridge_supply[number]:
                supply = self.terms.bridge_supply[number]
                self.faults.append(
                    text(
                        "{count} {colour} bridges on the board, but there are only {supply}",
                        count=count,
                        colour=COLOUR_WORD[colour],
                        supply=supply,
                    )
                )
        return lying[0], lying[1], lying[2], lying[3]

    def _check_pair(self, lying: list[int], slot: Slot, kind: int, written: str) -> None:
        twins = [other for other in slots_in(lying[kind]) if other // 3 == slot // 3 and other != slot]
        if twins:
            twin = self.layout.slot_from(twins[0], kind & 1)
            self.faults.append(
                text(
                    "bridge {given} is redundant: one of its colour and direction lies in {twin}",
                    given=shown(written),
                    twin=twin,
                )
            )

    def _check_corners(self, lying: SlotSet) -> None:
        for corner in self.layout.corners:
            slots = slots_in(lying & corner)
            if len(slots) > 1:
                names = listed((self.layout.slot_names[slot] for slot in slots), "and")
                self.faults.append(
                    text(
                        "{count} bridges at one corner, in {names}: a corner has room for one",
                        count=len(slots),
                        names=names,
                    )
                )

    def _rings(self) -> tuple[Rings, ...]:
        rings = [[0, 0, 0] for _ in self.letters]
        for name, given in self._object("rings").items():
            station = self._station(name, "rings")
            if station == self.layout.centre:
                self.faults.append(
                    text("rings: no ring is ever placed on {name}, and those from the start are not listed", name=name)
                )
            elif not isinstance(given, Mapping):
                self.faults.append(
                    text(
                        'rings on {station} must be an object such as {{"S": "A"}}, not {given}',
                        station=shown(name),
                        given=shown(given),
                    )
                )
            else:
                self._rings_on(name, station, given, rings)
        for seat, player in enumerate(self.letters):
            for size, supply in enumerate(self.terms.ring_supply):
                count = rings[seat][size].bit_count()
                if self.terms.options.enforce_supply and count > supply:
                    said = text(
                        "{player} has {count} {size} rings on the board",
                        player=player,
                        count=count,
                        size=SIZE_WORD[SIZES[size]],
                    )
                    self.faults.append(text("rings: {said}, but there are only {supply}", said=said, supply=supply))
        return tuple((small, medium, large) for small, medium, large in rings)

    def _rings_on(self, name: str, station: Station | None, given: Mapping[str, Json], rings: list[list[int]]) -> None:
        for size, letter in given.items():
            where = text("rings on {name}, {given}", name=name, given=shown(size)[1:-1])
            if size not in SIZES:
                self.faults.append(
                    text("{where}: there is no such size; there are {known}", where=where, known=listed(SIZES, "and"))
                )
            seat = self._seat(letter, where)
            if seat is not None and station is not None and size in SIZES:
                rings[seat][SIZES.index(size)] |= bit_of(station)

    def _posts(self) -> tuple[Station, ...]:
        if self.data.get("posts") is None:
            return self.terms.setup.posts
        posts: dict[int, Station] = {}
        for letter, name in self._object("posts").items():
            seat, station = self._seat(letter, "posts"), self._station(name, f"posts: {shown(letter)[1:-1]}")
            if station == self.layout.centre:
                self.faults.append(text("posts: {letter}'s post cannot stand on {name}", letter=letter, name=str(name)))
            if station in posts.values():
                self.faults.append(text("posts: several posts on {name}", name=str(name)))
            if seat is not None and station is not None:
                posts[seat] = station
        for seat, player in enumerate(self.letters):
            if player not in self._object("posts"):
                self.faults.append(text("posts: {player}'s is missing", player=player))
            posts.setdefault(seat, self.terms.setup.posts[seat])
        return tuple(posts[seat] for seat in range(len(self.letters)))

    def _blockers(self) -> tuple[SlotSet, ...]:
        if self.data.get("blockers") is None:
            return self._start_blockers()
        found = [0] * len(self.letters)
        for letter, given in self._object("blockers").items():
            seat = self._seat(letter, "blockers")
            names = self._text_list(given, text("blockers of {given}", given=shown(letter)[1:-1]))
            places = [
                place
                for name in names
                if (place := self._slot(name, text("blocker of {letter}", letter=letter))) is not None
            ]
            for slot, _ in places:
                self._take(slot, text("a blocker of {letter}", letter=letter))
                if seat is not None:
                    found[seat] |= 1 << slot
        return tuple(found)

    def _start_blockers(self) -> tuple[SlotSet, ...]:
        """The blockers' slots of the start, from which a position that leaves them out did not move them."""
        if self.terms.options.blockers_start == "in_hand":
            return (0,) * len(self.letters)
        found = tuple(self.terms.layout.start_blockers[post] for post in self.terms.setup.posts)
        for player, slots in zip(self.letters, found, strict=True):
            for slot in slots_in(slots):
                self._take(
                    slot,
                    text("a blocker of {player} (blockers are left out, so they lie as at the start)", player=player),
                )
        return found

    def _in_hand(self, blockers: tuple[SlotSet, ...]) -> tuple[int, ...]:
        held = [0] * len(self.letters)
        if self.terms.options.blockers_start == "in_hand" and self.data.get("blockers") is None:
            held = [BLOCKERS_EACH] * len(self.letters)
        for letter, count in self._object("in_hand").items():
            seat = self._seat(letter, "in_hand")
            if type(count) is not int or count < 0:
                where = text("in_hand of {given}", given=shown(letter)[1:-1])
                self.faults.append(
                    text("{where} must be a whole number from 0 on, not {given}", where=where, given=shown(count))
                )
            elif seat is not None:
                held[seat] = count
        for player, slots, hand in zip(self.letters, blockers, held, strict=True):
            if (count := slots.bit_count() + hand) > BLOCKERS_EACH:
                self.faults.append(
                    text(
                        "{player} has {count} blockers, but there are only {most}",
                        player=player,
                        count=count,
                        most=BLOCKERS_EACH,
                    )
                )
        return tuple(held)

    # The past

    def _barred(self) -> tuple[str, ...]:
        barred = []
        for written in self._texts("barred"):
            move = self.terms.notation.parse(written)
            if isinstance(move, Unread):
                self.faults.append(text("barred: {why}", why=move.detail))
            else:
                barred.append(self.terms.notation.text(move))
        return tuple(barred)

    def _places(self, to_move: int | None) -> tuple[int, ...]:
        seats = [seat for letter in self._texts("places") if (seat := self._seat(letter, "places")) is not None]
        if len(set(seats)) != len(seats):
            self.faults.append(text("places: a player stands twice"))
        if to_move is not None and to_move in seats:
            self.faults.append(text("to_move: {player} has finished", player=self.letters[to_move]))
        return tuple(seats)

    def _outcome(self) -> Outcome | None:
        given = self.data.get("outcome")
        if given is None:
            return None
        if isinstance(given, Mapping):
            winner, by, draw = given.get("winner"), given.get("by"), given.get("draw")
            if draw in _DRAWN_BY and winner is None:
                return Outcome(draw=str(draw))
            if winner in self.letters and by in _WON_BY and draw is None:
                path = self._text_list(given.get("path"), text("outcome: path"))
                return Outcome(Player(str(winner)), str(by), path=path, places=tuple(self._groups(given.get("places"))))
        ways = text(
            "a winner with by {won}, or draw {drawn}",
            won=listed(map(shown, _WON_BY)),
            drawn=listed(map(shown, _DRAWN_BY)),
        )
        self.faults.append(text("outcome must be null, {ways}", ways=ways))
        return None

    def _groups(self, given: Json) -> Iterator[tuple[Player, ...]]:
        for group in given if isinstance(given, list | tuple) else ():
            yield tuple(Player(letter) for letter in self._text_list(group, text("outcome: places")))


def position_json(position: Position, terms: Terms) -> dict[str, Json]:
    """Write a position as `parse_position` takes it back; what is as if left out is left out beside the pieces."""
    layout, letters = terms.layout, terms.players
    data: dict[str, Json] = {
        "to_move": None if position.to_move is None else PLAYERS[position.to_move],
        "bridges": bridge_texts(position.bridges, terms),
        "rings": _rings_json(position, terms),
        "posts": {letter: layout.names[post] for letter, post in zip(letters, position.posts, strict=True)},
        "blockers": {
            letter: [layout.slot_names[slot] for slot in slots_in(slots)]
            for letter, slots in zip(letters, position.blockers, strict=True)
        },
        "ply": position.ply,
        "ringless": position.ringless,
    }
    if any(position.in_hand):
        data["in_hand"] = dict(zip(letters, position.in_hand, strict=True))
    if position.barred:
        data["barred"] = list(position.barred)
    if position.places:
        data["places"] = [letters[seat] for seat in position.places]
    if position.outcome is not None:
        data["outcome"] = _outcome_json(position.outcome)
    if position.seen:
        data["seen"] = list(position.seen)
    return data


def bridge_texts(bridges: Bridges, terms: Terms) -> list[str]:
    """The bridges in the order of their slots, each from tail to tip."""
    found = [(slot, Kind(kind)) for kind, slots in enumerate(bridges) for slot in slots_in(slots)]
    return [f"{COLOURS[kind >> 1]} {terms.layout.slot_from(slot, kind & 1)}" for slot, kind in sorted(found)]


def _rings_json(position: Position, terms: Terms) -> dict[str, Json]:
    on: dict[Station, dict[str, Json]] = {}
    for size, name in enumerate(SIZES):
        for seat, rings in enumerate(position.rings):
            for station in stations_in(rings[size]):
                on.setdefault(station, {})[name] = terms.players[seat]
    return {terms.layout.names[station]: on[station] for station in sorted(on)}


def _outcome_json(outcome: Outcome) -> dict[str, Json]:
    if outcome.draw is not None:
        return {"draw": outcome.draw}
    data: dict[str, Json] = {"winner": outcome.winner, "by": outcome.by, "path": list(outcome.path)}
    return {**data, "places": [list(group) for group in outcome.places]} if outcome.places else data
