"""`companion import`: a game's text becomes a journal that `replay` steps through."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.errors import InputError

if TYPE_CHECKING:
    from companion.games.game import Json, TableGame
    from companion.notation.online_game import OnlineGame

LINES_SHOWN = 3
"""Of the lines that were not understood; a log full of chat must not flood the screen."""

PATTERNS_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Imported:
    """A game to be kept, with what there is to say of it (`said`), the same as JSON (`found`), and where it began."""

    game: TableGame[Any]
    names: Mapping[str, str]
    moves: Sequence[str]
    said: tuple[str, ...]
    found: Mapping[str, Json]
    start: Any = None


def import_game(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record of `companion export`, or an online log.")],
    journal: Annotated[
        Path | None, typer.Option(metavar="JOURNAL", help="Where to keep it; FILE with .sqlite if left out.")
    ] = None,
    pattern: Annotated[
        str | None, typer.Option(metavar="PATTERN", help="An online log's pattern, such as bwbbwbww; else inferred.")
    ] = None,
    players: Annotated[
        int | None, typer.Option(min=2, max=4, help="How many played, where one of them never acts in the log.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="What was read, as one JSON object.")] = False,
) -> None:
    """Read a game's text into a journal that `companion replay` steps through.

    An online log of Finity does not tell the pattern: every pattern is tried, and it is told how many fit.

    Example:

    \b
      companion import finity-log.txt --pattern bwbbwbww
      companion replay finity-log.sqlite
    """
    imported = imported_game(file, pattern, players)
    path = journal or file.with_suffix(".sqlite")
    game_id = _keep(imported, path)
    if as_json:
        typer.echo(json.dumps({**imported.found, "journal": str(path), "game_id": game_id}, ensure_ascii=False))
        return
    for line in (*imported.said, f"Step through it with: companion replay {path} --game {game_id} --step"):
        typer.echo(line)


def imported_game(file: Path, pattern: str | None, players: int | None) -> Imported:
    """Read a game's text: a record of ours, or an online log.

    Raises:
        InputError: naming the file and what is wrong with it.
    """
    text = _read(file)
    try:
        return _imported(text, pattern, players)
    except InputError as error:
        raise InputError(f"{file}: {error}") from error


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: this is no text in UTF-8; save it as UTF-8") from error
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}; give a file with a game's text") from error


def _imported(text: str, pattern: str | None, players: int | None) -> Imported:
    from companion.notation.game_text import is_game_text, parse_game, play_text
    from companion.notation.online_game import online_game

    if not is_game_text(text):
        return _online(online_game(text, pattern, players))
    if pattern is not None or players is not None:
        raise InputError("a record of ours tells pattern and players itself; leave --pattern and --players out")
    parsed = parse_game(text)
    record = play_text(parsed)
    found: dict[str, Json] = {"game": parsed.game, "moves": len(record.moves), "outcome": parsed.result}
    said = f"Read a game of {parsed.game}: {len(record.moves)} moves."
    return Imported(record.game, parsed.names, record.moves, (said,), found, record.start)


def _online(log: OnlineGame) -> Imported:
    from companion.judge import outcome_json

    found: dict[str, Json] = {
        "game": "finity",
        "players": dict(log.names),
        "moves": len(log.moves),
        "pattern": log.fitting[0],
        "pattern_inferred": log.inferred,
        "patterns_fitting": list(log.fitting),
        "blocker_choices": log.ways,
        "outcome": outcome_json(log.outcome),
        "conceded": log.conceded,
        "not_understood": [entry.line for entry in log.not_understood],
    }
    return Imported(log.game, log.names, log.moves, tuple(_online_words(log)), found)


def _online_words(log: OnlineGame) -> list[str]:
    seats = ", ".join(f"{name} is {player}" for player, name in log.names.items())
    said = [f"Read an online game of Finity: {len(log.moves)} moves; {seats}."]
    if not log.inferred:
        said.append(f"Pattern {log.fitting[0]}, as given, fits.")
    elif len(log.fitting) == 1:
        said.append(f"Pattern {log.fitting[0]}, inferred: it is the only one that fits.")
    else:
        some = ", ".join(log.fitting[1 : PATTERNS_SHOWN + 1]) + (", …" if len(log.fitting) > PATTERNS_SHOWN + 1 else "")
        said.append(f"Pattern {log.fitting[0]}, inferred: {len(log.fitting)} fit (also {some}).")
    if log.ways > 1:
        said.append(f"Which blockers were moved is not certain: {log.ways} choices fit, and the first was taken.")
    if log.conceded:
        said.append(f"{log.conceded} conceded, so the game ends unfinished.")
    if log.not_understood:
        some = "; ".join(f"line {entry.line}: {entry.text[:60]}" for entry in log.not_understood[:LINES_SHOWN])
        many = len(log.not_understood)
        were = "line was" if many == 1 else "lines were"
        said.append(f"{many} {were} not understood and left alone ({some}).")
    return said


def _keep(imported: Imported, path: Path) -> int:
    """Write the game's events into a journal, after those that it has; returns the game's number there."""
    import uuid

    from companion.journal.opening import open_journal
    from companion.reconciler.verdicts import FoundMove, MovesFound
    from companion.referee import Referee

    opened = open_journal(path, outbox=False)
    try:
        if opened.notice:
            typer.echo(opened.notice, err=True)
        referee: Referee[Any] = Referee(imported.game, uuid.uuid4().hex, imported.names)
        referee.seq = opened.journal.last_seq()
        records = referee.start(0.0, imported.start)
        for number, move in enumerate(imported.moves, 1):
            records += referee.take(float(number), MovesFound((FoundMove(move),)))
        trouble = opened.journal.append(records, referee.state_json())
        if trouble:
            raise InputError(trouble)
        return opened.journal.last_game_id() or 1
    finally:
        opened.journal.close()
