"""`companion judge`: the rules without any hardware."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import typer

from companion.errors import InputError


def judge(
    file: Path | None = typer.Argument(
        None, metavar="[FILE.jsonl]", help="Cases, one JSON object a line; stdin if left out."
    ),
    json_lines: bool = typer.Option(True, "--json", help="Answer in JSON, one object a line (the only form)."),
) -> None:
    """Judge moves by the rules: legal or not and why, rows, points, score and outcome.

    Example:

      echo '{"id":"x0","game":"infinity","options":{},"moves":["Y1","B1","W2"]}' | companion judge
    """
    from companion.judge import judge_lines

    failed = False
    for answer, good in judge_lines(_lines(file)):
        sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
        failed |= not good
    sys.stdout.flush()
    if failed:
        raise typer.Exit(1)


def _lines(file: Path | None) -> Iterable[str]:
    if file is None:
        return _decoded(sys.stdin.buffer)
    try:
        return _decoded(file.open("rb"))
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}; give a file with one case a line") from error


def _decoded(stream: Iterable[bytes]) -> Iterator[str]:
    """Lines as text; bytes that are no UTF-8 stay in their line, where judging names them."""
    for line in stream:
        yield line.decode("utf-8", errors="replace")
