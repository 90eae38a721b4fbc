"""The `companion` command as a process of its own, as a shell or a service manager starts it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

COMPANION = (sys.executable, "-m", "companion")
ROOT = Path(__file__).resolve().parents[2]
WAIT_S = 60.0
"""A machine with other work to do takes its time; nothing here waits that long where all is well."""


def environment(home: Path, **more: str) -> dict[str, str]:
    """The caller's, with a home of its own, finding this checkout from any folder."""
    folders = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"), str(home))
    own = {**folders, "PYTHONPATH": str(ROOT)}
    return {**os.environ, **own, **more}


@contextmanager
def begun(home: Path, *arguments: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start `companion`, and see to it that it has ended after the block.

    Its standard error is `home/errors`, its standard output `home/out`, both appended to.
    """
    with (home / "out").open("a") as out, (home / "errors").open("a") as errors:
        process = subprocess.Popen(
            [*COMPANION, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            cwd=home,
            env=environment(home),
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def until(condition: Callable[[], object], what: str) -> None:
    ends_s = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < ends_s, f"waited in vain for {what}"
        time.sleep(0.05)


def cpu_s(process: int) -> float:
    """Processor seconds that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def descendants(process: int) -> list[int]:
    """The processes that it started, and those that they started."""
    children = Path(f"/proc/{process}/task/{process}/children")
    try:
        direct = [int(number) for number in children.read_text().split()]
    except OSError:
        return []
    return [*direct, *(number for child in direct for number in descendants(child))]


def runs(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"
