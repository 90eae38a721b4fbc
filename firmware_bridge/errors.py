"""The errors of the sensor side. Their text is fit for people: what, where, and what to do next.

    BridgeError            root
    +-- WiringError        a wiring that cannot be, with every fault at once
    +-- PinsUnavailable    this machine's pins cannot be read
    +-- PortUnavailable    a serial port cannot be opened, with the reason in words

Noise on the wire, a silent board or a pulled cable are values, never errors.
"""

from __future__ import annotations

from calibration.sentences import several


class BridgeError(Exception):
    """Root of the errors of `firmware_bridge`."""


class WiringError(BridgeError):
    """A wiring with all its faults, in the order of its keys."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__(several(faults))
        self.faults = faults


class PinsUnavailable(BridgeError):  # noqa: N818 - says what is the case, like FileNotFound does
    pass


class PortUnavailable(BridgeError):  # noqa: N818
    """A port that cannot be opened; `gone` where it is only not there (any more)."""

    def __init__(self, message: str, *, gone: bool = False) -> None:
        super().__init__(message)
        self.gone = gone
