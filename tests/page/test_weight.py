"""What the first look at a page costs: bytes on the wire, and time."""

from __future__ import annotations

import re
import time

import pytest

from companion.page.statics import read_statics
from tests.page.conftest import DESK, PATIENCE_MS, Serve, Visitor
from tests.page.finity_table import FakeFinityTable
from tests.page.ruled_table import RuledTable
from tests.page.test_finity import MOVES

MOST_BYTES = 150_000
MOST_S = 1.0


def tables() -> dict[str, RuledTable]:
    return {
        "infinity": RuledTable("infinity", ("B1", "Y2", "B3")),
        "finity, four players": FakeFinityTable(players=4),
        "finity": FakeFinityTable(MOVES),
    }


@pytest.mark.parametrize("which", tables())
def test_the_first_load_is_light(visitor: Visitor, serve: Serve, which: str) -> None:
    loaded, _ = load(visitor, serve(tables()[which], 0).url)
    print(f"{which}: {loaded} bytes")
    assert loaded < MOST_BYTES


@pytest.mark.long
@pytest.mark.parametrize("which", tables())
def test_the_first_load_is_quick(visitor: Visitor, serve: Serve, which: str) -> None:
    url = serve(tables()[which], 0).url
    # A machine that does other things besides may hold one load up, not all five.
    seconds = min(load(visitor, url)[1] for _ in range(5))
    print(f"{which}: {seconds:.2f} s")
    assert seconds < MOST_S


def load(visitor: Visitor, address: str) -> tuple[int, float]:
    """Bytes received and seconds passed until a fresh browser shows the score, the stream's snapshot among them."""
    context = visitor.browser.new_context(viewport={"width": DESK[0], "height": DESK[1]})
    visitor.contexts.append(context)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    streamed: dict[str, int] = {}
    finished: dict[str, int] = {}
    session.on("Network.dataReceived", lambda told: _add(streamed, told["requestId"], told["dataLength"]))
    session.on("Network.loadingFinished", lambda told: _add(finished, told["requestId"], told["encodedDataLength"]))
    began = time.monotonic()
    page.goto(address, wait_until="domcontentloaded")
    page.wait_for_selector("#table:not([aria-busy]) :is(.lead, .path)")
    seconds = time.monotonic() - began
    page.wait_for_timeout(100)
    # A stream that has not ended is counted by its data: how many bytes a request took is told at its end.
    total = sum(finished.values()) + sum(size for request, size in streamed.items() if request not in finished)
    assert len(finished) > 10, "nothing was counted"
    return total, seconds


def _add(sizes: dict[str, int], request: str, size: float) -> None:
    sizes[request] = sizes.get(request, 0) + int(size)


def test_the_page_loads_no_script_of_other_pages() -> None:
    files = read_statics()
    reached: set[str] = set()
    ahead = {"page.js"}
    while ahead:
        reached |= ahead
        sources = [files[name][0].decode() for name in ahead]
        ahead = {name for source in sources for name in re.findall(r'(?:from|import) "\./([\w.]+)"', source)} - reached
    assert "history.js" in reached
    assert not {name for name in reached if name.startswith(("setup", "editor", "overlay", "summary", "tables"))}
