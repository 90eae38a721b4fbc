"""Everything that a table can say: whole games of both kinds with every fault and breach, and what seldom happens."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Any

from companion.events import (
    BoardMoved,
    CalibrationDoubtful,
    Corrected,
    DeviceReported,
    Event,
    Forfeited,
    GameOver,
    KnobConfirmed,
    KnobMismatch,
    MovePlayed,
    OrphansReminded,
    PlaceSaid,
    QuestionClosed,
    Record,
)
from companion.evidence import DeviceChanged, MarbleEntered
from companion.games.game import Json
from companion.games.registry import game_named
from companion.live import TableLoop
from companion.table import Table
from firmware_bridge.readings import DeviceState
from hw_sim.breaches import BreachKind
from hw_sim.faults import Faults
from hw_sim.finity.breaches import FinityBreachKind
from tests.finity.test_options import THREE
from tests.mqtt.material import until
from tests.reconciler.playing import Playing
from tests.reconciler.playing_finity import PlayingFinity
from tests.reconciler.sights import a_table, shown
from tests.table.test_doubts import in_doubt
from tests.table.test_taking_up import over

FORFEITING: Mapping[str, Json] = {"board": "BYYY|YBBB|BYYB|BKYB", "score": 2, "to_move": "blue"}
POSITION: Mapping[str, Json] = {"board": "B...|....|....|....", "score": 0, "to_move": None}

SELDOM: tuple[Event, ...] = (
    Forfeited("blue", 3, "Blue forfeits", {"score": 1}),
    MovePlayed("A", "reverse N>NE M", 4, "…", {"by": "A", "orphans": [["A", "N", "S"]], "overlooked": True}),
    Corrected(2, ("B1",), ("B2",), "Anna", "it was channel 2", POSITION, 0, (0,)),
    OrphansReminded((("A", "N", "S"),)),
    KnobMismatch(2, 3, resolved=False, words="The knob stands at stop 3; the score belongs at 2"),
    KnobConfirmed(2, "Anna"),
    DeviceReported("camera", "lost", "unplugged"),
    DeviceReported("camera", "back"),
    BoardMoved(2.5, followed=True),
    CalibrationDoubtful("dark"),
    PlaceSaid("1.1", "", "Anna"),
    QuestionClosed("q1", None, "evidence"),
    GameOver({"draw": "tie"}, "Nobody wins"),
)
"""What takes long to bring about at a table."""


@dataclass(slots=True)
class Evening:
    """What a table said: its records, and its state after each."""

    records: list[Record] = field(default_factory=list)
    states: list[Mapping[str, Json]] = field(default_factory=list)

    def tell(self, table: Table, records: Iterable[Record]) -> None:
        self.records += records
        self.states.append(table.state_json())

    def command(self, table: Table, name: str, **args: Any) -> None:
        self.tell(table, table.command(name, args, float(len(self.records)), "Anna"))


def watched(game: Any) -> Evening:
    """A whole game."""
    evening, tell = Evening(), game._tell

    def told(records: Iterable[Record]) -> None:
        happened = list(records)
        tell(happened)
        if happened:
            evening.tell(game.table, happened)

    game._tell = told
    game.run()
    return evening


def whole_game(game: str) -> Evening:
    """With every fault that devices have, and people who do what they may not."""
    faults = replace(Faults.all_on(), misread=0.03)
    if game == "infinity":
        return watched(Playing(1, faults=faults, breaches=tuple(BreachKind)[:3]))
    return watched(PlayingFinity(3, players=2, breaches=tuple(FinityBreachKind), faults=faults))


def without_a_camera() -> Evening:
    """A beam breaks and nobody sees of what colour; people answer, enter, take back, put right, rest, begin anew."""
    evening, table = Evening(), Table(game_named("infinity", {"first": "blue"}), names={"blue": "Ada"})
    evening.tell(table, table.start(0.0))
    evening.tell(table, [*table.take(MarbleEntered(1.0, "board", 1)), *table.tick(9.0)])
    question = table.state_json()["question"]
    assert isinstance(question, Mapping)
    evening.command(table, "answer", question=question["question"], choice="B1")
    evening.command(table, "play", move="Y2")
    evening.command(table, "correct", ply=2, moves=["Y3"], why="it was channel 3")
    evening.command(table, "undo", ply=2)
    evening.command(table, "pause")
    evening.command(table, "resume")
    evening.command(table, "confirm_knob")
    evening.command(table, "new_game", position=dict(FORFEITING))
    evening.command(table, "play", move="Y1")
    evening.command(table, "new_game")
    evening.command(table, "take_up")
    return evening


def house_rules() -> Evening:
    """Turns that are counted, forfeits that score, a win that board and score do not show: all of it is said."""
    options: dict[str, Json] = {"first": "blue", "max_turns": 2, "score_on_forfeit": True, "both_two_rows": "mover"}
    evening, table = Evening(), Table(game_named("infinity", options))
    evening.tell(table, table.start(0.0))
    evening.command(table, "new_game", position={**FORFEITING, "turns": 0})
    evening.command(table, "play", move="Y1")
    evening.command(table, "new_game", position={"board": "BBYY|BBYY|BBYY|BYYK", "score": 0, "to_move": "blue"})
    evening.command(table, "play", move="B4")
    evening.command(table, "new_game")
    evening.command(table, "take_up")
    return evening


def doubted() -> Evening:
    """A place that the camera cannot tell, and a board that is not the record's."""
    evening, table = Evening(), in_doubt()
    evening.tell(table, [])
    evening.command(table, "place", place="1.1", label="K")
    other = a_table(first="blue")
    evening.tell(other, shown(other, "B...|Y...|Y...|....", 0.0, 6.0, step_s=0.5))
    last = over()
    evening.command(last, "new_game")
    return evening


