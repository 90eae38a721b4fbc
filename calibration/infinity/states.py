"""What a reference picture shows, as a person says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from calibration.errors import CalibrationError
from calibration.infinity.board import InfinityBoard
from calibration.sentences import Sentence, several
from calibration.state_file import read_state

KINDS: Mapping[str, str] = {
    "B": Sentence("blue"),
    "K": Sentence("black"),
    "Y": Sentence("yellow"),
    "W": Sentence("white"),
}
SUPPLY: Mapping[str, int] = {"B": 8, "K": 1, "Y": 8, "W": 1}
"""How many marbles of each kind a set has."""


@dataclass(frozen=True, slots=True)
class State:
    """A known position.

    Attributes:
        slots: label ("B", "K", "Y", "W" or ".") by place.
        well: kinds left to right along the groove, None where it is not said.
        knob_stop: -4 to 5, None where it is not said.
        hidden: places from which nothing may be learnt.
    """

    slots: Mapping[str, str]
    well: str | None = None
    knob_stop: int | None = None
    hidden: frozenset[str] = field(default=frozenset())

    @staticmethod
    def empty(board: InfinityBoard) -> State:
        """The state of the empty picture."""
        return State(dict.fromkeys(board.slot_centres(), "."), None, 0)


def load_state(path: str | Path, board: InfinityBoard) -> State:
    """Read a reference state's JSON file.

    Raises:
        CalibrationError: where it is absent or says no position of this board.
    """
    return read_state(path, lambda data: parse_state(data, board))


def parse_state(data: object, board: InfinityBoard) -> State:
    """Check a reference state; keys that are not needed are ignored.

    Raises:
        CalibrationError: with every fault.
    """
    shape = "|".join(["." * board.slots.count] * board.channels.count)
    if isinstance(data, Mapping) and "players" in data and "board" not in data:
        raise CalibrationError(Sentence("is a state of Finity: give --game finity"))
    if not isinstance(data, Mapping) or not isinstance(data.get("board"), str):
        raise CalibrationError(Sentence('a reference state needs "board", like {{"board":"{shape}"}}', shape=shape))
    faults: list[str] = []
    columns = data["board"].split("|")
    if len(columns) != board.channels.count or any(len(column) != board.slots.count for column in columns):
        faults.append(Sentence('"board" must look like {shape}, not {given}', shape=shape, given=data["board"]))
    elif wrong := set("".join(columns)) - {*KINDS, "."}:
        faults.append(
            Sentence('"board" has {wrong}: only B, K, Y, W and . can stand in a slot', wrong=", ".join(sorted(wrong)))
        )
    well = data.get("well")
    if well is not None and (not isinstance(well, str) or set(well) - set(KINDS) or len(well) > sum(SUPPLY.values())):
        faults.append(Sentence('"well" must be the kinds left to right, like "BBYYW"'))
    stop = data.get("knob_stop")
    if stop is not None and (isinstance(stop, bool) or not isinstance(stop, int) or not -4 <= stop <= 5):
        faults.append(Sentence('"knob_stop" must be a whole number from -4 to 5'))
    hidden = data.get("hidden", [])
    if not isinstance(hidden, list) or not all(isinstance(place, str) for place in hidden):
        faults.append(Sentence('"hidden" must be a list of places, like ["1.1"]'))
    if not faults:
        for kind, count in SUPPLY.items():
            seen = data["board"].count(kind) + (well or "").count(kind)
            if seen > count:
                faults.append(
                    Sentence(
                        "{seen} {kind} marbles are said to be there, a set has {count}",
                        seen=seen,
                        kind=KINDS[kind],
                        count=count,
                    )
                )
    if faults:
        raise CalibrationError(several(faults))
    slots = {f"{c}.{s}": label for c, column in enumerate(columns, 1) for s, label in enumerate(column, 1)}
    return State(slots, well, stop, frozenset(hidden))
