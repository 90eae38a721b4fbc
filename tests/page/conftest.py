"""A table, its server, and one browser for all tests of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route, sync_playwright

from companion.mqtt.local_broker import free_port
from companion.page.app import create_app
from companion.page.server import PageServer
from tests.page.fake_table import TOKEN, FakePageTable
from tests.shared_material import program

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
LAST_MOVE_ASKED = """() => !document.querySelector("#events .jump")
    || performance.getEntriesByType("resource").some((each) => /position\\?/.test(each.name))"""
PATIENCE_MS = 10_000
DESK = (1280, 800)
PHONE = (390, 844)


@pytest.fixture
def table() -> FakePageTable:
    return FakePageTable()


@pytest.fixture
def server(table: FakePageTable) -> Iterator[PageServer]:
    with PageServer(create_app({"table": table}, token=TOKEN), port=0) as running:
        yield running


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = program("chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield chromium
        chromium.close()


def boxes(page: Page, *selectors: str) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom in CSS pixels, all of one moment: the board is drawn anew at every piece of news."""
    script = """selectors => selectors.map(each => {
      const { left, top, right, bottom } = document.querySelector(each).getBoundingClientRect();
      return [left, top, right, bottom];
    })"""
    return [(box[0], box[1], box[2], box[3]) for box in page.evaluate(script, list(selectors))]


def widen(page: Page, width: int, height: int = 800) -> None:
    """Give the window another size; it has it in the page, too, when this returns."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("width => innerWidth === width", arg=width)


def settled(page: Page, *, may_command: bool) -> None:
    """Wait for all that a first snapshot sets going: late files, the way to command, the mark of the last move."""
    page.wait_for_selector("#table:not([aria-busy]) :is(.lead, .path)")
    page.wait_for_selector(".more-links a", state="attached")
    if may_command:
        page.wait_for_selector("#commands button", state="attached")
    page.wait_for_function(LAST_MOVE_ASKED)


def intercept(page: Page, address: str, handle: Callable[[Route], None], times: int | None = None) -> None:
    """Handle what a page that may command asks for at an address.

    A page that is there already could still send past it what it sends next, so it is loaded anew.
    """
    page.route(address, handle, times=times)
    page.reload(wait_until="domcontentloaded")
    settled(page, may_command=True)


@dataclass
class Visitor:
    """Opens pages and keeps everything that a browser would complain of."""

    browser: Browser
    complaints: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    def open(self, address: str, size: tuple[int, int] = DESK) -> Page:
        """A page of its own, with its own session, shown as soon as nothing more comes of itself."""
        context = self.browser.new_context(viewport={"width": size[0], "height": size[1]})
        context.set_default_timeout(PATIENCE_MS)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(address, wait_until="domcontentloaded")
        settled(page, may_command=address.endswith(f"#token={TOKEN}"))
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        # That a server is away or refuses is told by the browser itself; everything else is a fault of the page.
        usual = "ERR_CONNECTION" in message.text or "status of 409" in message.text
        if message.type in ("error", "warning") and not usual:
            self.complaints.append(message.text)


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Visitor]:
    visitor = Visitor(browser)
    yield visitor
    for context in visitor.contexts:
        context.close()
    assert visitor.complaints == []


Serve = Callable[[FakePageTable, int], PageServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start a server for a table at a port; all are stopped in the end."""
    running: list[PageServer] = []

    def start(table: FakePageTable, port: int) -> PageServer:
        # Of one's own, so that nobody is given it while a server is away.
        server = PageServer(create_app({"table": table}, token=TOKEN), port=port or free_port())
        server.start()
        running.append(server)
        return server

    yield start
    for server in running:
        server.stop()
