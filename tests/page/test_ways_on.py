"""A question that offers no move, on a real table: the board may be right, and the moves are entered by hand."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

from companion.evidence import MarbleEntered
from tests.page.conftest import Visitor
from tests.page.live_table import LiveTable, live_table
from tests.reconciler.sights import sight

UNEXPLAINED = "KWKW|BYBY|WKWK|YBYB"


def show(page: Page, table: LiveTable, board: str) -> None:
    """A camera's looks of fourteen seconds, quickly."""
    start_s = time.monotonic()
    for look in range(140):
        table.look(sight(start_s + look / 10, board))
        page.wait_for_timeout(2)


def test_moves_are_entered_where_nothing_explains_the_board(visitor: Visitor) -> None:
    with live_table("infinity") as table:
        page = visitor.open(table.link)
        show(page, table, UNEXPLAINED)
        enter = page.get_by_role("button", name="The board is right: enter the moves")
        expect(enter).to_be_enabled()
        expect(page.locator("#question .points li")).to_have_count(13)
        enter.press("Enter")
        expect(page.get_by_role("combobox", name="Where", exact=True)).to_be_focused()
        page.keyboard.press("Escape")
        expect(enter).to_be_focused()
        page.keyboard.press("2")
        page.get_by_role("combobox", name="Where", exact=True).select_option("1.1")
        page.locator(".pick-options button").first.click()
        table.wait_for(page, ["B1"])
        expect(enter).to_be_hidden()
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Enter a move")).to_be_focused()


def test_a_question_with_moves_offers_only_them(visitor: Visitor) -> None:
    with live_table("infinity") as table:
        page = visitor.open(table.link)
        table.loop.put(MarbleEntered(time.monotonic(), "board", 1))
        expect(page.locator("#question .choice", has_text="Joker")).not_to_have_count(0)
        expect(page.get_by_role("button", name="enter the moves")).to_have_count(0)


def test_the_keyboard_is_kept_when_the_game_ends_under_an_open_sheet(visitor: Visitor) -> None:
    with live_table("infinity", {"board": "BB..|BB..|BB..|B...", "score": 0, "to_move": "blue"}) as table:
        page = visitor.open(table.link)
        page.get_by_role("button", name="Enter a move").click()
        expect(page.locator(".sheet[open] .pick-turn")).to_have_text("Anna to move")
        table.play("B4")
        expect(page.locator(".sheet[open] .pick-turn")).not_to_have_text("Anna to move")
        page.keyboard.press("Escape")
        expect(page.locator("#commands button:focus")).to_have_count(1)
