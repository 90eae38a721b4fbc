"""Several tables behind one address: a list of them, each with a page of its own."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Page, expect

from companion.page.app import create_app
from companion.page.server import PageServer
from companion.page.table import PageTable
from tests.page.conftest import PATIENCE_MS, PHONE, Visitor
from tests.page.fake_table import TOKEN
from tests.page.finity_table import FakeFinityTable
from tests.page.ruled_table import RuledTable
from tests.page.test_finity import MOVES

EVIL = "<img src=x onerror=document.title='owned'>"


@pytest.fixture
def infinity() -> RuledTable:
    return RuledTable("infinity", ("B1", "Y2"), names={"blue": "Anna", "yellow": EVIL})


@pytest.fixture
def tables(infinity: RuledTable) -> dict[str, PageTable]:
    return {"window": infinity, "kitchen": FakeFinityTable(MOVES)}


@pytest.fixture
def server(tables: dict[str, PageTable]) -> Iterator[PageServer]:
    with PageServer(create_app(tables, token=TOKEN), port=0) as running:
        yield running


def visit(visitor: Visitor, address: str, size: tuple[int, int] = (1280, 800)) -> Page:
    context = visitor.browser.new_context(viewport={"width": size[0], "height": size[1]})
    context.set_default_timeout(PATIENCE_MS)
    visitor.contexts.append(context)
    page = context.new_page()
    page.on("pageerror", lambda error: visitor.complaints.append(str(error)))
    page.goto(address, wait_until="domcontentloaded")
    page.wait_for_selector("main:not([aria-busy])")
    return page


def test_tables_are_listed_with_score_and_turn(visitor: Visitor, server: PageServer, infinity: RuledTable) -> None:
    page = visit(visitor, server.url)
    rows = page.locator("#tables li")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Window")
    expect(rows.first).to_contain_text("Rubik's Infinity · 2 moves")
    expect(rows.first).to_contain_text("Even")
    expect(rows.first).to_contain_text("Anna to move")
    expect(rows.last).to_contain_text("Anna: path 2 of 8 · B: path 2 of 8")
    infinity.play("B1")
    expect(rows.first).to_contain_text(f"{EVIL} to move")
    expect(page).to_have_title("Tables")
    infinity.put_question("q1", "Which marble?", {"B": "blue", "K": "black"})
    expect(rows.first).to_contain_text("Waits for a person")


def test_each_table_has_its_own_page(visitor: Visitor, server: PageServer, infinity: RuledTable) -> None:
    page = visit(visitor, server.link(TOKEN))
    page.get_by_role("link", name="Kitchen").click()
    page.wait_for_selector("#table:not([aria-busy]) .path")
    expect(page).to_have_url(f"{server.url}table/kitchen/")
    expect(page.get_by_role("button", name="Pause")).to_be_enabled()  # the token came along
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#view")).to_contain_text("After move 6 of 7")
    page.get_by_role("link", name="Tables").click()
    page.get_by_role("link", name="Window").click()
    page.wait_for_selector("#table:not([aria-busy]) .lead")
    infinity.play("K4")
    expect(page.locator("#board-words")).to_contain_text("4.1: black Joker")


def test_one_table_is_shown_at_once(visitor: Visitor, tables: dict[str, PageTable], server: PageServer) -> None:
    del tables["kitchen"]
    page = visitor.open(server.url)
    expect(page.locator("#game")).to_have_text("Rubik's Infinity")
    expect(page.locator("#ways")).to_be_hidden()


def test_no_table_at_all_is_said(visitor: Visitor, tables: dict[str, PageTable], server: PageServer) -> None:
    page = visit(visitor, server.url)
    tables.clear()
    expect(page.locator("#tables")).to_have_text("There is no table yet.")


def test_a_server_that_is_away_is_told(visitor: Visitor, server: PageServer) -> None:
    page = visit(visitor, server.url, PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    server.stop()
    expect(page.locator("#lost")).to_contain_text("Connection lost since")


def test_an_unknown_table_is_not_found(server: PageServer) -> None:
    assert httpx.get(f"{server.url}table/cellar/").status_code == 404
    assert httpx.get(f"{server.url}table/cellar/events").status_code == 404
    assert httpx.get(f"{server.url}table/kitchen/state").json()["game"] == "finity"
