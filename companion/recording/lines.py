"""The lines of a recording's files: one JSON object each, with `t` in seconds since the start."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from companion.errors import InputError, error_words, system_words
from companion.texts import text


@dataclass(frozen=True, slots=True)
class FrameLine:
    """A picture: `image` is its path in the recording's folder."""

    t_s: float
    image: str


@dataclass(frozen=True, slots=True)
class SerialLine:
    """Bytes as they were read from a port."""

    t_s: float
    port: str
    data: bytes


@dataclass(frozen=True, slots=True)
class LevelLine:
    """A pin has this level from now on."""

    t_s: float
    pin: str
    level: int


Line = FrameLine | SerialLine | LevelLine

LONGEST_LINE = 100_000
"""Characters; a longer line is no line of a recording but another file."""


@dataclass(slots=True)
class Faults:
    """What could not be used of a recording, in words for people; the lines are passed over."""

    found: list[str] = field(default_factory=list)

    def add(self, where: str, what: str) -> None:
        self.found.append(text("{where}: {what}", where=where, what=what))


def _frame(data: dict[str, Any]) -> FrameLine:
    image = data.get("image")
    if not isinstance(image, str) or not image:
        raise ValueError('a frame needs "image", the path of its picture')
    path = PurePosixPath(image)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(f"the picture {image!r} is not in the recording's folder")
    return FrameLine(_t_s(data), image)


def _serial(data: dict[str, Any]) -> SerialLine:
    text = data.get("hex")
    if not isinstance(text, str) or not re.fullmatch(r"(?:[0-9a-fA-F]{2})*", text):
        raise ValueError('bytes need "hex", two digits a byte')
    return SerialLine(_t_s(data), str(data.get("port", "board")), bytes.fromhex(text))


def _level(data: dict[str, Any]) -> LevelLine:
    pin, level = data.get("pin"), data.get("level")
    if not isinstance(pin, str) or isinstance(level, bool) or level not in (0, 1):
        raise ValueError('a level needs "pin" (such as "BCM17") and "level" (0 or 1)')
    return LevelLine(_t_s(data), pin, int(level))


def _t_s(data: dict[str, Any]) -> float:
    value = data.get("t")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e9:
        raise ValueError('a line needs "t", seconds since the start')
    return float(value)


FILES: dict[str, Callable[[dict[str, Any]], Line]] = {
    "frames.jsonl": _frame,
    "serial.jsonl": _serial,
    "gpio.jsonl": _level,
}
"""The files of a recording and how a line of each is read. Each file may be left out, but not all."""


def read_lines(path: Path, faults: Faults) -> Iterator[Line]:
    """The lines of one file in the order of their times; bad ones are noted and passed over.

    Raises:
        InputError: if the file cannot be read at all.
    """
    parse = FILES[path.name]
    try:
        written = path.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise InputError(
            text("{path}: {why}; is the recording whole?", path=str(path), why=system_words(error))
        ) from error
    newest = 0.0
    for number, line in enumerate(written.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            parsed = parse(_object(line))
            if parsed.t_s < newest:
                raise ValueError(f"t runs back, from {newest:g} to {parsed.t_s:g} s")
        except ValueError as error:
            faults.add(text("{file} line {number}", file=path.name, number=number), error_words(error))
            continue
        newest = parsed.t_s
        yield parsed


def _object(line: str) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        raise ValueError(f"is longer than {LONGEST_LINE} characters")
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError("is no JSON (the recording may have been cut off here)") from error
    if not isinstance(data, dict):
        raise ValueError("is no JSON object")
    return data
