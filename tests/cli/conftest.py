"""A calibration and a picture of a simulated camera, made once, and the real command line to call."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.cli.app import run


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command left: its exit code, what it printed, and the lines on standard error."""

    code: int
    out: str
    errors: list[str]


Command = Callable[..., Outcome]


@pytest.fixture
def companion(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Command]:
    """Run `companion` with these arguments, in a folder of its own and with a home of its own."""
    monkeypatch.chdir(tmp_path)
    for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    monkeypatch.delenv("COMPANION_MQTT_PASSWORD", raising=False)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def call(*arguments: str | Path) -> Outcome:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err.splitlines())

    yield call
    for number, handler in handlers.items():
        signal.signal(number, handler)


@dataclass(frozen=True, slots=True)
class Camera:
    calibration: Path
    picture: Path


@pytest.fixture(scope="session")
def camera(tmp_path_factory: pytest.TempPathFactory) -> Camera:
    """What calibrating a simulated camera left behind."""
    from calibration.file import save
    from companion.cli.simulated import calibrated_camera

    folder = tmp_path_factory.mktemp("camera")
    made = Camera(folder / "calibration.json", folder / "picture.jpg")
    simulated = calibrated_camera("slate_window", 1)
    save(simulated.calibration, made.calibration)
    made.picture.write_bytes(simulated.jpeg)
    return made
