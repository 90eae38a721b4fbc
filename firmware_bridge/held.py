"""Which programs hold a device: a serial port, a camera, a file that is locked. Linux tells it in /proc.

An ordinary user sees the open files of his own programs only, but the locks of everybody's.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")

PTMX = ("/dev/ptmx", "/dev/pts/ptmx")
"""What a program has open that plays a device on a pseudo terminal. It is that device, and does not hold it."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A program that runs."""

    pid: int
    name: str

    def __str__(self) -> str:
        return f"{self.name} (process {self.pid})"


def holders(paths: Iterable[str]) -> dict[str, tuple[Holder, ...]]:
    """Who has these open or locked, as far as this user may know; paths that nobody has are left out."""
    wanted: dict[str, list[str]] = {}
    for path in paths:
        wanted.setdefault(os.path.realpath(path), []).append(path)
    found: dict[str, set[int]] = {}
    behind: set[tuple[str, int]] = set()
    for pid, opened, file in _open_files() if wanted else ():
        if opened in wanted:
            found.setdefault(opened, set()).add(pid)
        elif opened in PTMX:
            behind.add((_terminal(pid, file), pid))
    locks = _locks() if wanted else {}
    for real in wanted:
        if pids := locks.get(_inode(real) or ""):
            found.setdefault(real, set()).update(pids)
    others = {real: {pid for pid in pids if (real, pid) not in behind} for real, pids in found.items()}
    return {
        path: tuple(Holder(pid, program_name(pid)) for pid in sorted(pids))
        for real, pids in others.items()
        for path in wanted[real]
        if pids
    }


def program_name(pid: int) -> str:
    """What a process is called, cut by the kernel after 15 letters."""
    try:
        return (PROC / str(pid) / "comm").read_text(errors="replace").strip()
    except OSError:
        return "a program"


def _open_files() -> Iterator[tuple[int, str, str]]:
    """Processes, what they have open, and under which number."""
    for process in PROC.glob("[0-9]*"):
        # processes end while they are looked at, and other users' files are not ours to see
        with suppress(OSError):
            for file in (process / "fd").iterdir():
                with suppress(OSError):
                    yield int(process.name), os.readlink(file), file.name


def _terminal(pid: int, file: str) -> str:
    """Of which pseudo terminal this is the other end."""
    with suppress(OSError):
        for line in (PROC / str(pid) / "fdinfo" / file).read_text().splitlines():
            name, _, number = line.partition(":")
            if name == "tty-index":
                return f"/dev/pts/{number.strip()}"
    return ""


def _locks() -> dict[str, set[int]]:
    """Processes by what they have locked, as /proc/locks names files: "00:18:5", device and inode."""
    locks: dict[str, set[int]] = {}
    with suppress(OSError):
        for line in (PROC / "locks").read_text().splitlines():
            fields = [field for field in line.split() if field != "->"]
            if len(fields) >= 6 and fields[4].isdigit() and int(fields[4]) > 0:
                locks.setdefault(fields[5], set()).add(int(fields[4]))
    return locks


def _inode(path: str) -> str | None:
    try:
        at = os.stat(path)
    except OSError:
        return None
    return f"{os.major(at.st_dev):02x}:{os.minor(at.st_dev):02x}:{at.st_ino}"
