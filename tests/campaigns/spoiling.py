"""Good bytes made bad, endlessly, and what a program that is given them may do: take them, or refuse them in a line."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest

from calibration.errors import CalibrationError
from companion.errors import CompanionError
from vision.errors import VisionError

LONGEST_S = 10.0
"""No file takes more of a processor core than this; what waits for ever the test's own limit ends."""
NASTY = (
    "null",
    "-1",
    "1e999",
    "NaN",
    "[" * 2000,
    '"',
    "{",
    "}",
    "0",
    "true",
    "9" * 400,
    "\x00",
    "\ud7ff",
    "''",
    "\n\n",
)
COUNTS = [pytest.param(40, id="short"), pytest.param(2000, id="long", marks=pytest.mark.long)]


def spoilt(good: bytes, seed: int) -> Iterator[bytes]:
    """Endlessly the same bytes with something wrong: cut, flipped, doubled, left out, or strange where a value was."""
    random_ = random.Random(seed)
    while True:
        bad = bytearray(good)
        for _ in range(random_.choice((1, 1, 1, 3))):
            at = random_.randrange(len(bad) + 1)
            end = min(len(bad), at + random_.randint(1, 40))
            match random_.randrange(6):
                case 0:
                    del bad[at:]
                case 1 if at < len(bad):
                    bad[at] ^= 1 << random_.randrange(8)
                case 2:
                    bad[at:at] = bad[at:end]
                case 3:
                    del bad[at:end]
                case 4:
                    bad[at:end] = random_.choice(NASTY).encode()
                case _:
                    bad[:] = _with_other_value(bad, random_)
        yield bytes(bad)


def _with_other_value(text: bytearray, random_: random.Random) -> bytes:
    """One whole value of a JSON or TOML text in place of another."""
    ends = [n for n, letter in enumerate(text) if letter in b":=,[]{}\n"]
    if len(ends) < 2:
        return bytes(text)
    first = random_.randrange(len(ends) - 1)
    return bytes(text[: ends[first] + 1] + random_.choice(NASTY).encode() + text[ends[first + 1] :])


@contextmanager
def refused_or_taken(said: list[str]) -> Iterator[None]:
    """What happens in here ends soon, well or with an error for people: a line that can be printed."""
    began_s = time.process_time()
    try:
        yield
    except (CompanionError, CalibrationError, VisionError) as error:
        said.append(str(error).strip())
    assert "" not in said
    assert time.process_time() - began_s < LONGEST_S


def check(good: bytes, file: Path, read: Callable[[Path], object], count: int) -> None:
    file.write_bytes(good)
    read(file)
    said: list[str] = []
    for bad in islice(spoilt(good, count), count):
        file.write_bytes(bad)
        with refused_or_taken(said):
            read(file)
        assert file.read_bytes() == bad, "what is only read is not changed"
    assert len(said) > count / 10, "hardly anything was refused: is it read at all?"
