"""Every state that a table can be in has a way out, and a way out leads back to a game that goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion.evidence import DeviceChanged, DeviceState, MarbleEntered
from companion.table import Table
from tests.reconciler.sights import EMPTY, a_table, hand, shown, words

B1 = "B...|....|....|...."
B1Y2 = "B...|Y...|....|...."
Step = Callable[[Table, float], object]


def show(board: str, **how: Any) -> Step:
    return lambda table, now_s: (table.take(hand(now_s)), shown(table, board, now_s + 0.1, now_s + 14.0, **how))


def push(channel: int) -> Step:
    return lambda table, now_s: (table.take(MarbleEntered(now_s, "gpio", channel)), table.tick(now_s + 2.0))


def command(name: str, **args: Any) -> Step:
    return lambda table, now_s: table.command(name, args, now_s)


def lose_the_camera(table: Table, now_s: float) -> object:
    return table.take(DeviceChanged(now_s, "camera", DeviceState.LOST, "the camera is unplugged"))


def answer(index: int) -> Step:
    def give(table: Table, now_s: float) -> object:
        question = table.referee.question
        assert question is not None
        asked = question.asked
        return table.command("answer", {"question": asked.question, "choice": asked.choices[index]}, now_s)

    return give


WON = {"board": "BB..|BB..|BB..|B...", "score": 0, "to_move": "blue"}

INTO: Mapping[str, tuple[Step, ...]] = {
    "nothing is open": (),
    "two orders are asked for": (show(B1Y2),),
    "a marble is asked for": (lose_the_camera, push(1)),
    "a breach is open": (show("Y...|....|....|...."), show("Y..K|....|....|....")),
    "the board shows what nobody can explain": (show("KWKW|BYBY|WKWK|YBYB"),),
    "paused": (command("pause"),),
    "over": (command("new_game", position=WON), show("BB..|BB..|BB..|BB..")),
    "hidden": (show(EMPTY, covered=("1.1", "2.1", "3.1", "4.1")),),
}
SIGNS: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
    "nothing is open": lambda state: state["question"] is None and state["illegal"] is None,
    "two orders are asked for": lambda state: len(state["question"]["choices"]) == 2,
    "a marble is asked for": lambda state: len(state["question"]["choices"]) == 4,
    "a breach is open": lambda state: state["illegal"] is not None,
    "the board shows what nobody can explain": lambda state: state["question"]["choices"] == ["none"],
    "paused": lambda state: state["paused"],
    "over": lambda state: state["outcome"] is not None,
    "hidden": lambda state: state["question"] is None,
}
OUT: tuple[tuple[str, tuple[Step, ...]], ...] = (
    ("nothing is open", (show(B1),)),
    ("two orders are asked for", (answer(0),)),
    ("two orders are asked for", (command("new_game"), show(B1))),
    ("a marble is asked for", (answer(0),)),
    ("a marble is asked for", (show(B1),)),
    ("a breach is open", (show("Y...|....|....|...."), show("Y...|B...|....|...."))),
    ("a breach is open", (command("undo", ply=1), show(B1))),
    ("the board shows what nobody can explain", (answer(0), show(EMPTY), show(B1))),
    ("the board shows what nobody can explain", (command("new_game"), show(B1))),
    ("paused", (command("resume"), show(B1))),
    ("over", (command("new_game"), show(B1))),
    ("over", (command("undo", ply=1), show("BB..|BB..|BB..|B...", knob=None), show("BBB.|BB..|BB..|B..."))),
    ("hidden", (show(B1),)),
)


@pytest.mark.parametrize(("state", "way"), OUT, ids=[f"{state} {number}" for number, (state, _) in enumerate(OUT)])
def test_a_way_out_leads_on(state: str, way: tuple[Step, ...]) -> None:
    table = a_table()
    now_s = 1.0
    shown(table, EMPTY, 0.0, 0.9)
    for step in INTO[state]:
        step(table, now_s)
        now_s += 30.0
    assert SIGNS[state](dict(table.state_json()))
    for step in way:
        step(table, now_s)
        now_s += 30.0
    after = table.state_json()
    assert after["moves"]
    assert after["outcome"] is None
    assert after["illegal"] is None
    assert after["paused"] is False
    assert after["question"] is None


def test_every_state_has_a_way_out() -> None:
    assert {state for state, _ in OUT} == set(INTO) == set(SIGNS)


def test_nothing_is_told_twice_while_a_state_lasts() -> None:
    table = a_table()
    shown(table, EMPTY, 0.0, 0.9)
    show(B1Y2)(table, 1.0)
    assert words(shown(table, B1Y2, 9.1, 60.0)) == []
