"""The board's firmware, its bad line, and the port: real bytes through a real pty."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
import serial

from companion.errors import DeviceError
from firmware_bridge.link import Link
from firmware_bridge.protocol import (
    Ack,
    Frame,
    GetHello,
    Hello,
    Identify,
    Nack,
    NackReason,
    SetReporting,
    SetZero,
    State,
    UnknownFrame,
)
from firmware_bridge.readings import KnobAt, MarbleEntered, MarbleLeft
from firmware_bridge.serial_decoder import SerialDecoder
from hw_sim.board_device import SimBoard
from hw_sim.faults import Faults, stream
from hw_sim.serial_line import NOISE, SerialLine
from hw_sim.serial_port import SimSerialPort, board_at
from hw_sim.table import SimTable


class Host:
    """The other end of the wire: keeps what arrives, and when."""

    def __init__(self, faults: Faults | None = None, *, seed: int = 0, occupancy: bool = False) -> None:
        self.table = SimTable(seed=seed, faults=faults)
        self.chunks: list[tuple[float, bytes]] = []
        self.plugging: list[bool] = []
        self.board = SimBoard(self.table, self._arrived, self.plugging.append, occupancy=occupancy)
        self._link = Link()

    def _arrived(self, data: bytes) -> None:
        self.chunks.append((self.table.now_s, data))

    def frames(self) -> list[Frame]:
        """The sound frames since the last call."""
        items = [item for _, data in self.chunks for item in self._link.receive_bytes(data)]
        self.chunks.clear()
        return [item for item in items if isinstance(item, Hello | State | Ack | Nack)]

    def states(self) -> list[State]:
        return [frame for frame in self.frames() if isinstance(frame, State)]

    def ask(self, command: GetHello | SetZero | SetReporting | Identify | UnknownFrame) -> Frame:
        self.frames()
        self._link.send(command)
        self.board.write(self._link.bytes_to_send())
        self.table.advance(0.01)
        answers = [frame for frame in self.frames() if not isinstance(frame, State)]
        assert len(answers) == 1
        return answers[0]


def test_the_board_says_who_it_is_when_it_starts_and_when_it_is_asked() -> None:
    host = Host()
    host.table.advance(0.01)
    first = host.frames()[0]
    assert isinstance(first, Hello)
    assert first.edges_per_detent == 4
    again = host.ask(GetHello())
    assert isinstance(again, Hello)
    assert replace(again, seq=first.seq) == first


def test_a_state_comes_every_quarter_second_and_on_every_change() -> None:
    host = Host()
    host.table.advance(2.0)
    assert 8 <= len(host.states()) <= 10
    host.table.perform(host.table.person("blue").push("B", 2))
    broken = [state for state in host.states() if state.beams]
    assert broken
    assert broken[0].beams == 0b0010
    host.table.advance(1.0)
    assert host.states()[-1].passages == (0, 1, 0, 0, 0, 0, 0, 0)


def test_states_count_the_knob_and_set_zero_counts_from_here() -> None:
    host = Host()
    host.table.perform(host.table.person("blue").turn_knob(3))
    host.table.advance(0.3)
    assert host.states()[-1].knob == 12
    answer = host.ask(SetZero())
    assert isinstance(answer, Ack)
    host.table.perform(host.table.person("blue").turn_knob(2))
    host.table.advance(0.3)
    last = host.states()[-1]
    assert (last.knob, last.zeroings) == (-4, 1)


def test_bounce_and_rolling_back_count_once() -> None:
    host = Host(Faults(bounce_ms=2.0, rolls_back=1.0))
    for _ in range(5):
        host.table.perform(host.table.person("blue").push("B", 3))
    for stop in (1, 2, 3, 2):
        host.table.perform(host.table.person("blue").turn_knob(stop))
    host.table.advance(1.0)
    last = host.states()[-1]
    assert last.passages == (0, 0, 5, 0, 0, 0, 1, 0)
    assert last.knob == 8


def test_occupancy_is_told_where_switches_are_fitted() -> None:
    bare, fitted = Host(), Host(occupancy=True)
    for host in (bare, fitted):
        host.table.perform(host.table.person("blue").push("B", 2))
        host.table.perform(host.table.person("blue").push("B", 2))
        host.table.advance(0.3)
    assert bare.states()[-1].occupancy_valid == 0
    last = fitted.states()[-1]
    assert last.occupancy_valid == 0xFFFF
    assert last.occupancy == 0b0011_0000


def test_commands_are_obeyed_or_refused_with_a_reason() -> None:
    host = Host()
    assert isinstance(host.ask(SetReporting(100)), Ack)
    host.table.advance(1.0)
    assert 9 <= len(host.states()) <= 12
    refused = host.ask(SetReporting(5))
    assert isinstance(refused, Nack)
    assert refused.reason == NackReason.BAD_VALUE
    assert isinstance(host.ask(Identify(3)), Ack)
    assert host.board.firmware.lamp_until_s > host.table.now_s + 2.9
    unknown = host.ask(UnknownFrame(0x99, b""))
    assert isinstance(unknown, Nack)
    assert unknown.reason == NackReason.UNKNOWN_COMMAND


def test_a_reset_gives_a_new_boot_id_and_counters_at_zero() -> None:
    host = Host()
    host.table.perform(host.table.person("blue").push("B", 1))
    host.table.perform(host.table.person("blue").turn_knob(2))
    host.table.advance(1.0)
    before = host.states()[-1]
    host.board.reset()
    host.table.advance(0.3)
    after = host.states()[-1]
    assert after.boot_id != before.boot_id
    assert (after.knob, after.passages) == (0, (0,) * 8)
    assert after.uptime_ms < 400


def line(faults: Faults, writes: int = 400) -> list[list[tuple[float, bytes]]]:
    """What arrives of many writes of a counted text."""
    wire = SerialLine(faults, stream(0, "line"))
    return [[(c.after_s, c.data) for c in wire.carry(bytes(range(1, 31)))] for _ in range(writes)]


WHOLE = bytes(range(1, 31))


def test_a_good_line_carries_everything_at_once() -> None:
    assert line(Faults(), 5) == [[(0.0, WHOLE)]] * 5
    assert list(SerialLine(Faults(), stream(0, "line")).carry(b"")) == []


@pytest.mark.parametrize(
    ("faults", "happened"),
    [
        (Faults(lost_byte=0.01), lambda data: len(data) == 29 and set(data) < set(WHOLE)),
        (Faults(flipped_bit=0.01), lambda data: sum(a != b for a, b in zip(data, WHOLE, strict=False)) == 1),
        (Faults(cut_frame=0.3), lambda data: len(data) < 30 and WHOLE.startswith(data)),
        (Faults(garbage=0.3), lambda data: any(data == noise + WHOLE for noise in NOISE)),
    ],
    ids=["lost byte", "flipped bit", "cut frame", "garbage"],
)
def test_each_fault_of_the_line_happens_sometimes(faults: Faults, happened: Callable[[bytes], bool]) -> None:
    arrived = [b"".join(data for _, data in chunks) for chunks in line(faults)]
    assert any(happened(data) for data in arrived)
    assert any(data == WHOLE for data in arrived)


def test_bytes_trickle_one_by_one_and_keep_their_order() -> None:
    chunks = next(chunks for chunks in line(Faults(trickle=0.2)) if len(chunks) > 1)
    assert [data for _, data in chunks] == [bytes([byte]) for byte in WHOLE]
    assert chunks[10][0] == pytest.approx(1.0)
    host = Host(Faults(trickle=0.3), seed=3)
    host.table.advance(20.0)
    times = [t_s for t_s, _ in host.chunks]
    assert times == sorted(times)
    seqs = [state.seq for state in host.states()]
    assert len(seqs) > 10
    assert all((b - a) % 256 == 1 for a, b in pairwise(seqs))


def test_silence_resets_and_unplugging_happen_by_themselves() -> None:
    silent = Host(Faults(silence_rate=6.0))
    silent.table.advance(60.0)
    gaps = [b - a for (a, _), (b, _) in pairwise(silent.chunks)]
    assert max(gaps) > 1.0
    resets = Host(Faults(reset_rate=6.0))
    resets.table.advance(60.0)
    assert len({state.boot_id for state in resets.states()}) > 2
    unplugged = Host(Faults(unplug_rate=6.0))
    unplugged.table.advance(60.0)
    assert unplugged.plugging[:2] == [False, True]
    assert not silent.plugging
    calm = Host()
    calm.table.advance(60.0)
    assert max(b - a for (a, _), (b, _) in pairwise(calm.chunks)) < 0.26
    assert len({state.boot_id for state in calm.states()}) == 1


def test_a_program_follows_the_table_through_the_worst_line() -> None:
    """What was lost on the line comes with the next absolute STATE."""
    faults = replace(Faults.all_on(), missed_beam=0.0, reset_rate=0.0, unplug_rate=0.0)
    host = Host(faults, seed=5)
    decoder = SerialDecoder(verified=True)
    readings = []
    for kind, channel in (("B", 1), ("B", 1), ("Y", 1), ("Y", 1), ("K", 1)):
        host.table.perform(host.table.person("blue").push(kind, channel))
        host.table.advance(3.0)
    host.table.perform(host.table.person("blue").turn_knob(-3))
    host.table.advance(6.0)
    for t_s, data in host.chunks:
        readings += decoder.feed(t_s, data)
    assert sum(isinstance(r, MarbleEntered) and r.channel == 1 for r in readings) == 5
    assert sum(isinstance(r, MarbleLeft) and r.channel == 1 for r in readings) == 1
    knobs = [r for r in readings if isinstance(r, KnobAt) and r.at_rest]
    assert knobs[-1].stop == -3
    assert decoder.link.garbled > 0


@pytest.fixture
def port(tmp_path: Path) -> Iterator[SimSerialPort]:
    with SimSerialPort(tmp_path / "board") as port:
        yield port


def test_bytes_go_both_ways_through_a_real_port(port: SimSerialPort) -> None:
    with serial.Serial(str(port.path), 115200, timeout=1, exclusive=True) as host:
        assert port.send(b"\x02\x00\x0d\x0a\x1b\x03") == 6
        assert host.read(6) == b"\x02\x00\x0d\x0a\x1b\x03"
        host.write(b"\x00\x04\x11\xff")
        assert port.receive() == b"\x00\x04\x11\xff"
        assert port.receive() == b""


def test_a_program_may_come_and_go(port: SimSerialPort) -> None:
    for _ in range(3):
        with serial.Serial(str(port.path), timeout=1, exclusive=True) as host:
            port.send(b"here")
            assert host.read(4) == b"here"


def test_a_pulled_cable_hangs_up_and_the_path_comes_back(port: SimSerialPort) -> None:
    host = serial.Serial(str(port.path), timeout=1)
    port.unplug()
    with pytest.raises((serial.SerialException, OSError)):
        host.read(1)
    host.close()
    assert not os.path.lexists(port.path)
    assert not port.plugged
    assert port.send(b"x") == 0
    assert port.receive() == b""
    port.plug()
    with serial.Serial(str(port.path), timeout=1) as again:
        port.send(b"back")
        assert again.read(4) == b"back"


def test_nobody_listening_blocks_nothing(port: SimSerialPort) -> None:
    sent = [port.send(b"x" * 1000) for _ in range(200)]
    assert sent[0] == 1000
    assert sent[-1] == 0


def test_an_old_link_is_replaced_and_anything_else_is_not(tmp_path: Path) -> None:
    path = tmp_path / "board"
    path.symlink_to("/nowhere/at/all")
    SimSerialPort(path).close()
    assert not os.path.lexists(path)
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(DeviceError, match="no simulated port"):
        SimSerialPort(path)
    assert path.read_text(encoding="utf-8") == "mine"
    with pytest.raises(DeviceError, match="folder"):
        SimSerialPort(tmp_path / "no" / "such" / "folder")


def test_a_table_behind_a_port_answers_and_reports_in_its_own_time(port: SimSerialPort) -> None:
    table = SimTable(seed=1)
    with serial.Serial(str(port.path), timeout=1) as host:
        board = board_at(table, port)
        link = Link()
        link.send(GetHello())
        host.write(link.bytes_to_send())
        table.perform(table.person("blue").push("B", 4))
        received = []
        for _ in range(100):  # the kernel hands bytes over in its own time, in both directions
            table.advance(0.25)
            received += link.receive_bytes(host.read(max(1, host.in_waiting)))
            hellos = sum(isinstance(item, Hello) for item in received)
            states = [item for item in received if isinstance(item, State)]
            if hellos == 2 and states and states[-1].passages[3]:
                break
        assert hellos == 2
        assert states[-1].passages[3] == 1
        board.unplug()
        with pytest.raises((serial.SerialException, OSError)):
            host.read(1)
    board.plug()
    assert port.plugged
