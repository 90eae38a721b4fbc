"""The board's chip as a simulated device: the firmware's ELF in a process of its own.

    with SimChip(folder / "board") as chip:     # a pty at the path, like hw_sim.serial_port.SimSerialPort
        chip.pace(1.0)                          # goes on by itself in real time ...
    with SimChip() as chip:
        chip.drive(0.5, "knob_a", 1)
        sent = chip.run_until(1.0)              # ... or in simulated time, with what it sent, and when

Nothing is left behind: the process ends with the block, with the program, or when its pipe closes.
"""

from __future__ import annotations

import os
import select
import struct
import subprocess
import threading
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from companion.errors import DeviceError
from companion.texts import text
from hw_sim.chip.build import ChipFiles, chip_files

ANSWER_S = 60.0
"""An hour of an idle chip takes half a minute."""
END_S = 2.0
SETTINGS_VERSION = 1


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """What `settings.h` of the firmware keeps in the EEPROM.

    Attributes:
        serial_number: up to 16 ASCII characters.
        slots: whether switches are fitted in the slots.
        broken_level: level of a beam's pin while a marble is in it.
    """

    serial_number: str = "CHIP001"
    edges_per_detent: int = 4
    slots: bool = False
    broken_level: int = 0

    def pack(self) -> bytes:
        name = self.serial_number.encode("ascii")
        if len(name) > 16:
            raise DeviceError(
                text(
                    "a serial number has at most 16 characters, not {count}: {serial}",
                    count=len(name),
                    serial=repr(self.serial_number),
                )
            )
        head = (SETTINGS_VERSION, self.edges_per_detent, self.slots, self.broken_level)
        return struct.pack("<BBBB16s", *head, name)


@dataclass(frozen=True, slots=True)
class Sent:
    """A byte that left the chip at `t_s`, seconds of its simulated time."""

    t_s: float
    data: bytes


@dataclass(frozen=True, slots=True)
class InterruptFigures:
    """Of one interrupt: how often it ran, and its longest run and wait in cycles (16 in a microsecond)."""

    runs: int
    longest_cycles: int
    longest_wait_cycles: int


@dataclass(frozen=True, slots=True)
class ChipFigures:
    """What the firmware takes of the chip.

    Attributes:
        flash, ram, stack: bytes; the stack's at its deepest.
        nested: how often an interrupt ran within another.
        interrupts: by their number in the data sheet, from 0.
    """

    flash: int
    ram: int
    stack: int
    nested: int
    interrupts: dict[int, InterruptFigures]


