"""Who has won how often: standings of a club's games, and how they leave as CSV and JSON. Pure.

A player is a name: "Anna" at two tables is one Anna, however it is spelt in capitals. Players without a name of their
own ("Blue") are nobody in particular and not listed; their opponents are.
"""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from companion.club.games import Game, Side
from companion.games.game import Json

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""How a cell begins that spreadsheets take for a formula (OWASP, CSV Injection), also in full width."""
COLUMNS = ("player", "played", "won", "drawn", "lost", "difference")


@dataclass(frozen=True, slots=True)
class Line:
    """One player's line.

    Attributes:
        difference: the sum of the points by which games were won or lost, of those games whose points are known.
    """

    player: str
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    difference: int = 0


def standings(results: Iterable[Game]) -> list[Line]:
    """The lines of all players with a name: most games won first, then the difference, fewer lost, the name.

    Args:
        results: the newest first; a name is shown as it was spelt last.
    """
    lines: dict[str, Line] = {}
    for game in results:
        for side in game.sides:
            if side.name:
                key = _same(side.name)
                lines[key] = _counted(lines.get(key, Line(side.name)), game, side)
    return sorted(lines.values(), key=lambda line: (-line.won, -line.difference, line.lost, line.player.casefold()))


def _same(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _counted(line: Line, game: Game, side: Side) -> Line:
    return replace(
        line,
        played=line.played + 1,
        won=line.won + (game.winner == side.player),
        drawn=line.drawn + (game.winner is None),
        lost=line.lost + (game.winner not in (None, side.player)),
        difference=line.difference + lead(game.sides, side),
    )


def lead(sides: Sequence[Side], side: Side) -> int:
    """By how much a player is ahead of the best other one; 0 where points are not known.

    Where two players' points are opposite, as in Infinity, they are the lead already.
    """
    others = [each.points for each in sides if each is not side and each.points is not None]
    if side.points is None or not others:
        return 0
    if len(others) == 1 and others[0] == -side.points:
        return side.points
    return side.points - max(others)


def days(first: date | None, last: date | None, zone: tzinfo | None = None) -> tuple[str, str]:
    """From the first day to the end of the last one, as `Store.results` takes them.

    Args:
        zone: whose days; the machine's own where none is given.
    """
    since = "" if first is None else _utc(first, zone)
    until = "" if last is None or last == date.max else _utc(last + timedelta(days=1), zone)
    return since, until


def _utc(day: date, zone: tzinfo | None) -> str:
    try:
        begins = datetime.combine(day, time.min, zone)
        return begins.astimezone(UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError, OSError):  # the first and last days that there are
        return datetime.combine(day, time.min, UTC).isoformat(timespec="milliseconds")


def as_csv(lines: Iterable[Line]) -> str:
    """A table for spreadsheets. Names that would be formulas there get an apostrophe before them."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for line in lines:
        writer.writerow([_cell(line.player), line.played, line.won, line.drawn, line.lost, line.difference])
    return out.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.lstrip().startswith(FORMULA) or text.startswith(FORMULA) else text


def as_json(lines: Iterable[Line], results: Iterable[Game]) -> str:
    """Standings and the games that they are made of."""
    told = {"standings": [asdict(line) for line in lines], "results": [result_json(game) for game in results]}
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def result_json(game: Game) -> dict[str, Json]:
    """A result for the page and for programs."""
    return {
        "id": game.key,
        "node": game.place.node,
        "table": game.table,
        "game": game.game,
        "players": [{"player": s.player, "name": s.name, "points": s.points} for s in game.sides],
        "winner": game.winner,
        "words": game.words,
        "began": game.began,
        "ended": game.ended,
    }
