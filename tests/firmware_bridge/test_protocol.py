"""The wire's bytes: the shared vectors, the page that documents them, and frames there and back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import BridgeError
from firmware_bridge.protocol import (
    BLOCK_BYTES,
    LAYOUTS,
    Capability,
    Frame,
    Garbled,
    Hello,
    State,
    UnknownFrame,
    decode,
    encode,
    type_of,
)

PACKAGE = files("firmware_bridge")
VECTORS: dict[str, Any] = json.loads((PACKAGE / "vectors.json").read_text())
PAGE = (PACKAGE / "PROTOCOL.md").read_text()


def frame_of(vector: dict[str, Any]) -> Frame:
    kind: Callable[..., Frame] = LAYOUTS[vector["type"]].frame
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in vector["fields"].items()
    }
    if kind is Hello:
        values["capabilities"] = Capability(values["capabilities"])
    return kind(**values)


@pytest.mark.parametrize("vector", VECTORS["frames"], ids=lambda vector: vector["name"])
def test_a_vector_is_the_same_frame_both_ways(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["hex"])
    assert decode(data[:-1]) == frame_of(vector)
    assert encode(frame_of(vector)) == data
    assert data.index(0) == len(data) - 1, "a zero stands only at the end"


@pytest.mark.parametrize("vector", VECTORS["garbled"], ids=lambda vector: vector["name"])
def test_a_garbled_vector_is_refused_for_its_reason(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["hex"])[:-1]
    assert decode(data) == Garbled(vector["reason"], data)


def test_every_type_has_a_vector() -> None:
    assert {vector["type"] for vector in VECTORS["frames"]} == set(LAYOUTS)


def examples() -> dict[str, str]:
    return {
        name: text.replace(" ", "") for name, text in re.findall(r"^([a-z_]+) {2,}((?:[0-9a-f]{2} ?)+)$", PAGE, re.M)
    }


def test_the_page_shows_every_vector_as_it_is() -> None:
    assert examples() == {vector["name"]: vector["hex"] for vector in VECTORS["frames"]}


def test_the_page_names_every_type_and_its_payload_length() -> None:
    for kind, layout in LAYOUTS.items():
        name = layout.frame.__name__.upper()
        assert re.search(rf"\b{kind:02X}\b[ |]+{name.replace('GETHELLO', 'GET_HELLO').replace('SET', 'SET_')}", PAGE)
        size = layout.packing.size
        if kind < 0x80:
            assert f"{kind:02X} {name}: {size} bytes" in PAGE


def test_the_longest_frame_is_as_the_page_says() -> None:
    assert max(BLOCK_BYTES.values()) + 1 == 35
    assert "longer than 35 bytes" in PAGE


def states() -> st.SearchStrategy[State]:
    def unsigned(bits: int) -> st.SearchStrategy[int]:
        return st.integers(0, 2**bits - 1)

    return st.builds(
        State,
        boot_id=unsigned(16),
        uptime_ms=unsigned(32),
        knob=st.integers(-(2**31), 2**31 - 1),
        impossible=unsigned(16),
        zeroings=unsigned(8),
        beams=unsigned(8),
        passages=st.tuples(*[unsigned(8)] * 8),
        occupancy=unsigned(16),
        occupancy_valid=unsigned(16),
        seq=unsigned(8),
    )


@given(states())
def test_any_state_comes_back(state: State) -> None:
    assert decode(encode(state)[:-1]) == state


@given(st.integers(0x10, 0x7F), st.binary(max_size=40), st.integers(0, 255))
def test_a_frame_of_a_later_minor_version_is_kept_apart(kind: int, payload: bytes, seq: int) -> None:
    frame = UnknownFrame(kind, payload, seq)
    assert decode(encode(frame)[:-1]) == frame


@given(states(), st.binary(min_size=1, max_size=20))
def test_fields_added_by_a_later_minor_version_are_ignored(state: State, tail: bytes) -> None:
    layout = LAYOUTS[type_of(state)]
    longer = UnknownFrame(type_of(state), layout.packing.pack(*layout.values(state)) + tail, state.seq)
    assert decode(encode(longer)[:-1]) == state


@given(st.binary(max_size=60))
def test_noise_is_a_value(data: bytes) -> None:
    assert isinstance(decode(data), Frame | Garbled)


@pytest.mark.parametrize(
    "frame",
    [
        State(boot_id=70000, uptime_ms=0, knob=0),
        State(boot_id=1, uptime_ms=0, knob=0, passages=(0,) * 7),
        Hello(boot_id=1, serial_number="much too long a name", firmware=(1, 0, 0), capabilities=Capability(0)),
        Hello(boot_id=1, serial_number="ü", firmware=(1, 0, 0), capabilities=Capability(0)),
    ],
    ids=lambda frame: type(frame).__name__,
)
def test_a_value_that_does_not_fit_is_refused(frame: Frame) -> None:
    with pytest.raises(BridgeError):
        encode(frame)


def test_every_frame_ends_with_its_sequence_number() -> None:
    for layout in LAYOUTS.values():
        assert fields(layout.frame)[-1].name == "seq"
