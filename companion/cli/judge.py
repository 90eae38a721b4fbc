"""`companion judge`: the rules without any hardware."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.language import tell
from companion.errors import InputError, system_words
from companion.texts import text


def judge(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE.jsonl", help="Cases, one JSON object a line; standard input if left out."),
    ] = None,
    json_lines: Annotated[
        bool, typer.Option("--json", help="Answer in JSON, one object a line (the only form).")
    ] = True,
) -> None:
    """Judge moves by the rules: legal or not and why, rows, points, score and outcome.

    Example:

    \b
      echo '{"id":"x0","game":"infinity","moves":["Y1","B1","W2"]}' | companion judge
    """
    from companion.judge import judge_lines

    failed = False
    for answer, good in judge_lines(_lines(file)):
        sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
        failed |= not good
    if failed:
        raise typer.Exit(1)


def _lines(file: Path | None) -> Iterable[str]:
    if file is None:
        if sys.stdin.isatty():
            tell(text("type one case a line; Ctrl-D ends"))
        return _decoded(sys.stdin.buffer)
    try:
        return _decoded(file.open("rb"))
    except OSError as error:
        raise InputError(
            text("{file}: {why}; give a file with one case a line", file=str(file), why=system_words(error))
        ) from error


def _decoded(stream: Iterable[bytes]) -> Iterator[str]:
    """Lines as text; bytes that are no UTF-8 stay in their line, where judging names them."""
    for line in stream:
        yield line.decode("utf-8", errors="replace")
