"""The port supervisor on real ptys, and on ports that fail in every known way. S12, S14."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import serial

from firmware_bridge import port_open
from firmware_bridge.errors import PortUnavailable
from firmware_bridge.link import Link
from firmware_bridge.port import NEXT, WAIT_S, Happening, PortState, PortSupervisor
from firmware_bridge.port_open import find, refusal
from firmware_bridge.protocol import Capability, GetHello, Hello, Identify, State, encode
from firmware_bridge.readings import BridgeReading, DeviceChanged, DeviceState, KnobAt, MarbleEntered

HELLO = Hello(boot_id=7, serial_number="x", firmware=(1, 0, 0), capabilities=Capability.KNOB)


def wait_for(condition: Callable[[], object], limit_s: float = 5.0) -> None:
    """Give another thread time to get there; the test fails if it does not."""
    end_s = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < end_s, "it did not happen in time"
        time.sleep(0.005)


class PtyBoard:
    """A board at the other end of a pty, under a path that stays the same when it is plugged in again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.link = Link()
        self.commands: list[Any] = []
        self._master = -1
        self.plug()

    def plug(self) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(slave))
        os.close(slave)

    def unplug(self, remove: bool = True) -> None:
        if remove:
            self.path.unlink()
        os.close(self._master)
        self._master = -1

    def says(self, *frames: Any) -> None:
        os.write(self._master, b"".join(map(encode, frames)))

    def hears(self) -> list[Any]:
        with contextlib.suppress(BlockingIOError):
            self.commands += self.link.receive_bytes(os.read(self._master, 4096))
        return self.commands

    def close(self) -> None:
        if self._master >= 0:
            os.close(self._master)


def more_than(things: list[object], count: int) -> bool:
    return len(things) > count


class Listener:
    def __init__(self) -> None:
        self.readings: list[BridgeReading] = []
        self.data = bytearray()

    @property
    def states(self) -> list[DeviceState]:
        return [reading.state for reading in self.readings if isinstance(reading, DeviceChanged)]

    def take_bytes(self, _: float, data: bytes) -> None:
        self.data += data


@pytest.fixture
def board(tmp_path: Path) -> Iterator[PtyBoard]:
    made = PtyBoard(tmp_path / "board")
    yield made
    made.close()


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def supervisor(board: PtyBoard, listener: Listener) -> Iterator[PortSupervisor]:
    made = PortSupervisor(str(board.path), listener.readings.append, listener.take_bytes)
    made.start()
    wait_for(lambda: made.state is PortState.OPEN)
    yield made
    made.stop()
    assert made.state is PortState.STOPPED


def state(number: int = 0, **values: Any) -> State:
    return State(boot_id=7, uptime_ms=number, knob=0, seq=number % 256, **values)


def test_readings_and_raw_bytes_come_through(board: PtyBoard, supervisor: PortSupervisor, listener: Listener) -> None:
    board.says(state(0), state(1, passages=(1, 0, 0, 0, 0, 0, 0, 0)))
    wait_for(lambda: any(isinstance(reading, MarbleEntered) for reading in listener.readings))
    assert [type(reading) for reading in listener.readings] == [DeviceChanged, KnobAt, MarbleEntered]
    assert bytes(listener.data) == encode(state(0)) + encode(state(1, passages=(1, 0, 0, 0, 0, 0, 0, 0)))


def test_the_board_is_asked_who_it_is_and_obeys(board: PtyBoard, supervisor: PortSupervisor) -> None:
    wait_for(lambda: board.hears() == [GetHello(seq=0)])
    board.says(HELLO)
    wait_for(lambda: supervisor.decoder.hello == HELLO)
    supervisor.identify(3)
    wait_for(lambda: Identify(3, seq=1) in board.hears())


def test_silence_is_stale_and_speech_is_back(board: PtyBoard, supervisor: PortSupervisor, listener: Listener) -> None:
    board.says(state(0))
    wait_for(lambda: listener.states == [DeviceState.OK, DeviceState.STALE])
    board.says(state(1))
    wait_for(lambda: listener.states == [DeviceState.OK, DeviceState.STALE, DeviceState.BACK])


def test_a_hang_up_is_lost_and_a_replug_is_back(
    board: PtyBoard, supervisor: PortSupervisor, listener: Listener
) -> None:
    board.says(state(0))
    wait_for(lambda: listener.states == [DeviceState.OK])
    for _ in range(2):
        listener.readings.clear()
        board.unplug()
        wait_for(lambda: listener.states == [DeviceState.LOST])
        board.plug()
        wait_for(lambda: supervisor.state is PortState.OPEN)
        board.says(state(1))
        wait_for(lambda: listener.states == [DeviceState.LOST, DeviceState.BACK])