class SimChip:
    """A board with power, its cable in, all beams clear, contacts open and slots empty; its time stands at 0.

    Everything may be called from any thread.

    Args:
        path: where a link to its pty is made while the cable is in; None hands its bytes to `run_until`.
        settings: its EEPROM; None leaves it erased, as a new chip's is.
        files: built ones; made and kept in the user's cache by default.

    Raises:
        DeviceError: if it cannot be built, or something else than an old link is at the path.
    """

    def __init__(
        self, path: Path | None = None, *, settings: BoardSettings | None = None, files: ChipFiles | None = None
    ) -> None:
        if path is not None and os.path.lexists(path) and not path.is_symlink():
            raise DeviceError(
                text("{path} is there already and is no simulated port; choose another path", path=str(path))
            )
        files = files or chip_files()
        self.path = path
        self.plugged = True
        self.lamp = False
        self._lock = threading.RLock()
        self._half = b""
        self._answers: deque[str] = deque()
        self._sent: list[Sent] = []
        command = [str(files.host), str(files.elf), *([str(path)] if path else [])]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for the program; this one ends with its pipe
        )
        try:
            self._answer("ready")
            self._say(f"eeprom {(settings.pack() if settings else bytes([255]) * 22).hex()}")
        except DeviceError:
            self.close()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    def drive(self, t_s: float, line: str, level: int) -> None:
        """A line ("entry1" to "exit4", "knob_a", "slot2.3") has this level from `t_s` on; at once where that is past.

        Levels are those of `hw_sim.wires`; calls come in the order of their time.
        """
        self._say(f"pin {_us(t_s)} {line} {int(level)}")

    def run_until(self, t_s: float) -> list[Sent]:
        """Let simulated time pass up to `t_s`, as fast as can be; what was sent since the last call."""
        with self._lock:
            self._say(f"until {_us(t_s)}")
            self._answer("at")
            sent, self._sent = self._sent, []
        return sent

    def now_s(self) -> float:
        """How much simulated time has passed."""
        with self._lock:
            self._say("until 0")
            return int(self._answer("at").split()[1]) / 1e6

    def let_run(self, t_s: float) -> None:
        """Let simulated time pass up to `t_s` without waiting for it."""
        self._say(f"let {_us(t_s)}")
        with self._lock:
            self._read(0.0)

    def pace(self, speed: float) -> None:
        """Go on by itself, so many simulated seconds in a real one; 0 stops."""
        self._say(f"pace {speed:g}")

    def write(self, data: bytes) -> None:
        """Bytes come in on the serial line."""
        for start in range(0, len(data), 1024):
            self._say(f"say {data[start : start + 1024].hex()}")

    def reset(self) -> None:
        """Press the reset button."""
        self._say("reset")

    def unplug(self, *, keep_power: bool = False) -> None:
        """Pull the cable: whoever has the port open sees it hang up.

        Args:
            keep_power: the board has a supply of its own, and goes on; else it starts anew when plugged in.
        """
        with self._lock:
            if self.plugged:
                self._say("cut" if keep_power else "unplug")
                self.plugged = False

    def plug(self) -> None:
        """Put the cable in again."""
        with self._lock:
            if not self.plugged:
                self._say("plug")
                self.plugged = True

    def deafen(self) -> None:
        """The chip's clock stops ticking, as no firmware should ever see: only its watchdog helps."""
        self._say("deaf")

    def figures(self) -> ChipFigures:
        """What was measured since the start."""
        with self._lock:
            self._say("figures")
            words = dict(word.split("=") for word in self._answer("figures").split()[1:])
        interrupts = {
            int(name): InterruptFigures(*map(int, value.split("/"))) for name, value in words.items() if name.isdigit()
        }
        flash, ram, stack, nested = (int(words[name]) for name in ("flash", "ram", "stack", "nested"))
        return ChipFigures(flash, ram, stack, nested, interrupts)

    def close(self) -> None:
        """End the process. May be called twice."""
        process = self._process
        if process.stdin is not None:
            process.stdin.close()  # that ends it
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(END_S)
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
        if self.path is not None and self.path.is_symlink():
            self.path.unlink(missing_ok=True)

    def __enter__(self) -> SimChip:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _say(self, line: str) -> None:
        with self._lock:
            if self._process.stdin is None or self._process.stdin.closed:
                raise DeviceError(text("the simulated chip has ended already"))
            try:
                self._process.stdin.write(f"{line}\n".encode())
            except OSError as error:
                raise self._gone() from error

    def _answer(self, wanted: str) -> str:
        """The chip's next answer, which is to begin with `wanted`; "crashed" is the other that there is."""
        end_s = time.monotonic() + ANSWER_S
        while not self._answers:
            self._read(end_s - time.monotonic())
            if time.monotonic() >= end_s:
                self._process.kill()
                raise DeviceError(
                    text("the simulated chip did not answer within {seconds:g} s and was ended", seconds=ANSWER_S)
                )
        line = self._answers.popleft()
        if line.split(" ", 1)[0] != wanted:
            raise DeviceError(text("the simulated chip has ended: {line}", line=line))
        return line

    def _read(self, wait_s: float) -> None:
        """What the process has told, waiting for the first of it for `wait_s`."""
        out = self._process.stdout
        if out is None or out.closed:
            raise DeviceError(text("the simulated chip has ended already"))
        while select.select([out], [], [], max(0.0, wait_s))[0]:
            data = os.read(out.fileno(), 65536)
            if not data:
                raise self._gone()
            *whole, self._half = (self._half + data).split(b"\n")
            for line in whole:
                self._take(line.decode("ascii"))
            if wait_s:
                return

    def _take(self, line: str) -> None:
        match line.split():
            case ["tx", t_us, data]:
                self._sent.append(Sent(int(t_us) / 1e6, bytes.fromhex(data)))
            case ["lamp", _, level]:
                self.lamp = level == "1"
            case _:
                self._answers.append(line)

    def _gone(self) -> DeviceError:
        self._process.kill()
        _, complaint = self._process.communicate()
        why = complaint.decode(errors="replace").strip() or text("it did not say why")
        return DeviceError(text("the simulated chip ended: {why}", why=why))


def _us(t_s: float) -> int:
    return round(t_s * 1e6)
