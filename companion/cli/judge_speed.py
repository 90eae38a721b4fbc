"""What the rules cost: moves and whole legal-move lists a second, on simulated games or on recorded ones.

Finity's walks are remembered within a game (see `companion.games.finity.walks`), so every pass plays its games anew,
with nothing remembered from the pass before.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import InputError
from companion.texts import text

if TYPE_CHECKING:
    from companion.games.game import Json, TableGame

SIMULATED = 24
"""Simulated games of a pass, eight of each number of players; about two thousand moves."""
MOST_PLIES = 120
PASSES = 3
LIVELY: Mapping[str, int] = {"ring": 8, "add": 8, "reverse": 3, "remove": 2, "post": 2}
"""How often kinds of moves are chosen in simulated games, so that boards fill as they do between people; others: 1."""


@dataclass(frozen=True, slots=True)
class Case:
    """A game to play: what `game_named` takes, and the moves; `name` is a recorded game's id."""

    game: str
    options: Mapping[str, Json]
    setup: Mapping[str, Json]
    moves: tuple[str, ...]
    name: str = ""

    def rules(self) -> TableGame[Any]:
        """The rules, made anew."""
        from companion.games.registry import game_named

        return game_named(self.game, self.options, self.setup)


def judge_speed(seconds: float, cases: Sequence[Case]) -> dict[str, float]:
    """Play games over and over for about `seconds`, then list the moves of all their positions as long.

    Returns:
        `moves_per_s`, `legal_moves_per_s` (lists), and `list_median_us` and `list_max_us` over the positions, each
        with the fastest of its passes: what a position costs, not what else the machine did at that moment.
    Raises:
        InputError: where a recorded move is illegal.
    """
    played_s, moves = 0.0, 0
    while played_s < seconds:
        for positions, spent_s in map(_play, cases):
            played_s += spent_s
            moves += len(positions)
    passes: list[list[float]] = []
    positions_of = [(case, _play(case)[0]) for case in cases]
    while len(passes) < PASSES or sum(map(sum, passes)) < seconds * 1e6:
        passes.append([spent for case, positions in positions_of for spent in _list_us(case, positions)])
    fastest = [min(spent) for spent in zip(*passes, strict=True)]
    lists, spent_us = len(passes) * len(fastest), sum(map(sum, passes))
    return {
        "moves_per_s": round(moves / played_s),
        "legal_moves_per_s": round(lists / spent_us * 1e6),
        "list_median_us": round(statistics.median(fastest), 1),
        "list_max_us": round(max(fastest), 1),
    }


def _play(case: Case) -> tuple[list[Any], float]:
    """The positions before each move, and the seconds that playing took."""
    from companion.games.game import Illegal

    rules = case.rules()
    position = rules.start()
    positions = []
    began = time.perf_counter()
    for move in case.moves:
        while (forced := rules.forced(position)) is not None:
            position = forced.after
        positions.append(position)
        played = rules.play(position, move)
        if isinstance(played, Illegal):
            raise InputError(
                text(
                    "{game}: move {number}, {move}: {why}",
                    game=case.game,
                    number=len(positions),
                    move=move,
                    why=played.detail,
                )
            )
        position = played.after
    return positions, time.perf_counter() - began


def _list_us(case: Case, positions: Iterable[Any]) -> Iterator[float]:
    rules = case.rules()
    for position in positions:
        began = time.perf_counter()
        rules.legal_moves(position)
        yield (time.perf_counter() - began) * 1e6


def simulated_cases(game: str, seed: int) -> list[Case]:
    """Random games: of Finity for two, three and four players and every kind of pattern; of Infinity all alike."""
    chance = random.Random(seed)
    return [_simulated(game, 2 + number % 3, chance) for number in range(SIMULATED)]


def simulated_case(game: str, players: int, seed: int) -> Case:
    """One random game, of Finity for so many players."""
    return _simulated(game, players, random.Random(seed))


def _simulated(game: str, players: int, chance: random.Random) -> Case:
    setup: dict[str, Json] = {}
    if game == "finity":
        setup = {"players": players, "pattern": "".join(chance.choice("bw") for _ in range(8))}
    case = Case(game, {}, setup, ())
    rules = case.rules()
    position = rules.start()
    moves: list[str] = []
    while rules.outcome(position) is None and len(moves) < MOST_PLIES:
        played: Any = rules.forced(position)
        if played is None:
            moves.append(_lively(rules.legal_moves(position), chance))
            played = rules.play(position, moves[-1])
        position = played.after
    return Case(game, {}, setup, tuple(moves))


def _lively(moves: Sequence[str], chance: random.Random) -> str:
    kinds: dict[str, list[str]] = {}
    for move in moves:
        kinds.setdefault(move.partition(" ")[0], []).append(move)
    kind = chance.choices(list(kinds), [LIVELY.get(kind, 1) for kind in kinds])[0]
    return chance.choice(kinds[kind])


def recorded_cases(file: Path) -> list[Case]:
    """Games from a file of JSON lines, each with what `companion judge` takes of a game from its start.

    A move may be a text or an object with a `move`; a pattern that is not of eight cones needs no option.

    Raises:
        InputError: naming the line that is no game.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            text(
                "{file}: {why}; give recorded games, one a line",
                file=str(file),
                why=str(getattr(error, "strerror", None) or error),
            )
        ) from error
    cases = [
        _recorded(text("{file}, line {number}", file=str(file), number=number), line)
        for number, line in enumerate(lines, 1)
        if line.strip()
    ]
    if not cases:
        raise InputError(text("{file}: there is no game in it", file=str(file)))
    return cases


def _recorded(where: str, line: str) -> Case:
    try:
        data = json.loads(line)
        moves = tuple(str(move["move"] if isinstance(move, dict) else move) for move in data["moves"])
        game, options = str(data["game"]), dict(data.get("options", {}))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(text("{where}: this is no game such as `companion judge` takes", where=where)) from error
    if isinstance(pattern := data.get("pattern"), str):
        options.setdefault("pattern_length", len(pattern))
    return Case(game, options, data, moves, str(data.get("id", "")))