def test_a_path_left_behind_by_a_pulled_cable_is_tried_again(
    board: PtyBoard, supervisor: PortSupervisor, listener: Listener
) -> None:
    board.unplug(remove=False)
    wait_for(lambda: supervisor.state in (PortState.LOOKING, PortState.REFUSED))
    board.plug()
    wait_for(lambda: supervisor.state is PortState.OPEN)


def test_a_port_that_is_not_there_is_told_once_and_waited_for(tmp_path: Path, listener: Listener) -> None:
    supervisor = PortSupervisor(str(tmp_path / "board"), listener.readings.append)
    assert set(run(supervisor, 5)) == {PortState.LOOKING}
    (lost,) = listener.readings
    assert isinstance(lost, DeviceChanged)
    assert "is the board plugged in" in lost.detail
    board = PtyBoard(tmp_path / "board")
    supervisor.start()
    try:
        wait_for(lambda: supervisor.state is PortState.OPEN)
        board.says(state(0))
        wait_for(lambda: listener.states == [DeviceState.LOST, DeviceState.BACK])
    finally:
        supervisor.stop()
        board.close()


def test_s12_a_second_program_is_refused_in_clear_words(
    board: PtyBoard, supervisor: PortSupervisor, listener: Listener
) -> None:
    second = Listener()
    other = PortSupervisor(str(board.path), second.readings.append)
    other.start()
    try:
        wait_for(lambda: second.readings)
        (lost,) = second.readings
        assert isinstance(lost, DeviceChanged)
        assert "in use by another program" in lost.detail
        board.says(state(0))
        wait_for(lambda: listener.states == [DeviceState.OK])
        supervisor.stop()
        wait_for(lambda: other.state is PortState.OPEN)
    finally:
        other.stop()


