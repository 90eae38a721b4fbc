"""Builds the firmware and the program that runs it, once for each state of their sources, into the user's cache.

The simulator is GPL and stays a program of its own, built here from the C beside this file; nothing of it is part of
Companion.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from companion.errors import DeviceError, system_words
from companion.texts import text

FIRMWARE = Path(__file__).parents[2] / "firmware_bridge" / "firmware"
HOST = Path(__file__).parent
PACKAGES = "gcc-avr avr-libc libsimavr-dev gcc libc6-dev make"
BUILD_S = 120
"""Half a second on a desktop; a Raspberry Pi under load takes longer."""

_HEADER = Path("/usr/include/simavr/sim_avr.h")


@dataclass(frozen=True, slots=True)
class ChipFiles:
    """What a simulated chip is made of: the firmware's ELF and the program that runs it."""

    elf: Path
    host: Path


def missing_tools() -> str | None:
    """Why the chip cannot be built here, and what to do; None where it can."""
    missing = [name for name in ("avr-gcc", "avr-objcopy", "make", "gcc") if shutil.which(name) is None]
    if not _HEADER.exists():
        missing.append("libsimavr")
    if not missing:
        return None
    return text(
        "the simulated chip needs {missing}: sudo apt install {packages}", missing=", ".join(missing), packages=PACKAGES
    )


def chip_files(cache: Path | None = None) -> ChipFiles:
    """The built files; builds them where that was not done yet.

    Args:
        cache: the folder to keep them in; the user's cache by default.

    Raises:
        DeviceError: if a tool is missing or a build fails.
    """
    if cache is None:
        from platformdirs import user_cache_path

        cache = user_cache_path("companion")
    folder = cache / f"chip-{_sources_hash()}"
    files = ChipFiles(folder / "companion.elf", folder / "host")
    if files.host.exists() and files.elf.exists():
        return files
    reason = missing_tools()
    if reason is not None:
        raise DeviceError(reason)
    try:
        cache.mkdir(parents=True, exist_ok=True)
        _build(folder)
    except OSError as error:
        raise DeviceError(
            text("{folder}: {why}; the simulated chip is built there", folder=str(folder), why=system_words(error))
        ) from error
    return files


def run_tool(*command: str | Path) -> str:
    """What a compiler or its kin printed.

    Raises:
        DeviceError: with its first complaint, if it fails.
    """
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise DeviceError(
            text(
                "{command} took longer than {seconds} s; is the machine busy?", command=str(command[0]), seconds=BUILD_S
            )
        ) from error
    if done.returncode:
        complaint = next(iter(done.stderr.strip().splitlines()), text("it said nothing"))
        raise DeviceError(
            text(
                "{command} failed: {why}; the packages it needs are {packages}",
                command=str(command[0]),
                why=complaint,
                packages=PACKAGES,
            )
        )
    return done.stdout


def _build(folder: Path) -> None:
    """Beside the folder and then renamed: several programs may do this at once, and one may be killed."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="chip-new-") as made:
        new = Path(made) / "chip"
        new.mkdir()
        run_tool("make", "-s", "-C", FIRMWARE, f"OUT={new}", f"{new}/companion.elf")
        warnings = ("-O2", "-Wall", "-Wextra")
        sources = sorted(HOST.glob("*.c"))
        run_tool("gcc", *warnings, *sources, "-I/usr/include/simavr", "-o", new / "host", "-lsimavr", "-lutil")
        try:
            os.rename(new, folder)
        except OSError:
            if not (folder / "host").exists():
                raise


def _sources_hash() -> str:
    text = hashlib.sha256()
    for path in sorted([*HOST.glob("*.[ch]"), *FIRMWARE.glob("*.[ch]"), FIRMWARE / "Makefile"]):
        text.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return text.hexdigest()[:16]
