"""Simulated tables that are set up by the real command, and one browser for all tests of the set-up's page."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from companion.cli.simulated_setup import SimulatedTable, checked_wish
from companion.games.game import Json
from companion.mqtt.local_broker import free_port
from companion.page.app import create_app
from companion.page.server import PageServer
from companion.page.table import Request
from companion.setup.kept import Kept
from companion.setup.session import SetupSession
from hw_sim.camera.feed import SimCameraDevice
from tests.page.conftest import DESK, FLAGS
from tests.page.fake_table import TOKEN
from tests.setup.at_table import until
from tests.shared_material import program

PATIENCE_MS = 20_000
"""A simulated camera draws a picture in a tenth of a second, and calibrating takes some of them."""

LINK = re.compile(r"http://\S+/setup/#token=\S+")

expect.set_options(timeout=PATIENCE_MS)


@dataclass(frozen=True)
class SetUpTable:
    """`companion setup --simulate …` as a process; it writes its files to `config`."""

    process: subprocess.Popen[str]
    link: str
    config: Path

    @property
    def root(self) -> str:
        return self.link.partition("setup/")[0]


Start = Callable[..., SetUpTable]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start the set-up of a simulated table; all are stopped in the end."""
    running: list[subprocess.Popen[str]] = []

    def started(game: str, *more: str, config: Path = tmp_path / "table.toml") -> SetUpTable:
        command = [sys.executable, "-m", "companion", "setup", "--simulate", game, "--page-port", "0"]
        process = subprocess.Popen(
            [*command, "--config", str(config), *more], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        running.append(process)
        assert process.stdout is not None
        told = []
        for line in process.stdout:
            told.append(line)
            if found := LINK.search(line):
                return SetUpTable(process, found.group(), config)
        pytest.fail("the set-up ended: " + "".join(told))

    yield started
    for process in running:
        process.terminate()
        print(process.communicate(timeout=20.0)[0])  # shown where the test failed
        assert process.returncode in (0, -15)


@dataclass
class Rehearsal:
    """A set-up of a simulated table in this process, with its camera's cable in hand."""

    session: SetupSession
    camera: SimCameraDevice
    folder: Path
    server: PageServer = field(init=False)

    def __post_init__(self) -> None:
        self.serve(free_port())

    def serve(self, port: int) -> None:
        self.server = PageServer(create_app({}, token=TOKEN, setup=self.session), port=port)
        self.server.start()

    def link(self, step: str, token: str = TOKEN) -> str:
        return f"{self.server.url}setup/?step={step}#token={token}"

    def tell(self, command: str, /, **args: Json) -> None:
        """A command of somebody else at the table."""
        told = self.session.command(Request(command, self.state["seq"], f"test {command} {args}", args))
        assert told.ok, told

    @property
    def state(self) -> Any:
        return self.session.state()


def rehearsed(game: str, folder: Path) -> Iterator[Rehearsal]:
    """A set-up with the camera chosen and live."""
    with SimulatedTable(checked_wish(game, 1, 1.0, None, None), folder) as table:
        room = table.room()
        camera = cast(partial[object], room.open_capture).args[0]
        config = folder / "table.toml"
        session = SetupSession(config, Kept(folder / "kept", config), room)
        session.start()
        rehearsal = Rehearsal(session, camera, folder)
        rehearsal.tell("choose_camera", device="simulated", width=1280, height=720)
        until(session.preview, "the first picture")
        yield rehearsal
        rehearsal.server.stop()
        session.stop()


@pytest.fixture(scope="module")
def infinity(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    yield from rehearsed("infinity", tmp_path_factory.mktemp("infinity"))


@pytest.fixture(scope="module")
def finity(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    yield from rehearsed("finity", tmp_path_factory.mktemp("finity"))


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = program("chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield chromium
        chromium.close()


@dataclass
class Visitor:
    """Opens pages and keeps everything that a browser would complain of."""

    browser: Browser
    complaints: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    def open(self, address: str, size: tuple[int, int] = DESK, **more: str) -> Page:
        """The set-up in a session of its own, shown as soon as the first state is drawn."""
        context = self.browser.new_context(viewport={"width": size[0], "height": size[1]}, **more)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(f"{error} {error.stack}"))
        page.goto(address, wait_until="domcontentloaded")
        page.wait_for_selector("#setup:not([aria-busy]) #step")
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        # That a server is away, or refuses a command, is told by the browser itself; all else is a fault of the page.
        if message.type in ("error", "warning") and not re.search(r"ERR_|status of 4\d\d", message.text):
            self.complaints.append(message.text)


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Visitor]:
    visitor = Visitor(browser)
    yield visitor
    for context in visitor.contexts:
        context.close()
    assert visitor.complaints == []
