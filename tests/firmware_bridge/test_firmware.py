"""The firmware's C, where it needs no chip: the same bytes, frames, steps and marbles as in Python."""

from __future__ import annotations

import ctypes
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import firmware_bridge
from firmware_bridge.beams import Passages
from firmware_bridge.knob import Knob
from firmware_bridge.link import Link
from firmware_bridge.protocol import (
    LAYOUTS,
    GetHello,
    Identify,
    SetReporting,
    SetZero,
    UnknownFrame,
    encode,
    type_of,
)
from hw_sim.knob_steps import KnobSteps
from hw_sim.wires import QUADRATURE
from tests.firmware_bridge.native import NativeBeams, NativeKnob, NativeLink, decoded, encoded, library

VECTORS: dict[str, Any] = json.loads(Path(firmware_bridge.__file__).with_name("vectors.json").read_text())


def block_of(vector: dict[str, Any]) -> bytes:
    return bytes.fromhex(vector["hex"])[:-1]


@pytest.mark.parametrize("vector", VECTORS["frames"], ids=lambda vector: vector["name"])
def test_a_vector_is_the_same_frame_both_ways(vector: dict[str, Any]) -> None:
    found = decoded(block_of(vector))
    assert found is not None
    kind, seq, payload = found
    assert (kind, seq, len(payload)) == (vector["type"], vector["fields"]["seq"], LAYOUTS[kind].packing.size)
    assert encoded(kind, seq, payload) == bytes.fromhex(vector["hex"])


@pytest.mark.parametrize("vector", VECTORS["garbled"], ids=lambda vector: vector["name"])
def test_a_garbled_vector_is_no_frame(vector: dict[str, Any]) -> None:
    found = decoded(block_of(vector))
    if "payload" in vector["reason"]:  # sound, but too short for its type: who knows the type refuses it
        assert found is not None
        assert len(found[2]) < LAYOUTS[found[0]].packing.size
    else:
        assert found is None


@settings(deadline=None)
@given(st.integers(1, 255), st.integers(0, 255), st.binary(max_size=29))
def test_any_frame_is_stuffed_as_in_python(kind: int, seq: int, payload: bytes) -> None:
    wire = encoded(kind, seq, payload)
    assert wire == encode(UnknownFrame(kind, payload, seq))
    assert decoded(wire[:-1]) == (kind, seq, payload)


COMMANDS = st.one_of(
    st.builds(GetHello, seq=st.integers(0, 255)),
    st.builds(SetZero, seq=st.integers(0, 255)),
    st.builds(SetReporting, st.integers(0, 65535), seq=st.integers(0, 255)),
    st.builds(Identify, st.integers(0, 255), seq=st.integers(0, 255)),
).map(encode)
NOISE = st.one_of(st.binary(max_size=20), st.binary(min_size=1, max_size=200), st.just(b"AT\r"), st.just(b"\0\0"))


@settings(deadline=None)
@given(st.lists(st.one_of(COMMANDS, NOISE), max_size=12), st.integers(0, 2**32))
def test_the_firmware_hears_the_commands_that_python_would_hear(pieces: list[bytes], seed: int) -> None:
    """Among noise, and with bytes lost and flipped."""
    rng = random.Random(seed)
    data = bytearray(b"".join(pieces) + b"\0")
    for _ in range(rng.choice((0, 0, 1, 3))):
        at = rng.randrange(len(data))
        if rng.random() < 0.5:
            data[at] ^= 1 << rng.randrange(8)
        elif len(data) > 1:
            del data[at]
    link = Link()
    items = [item for byte in bytes(data) for item in link.receive_bytes(bytes([byte]))]
    commands = [item for item in items if isinstance(item, GetHello | SetZero | SetReporting | Identify)]
    heard = [each for each in NativeLink().receive_bytes(bytes(data)) if each[0] in LAYOUTS and each[0] >= 0x81]
    sound = [each for each in heard if len(each[2]) >= LAYOUTS[each[0]].packing.size]
    assert [(kind, seq) for kind, seq, _ in sound] == [(type_of(item), item.seq) for item in commands]


@settings(deadline=None)
@given(st.integers(0, 3), st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0, 1, 20, 48, 52, 300]))))
def test_the_knob_counts_as_the_model_does(start: int, looks: list[tuple[int, int]]) -> None:
    """Any phases at any times, impossible jumps and all."""
    knob = NativeKnob()
    library().knob_start(ctypes.byref(knob), *QUADRATURE[start])
    model = KnobSteps(*QUADRATURE[start])
    t_ms = 0
    for phase, wait_ms in looks:
        t_ms += wait_ms
        for _ in range(min(wait_ms, 60)):
            library().knob_ms(ctypes.byref(knob))
        library().knob_see(ctypes.byref(knob), *QUADRATURE[phase])
        model.see(t_ms / 1000, *QUADRATURE[phase])
        assert (knob.steps, knob.impossible) == (model.quarters, model.impossible)
        assert (knob.steps - (phase - start)) % 4 == 0, "the count always agrees with the contacts"


