"""A Raspberry Pi's pins at a simulated table: gpiozero's mock pins, driven by the wires, bounce and all.

pins = SimPins(table)
PinBoard(wiring, on_reading, pin_factory=pins.factory, clock=table.timeline.clock, threaded=False)
table.perform(table.person("blue").push("B", 3))    # handlers have run when this returns
"""

from __future__ import annotations

from typing import Any

from hw_sim.table import SimTable
from hw_sim.wires import CONTACTS, Edge, line_pins


def driven_factory() -> Any:
    """A gpiozero pin factory whose pins are driven from outside, whatever their pull: as sensors drive real ones."""
    from gpiozero.pins.mock import MockFactory, MockPin

    class DrivenPin(MockPin):  # type: ignore[misc]
        """A mock pin that keeps the level it is driven to when a program sets its pull."""

        driven: int | None = None

        def drive(self, level: int) -> None:
            self.driven = level
            if self.function == "input":
                self._follow()

        def slip(self, level: int) -> None:
            """The pin has this level, and nobody is told: an interrupt that got lost."""
            self.edges = "none"
            self.drive(level)
            self.edges = "both"

        def _set_pull(self, value: str) -> None:
            super()._set_pull(value)
            self._follow()

        def _follow(self) -> None:
            if self.driven is not None:
                (self.drive_high if self.driven else self.drive_low)()
            # gpiozero keeps every change of a mock pin for ever
            self.clear_states()

    return MockFactory(pin_class=DrivenPin)


class SimPins:
    """The pins of a table's wiring.

    Attributes:
        factory: for `gpiozero.Device.pin_factory` or anything that takes a pin factory.
    """

    def __init__(self, table: SimTable) -> None:
        self._pins = line_pins(table.wires.wiring)
        self._raw = table.wires.raw
        self.factory = driven_factory()
        for line in self._pins:
            self._drive(line, table.wires.levels[line])
        table.listen(self._edge)

    def close(self) -> None:
        self.factory.close()

    def _edge(self, edge: Edge) -> None:
        if edge.line in CONTACTS:
            for other in CONTACTS:
                if other != edge.line and other in self._pins:
                    self.factory.pin(self._pins[other]).slip(self._raw[other])
        if edge.line in self._pins:
            self._drive(edge.line, edge.level)

    def _drive(self, line: str, level: int) -> None:
        self.factory.pin(self._pins[line]).drive(level)
