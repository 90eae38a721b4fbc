"""Which pin is what, as a recording's `meta.json` or the config says it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calibration.sentences import Sentence
from firmware_bridge.beams import Beam
from firmware_bridge.errors import WiringError

_KEYS = ("knob_a", "knob_b", "edges_per_detent", "entry", "exit", "beam_blocked_level", "blue_knob", "pull")
PULLED_UP = ("BCM2", "BCM3")
"""Pins with a resistor to 3.3 V on the board itself, for I2C."""

_PIN = re.compile(r"(?:BCM|GPIO)?(\d{1,2})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wiring:
    """Pins by their names ("BCM17").

    Attributes:
        knob_a, knob_b: the knob's contacts, or both None.
        entry, exit: the beams of channels 1 to 4, or empty where none are fitted.
        beam_blocked_level: level of a beam's pin while a marble is in it.
        blue_knob: "cw" or "ccw", which way is Blue's. The pins do not need it; the score does.
        pull: "up", "down" or "floating": the resistor that the pins get.
    """

    knob_a: str | None = None
    knob_b: str | None = None
    edges_per_detent: int = 4
    entry: tuple[str, ...] = ()
    exit: tuple[str, ...] = ()
    beam_blocked_level: int = 0
    blue_knob: str = "cw"
    pull: str = "up"

    @classmethod
    def parse(cls, mapping: object) -> Wiring:
        """Read the form of `meta.json`: a mapping.

        Raises:
            WiringError: naming every unknown key, unusable value and pin that has two tasks, at once.
        """
        if not isinstance(mapping, Mapping):
            raise WiringError(
                (Sentence("a wiring is a table of pins by their tasks, not {given}", given=repr(mapping)),)
            )
        return _Reader(mapping).wiring()

    @property
    def beams(self) -> dict[str, Beam]:
        """The beam at each pin."""
        return {
            pin: Beam(entry, channel)
            for entry, pins in ((True, self.entry), (False, self.exit))
            for channel, pin in enumerate(pins, start=1)
        }

    @property
    def tasks(self) -> dict[str, str]:
        """Every pin in use, with its task in words."""
        knob = {pin: name for pin, name in ((self.knob_a, "knob_a"), (self.knob_b, "knob_b")) if pin is not None}
        ends = {True: "entry", False: "exit"}
        return {**knob, **{pin: f"{ends[beam.entry]} {beam.channel}" for pin, beam in self.beams.items()}}


class _Reader:
    """Collects the faults of a mapping while it is read."""

    def __init__(self, mapping: Mapping[str, Any]) -> None:
        self.mapping = mapping
        self.faults: list[str] = [
            Sentence("{key}: no such key in a wiring (there are {known})", key=key, known=", ".join(_KEYS))
            for key in mapping
            if key not in _KEYS
        ]
        self.tasks: dict[str, str] = {}

    def wiring(self) -> Wiring:
        wiring = Wiring(
            knob_a=self.pin("knob_a", self.mapping.get("knob_a")),
            knob_b=self.pin("knob_b", self.mapping.get("knob_b")),
            edges_per_detent=self.choice("edges_per_detent", 4, (1, 2, 4)),
            entry=self.beams("entry"),
            exit=self.beams("exit"),
            beam_blocked_level=self.choice("beam_blocked_level", 0, (0, 1)),
            blue_knob=self.choice("blue_knob", "cw", ("cw", "ccw")),
            pull=self.choice("pull", "up", ("up", "down", "floating")),
        )
        for key, other in (("knob_a", "knob_b"), ("knob_b", "knob_a")):
            if self.mapping.get(key) is None and self.mapping.get(other) is not None:
                self.faults.append(Sentence("{key} is missing: a knob has two contacts", key=key))
        if wiring.pull == "down":
            self.faults += [
                Sentence(
                    '{task}: {pin} is pulled up on the board itself, so pull = "down" needs another pin',
                    task=wiring.tasks[pin],
                    pin=pin,
                )
                for pin in PULLED_UP
                if pin in wiring.tasks
            ]
        if not (self.faults or wiring.tasks):
            self.faults.append(Sentence("a wiring names at least the knob's pins or the beams'"))
        if self.faults:
            raise WiringError(tuple(self.faults))
        return wiring

    def pin(self, task: str, value: Any) -> str | None:
        if value is None:
            return None
        match = None if isinstance(value, bool) else _PIN.fullmatch(str(value))
        if match is None:
            self.faults.append(Sentence('{task}: {value} is no pin name (like "BCM17")', task=task, value=repr(value)))
            return None
        number = int(match[1])
        name = f"BCM{number}"
        if not 2 <= number <= 27:
            self.faults.append(
                Sentence("{task}: {pin} is not free on the header (BCM2 to BCM27 are)", task=task, pin=name)
            )
        elif name in self.tasks:
            self.faults.append(
                Sentence("{task}: {pin} is already {other}", task=task, pin=name, other=self.tasks[name])
            )
        self.tasks.setdefault(name, task)
        return name

    def beams(self, key: str) -> tuple[str, ...]:
        value = self.mapping.get(key)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or len(value) not in (0, 4):
            self.faults.append(
                Sentence("{key}: four pins are needed, for channels 1 to 4, not {value}", key=key, value=repr(value))
            )
            return ()
        pins = [self.pin(f"{key} {channel}", pin) for channel, pin in enumerate(value, start=1)]
        self.faults += [
            Sentence("{key} {channel} has no pin", key=key, channel=channel)
            for channel, pin in enumerate(value, start=1)
            if pin is None
        ]
        return tuple(pin or "" for pin in pins)

    def choice(self, key: str, default: Any, choices: tuple[Any, ...]) -> Any:
        value = self.mapping.get(key, default)
        if isinstance(value, bool) or value not in choices:
            self.faults.append(
                Sentence(
                    "{key}: {value} is none of {known}", key=key, value=repr(value), known=", ".join(map(str, choices))
                )
            )
            return default
        return value
