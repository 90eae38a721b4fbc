"""The documentation builds as a site with no broken link, and what it tells people to type is right."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer
import yaml

from companion.cli.app import app
from companion.config import Config

ROOT = Path(__file__).parents[2]
PAGES = (*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md")


@dataclass(frozen=True, slots=True)
class Sample:
    """A block of code in a page."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def samples(*languages: str) -> Iterator[Sample]:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for found in re.finditer(r"^( *)```(\w*)\n(.*?)^\1```", text, re.DOTALL | re.MULTILINE):
            indent, language, block = found.groups()
            if language in languages:
                lines = (line.removeprefix(indent) for line in block.splitlines())
                yield Sample(page.name, text[: found.start()].count("\n") + 2, language, "\n".join(lines))


def commands() -> Iterator[tuple[str, str]]:
    """Every command line that calls the program, with its place."""
    for sample in samples("sh", "bash", ""):
        joined = sample.text.replace("\\\n", " ")
        for line in joined.splitlines():
            bare = re.sub(r"\s+#.*$", "", line.strip())
            for part in re.split(r"\||&&", bare):
                words = part.strip().removeprefix("sudo ")
                if re.match(r"(\.venv/bin/)?companion( |$)", words):
                    yield str(sample), words.removeprefix(".venv/bin/")


COMMANDS = list(commands())


def test_there_are_samples() -> None:
    assert len(COMMANDS) >= 20
    assert len(list(samples("toml"))) >= 5


@pytest.mark.parametrize(("place", "line"), COMMANDS, ids=[f"{place} {line[:40]}" for place, line in COMMANDS])
def test_commands_are_taken(place: str, line: str) -> None:
    """Parsed as the program would, without being run: every option is there, and its value can be."""
    words = shlex.split(line, comments=True)
    redirected = next((number for number, word in enumerate(words) if word[:1] in "<>"), len(words))
    name, *arguments = words[1:redirected] or ["--help"]
    group = typer.main.get_command(app)
    context = group.make_context("companion", [], resilient_parsing=True)
    if name.startswith("-"):
        return
    assert isinstance(group, typer.core.TyperGroup)
    command = group.get_command(context, name)
    assert command is not None, f"{place}: there is no command {name}"
    if {"-h", "--help"} & set(arguments):
        return
    command.make_context(name, arguments, parent=context)


@pytest.mark.parametrize("sample", [s for s in samples("sh", "") if "| companion judge" in s.text], ids=str)
def test_examples_of_the_judge_are_judged(sample: Sample) -> None:
    environ = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for line in (line for line in sample.text.splitlines() if "| companion judge" in line):
        done = subprocess.run(line, shell=True, env=environ, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        assert "error" not in json.loads(done.stdout)


@pytest.mark.parametrize("sample", list(samples("toml")), ids=str)
def test_configs_are_taken(sample: Sample) -> None:
    Config.model_validate(tomllib.loads(sample.text))


@pytest.mark.parametrize("sample", list(samples("yaml")), ids=str)
def test_yaml_is_yaml(sample: Sample) -> None:
    assert yaml.safe_load(sample.text)


@pytest.mark.parametrize("sample", list(samples("json")), ids=str)
def test_json_is_json(sample: Sample) -> None:
    try:
        json.loads(sample.text)
    except ValueError:  # an object a line
        assert [json.loads(line) for line in sample.text.splitlines()]


def test_the_site_builds_without_a_broken_link(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="https?://(?!squidfunk)[^"]+\.(?:js|css)"', page), (
        "nothing is fetched from elsewhere"
    )


def test_every_page_is_on_the_site() -> None:
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if page.parent.name == "docs" and f": {page.name}" not in nav] == []
