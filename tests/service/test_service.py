"""The service: a unit that systemd takes, rules, a watchdog that is fed, and a log that stays small."""

from __future__ import annotations

import logging
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import log
from companion.cli.app import run
from companion.service.files import RULES, UNIT, WATCHDOG_S, Service, quoted, rules_text, unit_text
from companion.service.watchdog import Watchdog
from tests.mqtt.material import until
from tests.shared_material import program

CONFIG = '[table]\nname = "Kitchen"\n[page]\nport = 0\n'


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "my tables" / "100% kitchen.toml"
    path.parent.mkdir()
    path.write_text(CONFIG)
    return path


def verified(unit: Path) -> str:
    """What systemd finds wrong with a unit, without lines about other units of this machine."""
    analyze = program("systemd-analyze")
    done = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True, check=False, timeout=60)
    return "\n".join(line for line in (done.stdout + done.stderr).splitlines() if unit.name in line)


def test_systemd_takes_the_unit(tmp_path: Path, config: Path) -> None:
    unit = tmp_path / UNIT
    unit.write_text(unit_text(Service(Path(sys.executable), (config, config), "daemon", ("dialout", "video"))))
    assert verified(unit) == ""


def test_a_unit_with_a_fault_is_found(tmp_path: Path, config: Path) -> None:
    unit = tmp_path / UNIT
    text = unit_text(Service(Path(sys.executable), (config,), "nobody")).replace("Type=notify", "Type=nonsense")
    unit.write_text(text)
    assert "nonsense" in verified(unit)


def test_the_unit_starts_the_tables_and_is_watched(config: Path) -> None:
    text = unit_text(Service(Path("/opt/my venv/bin/python"), (config,), "pi", ()))
    assert 'ExecStart="/opt/my venv/bin/python" -m companion referee --config' in text
    assert "100%% kitchen.toml" in text
    assert f"WatchdogSec={WATCHDOG_S}" in text
    assert "SupplementaryGroups" not in text


def test_words_of_a_command_are_quoted() -> None:
    assert quoted("/usr/bin/python3") == "/usr/bin/python3"
    assert quoted('a "b" $HOME 5%') == '"a \\"b\\" $$HOME 5%%"'


def test_the_rules_are_of_the_form_that_udev_reads() -> None:
    rules = [line for line in rules_text().splitlines() if line and not line.startswith("#")]
    assert len(rules) >= 5
    for line in rules:
        assert line.startswith('SUBSYSTEM=="tty", ATTRS{idVendor}=="')
        assert line.endswith('ENV{ID_MM_DEVICE_IGNORE}="1"')


def test_the_command_writes_both_files_and_says_what_to_do(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "service"
    assert run(["install-service", "--config", str(config), "--user", "pi", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "systemctl enable --now companion.service" in said
    assert "User=pi" in (out / UNIT).read_text()
    assert (out / RULES).read_text() == rules_text()
    assert stat.S_IMODE((out / UNIT).stat().st_mode) == 0o644


def test_a_config_with_a_fault_is_no_service(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("[tabel]\n")
    assert run(["install-service", "--config", str(wrong), "--user", "pi", "--out", str(tmp_path / "service")]) == 1
    assert "unknown key tabel" in capsys.readouterr().err
    assert not (tmp_path / "service").exists()


def test_root_is_no_user_for_it(tmp_path: Path, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SUDO_USER", raising=False)
    monkeypatch.setattr("getpass.getuser", lambda: "root")
    assert run(["install-service", "--config", str(config), "--out", str(tmp_path / "service")]) == 2


class Manager:
    """The socket on which systemd listens."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "notify"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(self.path))
        self._socket.setblocking(False)

    def heard(self) -> list[str]:
        found = []
        while True:
            try:
                found.append(self._socket.recv(100).decode())
            except BlockingIOError:
                return found


def test_the_watchdog_is_fed_as_often_as_the_manager_wants(tmp_path: Path) -> None:
    manager = Manager(tmp_path)
    watchdog = Watchdog({"NOTIFY_SOCKET": str(manager.path), "WATCHDOG_USEC": "30000000"})
    for tenth in range(301):
        watchdog.beat(tenth / 10)
    assert manager.heard() == ["READY=1", *["WATCHDOG=1"] * 4]


def test_without_a_manager_or_a_watchdog_nothing_is_said(tmp_path: Path) -> None:
    Watchdog({}).beat(0.0)
    manager = Manager(tmp_path)
    quiet = Watchdog({"NOTIFY_SOCKET": str(manager.path)})
    quiet.beat(0.0)
    quiet.beat(100.0)
    assert manager.heard() == ["READY=1"]
    gone = Watchdog({"NOTIFY_SOCKET": str(tmp_path / "gone"), "WATCHDOG_USEC": "1000"})
    gone.beat(0.0)


def test_a_device_that_flaps_for_an_hour_fills_no_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """D08: ten errors a second for an hour."""
    now_s = [0.0]
    monkeypatch.setattr("platformdirs.user_log_path", lambda *_, **__: tmp_path)
    monkeypatch.setattr("time.monotonic", lambda: now_s[0])
    logger = logging.getLogger("flapping")
    lines = log.LogLines(logging.WARNING)
    lines.addFilter(log.Often())
    logger.addHandler(lines)
    logger.propagate = False
    try:
        for number in range(36_000):
            now_s[0] = number / 10
            logger.warning("the port is gone for the %d. time", number)
        for _ in range(3000):
            now_s[0] += 20
            try:
                raise ValueError("x" * 2000)
            except ValueError:
                logger.exception("a fault that comes back")
    finally:
        logger.removeHandler(lines)
    said = capsys.readouterr().err.splitlines()
    flaps = [line for line in said if "port is gone" in line]
    assert len(flaps) <= 61 * log.SAME_LINES
    assert any("595 more like it before" in line for line in flaps)
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 2 * log.LARGEST_DETAILS


def test_a_table_with_a_page_feeds_the_watchdog(tmp_path: Path, config: Path) -> None:
    manager = Manager(tmp_path)
    environ = {
        **os.environ,
        "NOTIFY_SOCKET": str(manager.path),
        "WATCHDOG_USEC": "300000",
        "XDG_DATA_HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
    }
    command = [sys.executable, "-m", "companion", "referee", "--config", str(config)]
    process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        heard: list[str] = []

        def fed() -> bool:
            heard.extend(manager.heard())
            return heard.count("WATCHDOG=1") >= 5

        assert until(fed, 60), heard
        assert heard[0] == "READY=1"
    finally:
        process.terminate()
        process.wait(20)
