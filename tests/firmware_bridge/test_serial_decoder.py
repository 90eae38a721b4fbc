"""Frames of a board into readings: gaps, restarts, staleness, commands. K12 at the wire."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.knob import KnobCalibration, KnobPlace
from firmware_bridge.link import Link
from firmware_bridge.protocol import (
    Ack,
    Capability,
    Colour,
    Frame,
    GetHello,
    Hello,
    Identify,
    Nack,
    SetReporting,
    SetZero,
    State,
    encode,
)
from firmware_bridge.readings import (
    BridgeReading,
    DeviceChanged,
    DeviceState,
    KnobAt,
    MarbleEntered,
    MarbleLeft,
    SlotsOccupied,
)
from firmware_bridge.serial_decoder import SerialDecoder

START = State(boot_id=7, uptime_ms=0, knob=0)
HELLO = Hello(boot_id=7, serial_number="x", firmware=(1, 0, 0), capabilities=Capability.KNOB)


def feed(decoder: SerialDecoder, t_s: float, *frames: Frame) -> list[BridgeReading]:
    return decoder.feed(t_s, b"".join(map(encode, frames)))


def running(decoder: SerialDecoder | None = None) -> SerialDecoder:
    decoder = decoder or SerialDecoder(verified=True)
    feed(decoder, 0.0, START)
    return decoder


def states(readings: list[BridgeReading]) -> list[DeviceState]:
    return [reading.state for reading in readings if isinstance(reading, DeviceChanged)]


def test_the_first_frame_says_ok_and_where_the_knob_stands() -> None:
    decoder = SerialDecoder(stop=2)
    assert feed(decoder, 1.0, replace(START, knob=400, passages=(9,) * 8)) == [
        DeviceChanged(1.0, "board", DeviceState.OK),
        KnobAt(1.0, "board", 2, 2, at_rest=True, verified=False),
    ], "what passed before belongs to nobody"


def test_marbles_are_told_by_the_counters() -> None:
    told = feed(running(), 0.1, replace(START, passages=(1, 0, 0, 0, 0, 0, 0, 1)))
    assert told == [MarbleEntered(0.1, "board", 1), MarbleLeft(0.1, "board", 4)]


def test_a_lost_frame_loses_no_marble() -> None:
    told = feed(running(), 0.5, replace(START, passages=(0, 2, 0, 0, 0, 1, 0, 0)))
    assert told == [MarbleEntered(0.5, "board", 2)] * 2 + [MarbleLeft(0.5, "board", 2)]


def test_counters_wrap() -> None:
    decoder = SerialDecoder()
    feed(decoder, 0.0, replace(START, passages=(255,) + (0,) * 7))
    assert feed(decoder, 0.1, replace(START, passages=(1,) + (0,) * 7)) == [MarbleEntered(0.1, "board", 1)] * 2


def test_the_knob_turns_and_rests() -> None:
    decoder = running()
    assert feed(decoder, 0.1, replace(START, knob=4)) == [KnobAt(0.1, "board", 1, 1, at_rest=False, verified=True)]
    assert decoder.tick(0.4) == [KnobAt(0.35, "board", 1, 1, at_rest=True, verified=True)]


def test_occupancy_where_it_is_sure() -> None:
    decoder = running()
    seen = replace(START, occupancy=0x8011, occupancy_valid=0x00FF)
    assert feed(decoder, 0.1, seen) == [SlotsOccupied(0.1, "board", frozenset({(1, 1), (2, 1)}))]
    assert feed(decoder, 0.2, seen) == []
    assert feed(decoder, 0.3, replace(seen, occupancy_valid=0xFFFF))[0] == SlotsOccupied(
        0.3, "board", frozenset({(1, 1), (2, 1), (4, 4)})
    )
    assert feed(decoder, 0.4, replace(seen, occupancy_valid=0)) == []


def test_silence_is_stale_after_a_second_and_then_it_is_back() -> None:
    decoder = running()
    assert decoder.tick(0.99) == []
    (stale,) = decoder.tick(7.0)
    assert isinstance(stale, DeviceChanged)
    assert (stale.t_s, stale.state) == (1.0, DeviceState.STALE)
    assert decoder.tick(8.0) == [], "told once"
    assert states(feed(decoder, 9.0, START)) == [DeviceState.BACK]
    assert states(decoder.tick(10.5)) == [DeviceState.STALE], "and again, when it falls silent again"


def test_a_port_that_says_nothing_understandable_is_stale_for_that_reason() -> None:
    decoder = SerialDecoder()
    decoder.opened(0.0)
    decoder.feed(0.5, b"$GPGGA,123519\x00" * 3)
    (stale,) = decoder.tick(1.0)
    assert isinstance(stale, DeviceChanged)
    assert "none that this program understands" in stale.detail


def test_a_reading_comes_before_the_silence_that_follows_it() -> None:
    decoder = running()
    feed(decoder, 0.1, replace(START, knob=4))
    assert [type(reading) for reading in decoder.tick(5.0)] == [KnobAt, DeviceChanged]


def test_while_unplugged_with_power_the_board_kept_counting() -> None:
    decoder = running()
    assert states(decoder.lost(1.0, "cable")) == [DeviceState.LOST]
    assert decoder.lost(1.1, "cable") == []
    decoder.opened(60.0)
    told = feed(decoder, 60.1, replace(START, knob=8, passages=(0, 0, 3, 0, 0, 0, 1, 0)))
    assert states(told) == [DeviceState.BACK]
    assert told[1:5] == [MarbleEntered(60.1, "board", 3)] * 3 + [MarbleLeft(60.1, "board", 3)]
    assert decoder.tick(61.0)[0] == KnobAt(60.35, "board", 2, 2, at_rest=True, verified=True)


def test_k12_after_a_power_cut_the_knob_keeps_its_place_unverified() -> None:
    decoder = running()
    feed(decoder, 0.1, replace(START, knob=12, passages=(0, 9, 9, 0, 0, 0, 0, 0)))
    decoder.tick(0.5)
    rebooted = State(boot_id=8, uptime_ms=300, knob=0, passages=(0, 1, 0, 0, 0, 0, 0, 0))
    told = feed(decoder, 5.0, rebooted)
    assert KnobAt(5.0, "board", 3, 3, at_rest=True, verified=False) in told
    marbles = [reading for reading in told if isinstance(reading, MarbleEntered)]
    assert marbles == [MarbleEntered(5.0, "board", 2)], "it passed after the restart"
    assert decoder.confirm_knob(6.0, -1) == [KnobAt(6.0, "board", -1, -1, at_rest=True, verified=True)]
    assert feed(decoder, 7.0, replace(rebooted, knob=-4))[-1] == KnobAt(7.0, "board", -2, -2, False, verified=True)


def test_the_place_is_kept_over_a_restart_of_the_program_alone() -> None:
    first = running()
    feed(first, 0.1, replace(START, knob=12))
    first.tick(1.0)
    saved = first.place
    assert saved == KnobPlace(detents=3, verified=True, boot_id=7, zero=0)
    told = feed(SerialDecoder(saved=saved), 0.0, replace(START, knob=20))
    assert told[-1] == KnobAt(0.0, "board", 5, 5, at_rest=True, verified=True), "turned unseen, but counted"
    told = feed(SerialDecoder(saved=saved), 0.0, State(boot_id=8, uptime_ms=0, knob=20))
    assert told[-1] == KnobAt(0.0, "board", 3, 3, at_rest=True, verified=False), "the board restarted too"


def test_a_new_zero_is_no_turn() -> None:
    decoder = running()
    feed(decoder, 0.1, replace(START, knob=12))
    decoder.tick(0.5)
    assert feed(decoder, 0.6, replace(START, knob=0, zeroings=1)) == []
    assert feed(decoder, 0.7, replace(START, knob=-4, zeroings=1)) == [KnobAt(0.7, "board", 2, 2, False, True)]


def test_hello_tells_what_the_calibration_does_not() -> None:
    decoder = running()
    feed(decoder, 0.1, replace(HELLO, edges_per_detent=2), replace(START, knob=2))
    assert decoder.tick(0.5)[0] == KnobAt(0.35, "board", 1, 1, at_rest=True, verified=True)
    fixed = running(SerialDecoder(knob=KnobCalibration(edges_per_detent=4, direction=-1)))
    feed(fixed, 0.1, replace(HELLO, edges_per_detent=2), replace(START, knob=4))
    (told,) = fixed.tick(0.5)
    assert isinstance(told, KnobAt)
    assert told.detents == -1


def test_half_a_frame_from_before_a_port_was_opened_anew_is_void() -> None:
    decoder = running()
    decoder.feed(0.1, encode(START)[:20])
    decoder.opened(0.2)
    feed(decoder, 0.3, START)
    assert decoder.link.garbled == 0


def test_another_major_version_is_a_lost_device_that_says_why() -> None:
    decoder = running()
    (lost,) = feed(decoder, 0.1, replace(HELLO, major=9), replace(START, passages=(1,) * 8))
    assert isinstance(lost, DeviceChanged)
    assert lost.state is DeviceState.LOST
    assert "protocol 9.0" in lost.detail
    assert decoder.tick(9.0) == []


def sent(decoder: SerialDecoder) -> list[Frame]:
    return [item for item in Link().receive_bytes(decoder.bytes_to_send()) if isinstance(item, Frame)]


def test_the_board_is_asked_who_it_is_until_it_says() -> None:
    decoder = SerialDecoder()
    decoder.opened(0.0)
    assert sent(decoder) == [GetHello(seq=0)]
    decoder.tick(0.9)
    assert sent(decoder) == []
    decoder.tick(1.0)
    assert sent(decoder) == [GetHello(seq=1)]
    feed(decoder, 1.1, HELLO)
    decoder.tick(5.0)
    assert sent(decoder) == []
    assert decoder.hello == HELLO
    feed(decoder, 5.1, State(boot_id=7, uptime_ms=0, knob=0), State(boot_id=8, uptime_ms=0, knob=0))
    assert sent(decoder) == [GetHello(seq=2)], "after a restart it may be another firmware"


def test_a_recording_is_never_asked() -> None:
    decoder = running()
    decoder.tick(30.0)
    feed(decoder, 31.0, State(boot_id=8, uptime_ms=0, knob=0))
    assert sent(decoder) == []


@pytest.mark.parametrize("answer", [Ack(0x84, 0), Nack(0x84, 0, 1), Nack(0x84, 0, 77)])
def test_an_answered_command_is_not_repeated(answer: Frame) -> None:
    decoder = running()
    decoder.send(0.0, Identify(5))
    assert sent(decoder) == [Identify(5, seq=0)]
    feed(decoder, 0.1, answer)
    decoder.tick(9.0)
    assert sent(decoder) == []


def test_an_unanswered_command_is_repeated_and_given_up(caplog: pytest.LogCaptureFixture) -> None:
    decoder = running()
    decoder.send(0.0, SetZero())
    all_sent: list[Frame] = []
    for tenth in range(60):
        decoder.tick(tenth / 10)
        all_sent += sent(decoder)
    assert all_sent == [SetZero(seq=0), SetZero(seq=1), SetZero(seq=2)]
    assert "given up" in caplog.text


def test_a_refusal_is_logged_in_words(caplog: pytest.LogCaptureFixture) -> None:
    decoder = running()
    decoder.send(0.0, SetReporting(1))
    feed(decoder, 0.1, Nack(0x83, 0, 2))
    assert "bad value" in caplog.text


def test_a_colour_is_no_reading_yet_harmless() -> None:
    assert feed(running(), 0.1, Colour(2, 1, 1, 2, 3, 4)) == []


def test_impossible_edges_are_shown() -> None:
    decoder = running()
    feed(decoder, 0.1, replace(START, impossible=3))
    assert decoder.impossible_edges == 3


@given(st.integers(0, 2**32), st.lists(st.integers(1, 80), min_size=1, max_size=50))
def test_no_marble_is_lost_or_made_up_by_a_bad_wire(seed: int, sizes: list[int]) -> None:
    """Any bytes lost and flipped, as long as the last frame gets through."""
    rng = random.Random(seed)
    state, frames = START, [START]
    for number in range(1, 40):
        passages = list(state.passages)
        if rng.random() < 0.3:
            passages[rng.randrange(8)] += 1
        knob = state.knob + rng.choice((0, 0, 4, -4))
        state = replace(state, passages=tuple(passages), knob=knob, uptime_ms=250 * number, seq=number)
        frames.append(state)
    decoder = SerialDecoder(verified=True)
    told = feed(decoder, 0.0, START)
    wire = bytearray()
    for byte in b"".join(map(encode, frames[1:])):
        luck = rng.random()
        if luck > 0.02:
            wire.append(byte if luck > 0.03 else byte ^ 1 << rng.randrange(8))
    data = bytes(wire) + b"\x00" + encode(replace(state, seq=40))
    t_s = 0.0
    while data:
        t_s += 0.05
        size = rng.choice(sizes)
        told += decoder.feed(t_s, data[:size])
        data = data[size:]
    told += decoder.tick(t_s + 0.9)
    counts = [0] * 8
    for reading in told:
        if isinstance(reading, MarbleEntered):
            counts[reading.channel - 1] += 1
        elif isinstance(reading, MarbleLeft):
            counts[reading.channel + 3] += 1
    assert tuple(counts) == state.passages
    last = [reading for reading in told if isinstance(reading, KnobAt)][-1]
    assert (last.detents, last.at_rest, last.verified) == (state.knob // 4, True, True)
