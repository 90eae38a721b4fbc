"""What errors tell people can be said in every language: in the source, at the set-up page and on the command line."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli.language import VARIABLES
from companion.texts import Text
from tests.cli.conftest import Command, companion
from tests.texts.polish import polish
from tests.texts.test_catalogues import PACKAGES, ROOT

__all__ = ["companion"]

FOR_PEOPLE = frozenset(
    (
        "InputError",
        "UsageError",
        "DeviceError",
        "CompanionError",
        "PositionError",
        "CalibrationError",
        "BoardError",
        "CalibrationFileError",
        "RefusedError",
        "CameraError",
        "PictureError",
        "VisionError",
        "BridgeError",
        "WiringError",
        "PinsUnavailable",
        "PortUnavailable",
    )
)
FOR_PROGRAMS = "companion/judge.py"
"""Its errors stand in the JSON that it answers, which is English in every language."""


def raised() -> Iterator[tuple[str, ast.expr]]:
    """Every argument of an error that is told to people."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if (
                    isinstance(node, ast.Raise)
                    and isinstance(node.exc, ast.Call)
                    and isinstance(node.exc.func, ast.Name)
                ):
                    where = f"{path.relative_to(ROOT)}:{node.lineno}"
                    name = node.exc.func.id
                    if name in FOR_PEOPLE and not where.startswith(FOR_PROGRAMS):
                        yield from ((where, argument) for argument in node.exc.args[name == "BoardError" :])


def forgets(said: ast.expr) -> bool:
    """Whether this makes a string that knows no other language."""
    match said:
        case ast.Constant(value=str()) | ast.JoinedStr() | ast.BinOp():
            return True
        case ast.Tuple(elts=parts):
            return any(map(forgets, parts))
        case ast.IfExp(body=one, orelse=other):
            return forgets(one) or forgets(other)
        case ast.Call(func=ast.Name(id="str")) | ast.Call(func=ast.Attribute(attr="join" | "format")):
            return True
    return False


def test_no_error_forgets_how_it_was_made() -> None:
    found = list(raised())
    assert len(found) > 200
    assert [where for where, argument in found if forgets(argument)] == []


@pytest.mark.parametrize(
    "made", ['f"{a} b"', '"a"', '"; ".join(x)', "str(error)", '("a",)', '"a" if b else c', 'a + "b"']
)
def test_the_look_for_forgetful_strings_finds_them(made: str) -> None:
    assert forgets(ast.parse(made, mode="eval").body)
    assert not forgets(ast.parse('text("a", b=1)', mode="eval").body)


# The command line


@pytest.fixture
def polish_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "pl_PL.UTF-8")


@pytest.mark.usefixtures("polish_terminal")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("judge", "nowhere.jsonl"), "nie ma takiego pliku ani katalogu; podaj plik"),
        (("referee", "--config", "nowhere.toml"), "napisz go tak, jak pokazuje docs/configuration.md"),
        (("demo", "--game", "finity", "--device", "serial"), "plansza Finity nie ma czujników"),
        (("board", "--from", "nowhere.json", "--out", "new.json"), "nie ma takiego pliku ani wbudowanej planszy"),
    ],
)
def test_errors_are_told_in_the_terminals_language(companion: Command, arguments: tuple[str, ...], words: str) -> None:
    told = companion(*arguments)
    assert told.code in (1, 2)
    assert words in told.errors[-1]
    english = companion(*arguments, "--language", "en") if arguments[0] in ("referee", "demo") else None
    assert english is None or words not in english.errors[-1]


@pytest.mark.usefixtures("polish_terminal")
def test_what_is_wrong_with_a_config_is_told_in_polish_to_its_last_part(companion: Command, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[table]\ngame = "infinity"\n[page]\nport = 99999\nprot = 1\n[rules]\nfirst = "green"\n')
    told = companion("referee", "--config", config).errors[-1]
    assert "page.port: wartość powinna wynosić najwyżej 65535" in told
    assert "nieznany klucz page.prot (czy chodziło o port?)" in told
    config.write_text('[table]\ngame = "infinity"\n[rules]\nfirst = "green"\n')
    told = companion("referee", "--config", config).errors[-1]
    assert "rules: opcja first musi mieć wartość null, 'blue' lub 'yellow', a nie 'green'" in told


@pytest.mark.usefixtures("polish_terminal")
def test_beside_json_errors_stay_english(companion: Command) -> None:
    told = companion("doctor", "--config", "nowhere.toml", "--json")
    (config, *_) = json.loads(told.out)["findings"]
    assert config["words"].startswith("nowhere.toml: No such file or directory")
    assert "there is no journal here" in companion("replay", "nowhere.sqlite", "--json").errors[-1]
    assert "nie ma tu dziennika" in companion("replay", "nowhere.sqlite").errors[-1]


def test_an_error_keeps_its_text() -> None:
    from companion.config import load_config
    from companion.errors import InputError, error_words

    with pytest.raises(InputError) as refused:
        load_config(Path("nowhere.toml"))
    assert isinstance(refused.value.args[0], Text)
    assert type(str(refused.value)) is str
    assert polish(error_words(refused.value)).startswith("nowhere.toml: nie ma takiego pliku")
