"""Games in real time, far faster than life: real bytes through a real port, and scenes to draw on the way."""

from __future__ import annotations

from pathlib import Path

import pytest
import serial

from firmware_bridge.readings import BridgeReading, DeviceChanged, MarbleEntered
from firmware_bridge.serial_decoder import SerialDecoder
from hw_sim.breaches import BreachKind
from hw_sim.faults import Faults
from hw_sim.game_run import SimGame
from hw_sim.happenings import BreachEnded, GameEnded, Happening, MoveMade
from hw_sim.live import LiveTable
from hw_sim.players import Habits, ScriptedPlayers
from hw_sim.serial_port import SimSerialPort

SPEED = 60.0


def test_a_game_passes_in_its_own_time_and_comes_through_the_port(tmp_path: Path) -> None:
    moves = ["B1", "Y2", "B3", "Y4"]
    game = SimGame(1, players=ScriptedPlayers(moves), frame_s=0, sights=False, serial=True)
    happened: list[Happening] = []
    decoder, readings = SerialDecoder(), list[BridgeReading]()
    port = SimSerialPort(tmp_path / "board")
    with (
        serial.Serial(str(port.path), timeout=0.02) as host,
        LiveTable(game, speed=SPEED, port=port, on_happening=happened.append) as live,
    ):
        decoder.opened(0.0)
        times = []
        while not live.finished.is_set():
            host.write(decoder.bytes_to_send())
            readings += decoder.feed(live.clock(), host.read(max(1, host.in_waiting)))
            times.append(live.look()[0])
        assert isinstance(happened[-1], GameEnded)
        assert live.clock() >= happened[-1].t_s
        assert times == sorted(times)
        assert len(set(times)) > 10
    assert [r.channel for r in readings if isinstance(r, MarbleEntered)] == [1, 2, 3, 4]
    assert decoder.hello is not None
    assert any(isinstance(r, DeviceChanged) for r in readings)
    assert not port.plugged


def test_a_live_game_can_be_stopped_and_complained_at() -> None:
    game = SimGame(3, breaches=(BreachKind.OUT_OF_TURN,), frame_s=0, sights=False, habits=Habits(patience_s=600))
    happened: list[Happening] = []

    def listen(happening: Happening) -> None:
        happened.append(happening)
        if getattr(happening, "kind", None) is BreachKind.OUT_OF_TURN:
            live.complain("not_your_turn")

    live = LiveTable(game, speed=200.0, on_happening=listen)
    live.start()
    assert live.finished.wait(20)
    live.stop()
    live.stop()
    assert any(isinstance(h, BreachEnded) and h.complaint == "not_your_turn" for h in happened)
    made = [h.move for h in happened if isinstance(h, MoveMade)]
    assert live.answer((made[-1],)) == made[-1]
    slow = LiveTable(SimGame(1), speed=0.1)
    slow.start()
    slow.stop()
    assert slow.finished.is_set()


def test_a_port_needs_a_board(tmp_path: Path) -> None:
    with SimSerialPort(tmp_path / "board") as port, pytest.raises(ValueError, match="serial=True"):
        LiveTable(SimGame(1), port=port)


def test_a_live_cable_is_pulled_and_comes_back(tmp_path: Path) -> None:
    game = SimGame(1, faults=Faults(unplug_rate=10.0), frame_s=0, sights=False, serial=True)
    port = SimSerialPort(tmp_path / "board")
    seen = set()
    with LiveTable(game, speed=200.0, port=port, on_happening=lambda h: seen.add(port.path.exists())) as live:
        assert live.finished.wait(20)
    assert seen == {True, False}
