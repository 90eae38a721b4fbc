"""Programs that run beside this one and get in its way: services that grab serial ports, and a second Companion."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.doctor.finding import Finding, Part, Verdict
from companion.texts import text
from firmware_bridge.held import PROC

OURS = ("referee", "record")
"""Our commands that hold devices; a demo's are simulated."""


@dataclass(frozen=True, slots=True)
class Grabber:
    """A service that opens ports: what it does to a board, and how it is kept off."""

    does: str
    keep_off: str


GRABBERS = {
    "ModemManager": Grabber(
        text("sends AT commands to every new port for half a minute"),
        'echo \'SUBSYSTEM=="tty", ENV{ID_MM_DEVICE_IGNORE}="1"\' | '
        "sudo tee /etc/udev/rules.d/70-companion.rules && sudo udevadm control --reload",
    ),
    "brltty": Grabber(
        text("takes boards with a CH340 or CP210x chip for Braille displays, and their ports away"),
        text(
            "{command}  # not where a Braille display is used",
            command="sudo systemctl mask --now brltty-udev.service brltty.service",
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Running:
    """A process: what it is called, and its command if it is a Companion."""

    pid: int
    name: str
    command: str = ""


def running() -> tuple[Running, ...]:
    """The grabbers and the other Companions that run."""
    found = []
    for process in sorted(PROC.glob("[0-9]*"), key=lambda path: int(path.name)):
        try:
            name = (process / "comm").read_text(errors="replace").strip()
            words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue  # it has ended since
        command = companion_command(words)
        if (name in GRABBERS or command) and int(process.name) != os.getpid():
            found.append(Running(int(process.name), name, command))
    return tuple(found)


def companion_command(words: Sequence[str]) -> str:
    """Which command of ours that holds devices this command line runs; empty for none."""
    program = list(words)
    if program and Path(program[0]).name.startswith("python"):
        del program[0]
        while program and program[0].startswith("-") and program[0] != "-m":
            del program[0]
        if program[:1] == ["-m"]:
            del program[0]
    ours = len(program) > 1 and Path(program[0]).name == "companion" and program[1] in OURS
    return program[1] if ours else ""


def of_services(found: Sequence[Running]) -> list[Finding]:
    told = []
    for program in found:
        if program.name in GRABBERS:
            grabber = GRABBERS[program.name]
            told.append(
                Finding(
                    Part.SERVICES,
                    Verdict.NOTE,
                    text("{program} {does}", program=program.name, does=grabber.does),
                    grabber.keep_off,
                )
            )
        else:
            told.append(
                Finding(
                    Part.SERVICES,
                    Verdict.NOTE,
                    text(
                        "another Companion runs: companion {command} (process {pid})",
                        command=program.command,
                        pid=program.pid,
                    ),
                    text(
                        "two cannot share a camera, a port, pins or a journal; end it before starting one on the same"
                    ),
                )
            )
    return told or [
        Finding(Part.SERVICES, Verdict.OK, text("no service that grabs ports runs, and no other Companion"))
    ]
