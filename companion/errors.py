"""The errors of the program.

    CompanionError            one clear line for a person: what, where, and what to do next
    +-- UsageError            the command or its arguments are wrong (exit code 2)
    +-- InputError            a file, picture, recording or config cannot be used
    +-- PositionError         a position that cannot be, with every fault
    +-- DeviceError           a camera, port, pin or broker cannot be used

Expected trouble at the table (an illegal move, a hand over the board, noise) is a value, never an error.
"""

from __future__ import annotations


class CompanionError(Exception):
    """Root of all errors that are told to a person in one line."""

    exit_code = 1


class UsageError(CompanionError):
    exit_code = 2


class InputError(CompanionError):
    pass


class PositionError(CompanionError):
    """A position with all its faults, in reading order."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


class DeviceError(CompanionError):
    pass
