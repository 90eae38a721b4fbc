"""The errors of the program.

    CompanionError            one clear line for a person: what, where, and what to do next
    +-- UsageError            the command or its arguments are wrong (exit code 2)
    +-- InputError            a file, picture, recording or config cannot be used
    +-- PositionError         a position that cannot be, with every fault
    +-- DeviceError           a camera, port, pin or broker cannot be used

What an error says is a `Text` (`companion.texts`), so that it can be told in any language: `error_words`.

Expected trouble at the table (an illegal move, a hand over the board, noise) is a value, never an error.
"""

from __future__ import annotations

from calibration.sentences import system_sentence
from companion.texts import Text, in_words, joined, noted


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
        super().__init__(joined(faults, "; "))
        self.faults = faults


class DeviceError(CompanionError):
    pass


def error_words(error: BaseException) -> str:
    """What an error says; as a text that knows other languages, where it was made of one."""
    first = error.args[0] if error.args else None
    return in_words(first) if isinstance(first, str) else str(error)


def system_words(error: OSError) -> str:
    """What the operating system says of an error; in other languages where it is one of these."""
    said = error.strerror
    return said if isinstance(said, Text) else in_words(system_sentence(error))


SYSTEM = (
    noted("Permission denied"),
    noted("No such file or directory"),
    noted("Is a directory"),
    noted("Not a directory"),
    noted("File exists"),
    noted("No space left on device"),
    noted("Read-only file system"),
    noted("Input/output error"),
    noted("File name too long"),
    noted("Operation not permitted"),
    noted("Device or resource busy"),
    noted("No such device"),
    noted("Address already in use"),
    noted("Cannot assign requested address"),
    noted("Connection refused"),
    noted("Connection reset by peer"),
    noted("Connection timed out"),
    noted("No route to host"),
    noted("Network is unreachable"),
    noted("Name or service not known"),
    noted("Temporary failure in name resolution"),
)
"""What families' machines say; anything else stays in the system's own words."""
