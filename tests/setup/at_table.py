"""A set-up session at a simulated table, without threads of its own where a test steps it."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from companion.cli.plan import Sensors
from companion.cli.simulated_setup import Drawer, SimulatedTable, Wish
from companion.page.table import CommandResult, Request
from companion.setup.kept import Kept
from companion.setup.room import Room
from companion.setup.session import Begin, SetupSession

WAIT_S = 120.0
"""A machine with other work to do takes its time; nothing here waits that long where all is well."""
_numbers = itertools.count(1)


def until(condition: Callable[[], object], what: str) -> None:
    ends_s = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < ends_s, f"waited in vain for {what}"
        time.sleep(0.02)


@dataclass
class AtTable:
    """A session with a person at its page."""

    session: SetupSession
    table: SimulatedTable
    woken: list[float] = field(default_factory=list)
    leave: Callable[[], object] = lambda: None

    @property
    def state(self) -> Any:
        return self.session.state()

    def send(self, name: str, /, *, seq: int | None = None, **args: Any) -> CommandResult:
        """Give a command for the state as it is now."""
        now = self.state["seq"] if seq is None else seq
        return self.session.command(Request(name, now, f"t{next(_numbers)}", args))

    def do(self, name: str, /, **args: Any) -> None:
        """Give a command that must be carried out."""
        result = self.send(name, **args)
        assert result.ok, f"{name}: {result.detail}"

    def problems(self, step: str) -> str:
        """What is missing at a step, in one text."""
        (found,) = [each for each in self.state["steps"] if each["name"] == step]
        return " ".join(found["problems"])

    def take_all(self) -> None:
        """Take every picture that is asked for."""
        while (name := self.state["asked"]) is not None:
            self.do("take_shot", name=name)

    def calibrate(self) -> None:
        self.do("calibrate")
        until(lambda: self.state["busy"] is None, "the calibration")

    def learn(self) -> None:
        """From the camera to a calibration."""
        self.do("choose_camera", device="simulated")
        until(lambda: self.state["camera"]["state"] == "ok", "the camera")
        self.take_all()
        self.calibrate()


def table_of(folder: Path, game: str, sensors: Sensors = Sensors.SERIAL) -> SimulatedTable:
    folder.mkdir(exist_ok=True)
    sensors = sensors if game == "infinity" else Sensors.NONE
    speed = 4.0 if game == "infinity" else 1.0  # only a camera sees Finity, and on a busy machine it looks seldom
    return SimulatedTable(Wish(game, speed=speed, sensors=sensors), folder, _drawer())


@cache
def _drawer() -> Drawer:
    """One camera for all tables of a test run: its first picture takes a second."""
    return SimulatedTable(Wish("infinity"), Path()).drawer


@contextmanager
def at_table(
    folder: Path,
    game: str = "infinity",
    *,
    table: SimulatedTable | None = None,
    room: Callable[[Room], Room] = lambda room: room,
    begin: Begin | None = None,
    kept: Path | None = None,
) -> Iterator[AtTable]:
    """Start a session whose config is `folder/table.toml`; somebody watches its page."""
    table = table or table_of(folder, game)
    session = SetupSession(
        folder / "table.toml", Kept(kept or folder / "kept", folder / "table.toml"), room(table.room()), begin
    )
    seated = AtTable(session, table)
    seated.leave = session.subscribe(lambda: seated.woken.append(time.monotonic()))
    session.start()
    try:
        yield seated
    finally:
        session.stop()
        table.__exit__()


def plain(value: Mapping[str, Any]) -> dict[str, Any]:
    """A state without what changes by itself."""
    return {key: item for key, item in value.items() if key not in ("seq", "look", "camera", "steps", "step", "ready")}
