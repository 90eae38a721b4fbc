"""Where things are kept: the journal's file with its room, and the calibration."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from companion.config import CameraSection, Config
from companion.doctor.bounded import Unknown
from companion.doctor.finding import Finding, Part, Verdict
from companion.errors import error_words
from companion.texts import text
from firmware_bridge.held import Holder, holders

LITTLE_ROOM = 50 << 20
"""An evening's games are some megabytes of records; below this a card is nearly full, and other things fail, too."""
NO_ROOM = 1 << 20
"""SQLite's log and the copy of the journal want more than this before a game begins."""


@dataclass(frozen=True, slots=True)
class JournalPlace:
    """The journal's file.

    Attributes:
        folder: the nearest folder above it that is there.
        writable: whether the file, or else the folder, may be written.
        there: whether the file is there already.
        free_bytes: room on that disk.
        holders: who writes it now.
    """

    path: Path
    folder: Path
    writable: bool
    there: bool = False
    is_folder: bool = False
    free_bytes: int = 0
    holders: tuple[Holder, ...] = ()


def journal_place(path: Path) -> JournalPlace:
    path = path.absolute()
    folder = next(above for above in path.parents if above.exists())
    lock = f"{path}.lock"
    there = path.exists()
    writable = os.access(folder, os.W_OK | os.X_OK) and (not there or os.access(path, os.R_OK | os.W_OK))
    free = shutil.disk_usage(folder).free
    return JournalPlace(path, folder, writable, there, path.is_dir(), free, holders([lock]).get(lock, ()))


def of_journal(place: JournalPlace, configured: bool) -> list[Finding]:
    """Judge the place; where no table is configured it keeps no table from running."""
    worst = Verdict.WRONG if configured else Verdict.NOTE
    room = _bytes(place.free_bytes)
    if place.is_folder:
        return [
            Finding(
                Part.JOURNAL,
                worst,
                text("{path} is a folder", path=str(place.path)),
                text("name a file: path in [journal]"),
            )
        ]
    if place.holders:
        program = place.holders[0]
        return [
            Finding(
                Part.JOURNAL,
                worst,
                text("another Companion (process {pid}) writes {path}", pid=program.pid, path=str(place.path)),
                text("end that one (kill {pid}), or name another file: path in [journal]", pid=program.pid),
            )
        ]
    if not place.writable:
        return [
            Finding(
                Part.JOURNAL,
                worst,
                text("{path} cannot be written, so nothing would be kept", path=str(place.path)),
                _give_over(place),
            )
        ]
    if place.free_bytes < LITTLE_ROOM:
        verdict = worst if place.free_bytes < NO_ROOM else Verdict.NOTE
        words = text("only {room} are free for {path}", room=room, path=str(place.path))
        return [
            Finding(
                Part.JOURNAL,
                verdict,
                words,
                text("make room: du -xh {folder} | sort -h | tail", folder=str(place.folder)),
            )
        ]
    return [
        Finding(
            Part.JOURNAL, Verdict.OK, text("{path} can be written; {room} are free", path=str(place.path), room=room)
        )
    ]


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a calibration file says, or why it cannot be used."""

    path: Path
    opencv: str = ""
    fault: str = ""


def learnt(config: Config, section: CameraSection) -> Learnt:
    """Read the config's calibration, as the table will."""
    from calibration.errors import CalibrationError
    from companion.devices import load_calibration
    from companion.errors import CompanionError

    try:
        return Learnt(section.calibration, load_calibration(section, config.make_game()).opencv)
    except (CalibrationError, CompanionError) as error:
        return Learnt(section.calibration, fault=error_words(error))


def of_calibration(found: Learnt | Unknown | None, opencv: str | None) -> list[Finding]:
    if found is None:
        return []
    if isinstance(found, Unknown):
        return [
            Finding(
                Part.CALIBRATION, Verdict.NOTE, text("the calibration could not be read in time ({why})", why=found.why)
            )
        ]
    again = "companion calibrate --help"
    if found.fault:
        return [Finding(Part.CALIBRATION, Verdict.WRONG, found.fault, again)]
    told = [
        Finding(Part.CALIBRATION, Verdict.OK, text("{path} fits the game and the camera's size", path=str(found.path)))
    ]
    # the last number of a version does not move markers
    if opencv is not None and opencv.split(".")[:2] != found.opencv.split(".")[:2]:
        words = text(
            "it was made with OpenCV {made}; {now} may find the markers a little elsewhere",
            made=found.opencv,
            now=opencv,
        )
        told.append(Finding(Part.CALIBRATION, Verdict.NOTE, words, again))
    return told


def _give_over(place: JournalPlace) -> str:
    """The least that lets this user write there; a folder that is there already may be the system's."""
    another = text("name another file: path in [journal]")
    if place.there:
        return text("sudo chown $USER {path}  # or {another}", path=str(place.path), another=another)
    if place.folder != place.path.parent:
        return text("sudo install -d -o $USER {path}  # or {another}", path=str(place.path.parent), another=another)
    return another


def _bytes(number: int) -> str:
    return f"{number / 2**30:.1f} GB" if number >= 2**30 else f"{number / 2**20:.1f} MB"
