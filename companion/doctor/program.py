"""The program itself: Python, what it needs, and OpenCV, of which there may be too many."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata

from companion import __version__
from companion.doctor.finding import Finding, Part, Verdict
from companion.texts import text

OUR_WHEEL = "tabletop-companion"
OPENCV_WHEEL = "opencv-python"
OPENCV_WHEELS = (OPENCV_WHEEL, "opencv-python-headless", "opencv-contrib-python", "opencv-contrib-python-headless")
"""All of these put the same files in the same place: the one that was installed last wins, file by file."""

LIBRARIES = "sudo apt install libgl1 libglib2.0-0"
"""What OpenCV wants of a desktop, which a slim system lacks and pip does not bring."""


@dataclass(frozen=True, slots=True)
class Program:
    """What is installed.

    Attributes:
        wheels: those of OpenCV, with their versions.
        missing: what the program needs and is not there.
        opencv: the version that loads, or None.
        opencv_fault: why it does not load: the last line that Python said.
        late: OpenCV was not heard of in time.
    """

    python: str
    wheels: Mapping[str, str]
    missing: tuple[str, ...] = ()
    opencv: str | None = None
    opencv_fault: str = ""
    late: bool = False


def installed() -> tuple[dict[str, str], tuple[str, ...]]:
    """OpenCV's wheels with their versions, and what is missing."""
    wheels = {name: version for name in OPENCV_WHEELS if (version := _version(name)) is not None}
    return wheels, tuple(name for name in _needed() if _version(name) is None and not (name == OPENCV_WHEEL and wheels))


def of_program(found: Program) -> list[Finding]:
    told = [
        Finding(
            Part.PROGRAM,
            Verdict.OK,
            text("Companion {version} on Python {python}", version=__version__, python=found.python),
        )
    ]
    if found.missing:
        names = " ".join(found.missing)
        told.append(
            Finding(
                Part.PROGRAM,
                Verdict.WRONG,
                text("the program lacks {missing}", missing=", ".join(found.missing)),
                f"{sys.executable} -m pip install {names}",
            )
        )
    told += _of_opencv(found)
    return told


def _of_opencv(found: Program) -> Iterator[Finding]:
    if found.opencv is not None:
        yield Finding(Part.PROGRAM, Verdict.OK, f"OpenCV {found.opencv}")
    elif found.late:
        yield Finding(
            Part.PROGRAM, Verdict.NOTE, text("OpenCV did not load in time; is this machine busy? Look again then")
        )
    elif OPENCV_WHEEL not in found.missing:
        yield _does_not_load(found.opencv_fault)
    if len(found.wheels) > 1:
        yield _clash(found)


def _does_not_load(fault: str) -> Finding:
    library = re.search(r"(lib[\w+.-]+\.so[.\d]*)", fault)
    if library is not None:
        return Finding(
            Part.PROGRAM,
            Verdict.WRONG,
            text("OpenCV does not load, as this machine lacks {library}", library=library[1]),
            LIBRARIES,
        )
    return Finding(
        Part.PROGRAM,
        Verdict.WRONG,
        text("OpenCV does not load ({why})", why=fault or text("it ended without a word")),
        f"{sys.executable} -m pip install --force-reinstall {OPENCV_WHEEL}",
    )


def _clash(found: Program) -> Finding:
    """Two wheels of one version have nearly the same files; of two versions they are a mixture that nobody tested."""
    names = " and ".join(f"{name} {version}" for name, version in found.wheels.items())
    mixed = len({_release(version) for version in found.wheels.values()}) > 1 or not (found.opencv or found.late)
    return Finding(
        Part.PROGRAM,
        Verdict.WRONG if mixed else Verdict.NOTE,
        text("{names} overwrite each other's files, so parts of both are in use", names=names),
        f"{sys.executable} -m pip uninstall -y {' '.join(found.wheels)} && "
        f"{sys.executable} -m pip install {OPENCV_WHEEL}",
    )


def _release(version: str) -> str:
    """Without the number of the wheel's build: 5.0.0 of 5.0.0.93."""
    return ".".join(version.split(".")[:3])


def _needed() -> Iterator[str]:
    """The names of what the installed program requires; nothing where it runs from a plain folder."""
    try:
        required = metadata.requires(OUR_WHEEL) or []
    except metadata.PackageNotFoundError:
        return
    for line in required:
        requirement, _, marker = line.partition(";")
        if "extra" not in marker and (name := re.match(r"[\w.-]+", requirement)):
            yield name[0]


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
