"""Live pins through gpiozero's simulated factory. G05, G06, G07, G09, X01, X02."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from firmware_bridge import pin_board
from firmware_bridge.errors import PinsUnavailable
from firmware_bridge.gpio import PinBoard, PinDecoder, Wiring, open_pin_factory
from firmware_bridge.pin_board import RETRY_S
from firmware_bridge.readings import (
    BridgeReading,
    DeviceChanged,
    DeviceState,
    KnobAt,
    MarbleEntered,
    MarbleLeft,
)
from tests.firmware_bridge.test_wiring import GOOD

WIRING = Wiring.parse(GOOD)


class Bench:
    """A board of simulated pins on a clock that is moved by hand."""

    def __init__(self, factory: Any = None, **settings: Any) -> None:
        self.now_s = 0.0
        self.readings: list[BridgeReading] = []
        self.levels: list[tuple[float, str, int]] = []
        self.factory = MockFactory() if factory is None else factory
        settings = {"on_reading": self.readings.append, "threaded": False, "verified": True, **settings}
        self.board = PinBoard(
            WIRING,
            on_level=lambda *level: self.levels.append(level),
            pin_factory=self.factory,
            clock=lambda: self.now_s,
            **settings,
        )

    def drive(self, t_s: float, pin: str, level: int) -> None:
        self.now_s = t_s
        mock = self.factory.pin(pin)
        (mock.drive_high if level else mock.drive_low)()

    def look(self, t_s: float) -> None:
        self.now_s = t_s
        self.board.look()

    def click(self, t_s: float) -> None:
        for number, (pin, level) in enumerate((("BCM17", 0), ("BCM18", 0), ("BCM17", 1), ("BCM18", 1))):
            self.drive(t_s + 0.03 * number, pin, level)


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    assert made.board.start()
    yield made
    made.board.stop()


def test_it_begins_well_and_says_where_the_knob_stands(bench: Bench) -> None:
    assert bench.readings == [
        DeviceChanged(0.0, "gpio", DeviceState.OK),
        KnobAt(0.0, "gpio", 0, 0, at_rest=True, verified=True),
    ]


def test_marbles_and_clicks(bench: Bench) -> None:
    bench.drive(1.0, "BCM5", 0)
    bench.drive(1.1, "BCM5", 1)
    bench.drive(1.2, "BCM12", 0)
    bench.drive(1.3, "BCM12", 1)
    bench.click(2.0)
    bench.look(3.0)
    assert bench.readings[2:] == [
        MarbleEntered(1.0, "gpio", 1),
        MarbleLeft(1.2, "gpio", 1),
        KnobAt(2.09, "gpio", 1, 1, at_rest=False, verified=True),
        KnobAt(2.34, "gpio", 1, 1, at_rest=True, verified=True),
    ]


def test_x01_bounce_is_filtered_here_and_not_by_the_backend(bench: Bench) -> None:
    for t_s, level in ((1.0, 0), (1.02, 1), (1.3, 0), (1.31, 1), (3.0, 0)):
        bench.drive(t_s, "BCM6", level)
    bench.look(4.0)
    assert bench.readings[2:] == [MarbleEntered(1.0, "gpio", 2), MarbleEntered(3.0, "gpio", 2)]


def test_x02_an_edge_is_handled_when_driving_returns(bench: Bench) -> None:
    bench.drive(1.0, "BCM5", 0)
    bench.look(1.01)
    assert bench.readings[-1] == MarbleEntered(1.0, "gpio", 1)


def test_a_recording_of_the_levels_decodes_to_the_same(bench: Bench) -> None:
    bench.drive(1.0, "BCM19", 0)
    bench.drive(1.1, "BCM19", 1)
    bench.click(2.0)
    bench.look(9.0)
    decoder = PinDecoder(WIRING)
    again = [reading for level in bench.levels for reading in decoder.feed(*level)] + decoder.tick(9.0)
    assert again == bench.readings[1:]


def test_an_edge_that_the_backend_swallowed_comes_late(bench: Bench) -> None:
    pin = bench.factory.pin("BCM13")
    pin.edges = "none"
    bench.drive(1.0, "BCM13", 0)
    assert len(bench.readings) == 2
    bench.look(1.02)
    bench.look(1.04)
    assert bench.readings[2:] == [MarbleEntered(1.02, "gpio", 3)]


def test_g05_pins_in_use_are_named_and_the_first_goes_on(bench: Bench) -> None:
    second = Bench(bench.factory)
    assert not second.board.start()
    (lost,) = second.readings
    assert isinstance(lost, DeviceChanged)
    assert lost.state is DeviceState.LOST
    assert "BCM17 (knob_a) is in use already" in lost.detail
    second.board.stop()
    bench.drive(1.0, "BCM5", 0)
    bench.look(2.0)
    assert bench.readings[-1] == MarbleEntered(1.0, "gpio", 1)


def test_stopping_lets_the_pins_go(bench: Bench) -> None:
    bench.board.stop()
    bench.board.stop()
    second = Bench(bench.factory)
    assert second.board.start()
    second.board.stop()


class NoEdges(MockPin):  # type: ignore[misc]
    """A backend whose edge detection broke with an update of the system."""

    def _enable_event_detect(self) -> None:
        self._edges = "none"
        raise RuntimeError("Failed to add edge detection")


class Broken(MockFactory):  # type: ignore[misc]
    def pin(self, name: str, *_: Any, **__: Any) -> Any:
        raise RuntimeError(f"Cannot determine SOC peripheral base address ({name})")


def test_g06_without_edges_the_pins_are_polled(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench(MockFactory(pin_class=NoEdges))
    assert bench.board.start()
    assert caplog.text.count("polled") == 1
    bench.drive(1.0, "BCM5", 0)
    bench.look(1.001)
    bench.look(1.002)
    assert bench.readings[-1] == MarbleEntered(1.001, "gpio", 1)
    bench.board.stop()


def test_g06_a_backend_that_fails_is_a_lost_device_with_the_reason() -> None:
    bench = Bench(Broken())
    assert not bench.board.start()
    (lost,) = bench.readings
    assert isinstance(lost, DeviceChanged)
    assert "peripheral base address" in lost.detail
    bench.board.stop()


def test_g05_pins_in_use_are_tried_again_until_they_come(bench: Bench) -> None:
    second = Bench(bench.factory)
    assert not second.board.start()
    second.look(RETRY_S - 0.1)
    second.look(RETRY_S + 0.1)
    assert len(second.readings) == 1, "told once, however often it is tried"
    bench.board.stop()
    second.look(RETRY_S + 0.2)
    assert len(second.readings) == 1, "not tried before it is time"
    second.look(2 * RETRY_S + 0.1)
    assert second.readings[1:] == [
        DeviceChanged(2 * RETRY_S + 0.1, "gpio", DeviceState.BACK),
        KnobAt(2 * RETRY_S + 0.1, "gpio", 0, 0, at_rest=True, verified=True),
    ]
    second.drive(20.0, "BCM5", 0)
    second.look(21.0)
    assert second.readings[-1] == MarbleEntered(20.0, "gpio", 1)
    second.board.stop()


class Mending(MockFactory):  # type: ignore[misc]
    """A backend that fails for one reason after another, and then works."""

    reasons: ClassVar[list[str]] = []

    def pin(self, name: str, *args: Any, **named: Any) -> Any:
        if self.reasons and name == "BCM18":
            raise RuntimeError(self.reasons[0])
        return super().pin(name, *args, **named)


def test_g06_each_reason_is_told_once_and_the_pins_come_back() -> None:
    factory = Mending()
    factory.reasons[:] = ["no access to /dev/gpiochip0"]
    bench = Bench(factory)
    assert not bench.board.start()
    factory.reasons[:] = ["GPIO busy"]
    for t_s in (3.0, 6.0, 9.0):
        bench.look(t_s)
    factory.reasons.clear()
    bench.look(12.0)
    told = [(each.state, each.detail) for each in bench.readings if isinstance(each, DeviceChanged)]
    assert told == [
        (DeviceState.LOST, "BCM18 (knob_b) cannot be used: no access to /dev/gpiochip0"),
        (
            DeviceState.LOST,
            "BCM18 (knob_b) is in use already: is Companion or another program running? Stop it first",
        ),
        (DeviceState.BACK, ""),
    ]
    bench.board.stop()


def test_a_pin_of_a_bus_is_told_with_who_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.pin_board.claimed", lambda: {"BCM8": "spi0 CS0"})
    told = pin_board._refusal("BCM8", "exit 1", RuntimeError("'GPIO busy'"))
    assert told == "BCM8 (exit 1) is in use already by spi0 CS0: switch SPI off with raspi-config, or wire another pin"


def test_pins_that_come_late_come_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pin_board, "RETRY_S", 0.05)
    lost, back = threading.Event(), threading.Event()

    def listener(reading: BridgeReading) -> None:
        if isinstance(reading, DeviceChanged):
            {DeviceState.LOST: lost, DeviceState.BACK: back}.get(reading.state, threading.Event()).set()

    factory = MockFactory()
    first = PinBoard(WIRING, lambda _: None, pin_factory=factory)
    second = PinBoard(WIRING, listener, pin_factory=factory)
    assert first.start()
    try:
        assert not second.start()
        assert lost.wait(20)
        first.stop()
        assert back.wait(20)
    finally:
        first.stop()
        second.stop()
    assert not any(thread.name == "pins of gpio" for thread in threading.enumerate())


@pytest.mark.parametrize("asked", [None, "nonesuch"])
def test_without_a_pi_one_line_says_so(
    asked: str | None, recwarn: pytest.WarningsRecorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if asked is None and Path("/dev/gpiochip0").exists():
        pytest.skip("this machine has pins")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.setattr("gpiozero.Device.pin_factory", None)
    if asked is not None:
        monkeypatch.setenv("GPIOZERO_PIN_FACTORY", asked)
    with pytest.raises(PinsUnavailable, match=asked or "no GPIO pins can be used here") as caught:
        open_pin_factory()
    assert "\n" not in str(caught.value)
    assert len(recwarn) == 0, "gpiozero's own warnings are part of that line"
    assert os.environ["LG_WD"] == tempfile.gettempdir(), "lgpio's FIFO does not go into the current folder"


def test_g07_importing_needs_no_hardware_and_no_gpiozero() -> None:
    script = (
        "import sys, firmware_bridge.gpio, firmware_bridge.port, firmware_bridge.serial_decoder;"
        "sys.exit(bool({'gpiozero', 'serial', 'lgpio'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=30).returncode == 0


def test_g09_a_listener_that_raises_is_logged_once_and_costs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[BridgeReading] = []

    def listener(reading: BridgeReading) -> None:
        heard.append(reading)
        raise ValueError("a fault of the listener's")

    bench = Bench(on_reading=listener)
    bench.board.start()
    for t_s in (1.0, 3.0, 5.0):
        bench.drive(t_s, "BCM5", 0)
        bench.drive(t_s + 0.1, "BCM5", 1)
    assert sum(isinstance(reading, MarbleEntered) for reading in heard) == 3
    assert len([record for record in caplog.records if record.levelno >= logging.ERROR]) == 1
    bench.board.stop()


def test_weak_pulses_are_logged(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    bench.drive(1.0, "BCM5", 0)
    bench.drive(1.00006, "BCM5", 1)
    bench.look(1.1)
    assert "entry 1" in caplog.text


def test_confirming_the_knob() -> None:
    bench = Bench(verified=False, stop=2)
    bench.board.start()
    bench.now_s = 4.0
    bench.board.confirm_knob(2)
    assert bench.readings[-1] == KnobAt(4.0, "gpio", 2, 2, at_rest=True, verified=True)
    bench.board.stop()


def test_in_real_time_with_its_own_thread() -> None:
    at_rest = threading.Event()
    entered = threading.Event()

    def listener(reading: BridgeReading) -> None:
        if isinstance(reading, KnobAt) and reading.detents == 1 and reading.at_rest:
            at_rest.set()
        if isinstance(reading, MarbleEntered):
            entered.set()

    factory = MockFactory()
    board = PinBoard(WIRING, listener, pin_factory=factory)
    assert board.start()
    try:
        factory.pin("BCM5").drive_low()
        assert entered.wait(20)
        for pin, level in (("BCM17", 0), ("BCM18", 0), ("BCM17", 1), ("BCM18", 1)):
            threading.Event().wait(0.005)
            (factory.pin(pin).drive_high if level else factory.pin(pin).drive_low)()
        assert at_rest.wait(20)
    finally:
        board.stop()
    assert not any(thread.name == "pins of gpio" for thread in threading.enumerate())


class Unreadable(MockPin):  # type: ignore[misc]
    broken = False

    def _get_state(self) -> Any:
        if self.broken:
            raise OSError(5, "Input/output error")
        return super()._get_state()


def test_pins_that_fail_while_running_are_lost_and_come_back() -> None:
    states: list[DeviceState] = []
    lost, back = threading.Event(), threading.Event()

    def listener(reading: BridgeReading) -> None:
        if isinstance(reading, DeviceChanged):
            states.append(reading.state)
            {DeviceState.LOST: lost, DeviceState.BACK: back}.get(reading.state, threading.Event()).set()

    board = PinBoard(WIRING, listener, pin_factory=MockFactory(pin_class=Unreadable))
    assert board.start()
    try:
        Unreadable.broken = True
        assert lost.wait(20)
        Unreadable.broken = False
        assert back.wait(20)
    finally:
        Unreadable.broken = False
        board.stop()
    assert states == [DeviceState.OK, DeviceState.LOST, DeviceState.BACK]
