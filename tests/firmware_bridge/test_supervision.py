"""Whatever befalls a board's port becomes one line for people and mends by itself: on real ports, through the thread.

What each line says to do is what helps: plug in, press reset, update, close the other program, join the group.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.port import PortState, PortSupervisor
from firmware_bridge.protocol import Capability, Hello, Identify, State, encode
from firmware_bridge.readings import BridgeReading, DeviceChanged, DeviceState, KnobAt
from firmware_bridge.serial_decoder import DEAF, RESTARTED, SerialDecoder
from hw_sim.serial_line import NOISE
from hw_sim.serial_port import SimSerialPort

OK, STALE, LOST, BACK = DeviceState.OK, DeviceState.STALE, DeviceState.LOST, DeviceState.BACK
HELLO = Hello(boot_id=7, serial_number="x", firmware=(1, 0, 0), capabilities=Capability.KNOB)


PATIENCE_S = 20.0
SILENCE_S = 60.0
"""A board is silent when so much time has passed without a frame: far more than a busy machine keeps a test waiting."""


class Bench:
    """A board that says what it is told to, on a real port, and the program's end of it."""

    def __init__(self, path: Path) -> None:
        self.port = SimSerialPort(path)
        self.readings: list[BridgeReading] = []
        self.heard = 0
        self._skipped_s = 0.0
        self.supervisor = self.listener(str(path))
        self._seq = 0

    def listener(self, path: str) -> PortSupervisor:
        decoder = SerialDecoder("board", stale_s=SILENCE_S)
        return PortSupervisor(path, self.readings.append, self._hear, self._now_s, decoder=decoder)

    def _hear(self, _: float, data: bytes) -> None:
        self.heard += len(data)

    def _now_s(self) -> float:
        return time.monotonic() + self._skipped_s

    def passes(self) -> None:
        """So much time passes that a board that says nothing is silent."""
        self._skipped_s += SILENCE_S

    def start(self) -> None:
        self.supervisor.start()

    def steps(self, number: int) -> None:
        """Without the thread."""
        for _ in range(number):
            self.supervisor.step()

    def says(self, boot_id: int = 7, **values: Any) -> None:
        self._seq += 1
        self.port.send(encode(State(boot_id=boot_id, uptime_ms=self._seq, knob=0, seq=self._seq % 256, **values)))

    def states(self) -> list[DeviceState]:
        return [each.state for each in self.told()]

    def told(self) -> list[DeviceChanged]:
        return [each for each in self.readings if isinstance(each, DeviceChanged)]

    def until(self, *states: DeviceState, while_saying: Callable[[], object] = lambda: None) -> str:
        """Wait for exactly these states so far; returns the last one's detail."""
        end_s = time.monotonic() + PATIENCE_S
        while self.states() != list(states):
            assert time.monotonic() < end_s, f"{self.told()} instead of {states}"
            while_saying()
            time.sleep(0.01)
        return self.told()[-1].detail

    def well(self) -> None:
        self.start()
        self.until(OK, while_saying=self.says)


def wait_for(happened: Callable[[], object]) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < end_s, "waited in vain"
        time.sleep(0.01)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "board")
    yield made
    made.supervisor.stop()
    made.port.close()


def test_a_hang_up(bench: Bench) -> None:
    bench.well()
    bench.port.unplug()
    assert "plug the board in again" in bench.until(OK, LOST)
    bench.port.plug()
    bench.until(OK, LOST, BACK, while_saying=bench.says)


def test_a_reset(bench: Bench) -> None:
    bench.well()
    bench.says(boot_id=8)
    assert bench.until(OK, BACK) == RESTARTED
    bench.says(boot_id=8)
    bench.supervisor.confirm_knob(2)
    last = bench.readings[-1]
    assert isinstance(last, KnobAt)
    assert (last.stop, last.verified) == (2, True)
    assert bench.states() == [OK, BACK], "told once"


def test_another_version_of_the_firmware(bench: Bench) -> None:
    bench.well()
    bench.port.send(encode(replace(HELLO, major=9)))
    assert "update the program" in bench.until(OK, LOST)
    bench.says()
    time.sleep(0.1)
    assert bench.states() == [OK, LOST], "nothing that it says is believed"
    bench.port.send(encode(HELLO))
    bench.until(OK, LOST, BACK)


def test_another_version_after_a_replug_is_told_though_the_board_was_lost_already(bench: Bench) -> None:
    bench.well()
    bench.port.unplug()
    bench.until(OK, LOST)
    bench.port.plug()
    old = encode(replace(HELLO, major=0))
    assert "update the board firmware" in bench.until(OK, LOST, LOST, while_saying=lambda: bench.port.send(old))


def test_noise_and_no_frames(bench: Bench) -> None:
    def noise(data: bytes) -> None:
        heard = bench.heard
        wait_for(lambda: bench.port.send(data) and bench.heard > heard)  # what comes before a port is open is void
        bench.passes()

    bench.start()
    detail = bench.until(STALE, while_saying=lambda: noise(b"$GPGGA,123519\x00"))
    assert "none that this program understands" in detail
    bench.until(STALE, BACK, while_saying=bench.says)
    detail = bench.until(STALE, BACK, STALE, while_saying=lambda: noise(b"\xff\xfe\x00"))
    assert "none that this program understands" in detail, "though it was well before"


