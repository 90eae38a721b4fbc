"""Spoilt files and messages from outside: each is refused in one clear line or taken, never a traceback or a hang."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from calibration.board import load_board
from calibration.errors import CalibrationError
from calibration.file import load, save
from companion.cli.import_game import imported_game
from companion.config import load_config
from companion.errors import CompanionError, InputError
from companion.events import Record
from companion.games.registry import game_named
from companion.journal.opening import open_journal
from companion.mqtt.desk import CommandDesk
from companion.notation.game_text import format_game
from companion.page.commands import COMMANDS
from companion.page.table import CommandResult, Request
from companion.record import GameRecord
from companion.recording.player import RecordingPlayer
from companion.recording.reader import open_recording
from companion.table import Table
from hw_sim.game_run import SimGame
from hw_sim.recording import write_recording
from tests.calibration.test_file import calibration as a_calibration
from tests.journal.material import records, state

LONGEST_S = 10.0
"""No file takes longer than this, on a machine with other work to do."""
NASTY = (
    "null",
    "-1",
    "1e999",
    "NaN",
    "[" * 2000,
    '"',
    "{",
    "}",
    "0",
    "true",
    "9" * 400,
    "\x00",
    "\ud7ff",
    "''",
    "\n\n",
)
COUNTS = [pytest.param(40, id="short"), pytest.param(2000, id="long", marks=pytest.mark.long)]


def spoilt(good: bytes, seed: int) -> Iterator[bytes]:
    """Endlessly the same bytes with something wrong: cut, flipped, doubled, left out, or strange where a value was."""
    random_ = random.Random(seed)
    while True:
        bad = bytearray(good)
        for _ in range(random_.choice((1, 1, 1, 3))):
            at = random_.randrange(len(bad) + 1)
            end = min(len(bad), at + random_.randint(1, 40))
            match random_.randrange(6):
                case 0:
                    del bad[at:]
                case 1 if at < len(bad):
                    bad[at] ^= 1 << random_.randrange(8)
                case 2:
                    bad[at:at] = bad[at:end]
                case 3:
                    del bad[at:end]
                case 4:
                    bad[at:end] = random_.choice(NASTY).encode()
                case _:
                    bad[:] = _with_other_value(bad, random_)
        yield bytes(bad)


def _with_other_value(text: bytearray, random_: random.Random) -> bytes:
    """One whole value of a JSON or TOML text in place of another."""
    ends = [n for n, letter in enumerate(text) if letter in b":=,[]{}\n"]
    if len(ends) < 2:
        return bytes(text)
    first = random_.randrange(len(ends) - 1)
    return bytes(text[: ends[first] + 1] + random_.choice(NASTY).encode() + text[ends[first + 1] :])


@contextmanager
def refused_or_taken(said: list[str]) -> Iterator[None]:
    """What happens in here ends soon, well or with an error for people: a line that can be printed."""
    began_s = time.monotonic()
    try:
        yield
    except (CompanionError, CalibrationError) as error:
        said.append(str(error).strip())
    assert "" not in said
    assert time.monotonic() - began_s < LONGEST_S


def _check(good: bytes, file: Path, read: Callable[[Path], object], count: int) -> None:
    file.write_bytes(good)
    read(file)
    said: list[str] = []
    for bad in islice(spoilt(good, count), count):
        file.write_bytes(bad)
        with refused_or_taken(said):
            read(file)
        assert file.read_bytes() == bad, "what is only read is not changed"
    assert len(said) > count / 10, "hardly anything was refused: is it read at all?"


CONFIG = """
[table]
game = "infinity"
name = "Kitchen"
language = "pl"
[players]
blue = "Ada"
[rules]
first = "blue"
knob_grace_s = 8.5
[camera]
device = "/dev/v4l/by-id/usb-cam"
calibration = "table.json"
width = 1280
[serial]
port = "/dev/serial/by-id/usb-board"
[gpio]
knob_a = "BCM17"
knob_b = "BCM18"
entry = ["BCM5", "BCM6", "BCM13", "BCM19"]
[mqtt]
host = "broker"
base = "home/games"
keepalive_s = 60
[page]
hosts = ["table.local"]
[voice]
say = ["moves", "results"]
"""


@pytest.mark.parametrize("count", COUNTS)
def test_configs(tmp_path: Path, count: int) -> None:
    _check(CONFIG.encode(), tmp_path / "table.toml", load_config, count)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("game", ["infinity", "finity"])
def test_boards(tmp_path: Path, game: str, count: int) -> None:
    _check(json.dumps(load_board(game).to_json()).encode(), tmp_path / "board.json", load_board, count)


@pytest.mark.parametrize("count", COUNTS)
def test_calibrations(tmp_path: Path, count: int) -> None:
    file = tmp_path / "table.json"
    save(a_calibration.__wrapped__(), file)  # type: ignore[attr-defined]
    _check(file.read_bytes(), file, load, count)


@pytest.mark.parametrize("count", COUNTS)
def test_games_as_text(tmp_path: Path, count: int) -> None:
    game = game_named("infinity", {"first": "blue"})
    record: Any = GameRecord(game, game.start())
    for move in ("B1", "Y2", "B3", "Y4", "B1"):
        record = record.play(move)
    good = format_game(record, {"blue": "Ada", "yellow": "Ben"}).encode()
    _check(good, tmp_path / "game.txt", lambda file: imported_game(file, None, None), count)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", ["meta.json", "gpio.jsonl", "serial.jsonl"])
def test_recordings(tmp_path: Path, name: str, count: int) -> None:
    folder = tmp_path / "recording"
    game = SimGame(3, serial=True, frame_s=0)
    write_recording(folder, game)
    long = (folder / name).read_bytes()
    good = long if name == "meta.json" else b"".join(long.splitlines(keepends=True)[:60])
    for other in ("gpio.jsonl", "serial.jsonl"):
        kept = (folder / other).read_bytes().splitlines(keepends=True)[:60]
        (folder / other).write_bytes(b"".join(kept))
    said: list[str] = []
    for number, bad in enumerate(islice(spoilt(good, count), count)):
        (folder / name).write_bytes(bad)
        with refused_or_taken(said):
            recording = open_recording(folder)
            for _ in recording.lines():
                pass
            if number % 20 == 0:  # beams alone are much to think about
                for _ in RecordingPlayer(recording).play():
                    pass
    assert said or name != "meta.json"


class Desked:
    """A table of which every command that comes through is carried out at once."""

    def __init__(self) -> None:
        self._table = Table(game_named("infinity", {"first": "blue"}))
        self.told: list[Record] = self._table.start(0.0)

    def state(self) -> Mapping[str, Any]:
        return self._table.state_json()

    def command(self, request: Request) -> CommandResult:
        try:
            self.told += self._table.command(request.name, request.args, 1.0, request.by)
        except CompanionError as error:
            return CommandResult(False, "refused", str(error))
        return CommandResult(True)


@pytest.mark.parametrize("count", COUNTS)
def test_commands_from_mqtt(count: int) -> None:
    table = Desked()
    desk = CommandDesk(table)
    for number, name in enumerate(sorted(COMMANDS)):
        args = {"ply": 1, "move": "B1", "moves": ["B1"], "question": "q1", "choice": "none", "why": "so", "text": "hi"}
        good = json.dumps({"transaction": "t", "seq": 1, "by": "Ada", "args": args}).encode()
        for bad in islice(spoilt(good, number), count):
            answers: list[Mapping[str, Any]] = []
            desk.take(name, bad, retained=False, answer=answers.append)
    desk.close(wait=True)
    assert [record.seq for record in table.told] == list(range(1, len(table.told) + 1))


@pytest.mark.parametrize("count", COUNTS)
def test_journals(tmp_path: Path, count: int) -> None:
    """Whatever happened to the file: it opens, keeps what it was, and takes the next event."""
    path = tmp_path / "good" / "journal.sqlite"
    journal = open_journal(path).journal
    journal.append(records(30), state(30))
    journal.close()
    refused: list[str] = []
    for number, bad in enumerate(islice(spoilt(path.read_bytes(), count), count)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "journal.sqlite").write_bytes(bad)
        try:
            opened = open_journal(folder / "journal.sqlite")
        except InputError as error:  # a number changed that makes it another program's, or a newer companion's
            refused.append(str(error))
            assert (folder / "journal.sqlite").read_bytes() == bad
            continue
        last = opened.journal.last_seq()
        assert opened.journal.append(records(1, first=last + 1), state(last + 1)) is None
        opened.journal.close()
        if opened.notice is not None:
            aside = [
                file.read_bytes() for file in folder.glob("*.damaged-*") if not file.name.endswith(("-wal", "-shm"))
            ]
            assert bad in aside
