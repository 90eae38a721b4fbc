"""The board's own sensors in the set-up: heard while somebody looks, the knob's way shown by turning it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.cli.plan import Sensors
from companion.setup.room import Room
from hw_sim.serial_port import SimSerialPort
from tests.setup.at_table import AtTable, at_table, table_of, until


def listening(seated: AtTable) -> AtTable:
    """With the simulated board chosen, and heard."""
    if seated.state["ports"]:
        seated.do("choose_sensors", serial=seated.state["ports"][0]["serial"])
    until(lambda: seated.state["knob_seen"] == 0, "the knob")
    assert seated.state["sensors"]["state"] == "ok"
    return seated


def opened(path: Path) -> list[str]:
    """Which of this process's open files are the port behind a path."""
    port = os.path.realpath(path)
    links = (f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd"))
    return [link for link in links if os.path.lexists(link) and os.path.realpath(link) == port]


@pytest.mark.parametrize("sensors", [Sensors.SERIAL, Sensors.PINS])
def test_the_knob_is_turned_when_asked_and_seen_to_go_clockwise_and_back(tmp_path: Path, sensors: Sensors) -> None:
    with at_table(tmp_path, table=table_of(tmp_path, "infinity", sensors)) as seated:
        listening(seated)
        seated.do("try_knob")
        until(lambda: seated.state["knob_seen"] == 1, "a click clockwise")
        until(lambda: seated.state["knob_seen"] == 0, "the star again")


def test_without_sensors_the_knob_cannot_show_its_way(tmp_path: Path) -> None:
    with at_table(tmp_path) as seated:
        assert (seated.state["sensors"], seated.state["knob_seen"]) == (None, None)
        assert "by hand" in seated.send("try_knob").detail
    with at_table(tmp_path / "finity", "finity") as seated:
        assert not seated.send("try_knob").ok


def _with_port(port: Path) -> Callable[[Room], Room]:
    def room(room: Room) -> Room:
        found = replace(room.ports()[0], device=str(port), serial={"port": str(port)})
        return replace(room, ports=lambda: (found,))

    return room


def test_a_board_that_is_pulled_out_or_says_nothing_is_told_in_words(tmp_path: Path) -> None:
    with SimSerialPort(tmp_path / "mute") as port, at_table(tmp_path, room=_with_port(port.path)) as seated:
        seated.do("choose_sensors", serial={"port": str(port.path)})
        until(lambda: "reset button" in seated.state["sensors"]["words"], "the silence")
        assert seated.state["sensors"]["state"] == "stale"
        assert "reset button" in seated.send("try_knob").detail
        port.unplug()
        until(lambda: seated.state["sensors"]["state"] == "lost", "the loss")
        assert "plug" in seated.state["sensors"]["words"]
        assert seated.state["knob_seen"] is None
        seated.do("choose_sensors", serial=None)
        assert seated.state["sensors"] is None


def test_sensors_are_let_go_while_nobody_looks_and_before_a_game(tmp_path: Path) -> None:
    with at_table(tmp_path, begin=lambda config, calibration: None) as seated:
        board = tmp_path / "board"
        theirs = len(opened(board))  # the simulated board keeps an end of its own
        listening(seated)
        assert len(opened(board)) == theirs + 1
        seated.session.lend()
        assert seated.state["sensors"] is None
        assert len(opened(board)) == theirs
        seated.session.turn()
        assert len(opened(board)) == theirs
        seated.session.ended()
        until(lambda: seated.state["knob_seen"] == 0, "the knob again")
        seated.leave()
        until(lambda: len(opened(board)) == theirs, "the port to be free")


def test_pins_that_cannot_be_had_say_so(tmp_path: Path) -> None:
    def without_pins(room: Room) -> Room:
        stand: Any = replace(room.stand(), pin_factory=_NoPins())
        return replace(room, stand=lambda: stand)

    with at_table(tmp_path, table=table_of(tmp_path, "infinity", Sensors.PINS), room=without_pins) as seated:
        until(lambda: seated.state["sensors"], "the sensors")
        until(lambda: seated.state["sensors"]["state"] == "lost", "the refusal")
        assert "cannot be used: no such chip" in seated.state["sensors"]["words"]


class _NoPins:
    """A pin factory of a machine that has none."""

    def reserve_pins(self, *_: object) -> None:
        raise OSError("no such chip")

    def release_pins(self, *_: object) -> None:
        pass
