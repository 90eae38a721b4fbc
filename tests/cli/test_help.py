"""Every command's help has examples, and every example is a command line that the program takes."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import sys

import pytest
import typer.main

from companion.cli.app import app
from tests.cli.conftest import Command
from tests.cli.processes import ROOT

COMMANDS = sorted(getattr(typer.main.get_command(app), "commands"))  # noqa: B009 - a group has them


def examples(text: str) -> list[list[str]]:
    """The calls of `companion` below `Example:`, in words, without `companion` itself and other programs."""
    block = re.search(r"Examples?:\n\n(.*?)\n\n\w", text, re.DOTALL)
    assert block is not None, "the help has no example"
    # What stands in quotes may go over several lines, as in a shell.
    said = re.sub(r"'[^']*'", "QUOTED", re.sub(r"\\\n\s*", "", block[1]))
    calls = [shlex.split(call) for line in said.splitlines() for call in line.split("|")]
    return [words[1:] for words in calls if words[:1] == ["companion"]]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_a_command_parse(name: str, companion: Command) -> None:
    answer = companion(name, "--help")
    assert answer.code == 0
    shown = examples(answer.out)
    assert name in [words[0] for words in shown]
    for called, *arguments in shown:
        # Raises where an option or an argument is unknown, of a wrong type or missing; runs nothing.
        getattr(typer.main.get_command(app), "commands")[called].make_context(called, arguments)  # noqa: B009


@pytest.mark.parametrize("name", COMMANDS)
def test_an_example_stays_in_one_piece_where_the_terminal_is_wide_enough(
    name: str, companion: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    wide = companion(name, "--help").out
    monkeypatch.setenv("COLUMNS", "60")
    assert examples(companion(name, "--help").out) == examples(wide)


def test_the_example_of_judge_answers(companion: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    said = re.search(r"echo '(.*)' \|", companion("judge", "--help").out)
    assert said is not None
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(said[1].encode())))
    answer = companion("judge")
    assert answer.code == 0
    assert [verdict["legal"] for verdict in json.loads(answer.out)["verdicts"]] == [True, True, True]


def test_without_a_command_the_commands_are_shown(companion: Command) -> None:
    answer = companion()
    assert answer.code == 2
    assert any(line.startswith("  demo ") for line in answer.errors)


HEAVY = {"amqtt", "cv2", "gpiozero", "hw_sim", "numpy", "paho", "pydantic", "rich", "scipy", "starlette", "uvicorn"}


def test_help_loads_nothing_heavy() -> None:
    """A tenth of a second or more each; the help of a command is there before anybody waits for it."""
    script = (
        "import sys\nfrom companion.cli.app import run\n"
        f"for name in {COMMANDS!r}: run([name, '--help'])\n"
        f"print(sorted(set(sys.modules) & {HEAVY!r}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True, cwd=ROOT)
    assert done.stdout.count("Usage: companion") == len(COMMANDS)
    assert done.stderr == "[]\n"
