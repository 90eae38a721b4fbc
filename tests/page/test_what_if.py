"""What a move would lead to, asked of the rules and shown on the board, without anything being played."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import Serve, Visitor
from tests.page.finity_table import FakeFinityTable
from tests.page.ruled_table import RuledTable
from tests.page.test_finity import MOVES
from tests.page.test_history import expect_drawn


@pytest.fixture
def table() -> FakeFinityTable:
    return FakeFinityTable(MOVES)


@pytest.fixture
def page(visitor: Visitor, serve: Serve, table: FakeFinityTable) -> Page:
    return visitor.open(serve(table, 0).url)


def tap(page: Page, place: str) -> None:
    """Tap a place on the board."""
    spot = page.locator(f'#board [data-place="{place}"]').first
    spot.click(position={"x": 4, "y": 4}, force=True) if place.endswith("L") else spot.click(force=True)


def test_dangerous_moves_are_listed_at_once(page: Page) -> None:
    page.get_by_text("What if …?").click()
    expect(page.locator("#analysis-moves")).to_contain_text("B could cut rings off:")
    cuts = page.locator(".what-if.cuts")
    expect(cuts.first).to_contain_text("Would cut off: Anna's small ring on NE, Anna's medium ring on E")
    expect(page.locator(".what-if:not(.cuts)")).to_have_count(0)


def test_a_tapped_bridge_shows_what_can_be_done_with_it(page: Page) -> None:
    tap(page, "N>NE M")
    expect(page.locator(".what-if")).to_have_text([re.compile("B reverses the black bridge from N to NE")])
    expect(page.locator("#analysis-place")).to_have_value("N>NE M")
    expect(page.locator('#board .picked[data-place="N>NE M"]')).to_have_count(1)


def test_a_picked_move_is_shown_as_if_it_were_made(page: Page, table: FakeFinityTable) -> None:
    before = page.locator("#board-words").text_content()
    tap(page, "N>NE M")
    page.locator(".what-if").click()
    expect(page.locator("#board-frame")).to_have_attribute("data-view", "what_if")
    view = page.locator("#view")
    expect(view.locator(".tag")).to_have_text("What if")
    expect(view).to_contain_text("B reverses the black bridge from N to NE")
    expect(view).to_contain_text("Would cut off: Anna's small ring on NE, Anna's medium ring on E")
    expect(view).to_contain_text("Anna: path 0 of 8")
    expect(page.locator("#board .orphan")).to_have_count(2)
    expect(page.locator('#board [data-label="b NE"]')).to_have_count(1)
    expect(page.locator(".what-if")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#turn span")).to_have_text("B to move")  # the table is as it was
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator("#board-frame")).to_have_attribute("data-view", "live")
    expect(page.locator("#board-words")).to_have_text(before or "")
    assert table.commands == []


def test_a_harmless_move_says_so(page: Page) -> None:
    tap(page, "SE>S M")
    adds = page.locator(".what-if").filter(has_text="adds")
    expect(adds).to_have_count(4)  # two colours, two directions
    adds.first.click()
    expect(page.locator("#view")).to_contain_text("Would cut nothing off.")


def test_places_are_chosen_without_pointing(page: Page) -> None:
    page.locator("#analysis summary").focus()
    page.keyboard.press("Enter")
    place = page.get_by_label("Place")
    place.select_option(label="small ring on W")
    expect(place.locator("option", has_text=">")).to_have_count(0)  # places are words
    expect(place).to_be_focused()
    expect(page.locator(".what-if")).to_have_text([re.compile("B places a small ring on W")])
    page.keyboard.press("Tab")
    expect(page.locator(".what-if")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#board-frame")).to_have_attribute("data-view", "what_if")
    expect(page.locator(".what-if")).to_be_focused()


def test_a_place_where_nothing_can_be_done_says_so(page: Page) -> None:
    tap(page, "NW.S")
    expect(page.locator("#analysis-moves")).to_contain_text("B can do nothing here now.")


def test_a_real_move_ends_the_supposing(page: Page, table: FakeFinityTable) -> None:
    tap(page, "N>NE M")
    page.locator(".what-if").click()
    expect(page.locator("#board-frame")).to_have_attribute("data-view", "what_if")
    table.play("ring W M")
    expect(page.locator("#board-frame")).to_have_attribute("data-view", "live")
    expect(page.locator(".what-if").first).to_contain_text("Anna reverses the black bridge from N to NE")


def test_the_past_can_be_asked_too(page: Page) -> None:
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#board-frame")).to_have_attribute("data-view", "past")
    expect_drawn(page)
    tap(page, "N>NE M")
    expect(page.locator(".what-if").first).to_contain_text("Anna reverses the black bridge from N to NE")
    page.locator(".what-if").first.click()
    expect(page.locator("#board-frame")).to_have_attribute("data-view", "what_if")
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator("#board-frame")).to_have_attribute("data-view", "past")


def test_a_game_without_walks_asks_nothing(visitor: Visitor, serve: Serve) -> None:
    page = visitor.open(serve(RuledTable("infinity", ("B1",)), 0).url)
    expect(page.locator("#analysis")).to_be_hidden()
