"""The firmware's port on a real pty, pulled and put in again: back at once, at the right stop, and nothing leaks."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.port import PortState, PortSupervisor
from firmware_bridge.protocol import Hello
from firmware_bridge.readings import BridgeReading, DeviceChanged, DeviceState, KnobAt
from hw_sim.chip.sim_chip import BoardSettings, SimChip
from tests.firmware_bridge.chip_stand import built_chip

BACK_S = 0.5
"""What is promised, and measured by the long test: a machine that runs many at once promises no part of a second."""
PATIENCE_S = 30.0
STEP_S = 0.002
CLOCKWISE = (("knob_a", 1), ("knob_b", 1), ("knob_a", 0), ("knob_b", 0))
BACK = (("knob_b", 1), ("knob_a", 1), ("knob_b", 0), ("knob_a", 0))


def wait_for(happened: Callable[[], object], what: str, seconds: float = PATIENCE_S) -> float:
    """How long it took."""
    start_s = time.monotonic()
    while not happened():
        assert time.monotonic() < start_s + seconds, f"{what} did not happen within {seconds} s"
        time.sleep(0.001)
    return time.monotonic() - start_s


class Bench:
    """A chip that lives in real time, and the program's port to it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.chip = SimChip(path, settings=BoardSettings("12-A7"), files=built_chip())
        self.chip.pace(1.0)
        self.readings: list[BridgeReading] = []
        self.port = PortSupervisor(str(path), self.readings.append)
        self.port.start()
        wait_for(lambda: self.states() == [DeviceState.OK] and self.knob() is not None, "the first frame")
        self.port.confirm_knob(0)

    def close(self) -> None:
        self.port.stop()
        self.chip.close()
        assert self.port.state is PortState.STOPPED

    def states(self) -> list[DeviceState]:
        return [each.state for each in self.readings if isinstance(each, DeviceChanged)]

    def knob(self) -> KnobAt | None:
        told = [each for each in self.readings if isinstance(each, KnobAt)]
        return told[-1] if told else None

    def turn(self, detents: int) -> None:
        self.chip.pace(0)  # or a busy machine would be late with the edges, and they would all come at once
        t_s = self.chip.now_s() + STEP_S
        for _ in range(abs(detents)):
            for line, level in CLOCKWISE if detents > 0 else BACK:
                self.chip.drive(t_s, line, level)
                t_s += STEP_S
        self.chip.pace(1.0)

    def stands_at(self, detents: int, *, verified: bool) -> bool:
        knob = self.knob()
        return knob is not None and (knob.detents, knob.verified) == (detents, verified)

    def pull(self, *, keep_power: bool = False) -> None:
        self.readings.clear()
        self.chip.unplug(keep_power=keep_power)
        wait_for(lambda: self.states() == [DeviceState.LOST], "the hang-up")
        assert not self.path.exists()

    def put_in(self) -> float:
        """How long it takes from the path's return until the board is heard of again."""
        self.chip.plug()
        wait_for(self.path.exists, "the path's return")
        return wait_for(lambda: DeviceState.BACK in self.states() and self.knob(), "the board's return")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "board")
    yield made
    made.close()


def open_files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def memory_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def replug(bench: Bench, rounds: int, seed: int) -> float:
    """The longest that it took until the board was heard of again."""
    rng = random.Random(seed)
    longest_s = 0.0
    detents = 0
    for number in range(rounds):
        turned = rng.choice((-3, -2, -1, 1, 2, 3))
        bench.turn(turned)
        detents += turned
        wait_for(lambda: bench.stands_at(detents, verified=True), f"the turn of round {number}")  # noqa: B023
        bench.pull()
        longest_s = max(longest_s, bench.put_in())
        assert bench.stands_at(detents, verified=False), f"round {number}: {bench.knob()} at {detents}"
        knob = bench.knob()
        assert knob is not None
        bench.port.confirm_knob(knob.stop)
        bench.readings[:] = [bench.readings[-1]]
    return longest_s


def replug_without_a_leak(bench: Bench, rounds: int, grown_kb: int) -> float:
    replug(bench, 3, seed=0)
    bench.turn(-bench.readings[-1].detents if isinstance(bench.readings[-1], KnobAt) else 0)
    wait_for(lambda: bench.stands_at(0, verified=True), "the way back to the start")
    ours, chips = os.getpid(), bench.chip.pid
    before = (threading.active_count(), open_files(ours), open_files(chips))
    memory_before = (memory_kb(ours), memory_kb(chips))
    longest_s = replug(bench, rounds, seed=1)
    assert (threading.active_count(), open_files(ours), open_files(chips)) == before
    for now_kb, then_kb in zip((memory_kb(ours), memory_kb(chips)), memory_before, strict=True):
        assert now_kb - then_kb <= grown_kb
    return longest_s


def test_a_board_says_who_it_is_through_its_port(bench: Bench) -> None:
    wait_for(lambda: bench.port.decoder.hello is not None, "HELLO")
    assert isinstance(bench.port.decoder.hello, Hello)
    assert bench.port.decoder.hello.serial_number == "12-A7"
    bench.port.identify(1)
    wait_for(lambda: bench.chip.now_s() and bench.chip.lamp, "the lamp")


def test_a_pulled_cable_is_back_at_the_right_stop_and_leaks_nothing(bench: Bench) -> None:
    replug_without_a_leak(bench, rounds=8, grown_kb=2048)


@pytest.mark.long
def test_a_thousand_pulled_cables_are_back_at_once(bench: Bench) -> None:
    assert replug_without_a_leak(bench, rounds=1000, grown_kb=4096) <= BACK_S


def test_what_happened_meanwhile_is_read_from_the_absolute_state_where_the_board_kept_its_power(bench: Bench) -> None:
    bench.turn(2)
    wait_for(lambda: bench.stands_at(2, verified=True), "the turn")
    bench.pull(keep_power=True)
    bench.turn(-5)
    bench.put_in()
    wait_for(lambda: bench.stands_at(-3, verified=True), "the turn that nobody saw")


def test_a_reset_is_noticed_and_the_knob_unverified(bench: Bench) -> None:
    bench.turn(4)
    wait_for(lambda: bench.stands_at(4, verified=True), "the turn")
    bench.chip.reset()
    wait_for(lambda: bench.stands_at(4, verified=False), "the reset")
    bench.turn(-1)
    wait_for(lambda: bench.stands_at(3, verified=False), "the turn after it")
