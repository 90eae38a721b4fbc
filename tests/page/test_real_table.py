"""The page on a real table: rules, reconciler, referee and loop, with marbles that only the beams feel."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from calibration.infinity.board import reference_board
from companion.evidence import MarbleEntered
from companion.games.registry import game_named
from companion.live import TableLoop
from companion.page.app import create_app
from companion.page.layout import layout_for
from companion.page.server import PageServer
from companion.page.table import PageTable
from companion.table import Table
from tests.page.conftest import Visitor
from tests.page.fake_table import TOKEN


@pytest.fixture
def loop() -> Iterator[TableLoop]:
    table = Table(game_named("infinity", {"first": "blue"}), names={"blue": "Anna", "yellow": "Józef"})
    layout = layout_for("infinity", reference_board().to_json())
    loop = TableLoop(table, [], clock=time.monotonic, layout=layout)
    thread = threading.Thread(target=loop.run)
    thread.start()
    yield loop
    loop.stop()
    thread.join(10.0)


def test_a_game_by_beams_is_seen_and_put_right_on_the_page(visitor: Visitor, loop: TableLoop) -> None:
    page_table: PageTable = loop
    with PageServer(create_app({"table": page_table}, token=TOKEN), port=0) as server:
        page = visitor.open(server.link(TOKEN))
        expect(page.locator("#turn span")).to_have_text("Anna to move")
        loop.put(MarbleEntered(time.monotonic(), "board", 1))
        expect(page.locator("#turn span")).to_have_text("Józef to move")
        expect(page.locator("#board .piece[data-label]").first).to_be_visible()

        page.get_by_role("button", name="Correct a move").click()
        page.locator(".sheet[open] .choice").click()
        page.get_by_role("button", name="Another move was played").click()
        page.get_by_role("combobox", name="Where", exact=True).select_option("1.1")
        page.locator(".pick-options button", has_text="Joker").click()
        page.get_by_role("button", name="Correct it").click()
        expect(page.locator("#events .event").first).to_contain_text("→ K1")
        expect(page.locator("#board-words")).to_contain_text("1.1: black Joker")

        page.get_by_role("button", name="Take back the last move").click()
        page.get_by_role("button", name="Take it back").click()
        expect(page.locator("#events .event").first).to_contain_text("taken back")
        expect(page.locator("#turn span")).to_have_text("Anna to move")
        expect(page.get_by_role("button", name="Take back the last move")).to_be_disabled()

        page.get_by_role("button", name="New game").click()
        expect(page.locator("#events .event")).to_have_count(1)
