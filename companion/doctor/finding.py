"""What was found of one thing: how it stands, in words, and what mends it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.games.game import Json
from companion.texts import Counted, Joined, Said, Text, remade, text


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


PART_WORDS = {
    Part.CONFIG: text("config"),
    Part.PROGRAM: text("program"),
    Part.CAMERAS: text("cameras"),
    Part.PORTS: text("serial ports"),
    Part.PINS: text("pins"),
    Part.SERVICES: text("other programs"),
    Part.CALIBRATION: text("calibration"),
    Part.BROKER: text("broker"),
    Part.PAGE: text("page"),
    Part.JOURNAL: text("journal"),
}
VERDICT_WORDS = {Verdict.OK: text("ok"), Verdict.NOTE: text("note"), Verdict.WRONG: text("wrong")}


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
        object.__setattr__(self, "words", _clean(self.words))
        if self.mend is not None:
            object.__setattr__(self, "mend", _clean(self.mend))

    def to_json(self) -> dict[str, Json]:
        return {"part": str(self.part), "verdict": str(self.verdict), "words": self.words, "mend": self.mend}


def _clean(words: str) -> str:
    """One line without logins; of a text, those are in its values."""
    if isinstance(words, Text):
        match words.recipe:
            case Said() | Counted() as said:
                values = {key: _clean(value) if isinstance(value, str) else value for key, value in said.values.items()}
                return remade(replace(said, values=values))
            case Joined() as several:
                return remade(replace(several, parts=tuple(map(_clean, several.parts))))
    return without_logins(" ".join(words.split()))


def runs(findings: Sequence[Finding]) -> bool:
    """Whether nothing keeps the table from running."""
    return all(finding.verdict is not Verdict.WRONG for finding in findings)


def without_logins(words: str) -> str:
    """A text without what stands before the @ and behind the ? of addresses, where people put passwords.

    >>> without_logins("rtsp://ann:secret@cam.local/live?key=secret")
    'rtsp://…@cam.local/live?…'
    """
    words = re.sub(r"(\w+://)[^/\s]*@", r"\1…@", words)
    return re.sub(r"(\w+://[^\s?]*\?)[^\s,;:)]+", r"\1…", words)
