"""Spoilt files and messages from outside: each is refused in one clear line or taken, never a traceback or a hang."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.board import load_board
from calibration.camera import load_lens
from calibration.file import load, save
from calibration.finity.states import load_state as finity_state
from calibration.infinity.states import load_state as infinity_state
from calibration.picture_size import stated_size
from companion.cli.import_game import imported_game
from companion.club.store import open_store
from companion.config import load_config
from companion.errors import CompanionError, DeviceError, InputError
from companion.events import Record
from companion.games.registry import game_named
from companion.journal.opening import open_journal
from companion.judge import judge_lines
from companion.knob_places import KnobPlaces
from companion.mqtt.desk import CommandDesk
from companion.notation.game_text import format_game
from companion.page.commands import COMMANDS
from companion.page.table import CommandResult, Request
from companion.page.token_file import kept_token
from companion.record import GameRecord
from companion.recording.player import RecordingPlayer
from companion.recording.reader import open_recording
from companion.setup.draft import Draft
from companion.setup.kept import Kept
from companion.table import Table
from firmware_bridge.knob import KnobPlace
from hw_sim.game_run import SimGame
from hw_sim.recording import write_recording
from tests.calibration.scenes import calibrated, scene
from tests.calibration.test_file import calibration as a_calibration
from tests.campaigns.spoiling import COUNTS, check, refused_or_taken, spoilt
from tests.finity.online_writer import log_of
from tests.journal.material import records, state
from vision.pictures import read_picture

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
    check(CONFIG.encode(), tmp_path / "table.toml", load_config, count)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("game", ["infinity", "finity"])
def test_boards(tmp_path: Path, game: str, count: int) -> None:
    check(json.dumps(load_board(game).to_json()).encode(), tmp_path / "board.json", load_board, count)


@pytest.mark.parametrize("count", COUNTS)
def test_calibrations(tmp_path: Path, count: int) -> None:
    file = tmp_path / "table.json"
    save(a_calibration.__wrapped__(), file)  # type: ignore[attr-defined]
    check(file.read_bytes(), file, load, count)


@pytest.mark.parametrize("count", COUNTS)
def test_games_as_text(tmp_path: Path, count: int) -> None:
    game = game_named("infinity", {"first": "blue"})
    record: Any = GameRecord(game, game.start())
    for move in ("B1", "Y2", "B3", "Y4", "B1"):
        record = record.play(move)
    good = format_game(record, {"blue": "Ada", "yellow": "Ben"}).encode()
    check(good, tmp_path / "game.txt", lambda file: imported_game(file, None, None), count)


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


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("ending", ["jpg", "png"])
def test_pictures(tmp_path: Path, ending: str, count: int) -> None:
    """What comes out is a whole picture of the stated size; a cut one is never filled up with grey."""
    noise = np.random.default_rng(1).integers(0, 256, (96, 128, 3)).astype(np.uint8)
    good = cv2.imencode(f".{ending}", noise)[1].tobytes()

    def read(file: Path) -> None:
        picture = read_picture(file)
        assert stated_size(file.read_bytes()) == (picture.shape[1], picture.shape[0])

    check(good, tmp_path / f"picture.{ending}", read, count)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", ["frames.jsonl", "frames/0000.jpg"])
def test_recorded_pictures(tmp_path: Path, name: str, count: int) -> None:
    """A picture that cannot be used costs itself; a line that cannot, too."""
    (tmp_path / "frames").mkdir()
    save(calibrated(scene(3))[0], tmp_path / "CAL.json")
    (tmp_path / "meta.json").write_text('{"game": "infinity", "calibration": "CAL.json"}')
    lines = [json.dumps({"t": 0.5 * number, "image": f"frames/{number:04d}.jpg"}) for number in range(2)]
    (tmp_path / "frames.jsonl").write_text("\n".join(lines) + "\n")
    for number in range(2):
        (tmp_path / "frames" / f"{number:04d}.jpg").write_bytes((scene(3) / "frames" / "f01.jpg").read_bytes())
    good = (tmp_path / name).read_bytes()
    said: list[str] = []
    looks = 10 if count > 100 else 4  # each looks at whole pictures
    for bad in islice(spoilt(good, count), count // looks):
        (tmp_path / name).write_bytes(bad)
        with refused_or_taken(said):
            for _ in RecordingPlayer(open_recording(tmp_path)).play():
                pass


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("game", ["infinity", "finity"])
def test_reference_states(tmp_path: Path, game: str, count: int) -> None:
    good: dict[str, dict[str, Any]] = {
        "infinity": {"board": "BY..|K...|....|....", "well": "BBBYYY", "knob_stop": 2, "hidden": ["1.1"]},
        "finity": {
            "players": 2,
            "bridges": ["b N>NE M"],
            "rings": {"NE": {"S": "A"}},
            "posts": {"A": "N", "B": "S"},
            "blockers": {"A": ["N>C L"], "B": []},
        },
    }
    board: Any = load_board(game)
    load_state: Any = infinity_state if game == "infinity" else finity_state
    check(json.dumps(good[game]).encode(), tmp_path / "ref.json", lambda file: load_state(file, board), count)


@pytest.mark.parametrize("count", COUNTS)
def test_lenses(tmp_path: Path, count: int) -> None:
    good = {"width": 1280, "height": 720, "fx": 1150, "fy": 1150, "cx": 639.5, "cy": 359.5, "dist": [0, 0, 0, 0, 0]}

    def read(file: Path) -> None:
        assert np.isfinite(load_lens(file).K).all()

    check(json.dumps(good).encode(), tmp_path / "lens.json", read, count)


@pytest.mark.parametrize("count", COUNTS)
def test_online_logs(tmp_path: Path, count: int) -> None:
    moves = [{"by": by, "move": move} for by, move in (("A", "add b N>NE M"), ("B", "add w S>SW M"))]
    good = log_of([*moves, {"by": "A", "move": "ring NE S"}], {"A": "Ada", "B": "Ben"}, {})
    check(good.encode(), tmp_path / "log.txt", lambda file: imported_game(file, "bwbbwbww", None), count)


@pytest.mark.parametrize("count", COUNTS)
def test_lines_for_the_judge(count: int) -> None:
    """Every line has its answer, in its place, whatever stands in it."""
    case = {"id": "x", "game": "finity", "players": 2, "pattern": "bwbbwbww", "moves": ["add w N>NE R"], "list": True}
    cases = (case, {"id": 1, "game": "infinity", "options": {"first": "blue"}, "moves": ["B1", "Y2"]})
    for good in (json.dumps(each).encode() for each in cases):
        bad = [line.replace(b"\n", b" ").decode(errors="replace") or "{" for line in islice(spoilt(good, count), count)]
        lines = [line for line in bad if line.strip()]
        answers = list(judge_lines(lines))
        assert len(answers) == len(lines)
        assert all(("error" in answer) == (not sound) for answer, sound in answers)
        json.dumps([answer for answer, _ in answers], allow_nan=False)


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
def test_what_is_kept_beside_the_journal(tmp_path: Path, count: int) -> None:
    """Places of knobs, drafts of the set-up, the page's token: whatever is wrong costs no more than what was in it."""
    knobs, token = tmp_path / "journal.sqlite.knobs", tmp_path / "page-token"
    KnobPlaces(knobs).keep("board", KnobPlace(3, boot_id=7))
    kept_token(token)
    kept = Kept(tmp_path / "kept", tmp_path / "table.toml")
    kept.keep(Draft(), {})
    draft = tmp_path / "kept" / "draft.json"
    for file in (knobs, token, draft):
        for bad in islice(spoilt(file.read_bytes(), count), count):
            file.write_bytes(bad)
            KnobPlaces(knobs).keep("board", KnobPlace(4, boot_id=7))
            assert KnobPlaces(knobs).saved("board") == KnobPlace(4, boot_id=7)
            assert kept_token(token) == kept_token(token)
            kept.read()
            kept.keep(Draft(), {})
            assert kept.read() is not None
    kept.close()


@pytest.mark.parametrize("count", COUNTS)
def test_stores_of_clubs(tmp_path: Path, count: int) -> None:
    path = tmp_path / "good.sqlite"
    open_store(path, datetime.now(UTC)).store.close()
    for number, bad in enumerate(islice(spoilt(path.read_bytes(), count), count)):
        damaged = tmp_path / f"{number}.sqlite"
        damaged.write_bytes(bad)
        try:
            open_store(damaged, datetime.now(UTC)).store.close()
        except (InputError, DeviceError):
            assert damaged.read_bytes() == bad


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