def three_players() -> Evening:
    """Finity of three on a board of their own, blockers in hand, played on for places, and counted for repetitions."""
    options: dict[str, Json] = {
        "pattern_length": 2,
        "continue_after_win": True,
        "blockers_start": "in_hand",
        "repetition_limit": 3,
    }
    board = json.loads(resources.files("companion.games.finity").joinpath("board.json").read_text())
    setup = {"players": 3, "pattern": "bw", "board": board}
    evening, table = Evening(), Table(game_named("finity", options, setup))
    evening.tell(table, table.start(0.0))
    evening.command(table, "new_game", position={"to_move": "A", "ply": 12, **THREE})
    for move in ("add w N>C M", "add b S>SW M", "add w SW>FSW M", "add w SE>C M"):
        evening.command(table, "play", move=move)
    evening.command(table, "undo", ply=4)
    evening.command(table, "play", move="add w SE>C M")
    evening.command(table, "new_game", position={"to_move": "A", "ply": 12, **THREE})
    evening.command(table, "take_up")
    return evening


def nobody_wins() -> Evening:
    """A game of Finity that ends for want of news, and is the last one for a moment."""
    evening, table = Evening(), Table(game_named("finity", {}, {"players": 2, "pattern": "bwbbwbww"}))
    evening.tell(table, table.start(0.0))
    evening.command(table, "new_game", position={"to_move": "A", "ply": 40, "ringless": 19, "bridges": [], "rings": {}})
    evening.command(table, "play", move="add b N>NE M")
    evening.command(table, "new_game")
    evening.command(table, "take_up")
    return evening


def with_devices() -> Evening:
    """A live table, which says since when a device is how it is."""
    evening, loop = Evening(), TableLoop(Table(game_named("infinity", {"first": "blue"})), [], clock=time.monotonic)
    thread = threading.Thread(target=loop.run)
    thread.start()
    loop.put(DeviceChanged(time.monotonic(), "camera", DeviceState.LOST, "unplugged"))
    assert until(lambda: loop.state()["devices"])
    evening.states.append(loop.state())
    loop.stop()
    thread.join(10)
    return evening


def seldom() -> Evening:
    """What takes long to bring about, as it would be told."""
    return Evening([Record(number, f"id-{number}", 1.0, event) for number, event in enumerate(SELDOM, start=1)])


OTHERS = (without_a_camera, house_rules, doubted, three_players, nobody_wins, with_devices, seldom)
