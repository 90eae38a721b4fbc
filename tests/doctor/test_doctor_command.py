"""The command on this machine: a table that can run, tables that cannot, and nothing changed by looking."""

from __future__ import annotations

import grp
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli.app import run
from companion.mqtt.local_broker import free_port
from hw_sim.serial_port import SimSerialPort
from tests.cli.processes import ROOT
from tests.mqtt.material import Mosquitto

Doctor = Callable[..., tuple[int, str]]


@pytest.fixture
def doctor(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Doctor:
    monkeypatch.chdir(tmp_path)
    for variable in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))

    def call(*arguments: str | Path) -> tuple[int, str]:
        code = run(["doctor", *map(str, arguments)])
        return code, capsys.readouterr().out

    return call


def findings(out: str, part: str) -> list[dict[str, Any]]:
    return [finding for finding in json.loads(out)["findings"] if finding["part"] == part]


def snapshot(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file below a folder, with when it was changed and its size."""
    at = {str(path): path.lstat() for path in folder.rglob("*")}
    return {path: (stat.st_mtime_ns, stat.st_size) for path, stat in at.items()}


def test_a_table_that_can_run(doctor: Doctor, tmp_path: Path) -> None:
    with SimSerialPort(tmp_path / "board") as port, Mosquitto(tmp_path / "broker") as broker:
        table = tmp_path / "table.toml"
        table.write_text(
            f'[serial]\nport = "{port.path}"\n[mqtt]\nport = {broker.port}\n'
            f'[page]\nport = {free_port()}\n[journal]\npath = "games.db"\n'
        )
        before = snapshot(tmp_path)
        code, out = doctor("--config", table, "--json")
        assert port.receive() == b"", "nothing was sent to the board"
        assert snapshot(tmp_path) == before
    assert (code, json.loads(out)["runs"]) == (0, True)
    assert [finding["verdict"] for finding in findings(out, "broker")] == ["ok"]
    assert "there and free" in findings(out, "serial ports")[0]["words"]


def test_a_table_that_cannot_run_is_told_all_its_faults_at_once(doctor: Doctor, tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(
        '[serial]\nport = "/dev/serial/by-id/usb-none"\n'
        '[camera]\ndevice = "/dev/v4l/by-id/usb-none"\ncalibration = "none.json"\n'
        f'[mqtt]\nhost = "127.0.0.1"\nport = {free_port()}\n'
    )
    code, out = doctor("--config", "table.toml", "--json")
    assert (code, json.loads(out)["runs"]) == (1, False)
    for part in ("serial ports", "cameras", "broker", "calibration"):
        wrong = [finding for finding in findings(out, part) if finding["verdict"] == "wrong"]
        assert len(wrong) == 1, part
        assert wrong[0]["mend"]


def test_a_config_that_cannot_be_is_the_first_thing_told(doctor: Doctor, tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("[seriall]\n[mqtt]\npassword = 'very secret'\n")
    code, out = doctor("--config", "table.toml")
    assert code == 1
    assert out.startswith("Config\n  wrong  table.toml: ")
    assert "did you mean serial?" in " ".join(out.split())
    assert "very secret" not in out
    code, out = doctor("--config", "none.toml", "--json")
    assert (code, findings(out, "config")[0]["verdict"]) == (1, "wrong")


def test_a_tower_without_its_pattern_is_given_as_the_referee_takes_it(doctor: Doctor, tmp_path: Path) -> None:
    with SimSerialPort(tmp_path / "board") as port:
        (tmp_path / "table.toml").write_text(
            f'[table]\ngame = "finity"\n[serial]\nport = "{port.path}"\n[page]\nenabled = false\n'
        )
        code, out = doctor("--config", "table.toml", "--json")
        assert (code, "pattern is missing" in findings(out, "config")[0]["words"]) == (1, True)
        assert doctor("--config", "table.toml", "--pattern", "bwbbwbww")[0] == 0


def test_without_a_config_the_machine_is_looked_at(doctor: Doctor) -> None:
    code, out = doctor()
    assert code == 0
    assert out.endswith("The program can run.\n")
    for part in ("Program", "Cameras", "Serial ports", "Pins", "Other programs", "Page", "Journal"):
        assert f"\n{part}\n" in f"\n{out}"


def test_wrong_usage(doctor: Doctor, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--nonsense"]) == 2
    assert run(["doctor", "--posts", "A"]) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None, reason="only the superuser can give a port to another user"
)
def test_s14_who_may_not_use_a_port_is_told_of_the_group(tmp_path: Path) -> None:
    """On a real port, without what lets the superuser use everything."""
    with SimSerialPort(tmp_path / "board") as port:
        device = os.path.realpath(port.path)
        os.chown(device, 65534, grp.getgrnam("dialout").gr_gid)
        os.chmod(device, 0o660)
        (tmp_path / "table.toml").write_text(f'[serial]\nport = "{port.path}"\n[page]\nenabled = false\n')
        words = "import sys; from companion.cli.app import run; sys.exit(run(['doctor', '--config', 'table.toml']))"
        done = subprocess.run(
            ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--", sys.executable, "-c", words],
            cwd=tmp_path,
            env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.stderr == ""
    assert done.returncode == 1
    assert "you are not in the group dialout" in done.stdout
    assert "sudo usermod -aG dialout $USER" in done.stdout
