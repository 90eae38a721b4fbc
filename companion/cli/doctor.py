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
from companion.cli.language import language_of
from companion.texts import in_language, plural, text

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
    language = language_of(None)
    typer.echo(_json(findings, config) if as_json else _text(findings, config is not None, language))
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


def _text(findings: Sequence[Finding], configured: bool, language: str) -> str:
    from companion.doctor.finding import PART_WORDS

    width = min(shutil.get_terminal_size().columns, 100)
    lines = []
    for part, of_part in groupby(findings, lambda finding: finding.part):
        lines.append(str(in_language(PART_WORDS[part], language)).capitalize())
        for finding in of_part:
            lines += _lines(finding, width, language)
    return "\n".join([*lines, "", str(in_language(_sum(findings, configured), language))])


def _lines(finding: Finding, width: int, language: str) -> list[str]:
    """A finding: its words wrapped, what mends it in one piece, so that a command can be copied."""
    from companion.doctor.finding import VERDICT_WORDS

    indent = " " * WORDS_AT
    verdict = in_language(VERDICT_WORDS[finding.verdict], language)
    told = textwrap.wrap(
        str(in_language(finding.words, language)),
        max(width, 40),
        initial_indent=f"  {verdict:{WORDS_AT - 2}}",
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return told + ([f"{indent}> {in_language(finding.mend, language)}"] if finding.mend else [])


def _sum(findings: Sequence[Finding], configured: bool) -> str:
    wrong = sum(finding.verdict == "wrong" for finding in findings)
    if not wrong:
        return text("The table can run.") if configured else text("The program can run.")
    if configured:
        return plural(
            "The table cannot run yet: {n} thing is wrong.", "The table cannot run yet: {n} things are wrong.", wrong
        )
    return plural(
        "The program cannot run yet: {n} thing is wrong.", "The program cannot run yet: {n} things are wrong.", wrong
    )
