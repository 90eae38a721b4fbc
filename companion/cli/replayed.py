"""A game that somebody wrote down, to be played at a simulated table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.language import tell
from companion.errors import InputError, UsageError
from companion.texts import text

if TYPE_CHECKING:
    from companion.games.game import Json


@dataclass(frozen=True, slots=True)
class Replayed:
    """A game to play: what `game_named` takes, the players' names, and the moves of people."""

    game: str
    setup: Mapping[str, Json]
    options: Mapping[str, Json]
    names: Mapping[str, str]
    moves: tuple[str, ...]


def replayed_game(where: Path, pattern: str | None, players: int | None) -> Replayed:
    """Read a game: a record of `companion export`, an online log, or one of a file of JSON lines as FILE/ID.

    Args:
        pattern, players: of an online log, which does not tell them.
    Raises:
        InputError: if it cannot be read, or a move of it is illegal.
        UsageError: where the game tells what was given.
    """
    if where.is_file() and where.suffix != ".jsonl":
        return _text(where, pattern, players)
    if pattern is not None or players is not None:
        raise UsageError(text("a recorded game tells pattern and players itself; leave --pattern and --players out"))
    return _line(where)


def _text(file: Path, pattern: str | None, players: int | None) -> Replayed:
    from companion.cli.import_game import imported_game

    imported = imported_game(file, pattern, players)
    game = imported.game
    if imported.start is not None and imported.start != game.start():
        raise InputError(text("{file}: does not begin at the start of a game, where a table does", file=str(file)))
    return Replayed(game.name, game.setup, _chosen(game.name, game.options), imported.names, tuple(imported.moves))


def _chosen(name: str, options: Mapping[str, Json]) -> dict[str, Json]:
    from companion.games.registry import default_options

    defaults = default_options(name)
    return {key: value for key, value in options.items() if value != defaults[key]}


def _line(where: Path) -> Replayed:
    """The game of a file of JSON lines: the first, or the one whose id stands behind the file's name."""
    from companion.cli.judge_speed import recorded_cases
    from companion.games.game import Illegal
    from companion.record import GameRecord

    file, name = (where, None) if where.is_file() or not where.parent.is_file() else (where.parent, where.name)
    cases = recorded_cases(file)
    case = next((case for case in cases if name in (None, case.name)), None)
    if case is None:
        raise InputError(text("{file}: there is no game {name} in it", file=str(file), name=str(name)))
    rules = case.rules()
    played = GameRecord(rules, rules.start()).play_all(case.moves)
    if isinstance(played, Illegal):
        raise InputError(text("{where}: {move}: {why}", where=str(where), move=played.move, why=played.detail))
    if name is None and len(cases) > 1:
        tell(
            text(
                "playing {name}, the first game of the file; {file}/ID plays another of {count}",
                name=case.name,
                file=str(file),
                count=len(cases),
            )
        )
    return Replayed(case.game, rules.setup, case.options, {}, case.moves)
