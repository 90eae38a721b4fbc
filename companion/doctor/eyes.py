"""Asks OpenCV in a process of its own: it may lack a library, hang in a driver or crash, and only that process ends."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from companion.doctor.bounded import Asked, Unknown
from companion.games.game import Json
from companion.texts import Said, remade


@dataclass(frozen=True, slots=True)
class Look:
    """What a camera gave: the size of its picture in pixels, or why there is none."""

    size: tuple[int, int] | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Eyes:
    """What OpenCV answered in time.

    Attributes:
        opencv: its version; None where it does not load.
        fault: the last line that it said where it does not.
        late: it was not heard of in time, which says nothing of it.
        looks: what cameras gave, by source; those that did not answer are not in it.
    """

    opencv: str | None = None
    fault: str = ""
    late: bool = False
    looks: Mapping[str, Look] = field(default_factory=dict)


def ask_opencv(cameras: Sequence[tuple[str, int, int]], limit_s: float) -> Eyes:
    """Load OpenCV and look through cameras (source, width, height) for one picture each."""
    # addresses of cameras may hold passwords, and everybody may read a process's arguments: so they go another way
    asked = json.dumps([{"source": source, "width": width, "height": height} for source, width, height in cameras])
    process = subprocess.Popen(
        [sys.executable, "-m", "vision.probe"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    said: list[str] = []
    errors: list[str] = []
    # a process that hangs in a driver cannot be killed: what it has said by then is taken, and it is left behind
    talk = Asked(lambda: _talk(process, asked, said, errors), limit_s).answer()
    if isinstance(talk, Unknown):
        process.kill()
    return parse_eyes(tuple(said), tuple(errors), late=isinstance(talk, Unknown))


def _talk(process: subprocess.Popen[str], asked: str, said: list[str], errors: list[str]) -> None:
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise ValueError("the process was started without pipes")
    with process.stdin, suppress(BrokenPipeError):
        process.stdin.write(asked)
    said.extend(process.stdout)
    errors.extend(process.stderr)
    process.wait()


def parse_eyes(lines: Iterable[str], errors: Iterable[str] = (), *, late: bool = False) -> Eyes:
    """What the process wrote, which may have ended anywhere."""
    opencv: str | None = None
    looks: dict[str, Look] = {}
    for line in lines:
        match _object(line):
            case {"opencv": str(version)}:
                opencv = version
            case {"camera": str(source), "size": [int(width), int(height)]}:
                looks[source] = Look((width, height))
            case {"camera": str(source), "pattern": str(pattern), "values": dict(values)}:
                looks[source] = Look(fault=remade(Said(pattern, values)))
            case {"camera": str(source), "fault": str(fault)}:
                looks[source] = Look(fault=fault)
    last = next((line.strip() for line in reversed(list(errors)) if line.strip()), "")
    return Eyes(opencv, "" if opencv else last, late and opencv is None, looks)


def _object(line: str) -> Json:
    try:
        answer: Json = json.loads(line)
    except ValueError:
        return None
    return answer
