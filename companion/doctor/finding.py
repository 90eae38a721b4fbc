"""What was found of one thing: how it stands, in words, and what mends it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.games.game import Json


class Verdict(StrEnum):
    """`wrong` is what keeps the program, or the table as it is configured, from running; `note` is good to know."""

    OK = "ok"
    NOTE = "note"
    WRONG = "wrong"


class Part(StrEnum):
    """What is looked at, in the order in which it is told."""

    CONFIG = "config"
    PROGRAM = "program"
    CAMERAS = "cameras"
    PORTS = "serial ports"
    PINS = "pins"
    SERVICES = "other programs"
    CALIBRATION = "calibration"
    BROKER = "broker"
    PAGE = "page"
    JOURNAL = "journal"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the answer. What looks like a login in an address is left out of it.

    Attributes:
        words: what is the case, in a sentence without its full stop.
        mend: a command, or what to do, that puts it right.
    """

    part: Part
    verdict: Verdict
    words: str
    mend: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", without_logins(" ".join(self.words.split())))
        if self.mend is not None:
            object.__setattr__(self, "mend", without_logins(self.mend))

    def to_json(self) -> dict[str, Json]:
        return {"part": str(self.part), "verdict": str(self.verdict), "words": self.words, "mend": self.mend}


def runs(findings: Sequence[Finding]) -> bool:
    """Whether nothing keeps the table from running."""
    return all(finding.verdict is not Verdict.WRONG for finding in findings)


def without_logins(text: str) -> str:
    """A text without what stands before the @ and behind the ? of addresses, where people put passwords.

    >>> without_logins("rtsp://ann:secret@cam.local/live?key=secret")
    'rtsp://…@cam.local/live?…'
    """
    text = re.sub(r"(\w+://)[^/\s]*@", r"\1…@", text)
    return re.sub(r"(\w+://[^\s?]*\?)[^\s,;:)]+", r"\1…", text)
