"""Boards as named places in space: what the boards of all games have, and how their files are read and checked.

A board file describes one copy of a game's board in millimetres. The built-in one of a game is found by the game's
name; a user measures another copy, writes a file of the same form and passes its path. What the sections of a file mean
stands in the built-in ones, `calibration/boards/`. A `note` may stand anywhere.

Frame: origin in the middle of the board, x right, y up, z towards the camera. Angles in degrees, counter-clockwise from
+x unless said otherwise.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final, Protocol

from calibration.errors import BoardError
from calibration.form import Form, number
from calibration.sentences import Sentence, system_sentence

Point = tuple[float, float, float]
"""A point in board millimetres."""

LENGTH: Final = number(above=0)
ANY: Final = number()
NOT_NEGATIVE: Final = number(at_least=0)
SHARE: Final = number(above=0, at_most=1)


def count(lowest: int, highest: int) -> Form:
    """A whole number within bounds."""
    return number(at_least=lowest, at_most=highest, whole=True)


@dataclass(frozen=True, slots=True)
class Markers:
    """AprilTags by which a camera finds the board: their middles; `size` is the black square's side.

    `turns_deg` says how far each is turned counter-clockwise from upright; without it all are upright, as printed.
    """

    dict: str
    size: float
    z: float
    white_border_mm: float
    centres: tuple[tuple[float, float], ...]
    ids: tuple[int, ...]
    turns_deg: tuple[float, ...] = ()

    def corners(self, shrink: float = 1.0) -> Mapping[int, tuple[Point, ...]]:
        """Top left, top right, bottom right and bottom left corner of each marker's black square, by id."""
        half = self.size / 2 * shrink
        around = ((-half, half), (half, half), (half, -half), (-half, -half))
        return {marker: tuple(self.at(marker, dx, dy) for dx, dy in around) for marker in self.ids}

    def at(self, marker: int, right_mm: float, up_mm: float) -> Point:
        """A point of a marker, given as its own right and up from its middle."""
        index = self.ids.index(marker)
        cx, cy = self.centres[index]
        turn = math.radians(self.turns_deg[index]) if self.turns_deg else 0.0
        cos, sin = math.cos(turn), math.sin(turn)
        return cx + cos * right_mm - sin * up_mm, cy + sin * right_mm + cos * up_mm, self.z


class Board(Protocol):
    """What every game's board has."""

    @property
    def game(self) -> str: ...
    @property
    def aruco(self) -> Markers: ...
    @property
    def digest(self) -> str:
        """Short text that is the same for boards of the same measures."""
        ...

    @property
    def piece_mm(self) -> float:
        """The width of the piece that has to be told: the larger it is in a picture, the surer."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The board as its file says it, without the notes; `parse_board` takes it back."""
        ...


def digest_of(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def _infinity(data: Mapping[str, Any], where: str) -> Board:
    from calibration.infinity.board import parse_infinity_board

    return parse_infinity_board(data, where)


def _finity(data: Mapping[str, Any], where: str) -> Board:
    from calibration.finity.board import parse_finity_board

    return parse_finity_board(data, where)


_PARSERS: Final[Mapping[str, Callable[[Mapping[str, Any], str], Board]]] = {"infinity": _infinity, "finity": _finity}


def built_in(game: str) -> dict[str, Any]:
    """The file of a game's built-in board, as it stands."""
    text = resources.files("calibration").joinpath("boards", f"{game}.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


def load_board(path_or_name: str | Path) -> Board:
    """Read a built-in board by its game's name, or a user's board file by its path.

    Raises:
        BoardError: where the file is absent, is no JSON, or describes no board, with every fault.
    """
    name = str(path_or_name)
    if name in _PARSERS:
        return parse_board(built_in(name), name)
    try:
        data = json.loads(Path(name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        known = ", ".join(_PARSERS)
        raise BoardError(
            name, (Sentence("there is no such file, and no built-in board of that name ({known})", known=known),)
        ) from None
    except OSError as error:
        raise BoardError(name, (Sentence("cannot be read: {why}", why=system_sentence(error)),)) from None
    except (ValueError, RecursionError) as error:
        raise BoardError(name, (Sentence("is no JSON: {why}", why=str(error)),)) from None
    return parse_board(data, name)


def parse_board(data: object, where: str = "") -> Board:
    """Check a board description and make the board of its game of it; `where` is told in errors.

    Raises:
        BoardError: with every fault.
    """
    if not isinstance(data, Mapping):
        raise BoardError(where, (Sentence("must be one JSON object"),))
    game = data.get("game", "finity" if "hex_side" in data else "infinity")
    if not isinstance(game, str) or game not in _PARSERS:
        raise BoardError(
            where, (Sentence("game must be one of {known}, not {game}", known=", ".join(_PARSERS), game=repr(game)),)
        )
    return _PARSERS[game](data, where)


def read_sections(
    data: Mapping[str, Any],
    forms: Mapping[str, Mapping[str, Form]],
    explaining: Iterable[str] = (),
    optional: Iterable[str] = (),
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """The checked values of every section of a board file, and all that is wrong.

    Args:
        forms: what each key of each section may be.
        explaining: keys that only explain a convention: they may be there, and are not kept.
        optional: keys that may be missing.
    """
    faults: list[str] = [
        Sentence("{key} is not known", key=key) for key in data if key not in (*forms, "game", "units", "note")
    ]
    if data.get("units", "mm") != "mm":
        faults.append(Sentence("units must be mm"))
    explaining, optional = tuple(explaining), tuple(optional)
    sections = {name: _section(name, data.get(name), forms[name], explaining, optional, faults) for name in forms}
    return sections, faults


def _section(
    name: str,
    given: object,
    forms: Mapping[str, Form],
    explaining: tuple[str, ...],
    optional: tuple[str, ...],
    faults: list[str],
) -> dict[str, Any]:
    """The checked values of one section; what is wrong is added to `faults`."""
    if not isinstance(given, Mapping):
        faults.append(
            Sentence("{name} is missing", name=name)
            if given is None
            else Sentence("{name} must be an object", name=name)
        )
        return {}
    faults += [
        Sentence("{name}.{key} is not known", name=name, key=key) for key in given if key not in forms and key != "note"
    ]
    values: dict[str, Any] = {}
    for key, form in forms.items():
        if key not in given:
            if key not in (*explaining, *optional):
                faults.append(Sentence("{name}.{key} is missing", name=name, key=key))
            continue
        value, fault = form(given[key])
        if fault:
            faults.append(Sentence("{name}.{key} {fault}", name=name, key=key, fault=fault))
        elif key not in explaining:
            values[key] = value
    return values
