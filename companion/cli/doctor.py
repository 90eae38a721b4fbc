"""`companion doctor`: what is well at a table, what is wrong, and the command that mends it."""

from __future__ import annotations

import json
import shutil
import textwrap
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.game_options import Pattern, Players, Posts, setup_of

if TYPE_CHECKING:
    from companion.doctor.finding import Finding

WORDS_AT = 9
"""Where the words of a line begin, behind its verdict."""


def doctor(
    config: Annotated[
        Path | None, typer.Option(metavar="TABLE.toml", help="The table's config file; else only the machine.")
    ] = None,
    players: Players = None,
    pattern: Pattern = None,
    posts: Posts = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all as one JSON object.")] = False,
) -> None:
    """Look whether a table can run: cameras, ports, pins, broker, page, files and the program itself.

    Changes nothing and opens no serial port. Ends with 1 where the configured table, or the program, cannot run.

    Example:

    \b
      companion doctor
      companion doctor --config table.toml --json
    """
    from companion.doctor.examine import examine
    from companion.doctor.finding import runs

    findings = examine(config, setup_of(players, pattern, posts))
    typer.echo(_json(findings, config) if as_json else _text(findings, configured=config is not None))
    if not runs(findings):
        raise typer.Exit(1)


def _json(findings: Sequence[Finding], config: Path | None) -> str:
    from companion.doctor.finding import runs

    return json.dumps(
        {
            "runs": runs(findings),
            "config": None if config is None else str(config),
            "findings": [finding.to_json() for finding in findings],
        },
        ensure_ascii=False,
    )


def _text(findings: Sequence[Finding], *, configured: bool) -> str:
    width = min(shutil.get_terminal_size().columns, 100)
    lines = []
    for part, of_part in groupby(findings, lambda finding: finding.part):
        lines.append(str(part).capitalize())
        for finding in of_part:
            lines += _lines(finding, width)
    return "\n".join([*lines, "", _sum(findings, configured)])


def _lines(finding: Finding, width: int) -> list[str]:
    """A finding: its words wrapped, what mends it in one piece, so that a command can be copied."""
    indent = " " * WORDS_AT
    told = textwrap.wrap(
        finding.words,
        max(width, 40),
        initial_indent=f"  {finding.verdict:{WORDS_AT - 2}}",
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return told + ([f"{indent}> {finding.mend}"] if finding.mend else [])


def _sum(findings: Sequence[Finding], configured: bool) -> str:
    wrong = sum(finding.verdict == "wrong" for finding in findings)
    what = "The table" if configured else "The program"
    if wrong:
        return f"{what} cannot run yet: {wrong} thing{'s are' if wrong > 1 else ' is'} wrong."
    return f"{what} can run."
