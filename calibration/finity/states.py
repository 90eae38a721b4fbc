"""What a reference picture shows, as a person says it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibration.errors import CalibrationError
from calibration.finity.board import PLAYER_COUNTS, POST, SIZES, FinityBoard
from calibration.finity.examples import State
from calibration.sentences import Sentence, several
from calibration.state_file import read_state

EMPTY = "."
FORM = '{"players":2,"bridges":["b N>NE M"],"rings":{"NE":{"S":"A"}},"posts":{"A":"N"},"blockers":{"A":["N>C L"]}}'


def load_state(path: str | Path, board: FinityBoard) -> State:
    """Read a reference state's JSON file.

    Raises:
        CalibrationError: where it is absent or says no position of this board.
    """
    return read_state(path, lambda data: parse_state(data, board))


def parse_state(data: object, board: FinityBoard) -> State:
    """Check a reference state; keys that are not needed are ignored.

    Raises:
        CalibrationError: with every fault.
    """
    if not isinstance(data, Mapping) or data.get("players") not in PLAYER_COUNTS:
        raise CalibrationError(
            Sentence("a reference state needs players (2, 3 or 4) and its pieces, like {form}", form=FORM)
        )
    reader = _Reader(board, int(data["players"]))
    for bridge in reader.texts(data, "bridges"):
        colour, _, slot = bridge.partition(" ")
        reader.bridge(bridge, colour, slot)
    for station, sizes in reader.mapping(data, "rings").items():
        for size, owner in sizes.items() if isinstance(sizes, Mapping) else [("", sizes)]:
            reader.put(f"{station}.{size}" if size in SIZES else f"rings: {station} {sizes!r}", owner)
    for owner, station in reader.mapping(data, "posts").items():
        reader.put(f"{station}.{POST}", owner)
    for owner, slots in reader.mapping(data, "blockers").items():
        for slot in slots if isinstance(slots, list | tuple) else [slots]:
            reader.blocker(str(slot), owner)
    hidden = reader.texts(data, "hidden")
    if reader.faults:
        raise CalibrationError(several(reader.faults))
    return State(reader.players, reader.labels, frozenset(reader.place_of(place) for place in hidden))


class _Reader:
    """Puts pieces on places and collects what is wrong."""

    def __init__(self, board: FinityBoard, players: int) -> None:
        self.players = players
        self.faults: list[str] = []
        self.labels = dict.fromkeys(board.places(players), EMPTY)
        self._board = board
        self._letters = "ABCD"[:players]

    def texts(self, data: Mapping[str, Any], key: str) -> list[str]:
        value = data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.faults.append(Sentence('"{key}" must be a list of texts', key=key))
            return []
        return value

    def mapping(self, data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        value = data.get(key, {})
        if not isinstance(value, Mapping):
            self.faults.append(Sentence('"{key}" must be an object', key=key))
            return {}
        return value

    def put(self, place: str, label: object, owner: object = None) -> None:
        owner = label if owner is None else owner
        if place not in self.labels:
            self.faults.append(
                Sentence("{place}: there is no such place for {players} players", place=place, players=self.players)
            )
        elif owner not in tuple(self._letters):
            self.faults.append(Sentence("{place}: there is no player {player}", place=place, player=str(owner)))
        elif self.labels[place] != EMPTY:
            self.faults.append(Sentence("{place} is said to hold two pieces", place=place))
        else:
            self.labels[place] = str(label)

    def bridge(self, text: str, colour: str, name: str) -> None:
        try:
            slot, _ = self._board.slot_named(name)
        except KeyError:
            self.faults.append(Sentence("{text}: there is no such slot", text=text))
            return
        tail = name.partition(">")[0]
        if colour not in ("b", "w"):
            self.faults.append(Sentence("{text}: a bridge is b or w", text=text))
        else:
            self.put(slot.name, f"{colour} {tail}", self._letters[0])

    def blocker(self, name: str, owner: str) -> None:
        place = self.place_of(name)
        self.put(place, f"blocker {owner}", owner)

    def place_of(self, name: str) -> str:
        """A place by either of its names."""
        try:
            return self._board.slot_named(name)[0].name
        except KeyError:
            return name