def test_a_listener_that_raises_is_logged_once_and_the_port_goes_on(
    board: PtyBoard, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[object] = []

    def listener(*news: object) -> None:
        heard.append(news)
        raise ValueError("a fault of the listener's")

    supervisor = PortSupervisor(str(board.path), listener, listener)
    supervisor.start()
    try:
        wait_for(lambda: supervisor.state is PortState.OPEN)
        for number in range(3):
            board.says(state(number))
            wait_for(partial(more_than, heard, number + 2))
        errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
        assert len(errors) == 2, "once for each of the two listeners"
    finally:
        supervisor.stop()


def test_confirming_the_knob(board: PtyBoard, supervisor: PortSupervisor, listener: Listener) -> None:
    board.says(state(0))
    wait_for(lambda: len(listener.readings) == 2)
    supervisor.confirm_knob(-3)
    told = listener.readings[-1]
    assert isinstance(told, KnobAt)
    assert (told.stop, told.verified) == (-3, True)


def test_stopping_before_starting_and_twice(tmp_path: Path) -> None:
    supervisor = PortSupervisor(str(tmp_path / "board"), lambda _: None)
    supervisor.stop()
    supervisor.start()
    supervisor.stop()
    supervisor.stop()
    assert not any(thread.name.startswith("port ") for thread in threading.enumerate())


def test_closing_leaves_dtr_up(board: PtyBoard) -> None:
    with board.path.open("rb", buffering=0) as tty_file:
        attributes = termios.tcgetattr(tty_file)
        attributes[2] |= termios.HUPCL
        termios.tcsetattr(tty_file, termios.TCSANOW, attributes)
    port = port_open.open_port(str(board.path))
    assert isinstance(port, serial.Serial)
    try:
        assert not termios.tcgetattr(port.fileno())[2] & termios.HUPCL
    finally:
        port.close()


# --- every state and every way to fail, without threads -----------------------------------------------------------


def test_every_state_has_a_way_to_open_and_to_stop() -> None:
    ways = {(before, after) for (before, _), after in NEXT.items()}
    for goal in (PortState.OPEN, PortState.STOPPED):
        reaches = {goal}
        for _ in PortState:
            reaches |= {before for before, after in ways if after in reaches}
        assert reaches >= set(PortState) - {PortState.STOPPED}
    assert all(NEXT[each, Happening.STOP] is PortState.STOPPED for each in PortState)


class FailingPort:
    """A port that works until it is told to fail, as a pulled cable makes pyserial fail."""

    def __init__(self) -> None:
        self.read_error: Exception | None = None
        self.waiting_error: Exception | None = None
        self.write_error: Exception | None = None
        self.close_error: Exception | None = None
        self.closed = 0

    @property
    def in_waiting(self) -> int:
        if self.waiting_error:
            raise self.waiting_error
        return 0

    def read(self, size: int = 1, /) -> bytes:
        if self.read_error:
            raise self.read_error
        return b""

    def write(self, data: bytes, /) -> int | None:
        if self.write_error:
            raise self.write_error
        return len(data)

    def close(self) -> None:
        self.closed += 1
        if self.close_error:
            raise self.close_error


def run(supervisor: PortSupervisor, steps: int) -> list[PortState]:
    states = []
    for _ in range(steps):
        supervisor.step()
        states.append(supervisor.state)
    return states


FAULTS = [
    serial.SerialException("device reports readiness to read but returned no data"),
    OSError(errno.EIO, "Input/output error"),
    termios.error(errno.EIO, "Input/output error"),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
@pytest.mark.parametrize("where", ["read_error", "waiting_error", "write_error"])
def test_every_way_to_hang_up_closes_and_looks_again(where: str, fault: Exception, listener: Listener) -> None:
    port = FailingPort()
    supervisor = PortSupervisor(
        "/dev/board", listener.readings.append, clock=lambda: 1.0, find_port=str, open_port=lambda _: port
    )
    assert run(supervisor, 2) == [PortState.OPENING, PortState.OPEN]
    setattr(port, where, fault)
    port.close_error = fault
    assert supervisor.step() == WAIT_S[PortState.LOOKING]
    assert port.closed == 1, "closed before it is opened again"
    assert listener.states == [DeviceState.LOST]
    setattr(port, where, None)
    assert run(supervisor, 2) == [PortState.OPENING, PortState.OPEN]


def test_a_peer_that_takes_no_commands_is_still_read(caplog: pytest.LogCaptureFixture) -> None:
    port = FailingPort()
    port.write_error = serial.SerialTimeoutException("Write timeout")
    supervisor = PortSupervisor("/dev/board", lambda _: None, find_port=str, open_port=lambda _: port)
    assert run(supervisor, 3)[-1] is PortState.OPEN
    assert "does not take commands" in caplog.text


def test_s14_a_refused_port_is_told_once_and_tried_every_second(listener: Listener) -> None:
    def refuse(path: str) -> port_open.Port:
        raise PortUnavailable(refusal(path, PermissionError(errno.EACCES, "Permission denied")))

    supervisor = PortSupervisor("/dev/ttyACM0", listener.readings.append, find_port=str, open_port=refuse)
    assert set(run(supervisor, 20)) == {PortState.OPENING, PortState.REFUSED}
    (lost,) = listener.readings
    assert isinstance(lost, DeviceChanged)
    assert "dialout" in lost.detail
    assert WAIT_S[PortState.REFUSED] == 1.0


def test_a_fault_of_the_programs_own_is_logged_and_survived(caplog: pytest.LogCaptureFixture) -> None:
    looks = 0

    def stumble(spec: str) -> str | None:
        nonlocal looks
        looks += 1
        raise KeyError(spec)

    supervisor = PortSupervisor("/dev/board", lambda _: None, find_port=stumble)
    supervisor.start()
    wait_for(lambda: "fault of the program's own" in caplog.text)
    supervisor.stop()
    assert looks == 1


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (serial.SerialException(errno.EAGAIN, "Could not exclusively lock port"), "in use by another program"),
        (OSError(errno.EBUSY, "Device or resource busy"), "in use by another program"),
        (serial.SerialException(errno.EACCES, "could not open port"), "dialout"),
        (serial.SerialException(errno.ENOENT, "could not open port"), "went away"),
        (OSError(errno.ENOTTY, "Inappropriate ioctl"), "no serial port"),
        (ValueError("Invalid baud rate"), "no serial port"),
        (serial.SerialException("something new"), "something new"),
    ],
)
def test_why_a_port_cannot_be_opened_is_said_in_one_line(error: Exception, words: str) -> None:
    text = refusal("/dev/ttyACM0", error)
    assert text.startswith("/dev/ttyACM0 ")
    assert words in text
    assert "\n" not in text


def test_a_file_is_no_port(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(PortUnavailable, match="file"):
        port_open.open_port(str(tmp_path / "file"))


# --- which port -----------------------------------------------------------------------------------------------------


class Listed:
    def __init__(self, device: str, serial_number: str | None) -> None:
        self.device = device
        self.serial_number = serial_number


def test_a_port_is_found_by_url_path_name_or_serial_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    (by_id / "usb-Arduino_Uno_55736-if00").touch()
    monkeypatch.setattr(port_open, "BY_ID", by_id)
    listed = [Listed("/dev/ttyACM0", None), Listed("/dev/ttyACM1", "55736")]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: listed)
    assert find("rfc2217://localhost:4000") == "rfc2217://localhost:4000"
    assert find(str(tmp_path / "absent")) is None
    assert find(str(by_id)) == str(by_id)
    assert find("usb-Arduino_Uno_55736-if00") == str(by_id / "usb-Arduino_Uno_55736-if00")
    assert find("55736") == "/dev/ttyACM1"
    listed[1] = Listed("/dev/ttyACM7", "55736")
    assert find("55736") == "/dev/ttyACM7", "wherever it comes back"
    assert find("99999") is None


def test_an_empty_name_of_a_port_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        PortSupervisor(" ", lambda _: None)
