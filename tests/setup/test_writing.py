"""Config and calibration are written whole or not at all, and what others wrote is kept."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.file import Calibration, load
from companion.config import load_config
from companion.errors import InputError
from companion.setup.draft import CameraChoice, Draft, choose_game, set_names
from companion.setup.writing import read_existing, write_table
from tests.cli.processes import environment

DRAFT = set_names(replace(choose_game(Draft(), "infinity"), camera=CameraChoice("/dev/v4l/by-id/cam")), {"blue": "Ada"})


def test_what_is_written_can_be_refereed(tmp_path: Path, learnt: Calibration) -> None:
    path = tmp_path / "new" / "table.toml"
    config = write_table(path, DRAFT, learnt, {})
    assert load_config(path) == config
    assert config.camera is not None
    assert load(config.camera.calibration, "infinity").board == learnt.board
    assert config.players == {"blue": "Ada"}
    assert not list(path.parent.glob(".*"))


def test_what_the_set_up_does_not_know_of_is_kept(tmp_path: Path, learnt: Calibration) -> None:
    path = tmp_path / "table.toml"
    old = (
        '# ours\n[table]\nname = "kitchen"\ngame = "finity"\nplayers = 3\npattern = "bwbbwbww"\n'
        '[mqtt]\nhost = "broker"\npassword_file = "secret"\n[players]\nA = "Zoe"\n[serial]\nport = "/dev/ttyACM0"\n'
        '[camera]\ndevice = "/dev/video7"\ncalibration = "old.json"\n'
    )
    path.write_text(old, encoding="utf-8")
    path.chmod(0o600)
    write_table(path, DRAFT, learnt, read_existing(path))
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    assert data["table"] == {"name": "kitchen", "game": "infinity"}
    assert data["mqtt"] == {"host": "broker", "password_file": "secret"}
    assert data["players"] == {"blue": "Ada"}
    assert "serial" not in data
    assert data["camera"]["device"] == "/dev/v4l/by-id/cam"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (tmp_path / "table.toml.bak").read_text(encoding="utf-8") == old


def test_writing_the_same_again_changes_nothing(tmp_path: Path, learnt: Calibration) -> None:
    path = tmp_path / "table.toml"
    write_table(path, DRAFT, learnt, {})
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    write_table(path, DRAFT, learnt, read_existing(path))
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    assert "table.toml.bak" not in before


def test_what_could_not_be_refereed_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[serial]\nport='/dev/ttyACM0'\n", encoding="utf-8")
    with pytest.raises(InputError, match="no camera"):
        write_table(path, replace(DRAFT, camera=None), None, {"page": {"enabled": False}})
    assert path.read_text(encoding="utf-8") == "[serial]\nport='/dev/ttyACM0'\n"


def test_an_old_config_that_is_none_is_told(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[table\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"table\.toml: is no config"):
        read_existing(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="is no config"):
        read_existing(path)


FULL = """
import json, pathlib, resource, signal, sys
from calibration.file import load
from companion.errors import InputError
from companion.setup.writing import write_table
from tests.setup.test_writing import DRAFT

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path, calibration = pathlib.Path(sys.argv[1]), load(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
try:
    write_table(path, DRAFT, calibration, {})
    print(json.dumps("written"))
except InputError as error:
    print(json.dumps(str(error)))
"""


@pytest.mark.parametrize("room", [0, 100, 5000])
def test_on_a_full_disk_the_old_files_stay_and_a_person_is_told(tmp_path: Path, learnt_file: Path, room: int) -> None:
    """From `room` bytes on no file may grow: for what is written that is a disk without room."""
    path = tmp_path / "table.toml"
    path.write_text("[serial]\nport='/dev/ttyACM0'\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path), str(learnt_file), str(room)],
        capture_output=True, text=True, timeout=60, check=True, env=environment(tmp_path),
    )  # fmt: skip
    assert "cannot be written: " in json.loads(done.stdout)
    assert "then save again" in json.loads(done.stdout)
    assert [file.name for file in tmp_path.iterdir()] == ["table.toml"]
    assert path.read_text(encoding="utf-8") == "[serial]\nport='/dev/ttyACM0'\n"