class NativeSteps:
    """The firmware's counter with the model's face."""

    def __init__(self) -> None:
        self._knob = NativeKnob()
        library().knob_start(ctypes.byref(self._knob), 0, 0)

    def see(self, a: int, b: int) -> int:
        library().knob_see(ctypes.byref(self._knob), a, b)
        return int(self._knob.steps)

    def rest(self) -> int:
        for _ in range(60):
            library().knob_ms(ctypes.byref(self._knob))
        return int(self._knob.steps)


def wrong_stops(detents_turned: int, seed: int, *, loss: float, bounce: bool) -> tuple[int, int]:
    """(rests at a wrong stop, detents wrong at the end) after turns of one to three detents either way.

    A lost edge is one that the chip was too busy to see before the next one came.
    """
    rng = random.Random(seed)
    steps, knob = NativeSteps(), Knob("knob")
    knob.starts(0.0, 0)
    t_s, truth, place, turned, wrong = 0.0, 0, 0, 0, 0
    while turned < detents_turned:
        direction, count = rng.choice((1, -1)), rng.randint(1, 3)
        for _ in range(4 * count):
            t_s += 0.02
            before, place = QUADRATURE[place % 4], place + direction
            if rng.random() < loss:
                continue
            now = QUADRATURE[place % 4]
            for _ in range(rng.randint(0, 3) if bounce else 0):
                knob.stands(t_s, steps.see(*now))
                knob.stands(t_s, steps.see(*before))
            knob.stands(t_s, steps.see(*now))
        truth += direction * count
        turned += count
        t_s += 1.0
        knob.rests(t_s, steps.rest())
        wrong += knob.detents != truth
    return wrong, abs(knob.detents - truth)


def test_chatter_makes_no_stop_wrong() -> None:
    assert wrong_stops(5_000, 1, loss=0.0, bounce=True) == (0, 0)


def test_one_edge_in_a_hundred_lost() -> None:
    errors = [wrong_stops(1000, seed, loss=0.01, bounce=False)[1] for seed in range(8)]
    assert sum(errors) / len(errors) <= 0.5, "mean detents wrong in a thousand"


@pytest.mark.long
def test_a_hundred_thousand_detents_with_chatter() -> None:
    assert wrong_stops(100_000, 2, loss=0.0, bounce=True) == (0, 0)


@pytest.mark.long
def test_one_edge_in_a_hundred_lost_campaign() -> None:
    errors = [wrong_stops(1000, seed, loss=0.01, bounce=False)[1] for seed in range(200)]
    assert sum(errors) / len(errors) <= 0.5


BREAKS = st.lists(
    st.tuples(st.integers(0, 7), st.sampled_from([7, 60, 95, 105, 150, 900, 5000, 100_000, 350_000, 398_000, 403_000])),
    max_size=30,
)


@settings(deadline=None)
@given(BREAKS, st.integers(0, 255))
def test_marbles_are_counted_as_the_pins_count_them(changes: list[tuple[int, int]], broken: int) -> None:
    """Each change waits a while and then toggles one beam; a millisecond is counted whenever one is over."""
    beams = NativeBeams()
    library().beams_start(ctypes.byref(beams), broken)
    pins = [Passages(broken=broken >> index & 1) for index in range(8)]
    counts = [0] * 8
    now_us = 0
    for index, wait_us in [*changes, (0, 1_000_000)]:
        until_us = now_us + wait_us
        for ms in range(now_us // 1000 + 1, until_us // 1000 + 1):
            library().beams_ms(ctypes.byref(beams), ctypes.c_uint16(ms * 2000))
        now_us = until_us
        broken ^= 1 << index
        library().beams_see(ctypes.byref(beams), broken, ctypes.c_uint16(now_us * 2))
        counts[index] += len(pins[index].feed(now_us / 1e6, broken >> index & 1))
    for ms in range(now_us // 1000 + 1, now_us // 1000 + 3):
        library().beams_ms(ctypes.byref(beams), ctypes.c_uint16(ms * 2000))
    for index in range(8):
        counts[index] += len(pins[index].tick((now_us + 2000) / 1e6))
    assert list(beams.passages) == counts
