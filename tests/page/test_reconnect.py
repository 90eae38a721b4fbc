"""The page after the server was away, and after nobody looked: the whole state at once, and a stale mark until then."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Serve, Visitor
from tests.page.fake_table import TOKEN, FakePageTable

WITHIN_MS = 2000.0
"""How soon after the server is back, or after somebody looks again, the page must be right.

The long tests measure it. The others say that it becomes right: a machine that runs many at once promises no seconds.
"""
LONGEST_WAIT_MS = 1250
"""Between two tries of a page whose server is away."""


def wait_for_score(page: Page, points: str) -> float:
    """Milliseconds until the page shows these points and no stale mark."""
    began = time.monotonic()
    script = """points => document.querySelector(".points")?.textContent === points
        && !document.body.classList.contains("is-lost")"""
    page.wait_for_function(script, arg=points)
    return 1000 * (time.monotonic() - began)


def test_a_page_without_a_server_tries_again_within_the_promised_time(
    visitor: Visitor, serve: Serve, table: FakePageTable
) -> None:
    """On the page's own clock, which stands still but for the steps taken here."""
    server = serve(table, 0)
    page = visitor.open(server.link(TOKEN))
    page.evaluate(
        """() => {
            window.tries = [];
            window.EventSource = class extends EventSource {
                constructor(address) {
                    super(address);
                    tries.push(this);
                }
            };
        }"""
    )
    page.clock.install()
    page.clock.pause_at(time.time() + 1)
    server.stop()
    expect(page.locator("#lost")).to_be_visible()
    for number in range(1, 5):  # long enough for the pauses between tries to be at their longest
        page.clock.run_for(LONGEST_WAIT_MS)
        assert page.evaluate("tries.length") >= number
        page.wait_for_function("() => tries.every((each) => each.readyState === each.CLOSED)")
    table.move("B1", "B...|....|....|....", by="blue", score=1)
    serve(table, server.port)
    page.clock.run_for(LONGEST_WAIT_MS)
    wait_for_score(page, "1")


def away(visitor: Visitor, serve: Serve, seconds: float) -> list[float]:
    """Two tabs with one token: the server leaves, things happen, it comes back.

    Returns:
        After how many milliseconds the tabs were right, for each thing that happened.
    """
    table = FakePageTable()
    server = serve(table, 0)
    pages = [visitor.open(server.link(TOKEN)) for _ in range(2)]
    server.stop()
    for page in pages:
        expect(page.locator("#lost")).to_have_text(re.compile(r"Connection lost since \d\d:\d\d"))
        expect(page.locator("body")).to_have_class("is-lost")
    table.move("B1", "B...|....|....|....", by="blue", score=1)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pages[0].wait_for_timeout(min(1000.0, 1000 * seconds))
    expect(pages[0].locator(".points")).to_have_text("0")
    serve(table, server.port)
    took_ms = [wait_for_score(page, "1") for page in pages]
    for page in pages:
        expect(page.locator("#events .event")).to_have_count(2)
        expect(page.get_by_role("button", name="Pause")).to_be_enabled()
    table.move("Y1", "YB..|....|....|....", by="yellow", score=2)
    return [*took_ms, *(wait_for_score(page, "2") for page in pages)]


def test_both_tabs_are_right_after_the_servers_return(visitor: Visitor, serve: Serve) -> None:
    away(visitor, serve, 0.5)


@pytest.mark.long
@pytest.mark.parametrize("seconds", [4.0, 120.0])
def test_both_tabs_are_right_within_two_seconds_of_the_servers_return(
    visitor: Visitor, serve: Serve, seconds: float
) -> None:
    assert max(away(visitor, serve, seconds)) < WITHIN_MS


def frozen(page: Page, seconds: float, happen: object) -> None:
    """The page in the background, as a phone has it: nothing of it runs."""
    session = page.context.new_cdp_session(page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    time.sleep(seconds / 2)
    happen()  # type: ignore[operator]
    time.sleep(seconds / 2)
    session.send("Page.setWebLifecycleState", {"state": "active"})


def slept(visitor: Visitor, serve: Serve, seconds: float) -> float:
    """Milliseconds until a page is right after such a sleep."""
    table = FakePageTable()
    page = visitor.open(serve(table, 0).link(TOKEN))
    frozen(page, seconds, lambda: table.move("B1", "B...|....|....|....", by="blue", score=1))
    return wait_for_score(page, "1")


def test_a_page_that_slept_is_right(visitor: Visitor, serve: Serve) -> None:
    slept(visitor, serve, 2.0)


@pytest.mark.long
@pytest.mark.parametrize("seconds", [2.0, 90.0])
def test_a_page_that_slept_is_right_within_two_seconds(visitor: Visitor, serve: Serve, seconds: float) -> None:
    assert slept(visitor, serve, seconds) < WITHIN_MS


class Wire:
    """A way to the server whose open stream can die without a word, as a phone's does that changes its network."""

    def __init__(self, port: int) -> None:
        self._server_port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._streams: list[threading.Event] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._server_port))
            self._open += [near, far]
            dead = threading.Event()
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other, dead), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, dead: threading.Event) -> None:
        try:
            while data := one.recv(65536):
                if b"GET /events" in data:
                    self._streams.append(dead)
                if not dead.is_set():
                    other.sendall(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            return

    def die(self) -> None:
        """The streams that are open carry nothing any more, and nobody is told; all else works."""
        assert self._streams, "no stream is open"
        for dead in self._streams:
            dead.set()

    def close(self) -> None:
        for each in (self._listener, *self._open):
            each.close()


@pytest.fixture
def table() -> FakePageTable:
    return FakePageTable()


@pytest.fixture
def wire(serve: Serve, table: FakePageTable) -> Iterator[Wire]:
    wire = Wire(serve(table, 0).port)
    yield wire
    wire.close()


def test_a_connection_that_died_in_silence_is_noticed_when_somebody_looks(
    visitor: Visitor, table: FakePageTable, wire: Wire
) -> None:
    page = visitor.open(f"http://127.0.0.1:{wire.port}/")
    wire.die()
    table.move("B1", "B...|....|....|....", by="blue", score=1)
    page.wait_for_timeout(300)
    expect(page.locator(".points")).to_have_text("0")
    # Half a minute passes in which the page's timers stand still: only its clock goes on.
    page.evaluate("() => { const now = Date.now.bind(Date); Date.now = () => now() + 30000; }")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    wait_for_score(page, "1")  # by itself it would notice after twice as long as anything here is waited for


def test_a_look_at_a_page_that_is_right_changes_nothing(visitor: Visitor, serve: Serve, table: FakePageTable) -> None:
    page = visitor.open(serve(table, 0).url)
    page.evaluate("for (const name of ['online', 'focus', 'pageshow']) dispatchEvent(new Event(name))")
    page.wait_for_timeout(200)
    assert table.watchers == 1
    expect(page.locator("#lost")).to_be_hidden()