def test_a_silent_port(bench: Bench) -> None:
    bench.start()
    assert "press the board's reset button" in bench.until(STALE, while_saying=bench.passes)
    bench.until(STALE, BACK, while_saying=bench.says)
    bench.passes()
    bench.until(STALE, BACK, STALE)


def test_a_board_that_is_silent_after_a_replug_is_no_longer_told_to_be_plugged_in(bench: Bench) -> None:
    bench.well()
    bench.port.unplug()
    bench.until(OK, LOST)
    bench.port.plug()
    assert "reset button" in bench.until(OK, LOST, STALE, while_saying=bench.passes)
    bench.until(OK, LOST, STALE, BACK, while_saying=bench.says)


def test_a_board_that_takes_no_commands_is_told_and_still_read(bench: Bench) -> None:
    """Nobody reads at the other end, so the port's buffer fills; then somebody does."""
    bench.well()
    for _ in range(6000):
        bench.supervisor.send(Identify(1))
    assert bench.until(OK, OK, while_saying=bench.says) == DEAF

    def marble_is_told() -> bool:
        bench.says(passages=(1, 0, 0, 0, 0, 0, 0, 0))  # again and again: a frame may find no room
        return any(type(each).__name__ == "MarbleEntered" for each in bench.readings)

    wait_for(marble_is_told)
    bench.until(OK, OK, OK, while_saying=bench.port.receive)
    assert bench.told()[-1].detail == ""


def test_more_than_the_ports_buffer_holds_while_the_program_was_busy(bench: Bench) -> None:
    bench.well()
    with bench.supervisor._lock:  # the port's thread waits for it, as on a machine that is busy
        sent = sum(bench.port.send(encode(State(boot_id=7, uptime_ms=n, knob=0, seq=n % 256))) for n in range(5000))
        for number in range(3):  # what comes on top of a full buffer is lost, in the middle of a frame
            bench.says(passages=(number + 1, 0, 0, 0, 0, 0, 0, 0))
    assert sent > 4000
    end_s = time.monotonic() + PATIENCE_S
    while sum(type(each).__name__ == "MarbleEntered" for each in bench.readings) < 3:
        assert time.monotonic() < end_s
        bench.says(passages=(3, 0, 0, 0, 0, 0, 0, 0))
        time.sleep(0.05)
    assert bench.states() == [OK]


def test_s12_a_port_held_by_another_program(bench: Bench) -> None:
    script = (
        "import fcntl, sys; f = open(sys.argv[1], 'rb', buffering=0); fcntl.flock(f, fcntl.LOCK_EX); "
        "print('held', flush=True); sys.stdin.read()"
    )
    words = [sys.executable, "-c", script, str(bench.port.path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        bench.start()
        assert "close that one first" in bench.until(LOST)
        other.communicate()
    bench.until(LOST, BACK, while_saying=bench.says)


def test_s12_a_port_that_another_program_took_while_it_was_away_is_told_for_that_reason(bench: Bench) -> None:
    bench.steps(3)
    bench.says()
    bench.steps(4)  # a read may end in the middle of the frame
    bench.port.unplug()
    bench.steps(3)
    assert bench.states() == [OK, LOST]
    bench.port.plug()
    with bench.port.path.open("rb", buffering=0) as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        bench.steps(6)
    assert bench.states() == [OK, LOST, LOST], "told once, however often it is tried"
    assert "close that one first" in bench.told()[-1].detail
    bench.port.unplug()
    bench.steps(4)
    assert "is the board plugged in" in bench.told()[-1].detail, "closing the other program helps no more"
    bench.port.plug()
    bench.steps(3)
    bench.says()
    bench.steps(4)  # a read may end in the middle of the frame
    assert bench.states() == [OK, LOST, LOST, LOST, BACK]


def test_s13_modem_manager_among_the_frames(bench: Bench) -> None:
    bench.well()
    for number in range(1, 31):
        bench.port.send(NOISE[number % len(NOISE)])
        bench.says(passages=(number, 0, 0, 0, 0, 0, 0, 0))
        time.sleep(0.01)
    end_s = time.monotonic() + PATIENCE_S
    while sum(type(each).__name__ == "MarbleEntered" for each in bench.readings) < 30:
        assert time.monotonic() < end_s
        bench.says(passages=(30, 0, 0, 0, 0, 0, 0, 0))
        time.sleep(0.01)
    assert bench.states() == [OK]


@pytest.mark.skipif(os.geteuid() != 0, reason="a user's own port is always allowed to him")
def test_s14_a_port_that_this_user_may_not_open(bench: Bench) -> None:
    device = os.path.realpath(bench.port.path)
    os.chmod(device, 0o600)
    bench.supervisor = bench.listener(device)
    os.seteuid(65534)
    try:
        bench.steps(6)
    finally:
        os.seteuid(0)
    (lost,) = bench.told()
    assert lost.state is LOST
    assert "usermod -aG dialout" in lost.detail
    assert bench.supervisor.state is PortState.REFUSED
    bench.start()
    bench.until(LOST, BACK, while_saying=bench.says)


def test_a_port_that_is_not_there_and_then_is(bench: Bench) -> None:
    bench.port.unplug()
    bench.start()
    assert "is the board plugged in" in bench.until(LOST)
    bench.port.plug()
    bench.until(LOST, BACK, while_saying=bench.says)
