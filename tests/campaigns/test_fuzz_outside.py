"""Command lines, bytes at the page's port, commands of the set-up: all that people and programs send, well or badly."""

from __future__ import annotations

import io
import json
import logging
import random
import socket
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import click
import pytest
import typer

from calibration.board import load_board
from companion.cli.app import app, run
from companion.page.commands import fits
from companion.setup.commands import COMMANDS
from companion.setup.session import SetupSession
from tests.campaigns.spoiling import COUNTS, LONGEST_S, NASTY, spoilt
from tests.page.fake_table import TOKEN
from tests.safety.knocking import House, everything, house
from tests.setup.at_table import at_table

THAT_STAY = frozenset({"demo", "setup", "referee", "club", "record", "bench", "doctor", "install-service"})
"""Commands that serve, play, measure, look at devices or install something: only their options are read."""


def command_lines(folder: Path, seed: int) -> Iterator[list[str]]:
    """Endlessly a command with some of its options, and whatever behind them."""
    random_ = random.Random(seed)
    group: Any = typer.main.get_command(app)
    values = [
        *(value for value in NASTY if "\x00" not in value),
        *(str(path) for path in sorted(folder.iterdir())),
        *("nowhere.json", "", "-", "--", "x" * 5000, "-1", "nan", "inf", "1e9", "infinity", "finity", "bwbbwbww", "a4"),
        *("A=N,B=S", "2", "0", "pl", "hub=1", "1,2", "N=1,2", "a/#", "/proc/self/mem"),
    ]
    while True:
        name = random_.choice(sorted(group.commands))
        line = [name]
        parameters: list[click.Parameter] = group.commands[name].params
        for parameter in random_.sample(parameters, random_.randint(0, len(parameters))):
            if isinstance(parameter, click.Option):
                line.append(random_.choice([*parameter.opts, *parameter.secondary_opts]))
                line += [] if parameter.is_flag else [random_.choice(values)]
            else:
                line.append(random_.choice(values))
        yield [*line, "--no-such-option"] if name in THAT_STAY else line


@pytest.fixture
def material(tmp_path: Path) -> Path:
    """Files that options may name: good, empty, of another kind, and a folder."""
    folder = tmp_path / "files"
    (folder / "folder").mkdir(parents=True)
    for game in ("infinity", "finity"):
        (folder / f"{game}.json").write_text(json.dumps(load_board(game).to_json()))
    (folder / "empty").touch()
    (folder / "bytes").write_bytes(random.Random(1).randbytes(2000))
    (folder / "cases.jsonl").write_text('{"id":1,"game":"infinity","moves":["B1"]}\nno line\n')
    (folder / "table.toml").write_text('[table]\ngame = "infinity"\n')
    return folder


@pytest.mark.parametrize("count", COUNTS)
def test_command_lines(
    tmp_path: Path, material: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], count: int
) -> None:
    """Exit code 0, 1 or 2, and where it is not 0 one line that says why; no details of an error of the program."""
    monkeypatch.chdir(tmp_path)
    for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    before = {path.name: path.read_bytes() for path in material.iterdir() if path.is_file()}
    for line in islice(command_lines(material, count), count):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
        began_s = time.process_time()
        code = run(line)
        answers, told = capsys.readouterr()
        assert time.process_time() - began_s < LONGEST_S, line
        assert code in (0, 1, 2), line
        assert "internal error" not in told, (line, told)
        assert "Traceback" not in told, (line, told)
        if code and "--help" not in line and "-h" not in line:
            assert told.count("companion: ") <= 1, (line, told)
            assert told.strip() or (line[0] == "judge" and '"error"' in answers), line
        for name, content in before.items():
            (material / name).write_bytes(content)  # `--out` may name any of them


HEAD = (
    "POST /command/undo?lang=pl HTTP/1.1",
    "Host: localhost",
    f"X-Companion-Token: {TOKEN}",
    "Accept-Language: pl,en;q=0.5",
    "Accept-Encoding: gzip;q=0.3",
    "Origin: http://localhost",
    'If-None-Match: "x"',
    "Last-Event-ID: 3",
    "Content-Type: application/json",
    "Content-Length: 48",
    "Connection: close",
)
REQUEST = ("\r\n".join(HEAD) + '\r\n\r\n{"seq":1,"transaction":"t","args":{"ply":"one"}}').encode()
PATHS = (
    b"/state",
    b"/position?ply=1&move=B1",
    b"/moves?ply=0",
    b"/ask/legal_moves?args={}",
    b"/phone?address=http://[",
    b"/",
)


def sent(knocked: House, data: bytes) -> bytes:
    with knocked.connected() as sock:
        try:
            sock.sendall(data)
            sock.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the server has hung up already
        return everything(sock)


@pytest.mark.parametrize("count", COUNTS)
def test_bytes_at_the_pages_port(caplog: pytest.LogCaptureFixture, count: int) -> None:
    """Spoilt requests, heads, numbers, languages and bodies: an answer, or the connection is closed."""
    caplog.set_level(logging.ERROR)
    with house() as knocked:
        for number, bad in enumerate(islice(spoilt(REQUEST, count), count)):
            answer = sent(knocked, bad)
            assert not answer or answer.startswith((b"HTTP/1.1 2", b"HTTP/1.1 3", b"HTTP/1.1 4")), (bad, answer)
            good = REQUEST.replace(b"/command/undo?lang=pl", PATHS[number % len(PATHS)]).replace(b"POST", b"GET")
            answer = sent(knocked, next(spoilt(good, number)))
            assert not answer or answer.startswith((b"HTTP/1.1 2", b"HTTP/1.1 3", b"HTTP/1.1 4")), (number, answer)
        assert all(name == "undo" for name, _ in knocked.table.commands), "only what was sent"
        with knocked.client as client:
            assert client.get("state").status_code == 200
    assert [record.getMessage() for record in caplog.records if record.name.startswith(("companion", "uvicorn"))] == []


VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 3, 2**70, 1e308, "", "x", "infinity", "finity", "1.1", "simulated", "first", "empty", "N>NE M",
    "../../etc/passwd", "x" * 200, "\u202e", [], ["B1"], [[1, 2], [3, 4]], {}, {"blue": "Ada"}, {"players": 2},
    {"board": "BY..|....|....|...."}, {"x": {"y": [None, {"z": 1e308}]}}, {"pattern_length": -1}, [1e308, -1e308],
)  # fmt: skip


def some_args(random_: random.Random, name: str) -> dict[str, Any]:
    form = COMMANDS[name]
    keys = [key for key in form.args if key not in form.optional or random_.random() < 0.4]
    return {key: random_.choice(VALUES) for key in keys}


@pytest.mark.parametrize("count", COUNTS)
def test_commands_of_the_set_up(tmp_path: Path, caplog: pytest.LogCaptureFixture, count: int) -> None:
    """Arguments of any kind: refused in a line, or taken; the state stays one that can be sent."""
    caplog.set_level(logging.ERROR)
    random_ = random.Random(count)
    names = sorted(COMMANDS.keys() - {"begin", "calibrate", "try_knob"})  # long works, which have tests of their own
    with at_table(tmp_path / "table") as seated:
        session: SetupSession = seated.session
        for _ in range(count):
            name = random_.choice(names)
            while not fits(COMMANDS[name], args := some_args(random_, name)):
                pass  # the page's gate lets none of these through
            result = seated.send(name, **args)
            assert result.ok or (result.reason and result.detail and "\n" not in str(result.detail)), name
            assert result.reason != "failed", name
            json.dumps(session.state(), default=dict, allow_nan=False)
    assert [record.getMessage() for record in caplog.records] == []
