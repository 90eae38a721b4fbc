"""Wirings: good ones, and every fault named with its pin and task."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_bridge.beams import Beam
from firmware_bridge.errors import WiringError
from firmware_bridge.gpio import Wiring

GOOD: dict[str, Any] = {
    "knob_a": "BCM17",
    "knob_b": "BCM18",
    "edges_per_detent": 4,
    "entry": ["BCM5", "BCM6", "BCM13", "BCM19"],
    "exit": ["BCM12", "BCM16", "BCM20", "BCM21"],
    "beam_blocked_level": 0,
    "blue_knob": "cw",
}


def faults(**changes: Any) -> tuple[str, ...]:
    with pytest.raises(WiringError) as caught:
        Wiring.parse({**GOOD, **changes})
    return caught.value.faults


def test_a_recordings_wiring() -> None:
    wiring = Wiring.parse(GOOD)
    assert (wiring.knob_a, wiring.knob_b, wiring.edges_per_detent) == ("BCM17", "BCM18", 4)
    assert wiring.beams["BCM13"] == Beam(entry=True, channel=3)
    assert wiring.beams["BCM21"] == Beam(entry=False, channel=4)
    assert wiring.tasks["BCM12"] == "exit 1"
    assert len(wiring.tasks) == 10


@pytest.mark.parametrize("name", ["BCM17", "GPIO17", "gpio17", 17, "17"])
def test_a_pin_by_any_of_its_names(name: Any) -> None:
    assert Wiring.parse({**GOOD, "knob_a": name}).knob_a == "BCM17"


def test_only_the_knob_or_only_beams_will_do() -> None:
    assert Wiring.parse({"knob_a": "BCM17", "knob_b": "BCM18"}).beams == {}
    assert Wiring.parse({"entry": GOOD["entry"]}).knob_a is None


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"knob_a": "BCM99"}, ("knob_a", "BCM99")),
        ({"knob_a": "BCM0"}, ("knob_a", "BCM0")),
        ({"knob_b": "fridge"}, ("knob_b", "fridge")),
        ({"knob_b": None}, ("knob_b", "missing")),
        ({"knob_a": True}, ("knob_a", "True")),
        ({"knob_b": "BCM17"}, ("knob_b", "BCM17", "knob_a")),
        ({"entry": ["BCM5", "BCM6", "BCM13"]}, ("entry", "four")),
        ({"entry": "BCM5"}, ("entry", "four")),
        ({"exit": ["BCM12", "BCM16", "BCM5", "BCM21"]}, ("exit 3", "BCM5", "entry 1")),
        ({"exit": ["BCM12", None, "BCM20", "BCM21"]}, ("exit 2", "no pin")),
        ({"edges_per_detent": 3}, ("edges_per_detent", "3")),
        ({"beam_blocked_level": 2}, ("beam_blocked_level", "2")),
        ({"beam_blocked_level": True}, ("beam_blocked_level", "True")),
        ({"blue_knob": "left"}, ("blue_knob", "left")),
        ({"pull": "sideways"}, ("pull", "sideways")),
        ({"pull": "down", "knob_b": "BCM2"}, ("knob_b", "BCM2", "down")),
        ({"knob_c": "BCM22"}, ("knob_c", "no such key")),
    ],
)
def test_one_fault_is_named(changes: dict[str, Any], words: tuple[str, ...]) -> None:
    (fault,) = faults(**changes)
    for word in words:
        assert word in fault


def test_all_faults_are_named_at_once() -> None:
    assert len(faults(knob_a="x", edges_per_detent=7, exit=["BCM5"] * 4, blue_knob="up")) == 7


def test_a_wiring_that_is_no_table_is_refused() -> None:
    with pytest.raises(WiringError, match="table"):
        Wiring.parse(["BCM17"])


def test_a_wiring_of_nothing_is_refused() -> None:
    with pytest.raises(WiringError, match="at least"):
        Wiring.parse({})
