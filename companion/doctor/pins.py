"""The pins of a Raspberry Pi: whether this is one, how they are reached, and who has which."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from companion.doctor.finding import Finding, Part, Verdict
from companion.doctor.node import Node, node_at, not_allowed
from companion.errors import error_words
from companion.texts import joined, text
from firmware_bridge.pin_list import SHARED
from firmware_bridge.wiring import Wiring

MODEL = Path("/proc/device-tree/model")


@dataclass(frozen=True, slots=True)
class Pins:
    """What there is of pins.

    Attributes:
        model: what the machine calls itself, on boards that say so; "Raspberry Pi 4 Model B ...".
        chips: the device files of pin chips.
        backend: the way that gpiozero takes; empty where there is none or nobody asked.
        fault: why there is none.
        claimed: pins in use, with who says to have them.
    """

    model: str = ""
    chips: tuple[Node, ...] = ()
    backend: str = ""
    fault: str = ""
    claimed: Mapping[str, str] = field(default_factory=dict)


def pins(asked: bool) -> Pins:
    """The facts; without a chip, and where no wiring is `asked` about, no library is loaded for them."""
    from firmware_bridge import pin_list

    chips = tuple(node_at(path, {}) for path in pin_list.chips())
    try:
        model = MODEL.read_text(errors="replace").strip("\0 \n")
    except OSError:
        model = ""
    try:
        claimed = pin_list.claimed()
    except OSError:
        claimed = {}
    if not (chips or asked or "GPIOZERO_PIN_FACTORY" in os.environ):
        return Pins(model)
    backend, fault = _backend()
    return Pins(model, chips, backend, fault, claimed)


def of_pins(found: Pins, wiring: Wiring | None) -> list[Finding]:
    told = [_of_machine(found, wiring)]
    if wiring is None:
        if found.claimed:
            held = joined(
                (text("{pin} by {program}", pin=pin, program=who) for pin, who in found.claimed.items()), ", "
            )
            told.append(Finding(Part.PINS, Verdict.NOTE, text("in use already: {pins}", pins=held)))
        return told
    clashes = {pin: found.claimed[pin] for pin in wiring.tasks if pin in found.claimed}
    told += [_clash(pin, wiring.tasks[pin], who) for pin, who in clashes.items()]
    if told[0].verdict is Verdict.OK and not clashes:
        told.append(Finding(Part.PINS, Verdict.OK, text("the table's {count} pins are free", count=len(wiring.tasks))))
    return told


def _of_machine(found: Pins, wiring: Wiring | None) -> Finding:
    worst = Verdict.NOTE if wiring is None else Verdict.WRONG
    machine = found.model or text("this machine")
    if found.backend:
        return Finding(
            Part.PINS,
            Verdict.OK,
            text("{machine} has pins, reached through {backend}", machine=machine, backend=found.backend),
        )
    if not found.chips:
        return Finding(
            Part.PINS,
            worst,
            text("{machine} has no pins of its own, which only a Raspberry Pi has", machine=machine),
            None
            if wiring is None
            else text("take [gpio] out of the config; a board on USB feels the same (docs/firmware.md)"),
        )
    barred = next((chip for chip in found.chips if not chip.usable), None)
    if barred is not None:
        return Finding(Part.PINS, worst, *not_allowed(barred))
    return Finding(
        Part.PINS,
        worst,
        text("{machine} has pins, but no way to them: {why}", machine=machine, why=found.fault),
        "pip install lgpio",
    )


def _clash(pin: str, task: str, who: str) -> Finding:
    bus = SHARED.get(int(pin.removeprefix("BCM")))
    mend = text("end the program that has it, or wire another pin")
    if bus is not None:
        mend = text("switch {bus} off (sudo raspi-config, Interface Options), or wire another pin", bus=bus)
    return Finding(
        Part.PINS,
        Verdict.WRONG,
        text("{pin} ({task}) is in use already, by {program}", pin=pin, task=task, program=who),
        mend,
    )


def _backend() -> tuple[str, str]:
    """What gpiozero finds, and why it finds nothing."""
    from firmware_bridge.errors import PinsUnavailable
    from firmware_bridge.pin_factory import open_pin_factory

    try:
        factory = open_pin_factory()
    except PinsUnavailable as error:
        return "", error_words(error)
    name = type(factory).__name__.removesuffix("Factory")
    factory.close()
    return name, ""
