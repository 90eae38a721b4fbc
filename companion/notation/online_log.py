"""Lines of an online platform's game log, read one by one; what they mean for a game is `online_game`'s business.

One action a line, after a name and a colon. Stations are `[i,j]` in the board's coordinates:

    NAME: Added a Black Bridge at Station [i,j] => [k,l] Position:Left      tail => tip
    NAME: Removed a White Bridge at Station [i,j] => [k,l] Position:Middle  as it lay
    NAME: Reversed a …                                                      as it lay before
    NAME: Added a Small Ring at Station [i,j]
    NAME: Moved a Base Post at Station [i,j]                                where to
    NAME: Moved a Blocker at Station [i,j] => [k,l] Position:Right          where to
    NAME: Removed a Blocker at Station [i,j] => [k,l] Position:Right
    NAME has to remove 2 orphaned rings
    No rings placed or orphaned. 12 moves until a forced draw
    FORCED DRAW. …
    The end of the game: NAME wins!
    NAME concedes the game.
    Move 12 :            and times
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from companion.errors import InputError, error_words
from companion.games.shown import shown
from companion.texts import joined, text

Coordinates = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Action:
    """What a player did: `verb` and `piece` as in the log; `colour` or ring size in `kind`; one station or a slot."""

    line: int
    name: str
    verb: str
    piece: str
    kind: str
    at: Coordinates
    to: Coordinates | None = None
    side: str = ""


@dataclass(frozen=True, slots=True)
class OrphansTold:
    line: int
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class EndTold:
    """How the log says the game ended: `how` is "won", "conceded" or "draw"."""

    line: int
    how: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """A line of another kind, chat perhaps."""

    line: int
    text: str


Entry = Action | OrphansTold | EndTold | NotUnderstood

_AT = r"\[\s*(-?\d+)\s*,\s*(-?\d+)\s*\]"
_WHERE = rf"at Station\s+{_AT}(?:\s*=>\s*{_AT}\s*Position\s*:\s*(Left|Middle|Right))?"
_ACTION = re.compile(
    r"(?P<name>.+?)\s*:\s*(?P<verb>Added|Removed|Reversed|Moved) a "
    r"(?:(?P<kind>Black|White|Small|Medium|Large) )?(?P<piece>Bridge|Ring|Base Post|Blocker) " + _WHERE
)
_BEGUN = re.compile(r".+?:\s*(?:Added|Removed|Reversed|Moved) a ")
_ORPHANS = re.compile(r"(.+?) has to remove (\d+) orphaned rings?\.?")
_WON = re.compile(r"The end of the game\s*:\s*(.+?) wins!?")
_CONCEDED = re.compile(r"(.+?) concedes the game\.?")
_PASSED_OVER = (
    re.compile(r"Move \d+\s*:?"),
    re.compile(r"No rings placed or orphaned\. \d+ moves? until a forced draw\.?"),
    re.compile(r"(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[ ,T]*)?\d{1,2}:\d{2}(?::\d{2})?(?:\s*[AaPp]\.?[Mm]\.?)?"),
)
_FORMS: Final = {
    ("Added", "Bridge"): ("colour", True),
    ("Removed", "Bridge"): ("colour", True),
    ("Reversed", "Bridge"): ("colour", True),
    ("Added", "Ring"): ("size", False),
    ("Moved", "Base Post"): ("", False),
    ("Moved", "Blocker"): ("", True),
    ("Removed", "Blocker"): ("", True),
}
"""What each action names: a colour, a size or nothing; and whether a slot or a station."""
_KINDS: Final = {"colour": ("Black", "White"), "size": ("Small", "Medium", "Large"), "": ("",)}


def read_log(text: str) -> list[Entry]:
    """Read a log's lines in order; `Move N :` and times say nothing and are left out.

    Raises:
        InputError: with every line that begins like an action and is none, by number.
    """
    entries: list[Entry] = []
    faults: list[str] = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        try:
            entries.extend(_entries(number, " ".join(line.split())))
        except InputError as error:
            faults.append(error_words(error))
    if faults:
        raise InputError(joined(faults, "; "))
    return entries


def _entries(number: int, line: str) -> Iterator[Entry]:
    if not line or any(form.fullmatch(line) for form in _PASSED_OVER):
        return
    if found := _ACTION.fullmatch(line):
        yield _action(number, line, found)
    elif _BEGUN.match(line):
        raise InputError(
            text(
                "line {number}: {given} begins like an action, but cannot be read to its end",
                number=number,
                given=shown(line),
            )
        )
    elif found := _ORPHANS.fullmatch(line):
        yield OrphansTold(number, found[1], int(found[2]))
    elif found := _WON.fullmatch(line):
        yield EndTold(number, "won", found[1])
    elif found := _CONCEDED.fullmatch(line):
        yield EndTold(number, "conceded", found[1])
    elif line.startswith("FORCED DRAW"):
        yield EndTold(number, "draw")
    else:
        yield NotUnderstood(number, line)


def _action(number: int, line: str, found: re.Match[str]) -> Action:
    verb, piece, kind = found["verb"], found["piece"], found["kind"] or ""
    i, j, k, l_, side = found.groups()[4:]
    wants, is_slot = _FORMS.get((verb, piece), ("nothing", False))
    if (verb, piece) not in _FORMS or kind not in _KINDS[wants] or (side is not None) != is_slot:
        raise InputError(text("line {number}: {given} is no action of Finity", number=number, given=shown(line)))
    to = None if side is None else (int(k), int(l_))
    return Action(number, found["name"], verb, piece, kind, (int(i), int(j)), to, (side or "")[:1])
