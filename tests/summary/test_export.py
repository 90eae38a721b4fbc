"""`companion export` and `companion token`, as they are called."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from companion.cli.app import run
from companion.notation.game_text import parse_game, play_text
from companion.page.token_file import TOKEN


def test_text_goes_to_the_terminal_and_can_be_imported(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", str(journal), "--game", "3"]) == 0
    record = play_text(parse_game(capsys.readouterr().out))
    assert record.game.name == "infinity"


def test_json_is_one_object(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", str(journal), "--game", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["names"] == {"A": "Łucja", "B": "Ben", "C": "Żółw"}
    assert told["result"] is not None


def test_picture_and_page_are_written_in_a_language(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture, page = tmp_path / "out.png", tmp_path / "out.html"
    told = ["--picture", str(picture), "--page", str(page), "--language", "pl"]
    assert run(["export", str(journal), *told]) == 0
    assert capsys.readouterr().out == f"Wrote {picture}\nWrote {page}\n"
    assert Image.open(io.BytesIO(picture.read_bytes())).width == 1080
    assert '<html lang="pl">' in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("option", ["--picture", "--page", "--out"])
def test_what_cannot_be_written_is_said_in_a_line(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    assert run(["export", str(journal), option, str(tmp_path / "nowhere" / "file")]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "No such file or directory; name a file that can be written" in said


def test_a_token_is_made_and_changed_and_never_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = tmp_path / "companion" / "page-token"
    assert run(["token"]) == 0
    assert not path.exists()
    assert run(["token", "--new"]) == 0
    first = path.read_text().strip()
    assert TOKEN.fullmatch(first)
    assert run(["token"]) == 0
    assert run(["token", "--new"]) == 0
    said = capsys.readouterr()
    second = path.read_text().strip()
    assert second != first
    assert first not in said.out + said.err
    assert second not in said.out + said.err
    assert str(path) in said.out


def test_a_token_file_of_the_config_is_the_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "table.toml"
    config.write_text("[serial]\nport = '/dev/ttyACM0'\n[page]\ntoken_file = 'secret'\n")
    assert run(["token", "--config", str(config), "--new"]) == 0
    assert TOKEN.fullmatch((tmp_path / "secret").read_text().strip())


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('hosts = ["http://table.home"]', "page.hosts: 'http://table.home' is no name of a machine"),
        ('hosts = ["table.home:80"]', "page.hosts"),
        ('frames = ["ha.home"]', "page.frames: 'ha.home' is no site"),
        ('frames = ["https://ha.home; script-src *"]', "page.frames"),
    ],
)
def test_names_and_sites_that_cannot_be_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, told: str
) -> None:
    config = tmp_path / "table.toml"
    config.write_text(f"[serial]\nport = '/dev/ttyACM0'\n[page]\n{line}\n")
    assert run(["token", "--config", str(config)]) == 1
    assert told in capsys.readouterr().err
