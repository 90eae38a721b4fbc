"""The page in Polish: chosen on the page, kept over a reload, in what the server says, too."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion.catalogues import page_texts
from companion.games.registry import game_named
from companion.page.server import PageServer
from companion.table import Table
from companion.texts import in_language, text
from tests.page.conftest import Visitor
from tests.page.fake_table import TOKEN, FakePageTable

TURN = "#turn span"


def test_the_language_is_chosen_on_the_page_and_kept(
    visitor: Visitor, server: PageServer, table: FakePageTable
) -> None:
    page = visitor.open(server.link(TOKEN))
    expect(page.locator("html")).to_have_attribute("lang", "en")
    table.move("B1", "B...|....|....|....", by="blue", words=text("{player} passes", player="Żaneta"))
    expect(page.locator("#events .event").first).to_contain_text("Żaneta passes")
    expect(page.locator(TURN)).to_contain_text("to move")

    page.get_by_role("combobox", name="Language").select_option("pl")
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    expect(page.locator(TURN)).to_contain_text("Ruch: ")
    expect(page.locator("#events .event").first).to_contain_text("Żaneta pasuje")
    expect(page.get_by_role("combobox", name="Język").locator("option:checked")).to_have_text("Polski")

    page.goto(server.url, wait_until="domcontentloaded")
    expect(page.locator(TURN)).to_contain_text("Ruch: ")
    expect(page.locator("html")).to_have_attribute("lang", "pl")


def test_plurals_and_numbers_are_said_as_the_language_does(visitor: Visitor, server: PageServer) -> None:
    page = visitor.open(f"{server.url}?lang=pl")
    said = page.evaluate(
        """async () => {
            const texts = await import("./static/texts.js");
            const forms = [0, 1, 2, 5, 12, 22, 101, 104, 1_002].map((n) => texts.formOf(n));
            return { forms, number: texts.number(1234.5), day: texts.day(new Date(2026, 10, 30)) };
        }"""
    )
    assert said == {"forms": [2, 0, 1, 2, 2, 1, 2, 1, 1], "number": "1234,5", "day": "30 listopada 2026"}


@pytest.mark.parametrize("language", ["en", "pl"])
def test_what_is_said_of_a_breach_does_not_begin_as_its_heading_does(language: str) -> None:
    game = game_named("infinity", {"first": "blue"}, {})
    table = Table(game)
    table.start(0.0)
    for move in ("K1", "Y2", "B3", "W4"):
        table.command("play", {"move": move}, 0.0)
    for breach in game.breaches(table.referee.record.position):
        heading = page_texts(language)[f"reason.{breach.reason}"]
        detail = in_language(breach.detail, language)
        assert isinstance(heading, str)
        assert not str(detail).lower().startswith(heading.lower()), detail


def test_a_hostile_language_in_the_address_is_no_language(visitor: Visitor, server: PageServer) -> None:
    page = visitor.open(f"{server.url}?lang=%3Cscript%3E..%2F..%2Fetc")
    expect(page.locator("html")).to_have_attribute("lang", "en")
