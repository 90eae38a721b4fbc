"""The firmware itself, on a simulated chip: what it says, obeys and survives."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from companion.errors import DeviceError
from firmware_bridge.link import Received
from firmware_bridge.protocol import (
    Ack,
    Capability,
    Command,
    Garbled,
    GetHello,
    Hello,
    Identify,
    Nack,
    NackReason,
    SetReporting,
    SetZero,
    State,
    UnknownFrame,
    encode,
)
from hw_sim.chip.at_table import chip_at
from hw_sim.chip.sim_chip import BoardSettings, ChipFigures, SimChip
from hw_sim.faults import Faults
from hw_sim.table import SimTable
from tests.firmware_bridge.chip_stand import built_chip, frames

TURN = (("knob_a", 1), ("knob_b", 1), ("knob_a", 0), ("knob_b", 0))
"""A detent clockwise, from contacts that are both open."""


@pytest.fixture
def chip() -> Iterator[SimChip]:
    with SimChip(settings=BoardSettings(), files=built_chip()) as made:
        frames(made.run_until(0.1))
        yield made


def states(chip: SimChip, until_s: float) -> list[State]:
    return [frame for frame in frames(chip.run_until(until_s)) if isinstance(frame, State)]


def asked(chip: SimChip, until_s: float, command: Command | UnknownFrame) -> list[Received]:
    """What the chip says to a command, apart from its STATEs."""
    chip.write(encode(command))
    return [frame for frame in frames(chip.run_until(until_s)) if not isinstance(frame, State)]


def turn(chip: SimChip, t_s: float, detents: int = 1, step_s: float = 0.01) -> float:
    for _ in range(detents):
        for line, level in TURN:
            chip.drive(t_s, line, level)
            t_s += step_s
    return t_s


def test_it_says_who_it_is_when_it_starts_after_a_zero_of_its_own() -> None:
    with SimChip(settings=BoardSettings("12-A7", 2, slots=True), files=built_chip()) as chip:
        sent = chip.run_until(0.2)
    assert sent[0].data == b"\0"
    hello, state, *_ = frames(sent)
    assert isinstance(hello, Hello)
    assert (hello.serial_number, hello.edges_per_detent, hello.detents_per_turn) == ("12-A7", 2, 10)
    assert hello.capabilities == Capability.KNOB | Capability.ENTRY_BEAMS | Capability.EXIT_BEAMS | (
        Capability.OCCUPANCY | Capability.IDENTIFY
    )
    assert (hello.major, hello.minor, hello.report_ms) == (1, 0, 250)
    assert isinstance(state, State)
    assert state.boot_id == hello.boot_id


def test_a_chip_without_settings_has_a_knob_and_beams() -> None:
    with SimChip(files=built_chip()) as chip:
        hello = frames(chip.run_until(0.2))[0]
    assert isinstance(hello, Hello)
    assert (hello.serial_number, hello.edges_per_detent) == ("unnamed", 4)
    assert not hello.capabilities & Capability.OCCUPANCY


def test_a_turn_of_the_knob_is_counted_and_told_within_five_milliseconds(chip: SimChip) -> None:
    turn(chip, 0.2)
    sent = chip.run_until(0.5)
    told = [frame for frame in frames(sent) if isinstance(frame, State)]
    assert [state.knob for state in told] == [1, 2, 3, 4, 4]
    first_s = next(each.t_s for each in sent if each.t_s > 0.2)
    assert first_s < 0.2 + 0.0011, "a change is told at once where nothing was said just before"


def test_a_state_comes_every_quarter_second(chip: SimChip) -> None:
    told = states(chip, 5.0)
    assert {b.uptime_ms - a.uptime_ms for a, b in pairwise(told)} == {250}


def test_states_are_never_closer_than_five_milliseconds(chip: SimChip) -> None:
    turn(chip, 0.2, detents=200, step_s=0.0005)
    told = states(chip, 1.0)
    assert told[-1].knob == 800
    assert min(b.uptime_ms - a.uptime_ms for a, b in pairwise(told)) == 5


def test_two_thousand_edges_a_second_for_ten_seconds_and_no_torn_count(chip: SimChip) -> None:
    """A 32-bit counter read half before and half after an edge would jump by 256 or more."""
    turn(chip, 0.2, detents=5000, step_s=0.0005)
    told = states(chip, 10.5)
    assert told[-1].knob == 20_000
    assert told[-1].impossible == 0
    assert all(0 <= b.knob - a.knob <= 15 for a, b in pairwise(told))


def test_get_hello_is_answered_with_hello_and_a_state(chip: SimChip) -> None:
    chip.write(encode(GetHello(seq=9)))
    first, second = frames(chip.run_until(0.13))
    assert isinstance(first, Hello)
    assert isinstance(second, State)


def test_set_zero_counts_from_here(chip: SimChip) -> None:
    turn(chip, 0.2)
    chip.run_until(0.4)
    assert [type(each) for each in asked(chip, 0.45, SetZero(seq=5))] == [Ack]
    turn(chip, 0.5)
    last = states(chip, 1.0)[-1]
    assert (last.knob, last.zeroings) == (4, 1)


def test_set_reporting_is_obeyed_within_its_bounds(chip: SimChip) -> None:
    (answer,) = asked(chip, 0.2, SetReporting(50, seq=1))
    assert isinstance(answer, Ack)
    assert (answer.of_type, answer.of_seq) == (0x83, 1)
    told = states(chip, 2.2)
    assert {b.uptime_ms - a.uptime_ms for a, b in pairwise(told)} == {50}
    for number, bad_ms in enumerate((49, 1001, 0, 65535)):
        (answer,) = asked(chip, 2.3 + 0.1 * number, SetReporting(bad_ms, seq=2))
        assert isinstance(answer, Nack)
        assert (answer.of_type, answer.of_seq, answer.reason) == (0x83, 2, NackReason.BAD_VALUE)
    hello = asked(chip, 2.8, GetHello())[0]
    assert isinstance(hello, Hello)
    assert hello.report_ms == 50


def test_an_unknown_command_is_refused_and_a_devices_frame_passed_over(chip: SimChip) -> None:
    (answer,) = asked(chip, 0.2, UnknownFrame(0x99, b"abc", seq=7))
    assert isinstance(answer, Nack)
    assert (answer.of_type, answer.of_seq, answer.reason) == (0x99, 7, NackReason.UNKNOWN_COMMAND)
    assert asked(chip, 0.3, UnknownFrame(0x55, b"", seq=7)) == []
    assert asked(chip, 0.4, UnknownFrame(0x83, b"\x64", seq=7)) == [], "too short for a SET_REPORTING"


def test_identify_blinks_the_lamp_and_stops(chip: SimChip) -> None:
    assert isinstance(asked(chip, 0.15, Identify(2, seq=1))[0], Ack)
    seen = []
    for step in range(60):
        chip.run_until(0.15 + 0.05 * step)
        seen.append(chip.lamp)
    assert sum(a != b for a, b in pairwise(seen)) >= 7, "twice a second"
    assert not any(seen[42:]), "and dark after two seconds"
    asked(chip, 3.2, Identify(200, seq=2))
    assert chip.lamp
    asked(chip, 3.25, Identify(0, seq=3))
    chip.run_until(3.3)
    assert not chip.lamp


def test_a_reset_and_a_power_cut_give_new_boot_ids_and_counters_at_zero(chip: SimChip) -> None:
    turn(chip, 0.2)
    before = states(chip, 0.5)[-1]
    chip.reset()
    after_reset = states(chip, 1.0)[-1]
    chip.unplug()
    chip.run_until(2.0)
    chip.plug()
    after_cut = states(chip, 2.5)[-1]
    assert len({before.boot_id, after_reset.boot_id, after_cut.boot_id}) == 3
    assert (before.knob, after_reset.knob, after_cut.knob) == (4, 0, 0)
    assert after_cut.uptime_ms < 500


def test_contacts_may_stand_anywhere_and_beams_be_broken_at_the_start(chip: SimChip) -> None:
    chip.drive(0.2, "knob_a", 1)
    chip.drive(0.2, "entry2", 0)
    chip.run_until(0.3)
    chip.reset()
    first = states(chip, 0.5)[0]
    assert (first.knob, first.impossible, first.beams, sum(first.passages)) == (0, 0, 0b0010, 0)
    chip.drive(0.6, "knob_b", 1)
    assert states(chip, 0.8)[-1].knob == 1


def test_the_watchdog_starts_a_chip_whose_clock_stands_still(chip: SimChip) -> None:
    before = states(chip, 0.5)[-1]
    chip.deafen()
    assert states(chip, 0.6) == []
    after = states(chip, 2.0)
    assert after[0].boot_id != before.boot_id
    assert after[-1].uptime_ms > 500, "and starts it once"
    turn(chip, 2.1)
    assert states(chip, 2.5)[-1].knob == 4, "with its pins read again"


def test_marbles_in_all_beams_at_once(chip: SimChip) -> None:
    lines = [f"{end}{channel}" for end in ("entry", "exit") for channel in (1, 2, 3, 4)]
    for t_s, level in ((0.2, 0), (0.25, 1)):
        for line in lines:
            chip.drive(t_s, line, level)
    told = states(chip, 0.6)
    assert told[0].beams == 0xFF
    assert (told[-1].beams, told[-1].passages) == (0, (1,) * 8)


@pytest.mark.parametrize(("pulse_us", "marbles"), [(60, 0), (90, 0), (115, 1), (150, 1), (2000, 1)])
def test_a_break_counts_from_a_hundred_microseconds_on(chip: SimChip, pulse_us: int, marbles: int) -> None:
    for beam, line, t_s in ((2, "entry3", 0.2003), (7, "exit4", 1.3007)):
        chip.drive(t_s, line, 0)
        chip.drive(t_s + pulse_us * 1e-6, line, 1)
        assert states(chip, t_s + 0.3)[-1].passages[beam] == marbles


def test_a_marble_that_rolls_back_counts_once_and_the_next_one_again(chip: SimChip) -> None:
    t_s = 0.2
    for gap_s in (0.35, 0.395, 0.41):
        chip.drive(t_s, "exit2", 0)
        chip.drive(t_s + 0.1, "exit2", 1)
        t_s += 0.1 + gap_s
    chip.drive(t_s, "exit2", 0)
    chip.drive(t_s + 0.1, "exit2", 1)
    assert states(chip, t_s + 0.5)[-1].passages[5] == 2


def test_slots_are_read_as_a_matrix_whatever_lies_elsewhere() -> None:
    with SimChip(settings=BoardSettings(slots=True), files=built_chip()) as chip:
        lying = 0
        t_s = 0.2
        for channel, slot in ((1, 1), (4, 4), (2, 3), (2, 1), (4, 1), (1, 4), (3, 2)):
            chip.drive(t_s, f"slot{channel}.{slot}", 1)
            lying |= 1 << 4 * (channel - 1) + slot - 1
            last = states(chip, t_s + 0.1)[-1]
            assert (last.occupancy, last.occupancy_valid) == (lying, 0xFFFF)
            t_s += 0.2
        chip.drive(t_s, "slot2.3", 0)
        last = states(chip, t_s + 0.1)[-1]
        assert last.occupancy == lying & ~(1 << 6)


def test_slots_chatter_and_the_lamp_lights_and_nothing_is_made_up() -> None:
    with SimChip(settings=BoardSettings(slots=True), files=built_chip()) as chip:
        for step in range(20):
            chip.drive(0.2 + 0.0007 * step, "slot4.2", step % 2 == 0)
        chip.drive(0.3, "slot4.2", 0)
        assert {state.occupancy for state in states(chip, 0.5)} == {0}
        chip.drive(0.5, "slot4.2", 1)
        chip.write(encode(Identify(3)))
        told = states(chip, 3.0)
        assert {state.occupancy for state in told} == {0, 1 << 13}
        assert told[-1].occupancy == 1 << 13


def test_any_amount_of_noise_changes_nothing_and_the_next_command_is_obeyed(chip: SimChip) -> None:
    noise = bytes(range(1, 256)) * 8 + b"AT\r" * 50 + bytes(300) + b"\xff" * 700
    chip.write(noise)
    turn(chip, 0.15, detents=10)
    told = states(chip, 1.5)
    assert (told[-1].knob, told[-1].impossible) == (40, 0)
    chip.write(b"AT\r" + encode(SetZero(seq=3)))
    answers = [frame for frame in frames(chip.run_until(1.7)) if isinstance(frame, Ack)]
    assert [answer.of_seq for answer in answers] == [3], "dug out from behind the noise"


def test_a_flood_of_commands_is_answered_as_far_as_the_line_goes(chip: SimChip) -> None:
    chip.write(b"".join(encode(SetReporting(100, seq=number)) for number in range(200)))
    answers = [frame for frame in frames(chip.run_until(3.0)) if isinstance(frame, Ack)]
    assert len(answers) >= 20
    assert not any(isinstance(frame, Garbled) for frame in frames(chip.run_until(4.0)))
    assert isinstance(asked(chip, 4.2, SetZero(seq=1))[0], Ack)


def test_a_line_that_does_not_exist_ends_the_chip_with_a_reason(chip: SimChip) -> None:
    chip.drive(0.2, "entry9", 1)
    with pytest.raises(DeviceError, match="no line entry9"):
        chip.run_until(0.3)


def test_settings_that_do_not_fit_are_refused() -> None:
    with pytest.raises(DeviceError, match="16 characters"):
        BoardSettings("much too long a name").pack()


def test_a_closed_chip_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "board"
    chip = SimChip(path, files=built_chip())
    assert path.is_symlink()
    chip.close()
    chip.close()
    assert not path.is_symlink()
    with pytest.raises(DeviceError, match="ended"):
        chip.reset()
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(DeviceError, match="no simulated port"):
        SimChip(path, files=built_chip())


def test_a_chip_at_a_table_feels_what_happens_there() -> None:
    table = SimTable(seed=3, faults=Faults(bounce_ms=2.0, rolls_back=0.2, lost_knob_edge=0.01))
    with SimChip(settings=BoardSettings(slots=True), files=built_chip()) as chip:
        chip_at(table, chip)
        for kind in "BBBBK":
            table.perform(table.person("blue").push(kind, 3))
            table.advance(1.0)
        for stop in (2, -1, 4, -3):
            table.perform(table.person("blue").turn_knob(stop))
            table.advance(1.0)
        last = states(chip, table.now_s)[-1]
    assert last.passages == (0, 0, 5, 0, 0, 0, 1, 0)
    assert last.knob == -12
    assert last.occupancy == 0x0F00


@pytest.mark.parametrize("fault", ["reset_rate", "silence_rate", "unplug_rate"])
def test_a_table_resets_hangs_and_unplugs_its_chip(fault: str) -> None:
    table = SimTable(seed=1, faults=Faults(**{fault: 6.0}))
    plugged = []
    with SimChip(settings=BoardSettings(), files=built_chip()) as chip:
        chip_at(table, chip)
        told: list[State] = []
        for _ in range(60):
            table.advance(1.0)
            told += states(chip, table.now_s)
            plugged.append(chip.plugged)
    assert len({state.boot_id for state in told}) > 2
    assert told[-1].uptime_ms < 60_000
    assert all(plugged) == (fault != "unplug_rate")


def test_a_table_goes_on_where_the_chips_process_was_killed() -> None:
    table = SimTable(seed=1, faults=Faults(reset_rate=6.0, silence_rate=6.0, unplug_rate=6.0))
    with SimChip(settings=BoardSettings(), files=built_chip()) as chip:
        chip_at(table, chip)
        table.advance(1.0)
        os.kill(chip.pid, signal.SIGKILL)
        table.perform(table.person("blue").push("B", 3))
        table.advance(30.0)
        with pytest.raises(DeviceError, match="ended"):
            chip.run_until(table.now_s)


PAGE = Path(__file__).parents[2] / "docs" / "firmware.md"
LIMITS = {
    # a quarter of the flash, half of the memory and an eighth of it as stack: the rest is the next version's
    "flash": 8192,
    "memory": 1024,
    "stack at its deepest": 256,
    # 50 us: two in a row still leave a barrier's shortest break its 100 us
    "longest interrupt: a knob's contact": 800,
    "longest interrupt: all barriers at once": 800,
    "longest interrupt: the clock": 800,
    "longest interrupt: a byte": 800,
    # a fifth of the knob's fastest step (500 us); a byte on the line takes 87 us, and the chip holds two
    "longest wait: a knob's contact": 1600,
    "longest wait: a barrier": 1600,
    "longest wait: a byte": 1600,
}
"""Bytes, and cycles of which 16 are a microsecond."""


def worst_of(chip: SimChip) -> ChipFigures:
    """Everything at once: a knob at full speed, marbles and chatter in all beams, a flood of commands."""
    t_s = 0.2
    lines = [f"{end}{channel}" for end in ("entry", "exit") for channel in (1, 2, 3, 4)]
    # no multiple of anything: in time it meets every other interrupt at its worst moment
    moments = [(t_s + 0.000503 * step, *TURN[step % 4]) for step in range(6000)]
    for round_ in range(60):
        for step in range(6):
            moments += [(t_s + 0.05 * round_ + 0.00013 * step, line, step % 2) for line in lines]
    for moment in sorted(moments):
        chip.drive(*moment)
    for number in range(30):
        chip.run_until(t_s + 0.1 * number)
        chip.write(b"".join(encode(each) for each in (GetHello(), SetReporting(50), Identify(1), SetZero())) * 2)
    chip.run_until(t_s + 3.5)
    return chip.figures()


def measured(figures: ChipFigures) -> dict[str, int]:
    """In the words of the page; interrupts by their numbers in the data sheet."""
    contacts, barriers = (figures.interrupts[1], figures.interrupts[2]), (figures.interrupts[4], figures.interrupts[5])
    clock, byte = figures.interrupts[14], figures.interrupts[18]
    return {
        "flash": figures.flash,
        "memory": figures.ram,
        "stack at its deepest": figures.stack,
        "longest interrupt: a knob's contact": max(each.longest_cycles for each in contacts),
        "longest interrupt: all barriers at once": max(each.longest_cycles for each in barriers),
        "longest interrupt: the clock": clock.longest_cycles,
        "longest interrupt: a byte": byte.longest_cycles,
        "longest wait: a knob's contact": max(each.longest_wait_cycles for each in contacts),
        "longest wait: a barrier": max(each.longest_wait_cycles for each in barriers),
        "longest wait: a byte": byte.longest_wait_cycles,
    }


@pytest.fixture(scope="module")
def figures() -> ChipFigures:
    with SimChip(settings=BoardSettings(slots=True), files=built_chip()) as chip:
        taken = worst_of(chip)
        assert states(chip, 4.5)[-1].impossible == 0
    return taken


def test_flash_memory_stack_and_interrupts_stay_within_their_limits(figures: ChipFigures) -> None:
    values = measured(figures)
    assert {what: value for what, value in values.items() if value > LIMITS[what]} == {}
    assert min(values.values()) > 0, "everything was measured"
    assert figures.nested == 0, "no interrupt runs within another: chatter cannot pile them up on the stack"


def test_the_page_says_what_is_measured(figures: ChipFigures) -> None:
    """To a sixth: another version of the compiler may do a little better or worse."""
    rows = re.findall(
        r"^\| ([^|]+) \| ([\d,]+) (?:bytes|cycles)[^|]*\| ([\d,]+) ", PAGE.read_text(encoding="utf-8"), re.M
    )
    page = {what: (int(value.replace(",", "")), int(limit.replace(",", ""))) for what, value, limit in rows}
    assert {what: limit for what, (_, limit) in page.items()} == LIMITS
    for what, value in measured(figures).items():
        assert page[what][0] == pytest.approx(value, rel=1 / 6), what
