"""`companion import`: a game's text becomes a journal that `replay` steps through."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.language import say
from companion.errors import InputError, error_words, system_words
from companion.texts import joined, plural, text

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
    for line in (
        *imported.said,
        text("Step through it with: companion replay {path} --game {game} --step", path=str(path), game=game_id),
    ):
        say(line)


def imported_game(file: Path, pattern: str | None, players: int | None) -> Imported:
    """Read a game's text: a record of ours, or an online log.

    Raises:
        InputError: naming the file and what is wrong with it.
    """
    written = _read(file)
    try:
        return _imported(written, pattern, players)
    except InputError as error:
        raise InputError(text("{file}: {why}", file=str(file), why=error_words(error))) from error


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(text("{file}: this is no text in UTF-8; save it as UTF-8", file=str(file))) from error
    except OSError as error:
        raise InputError(
            text("{file}: {why}; give a file with a game's text", file=str(file), why=system_words(error))
        ) from error


def _imported(written: str, pattern: str | None, players: int | None) -> Imported:
    from companion.notation.game_text import is_game_text, parse_game, play_text
    from companion.notation.online_game import online_game

    if not is_game_text(written):
        return _online(online_game(written, pattern, players))
    if pattern is not None or players is not None:
        raise InputError(text("a record of ours tells pattern and players itself; leave --pattern and --players out"))
    parsed = parse_game(written)
    record = play_text(parsed)
    found: dict[str, Json] = {"game": parsed.game, "moves": len(record.moves), "outcome": parsed.result}
    said = plural(
        "Read a game of {game}: {n} move.", "Read a game of {game}: {n} moves.", len(record.moves), game=parsed.game
    )
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
    seats = joined((text("{name} is {player}", name=name, player=player) for player, name in log.names.items()), ", ")
    said: list[str] = [
        plural(
            "Read an online game of Finity: {n} move; {seats}.",
            "Read an online game of Finity: {n} moves; {seats}.",
            len(log.moves),
            seats=seats,
        )
    ]
    if not log.inferred:
        said.append(text("Pattern {pattern}, as given, fits.", pattern=log.fitting[0]))
    elif len(log.fitting) == 1:
        said.append(text("Pattern {pattern}, inferred: it is the only one that fits.", pattern=log.fitting[0]))
    else:
        some = ", ".join(log.fitting[1 : PATTERNS_SHOWN + 1]) + (", …" if len(log.fitting) > PATTERNS_SHOWN + 1 else "")
        said.append(
            text(
                "Pattern {pattern}, inferred: {count} fit (also {others}).",
                pattern=log.fitting[0],
                count=len(log.fitting),
                others=some,
            )
        )
    if log.ways > 1:
        said.append(
            plural(
                "Which blockers were moved is not certain: {n} choice fits, and the first was taken.",
                "Which blockers were moved is not certain: {n} choices fit, and the first was taken.",
                log.ways,
            )
        )
    if log.conceded:
        said.append(text("{player} conceded, so the game ends unfinished.", player=log.conceded))
    if log.not_understood:
        some = joined(
            (
                text("line {number}: {line}", number=entry.line, line=entry.text[:60])
                for entry in log.not_understood[:LINES_SHOWN]
            ),
            "; ",
        )
        many = len(log.not_understood)
        said.append(
            plural(
                "{n} line was not understood and left alone ({some}).",
                "{n} lines were not understood and left alone ({some}).",
                many,
                some=some,
            )
        )
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
            say(opened.notice, err=True)
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
