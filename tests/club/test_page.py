"""The page of a club in a browser, and what it answers."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from companion.club.club import Club
from tests.club.pictures import club_page, opened, state_of
from tests.page.conftest import DESK, PHONE
from tests.setup_page.accessible import faults


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[Club, str]]:
    with club_page() as found:
        yield found


@pytest.fixture(scope="module")
def few() -> Iterator[str]:
    with club_page(40) as (_, url):
        yield url


@pytest.fixture
def page(served: tuple[Club, str], browser: Browser) -> Iterator[Page]:
    complaints: list[str] = []
    page = opened(browser, served[1])
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    page.context.close()
    assert complaints == []


def tell(club: Club, number: int, **more: Any) -> None:
    club.take(f"room-{number // 10 + 1}/Table_{number + 1}/state", json.dumps({**state_of(number), **more}).encode())
    club.wake()


def names(page: Page, where: str) -> Locator:
    return page.locator(f"{where} > li:not([hidden]) h3")


def test_two_hundred_tables_calls_first_then_by_number(page: Page) -> None:
    calls = ["Table 5", "Table 10", "Table 18", "Table 24", "Table 39", "Table 40"]
    expect(names(page, "#calls")).to_have_text(calls)
    others = [name for n in range(1, 201) if (name := f"Table {n}") not in calls and not 51 <= n <= 60]
    ended = [f"Table {n}" for n in range(51, 61)]  # their program was
    expect(names(page, "#tables")).to_have_text([*others, *ended])
    expect(page.locator("#count")).to_have_text("200 tables · 6 calls")


def test_a_call_moves_a_table_up_is_read_out_and_goes_again(served: tuple[Club, str], page: Page) -> None:
    tell(served[0], 99, question={"question": "q", "text": "Which <b>marble</b>?"})
    expect(page.locator("#calls li", has_text="Table 100")).to_contain_text("The referee asks: Which <b>marble</b>?")
    expect(page.locator("#news")).to_contain_text("Table 100: ? The referee asks")
    expect(names(page, "#calls").nth(1)).to_have_text("Table 100")
    tell(served[0], 99)
    expect(page.locator("#tables li", has_text="Table 100")).to_be_visible()
    expect(page.locator("#calls li", has_text="Table 100")).to_have_count(0)
    expect(page.locator("#tables > li:has(h3:text-is('Table 100')) + li h3")).to_have_text("Table 101")


def test_a_move_changes_one_card_and_no_other(served: tuple[Club, str], page: Page) -> None:
    page.evaluate("document.querySelectorAll('.club-table h3').forEach((each) => (each.dataset.old = '1'))")
    tell(served[0], 0, ply=77)
    expect(page.locator("#tables li", has_text="77 moves")).to_be_visible()
    expect(page.locator(".club-table h3:not([data-old])")).to_have_text(["Table 1"])
    tell(served[0], 0)


def test_the_filter_by_keyboard_alone(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("table 17 room-2")
    expect(page.locator("#tables > li:visible")).to_have_count(1)
    expect(page.locator("#calling")).to_be_hidden()
    page.keyboard.press("Control+a")
    page.keyboard.type("nobody at all")
    expect(page.locator("#none")).to_contain_text("Nothing fits")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    expect(page.locator("#tables > li:visible")).to_have_count(194)


def test_a_broker_that_is_away_is_told(served: tuple[Club, str], page: Page) -> None:
    served[0].broker(False, "cannot be reached (Connection refused)")
    expect(page.locator("#lost")).to_contain_text("The broker is away")
    served[0].broker(True, "")
    expect(page.locator("#lost")).to_be_hidden()


def test_standings_by_day_and_as_files(page: Page, served: tuple[Club, str]) -> None:
    page.locator("a[href='#standings']").click()
    expect(page.locator(".club-standings tbody tr")).to_have_count(12)
    expect(page.locator("caption")).to_have_text("24 games")
    with page.expect_download() as download:
        page.locator("#csv").click()
    rows = list(csv.reader(io.StringIO(download.value.path().read_text(encoding="utf-8-sig"))))
    assert rows[0] == ["player", "played", "won", "drawn", "lost", "difference"]
    assert len(rows) == 13
    page.locator("input[name=from]").fill("2026-03-20")
    expect(page.locator("#standings")).to_contain_text("No player with a name")
    page.go_back()
    expect(page.locator("#part-tables")).to_be_visible()


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), ((820, 1180), "light"), (DESK, "dark")])
@pytest.mark.parametrize("part", ["", "#standings"])
def test_everybody_can_read_it(few: str, browser: Browser, part: str, size: tuple[int, int], scheme: Any) -> None:
    page = opened(browser, f"{few}?lang=pl{part}", size, color_scheme=scheme)
    if part:
        page.wait_for_selector(".club-standings")
        expect(page.locator("thead th").first).to_have_text("Gracz")
    else:
        expect(page.locator("#calls li").first).to_contain_text("Sędzia pyta")
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.context.close()


def test_it_is_guarded_as_all_pages_are(served: tuple[Club, str]) -> None:
    url = served[1]
    assert "script-src 'self'" in httpx.get(url).headers["content-security-policy"]
    assert httpx.get(url, headers={"host": "evil.example"}).status_code == 421
    assert httpx.post(f"{url}tables").status_code == 405
    assert httpx.get(f"{url}standings?from=yesterday").status_code == 400
    assert httpx.get(f"{url}standings.xml").status_code == 404
    assert httpx.get(f"{url}standings.json?from=2026-03-14&to=2026-03-15").json()["results"]
