"""`companion club` on the command line: its options, its file, and standings as files."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from companion.cli.app import run
from companion.club.options import read_options
from companion.club.store import open_store
from companion.errors import InputError
from tests.club.conftest import NIGHT
from tests.club.test_store import game


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "club.sqlite"
    store = open_store(path, NIGHT).store
    store.keep([game("a", 2), game("b", 9, winner="yellow")])
    store.close()
    return path


def export(kept: Path, name: str, *more: str) -> int:
    return run(["club", "--store", str(kept), "--export", str(kept.parent / name), *more])


def test_standings_as_csv(kept: Path) -> None:
    assert export(kept, "out.csv", "--from", "2030-01-01", "--to", "2030-01-05") == 0
    rows = list(csv.reader((kept.parent / "out.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert rows[1:] == [["Ada", "1", "1", "0", "0", "0"], ["Żaneta", "1", "0", "0", "1", "0"]]


def test_standings_as_json_while_a_club_runs(kept: Path) -> None:
    running = open_store(kept, NIGHT).store
    assert export(kept, "out.json") == 0
    running.close()
    assert len(json.loads((kept.parent / "out.json").read_text())["results"]) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--export", "out.xls"], ".csv or .json"),
        (["--export", "no-such-folder/out.csv"], "cannot be written"),
        (["--export", "out.csv", "--from", "yesterday"], "write it as 2030-01-31"),
        (["--from", "2030-01-01"], "--export FILE"),
        (["--config", "none.toml"], "docs/club.md"),
        (["--base", "a/#"], "mqtt.base"),
        (["--host", "127.0.0.1:99999"], "--port"),
        (["--host", "broker.local:1883"], "--port"),
        (["--host", "[::1]:1883"], "--port"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    kept: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(kept.parent)
    assert run(["club", "--store", str(kept), *arguments]) != 0
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_no_results_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(tmp_path / "none.sqlite", "out.csv") == 1
    assert "no results yet" in capsys.readouterr().err


def test_the_command_line_counts_more_than_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret").write_text("hidden\n")
    (tmp_path / "secret").chmod(0o600)
    config = tmp_path / "club.toml"
    config.write_text('[mqtt]\nhost = "one"\nbase = "clubs/a"\npassword_file = "secret"\n[page]\nport = 8421\n')
    monkeypatch.chdir("/")
    found = read_options(config, {"mqtt": {"host": "two", "port": None}, "page": {"port": None}})
    settings = found.settings()
    assert (settings.host, settings.port, settings.base, found.page.port) == ("two", 1883, "clubs/a", 8421)
    assert settings.password == "hidden"
    assert "hidden" not in repr(found) + repr(settings)


@pytest.mark.parametrize("host", ["broker.local", "::1", "fe80::1:1883", "192.168.1.5"])
def test_the_name_of_a_machine_is_taken(host: str) -> None:
    assert read_options(None, {"mqtt": {"host": host}}).settings().host == host


@pytest.mark.parametrize(
    "text", ["mqtt = 3", "[mqtt]\nprot = 1", "[mqtt", "[page]\nenabled = false", "[page]\nport = -1"]
)
def test_a_file_that_cannot_be_is_named_with_its_fault(tmp_path: Path, text: str) -> None:
    config = tmp_path / "club.toml"
    config.write_text(text)
    with pytest.raises(InputError, match=r"club\.toml"):
        read_options(config, {})
