"""Games by name. A new game is one more line in `_GAMES`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from companion.errors import InputError
from companion.games import finity
from companion.games.game import Json, TableGame
from companion.games.infinity import Infinity, Options
from companion.games.shown import listed, shown
from companion.texts import text

_NO_SETUP: Final[Mapping[str, Json]] = MappingProxyType({})
_Maker = Callable[[Mapping[str, Json], Mapping[str, Json]], TableGame[Any]]


def _infinity(options: Mapping[str, Json], setup: Mapping[str, Json]) -> TableGame[Any]:
    """Infinity always has the same two players and the same start, so there is no setup to read."""
    return Infinity(Options.parse(options))


def _finity(options: Mapping[str, Json], setup: Mapping[str, Json]) -> TableGame[Any]:
    return finity.Finity.of(setup, options)


_GAMES: Final[Mapping[str, _Maker]] = {"infinity": _infinity, "finity": _finity}

_DEFAULTS: Final[Mapping[str, Callable[[], Mapping[str, Json]]]] = {
    "infinity": Options().as_json,
    "finity": finity.Options().as_json,
}


def game_names() -> tuple[str, ...]:
    """The games that can be refereed."""
    return tuple(_GAMES)


def game_named(name: str, options: Mapping[str, Json], setup: Mapping[str, Json] = _NO_SETUP) -> TableGame[Any]:
    """The rules of a game under these house rules.

    Args:
        name: one of `game_names()`.
        options: the house rules that differ from the defaults.
        setup: what a game must be told beside its options, as it stands in a case or a recording's `meta.json`
            (players, pattern, posts); each game takes what it needs and leaves the rest.

    Raises:
        InputError: for an unknown game, naming the known ones, or for options that it does not have.
    """
    if name not in _GAMES:
        raise InputError(text("unknown game {given}; known: {known}", given=shown(name), known=listed(_GAMES, "and")))
    return _GAMES[name](options, setup)


def default_options(name: str) -> Mapping[str, Json]:
    """A game's options where nobody chose any."""
    return _DEFAULTS[name]()
