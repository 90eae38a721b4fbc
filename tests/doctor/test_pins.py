"""Pins: one clear line without them, and who has which of them."""

from __future__ import annotations

from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from companion.doctor.finding import Verdict
from companion.doctor.node import Node
from companion.doctor.pins import Pins, of_pins, pins
from firmware_bridge.errors import PinsUnavailable
from firmware_bridge.pin_list import line_request, parse_line
from firmware_bridge.wiring import Wiring
from tests.firmware_bridge.test_wiring import GOOD

WIRING = Wiring.parse(GOOD)
CHIP = Node("/dev/gpiochip0", group="gpio")
PI = Pins("Raspberry Pi 4 Model B Rev 1.4", (CHIP,), "LGPIO")


def test_a_machine_without_pins_is_told_in_one_line() -> None:
    (told,) = of_pins(Pins(), None)
    assert (told.verdict, told.mend) == (Verdict.NOTE, None)
    assert "no pins" in told.words


def test_a_table_with_pins_cannot_run_on_it() -> None:
    (told,) = of_pins(Pins(), WIRING)
    assert told.verdict is Verdict.WRONG
    assert told.mend is not None
    assert "[gpio]" in told.mend


def test_free_pins_are_well() -> None:
    machine, free = of_pins(PI, WIRING)
    assert "Raspberry Pi 4" in machine.words
    assert "LGPIO" in machine.words
    assert (free.verdict, free.words) == (Verdict.OK, "the table's 10 pins are free")


def test_pins_in_use_are_told_where_no_table_wants_them() -> None:
    told = of_pins(Pins("Pi", (CHIP,), "LGPIO", claimed={"BCM4": "w1"}), None)
    assert [finding.verdict for finding in told] == [Verdict.OK, Verdict.NOTE]
    assert "BCM4 by w1" in told[1].words


def test_a_clash_names_pin_task_and_who_has_it() -> None:
    wiring = Wiring.parse({**GOOD, "knob_a": "BCM8"})
    claimed = {"BCM8": "spi0 CS0", "BCM12": "a lamp", "BCM4": "w1"}
    told = of_pins(Pins("Pi", (CHIP,), "LGPIO", claimed=claimed), wiring)
    assert [finding.verdict for finding in told] == [Verdict.OK, Verdict.WRONG, Verdict.WRONG]
    assert told[1].words == "BCM8 (knob_a) is in use already, by spi0 CS0"
    assert told[1].mend is not None
    assert "switch SPI off" in told[1].mend
    assert "BCM12 (exit 1)" in told[2].words


@pytest.mark.parametrize("wiring", [None, WIRING])
def test_pins_that_cannot_be_reached(wiring: Wiring | None) -> None:
    barred = Pins("Pi", (Node("/dev/gpiochip0", usable=False, group="gpio"),), fault="no access")
    verdict = Verdict.NOTE if wiring is None else Verdict.WRONG
    assert (of_pins(barred, wiring)[0].verdict, of_pins(barred, wiring)[0].mend) == (
        verdict,
        "sudo usermod -aG gpio $USER  # then log out and in again",
    )
    broken = of_pins(Pins("Pi", (CHIP,), fault="lgpio: No module named 'lgpio'"), wiring)[0]
    assert (broken.verdict, broken.mend) == (verdict, "pip install lgpio")
    assert "No module named" in broken.words


def test_the_kernels_answer_about_a_line() -> None:
    asked = bytearray(line_request(17))
    assert asked[64:68] == (17).to_bytes(4, "little")
    assert parse_line(bytes(asked)) is None
    asked[72] = 1
    assert parse_line(bytes(asked)) == "the system"
    asked[32:40] = b"spi0 CS0"
    assert parse_line(bytes(asked)) == "spi0 CS0"


def test_the_backend_is_named_or_why_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> Any:
        raise PinsUnavailable("no GPIO pins can be used here")

    monkeypatch.setattr("firmware_bridge.pin_factory.open_pin_factory", none)
    assert pins(True).fault == "no GPIO pins can be used here"
    monkeypatch.setattr("firmware_bridge.pin_factory.open_pin_factory", MockFactory)
    assert pins(True).backend == "Mock"
