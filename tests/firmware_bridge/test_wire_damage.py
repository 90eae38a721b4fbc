"""What a bad line does to bytes, by the thousand: nothing wrong is ever accepted, and the next frames come through."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firmware_bridge
from firmware_bridge.link import MAX_BLOCK, Link, VersionMismatch
from firmware_bridge.protocol import Frame, Garbled, State, decode, encode
from firmware_bridge.readings import BridgeReading, DeviceChanged, DeviceState, KnobAt, MarbleEntered, MarbleLeft
from firmware_bridge.serial_decoder import SerialDecoder

FRAMES = 14
EVERY_S = 0.05

Wire = list[tuple[float, bytes]]
"""When bytes arrive."""


def told_by_a_board(rng: random.Random) -> list[State]:
    """Some STATEs in a row: the knob is turned by whole detents, marbles pass."""
    state = State(boot_id=rng.randrange(65536), uptime_ms=0, knob=0, occupancy_valid=0)
    states = [state]
    for number in range(1, FRAMES):
        passages = [count + (rng.random() < 0.2) for count in state.passages]
        knob = state.knob + rng.choice((-4, 0, 0, 4))
        state = replace(state, passages=tuple(passages), knob=knob, uptime_ms=50 * number, seq=number)
        states.append(state)
    return states


def cut(wire: Wire, at: int, rng: random.Random) -> Wire:
    """A run of bytes is missing, within a frame or over the ends of some."""
    left = rng.randint(1, 80)
    out = []
    for index, (t_s, data) in enumerate(wire):
        from_byte = rng.randrange(len(data)) if index == at else 0
        gone = min(left, len(data) - from_byte) if index >= at else 0
        left -= gone
        out.append((t_s, data[:from_byte] + data[from_byte + gone :]))
    return out


def in_one_frame(change: Callable[[bytes, random.Random], bytes]) -> Callable[[Wire, int, random.Random], Wire]:
    def damage(wire: Wire, at: int, rng: random.Random) -> Wire:
        return [(t_s, change(data, rng) if index == at else data) for index, (t_s, data) in enumerate(wire)]

    return damage


def flipped(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def dropped(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at + 1 :]


def doubled(data: bytes, rng: random.Random) -> bytes:
    at, size = rng.randrange(len(data)), rng.choice((1, 2, 9, len(data)))
    return data[: at + size] + data[at:]


def delayed(wire: Wire, at: int, rng: random.Random) -> Wire:
    """A frame stops in the middle, and everything from there on comes later, all at once."""
    until_s = wire[at][0] + rng.uniform(0.06, 3.0)
    t_s, data = wire[at]
    middle = rng.randrange(len(data))
    late = [(max(until_s, t_s), data) for t_s, data in wire[at + 1 :]]
    return [*wire[:at], (t_s, data[:middle]), (until_s, data[middle:]), *late]


DAMAGE: dict[str, Callable[[Wire, int, random.Random], Wire]] = {
    "cut": cut,
    "flip": in_one_frame(flipped),
    "drop": in_one_frame(dropped),
    "duplicate": in_one_frame(doubled),
    "delay": delayed,
}


def sound(link: Link, wire: Wire) -> list[State]:
    return [item for _, data in wire for item in link.receive_bytes(data) if isinstance(item, State)]


def check(kind: str, seed: int) -> None:
    """One damaged place in a row of frames."""
    rng = random.Random(f"{kind} {seed}")
    states = told_by_a_board(rng)
    clean = [(EVERY_S * number, encode(state)) for number, state in enumerate(states)]
    at = rng.randint(2, 6)
    wire = DAMAGE[kind](clean, at, rng)
    received = sound(Link(), wire)
    assert set(received) <= set(states), "a frame that nobody sent"
    hit = max(index for index in range(FRAMES) if index == at or (clean[index] not in wire and kind != "delay"))
    after = states[hit + 3 :]
    assert received[len(received) - len(after) :] == after, "two frames after the damage all is well again"
    readings = decoded(wire)
    assert marbles(readings) == states[-1].passages
    last = [each for each in readings if isinstance(each, KnobAt)][-1]
    assert (last.detents, last.at_rest) == (states[-1].knob // 4, True)
    devices = [each.state for each in readings if isinstance(each, DeviceChanged)]
    assert devices in ([DeviceState.OK], [DeviceState.OK, DeviceState.STALE, DeviceState.BACK])


def decoded(wire: Wire) -> list[BridgeReading]:
    decoder = SerialDecoder(verified=True)
    readings = [reading for t_s, data in wire for reading in decoder.feed(t_s, data)]
    return readings + decoder.tick(wire[-1][0] + 0.9)


def marbles(readings: list[BridgeReading]) -> tuple[int, ...]:
    counts = [0] * 8
    for each in readings:
        if isinstance(each, MarbleEntered | MarbleLeft):
            counts[each.channel - 1 + 4 * isinstance(each, MarbleLeft)] += 1
    return tuple(counts)


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_place_costs_two_frames_at_most_and_no_reading(kind: str) -> None:
    for seed in range(200):
        check(kind, seed)


@pytest.mark.long
@pytest.mark.parametrize("kind", DAMAGE)
def test_two_thousand_damaged_places_of_each_kind(kind: str) -> None:
    for seed in range(200, 2200):
        check(kind, seed)


VECTORS = json.loads(Path(firmware_bridge.__file__).with_name("vectors.json").read_text())
SEEDS = [bytes.fromhex(vector["hex"]) for vector in (*VECTORS["frames"], *VECTORS["garbled"])]
INTERESTING = (0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF)
ITEMS = Frame | Garbled | VersionMismatch


def mutated(rng: random.Random) -> bytes:
    """Frames of the protocol, spoilt a little, glued together, cut anywhere."""
    out = bytearray(rng.choice(SEEDS))
    for _ in range(rng.randint(0, 4)):
        at = rng.randrange(len(out) + 1)
        match rng.randrange(6):
            case 0:
                out[at : at + 1] = bytes([rng.choice(INTERESTING)])
            case 1:
                out[at : at + rng.randint(1, 8)] = b""
            case 2:
                out[at:at] = rng.randbytes(rng.randint(1, 8))
            case 3:
                out[at:at] = rng.choice(SEEDS)
            case 4 if at < len(out):
                out[at] ^= 1 << rng.randrange(8)
            case _:
                out[at:at] = out[: rng.randint(0, 300)]
    return bytes(out)


def fuzz(inputs: int, seed: int) -> None:
    """The frame decoder alone and behind the link, which goes on from one input to the next."""
    rng = random.Random(seed)
    link = Link()
    for number in range(inputs):
        data = mutated(rng)
        assert isinstance(decode(data.rstrip(b"\0")), ITEMS)
        for item in link.receive_bytes(data):
            assert isinstance(item, ITEMS)
            assert not isinstance(item, Garbled) or len(item.data) <= MAX_BLOCK + len(data)
        if number % 1000 == 0:
            link.reset()


def test_mutated_frames_give_values_only() -> None:
    fuzz(15_000, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_ten_million_mutated_frames_give_values_only(seed: int) -> None:
    fuzz(500_000, seed=100 + seed)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400), st.integers(1, 90))
def test_any_bytes_give_values_only(data: bytes, size: int) -> None:
    link = Link()
    for start in range(0, len(data), size):
        assert all(isinstance(item, ITEMS) for item in link.receive_bytes(data[start : start + size]))
    assert all(isinstance(decode(block), ITEMS) for block in data.split(b"\0"))


@pytest.mark.long
@settings(max_examples=200_000, deadline=None)
@given(st.binary(max_size=140))
def test_a_great_many_bytes_give_values_only(data: bytes) -> None:
    assert isinstance(decode(data), ITEMS)
    assert all(isinstance(item, ITEMS) for item in Link().receive_bytes(data + b"\0"))
