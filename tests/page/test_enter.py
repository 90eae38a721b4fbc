"""Moves entered by hand in a real browser on a real table, where nothing sees the board."""

from __future__ import annotations

import threading
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import DESK, PHONE, Visitor
from tests.page.fake_table import TOKEN
from tests.page.live_table import LiveTable, live_table

EVIL = "<img src=x onerror=document.title='owned'>"


def tab_to(page: Page, name: str) -> None:
    """Go on with the Tab key until the element of this name has the keyboard."""
    for _ in range(80):
        found = page.evaluate("document.activeElement?.innerText || document.activeElement?.getAttribute('aria-label')")
        if str(found).strip() == name:
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the Tab key does not come to {name!r}")


def test_a_game_by_hand_on_a_phone_with_the_keyboard_alone(visitor: Visitor) -> None:
    with live_table("infinity") as table:
        page = visitor.open(table.link, PHONE)
        tab_to(page, "Enter a move")
        page.keyboard.press("Enter")
        where = page.get_by_role("combobox", name="Where", exact=True)
        for channel, joker in ((1, False), (2, False), (3, True)):
            expect(where).to_be_focused()
            expect(where.locator("option")).to_have_count(5)
            for _ in range(channel):  # letters that come slowly would each begin anew
                page.keyboard.press("ArrowDown")
            expect(where).to_have_value(f"{channel}.1")
            expect(page.locator(".pick-options button")).to_have_count(2)
            for _ in range(2 if joker else 1):
                page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            expect(page.locator(".sheet[open] .reply")).to_contain_text(f"channel {channel}")
        assert table.moves == ["B1", "Y2", "K3"]
        expect(page.locator(".pick-turn")).to_have_text("Józef to move")
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Enter a move")).to_be_focused()
        expect(page.locator("#turn span")).to_have_text("Józef to move")
        expect(page.locator("#board-words")).to_contain_text("3.1: black Joker")


def tap(page: Page, place: str) -> None:
    """A finger on a place of the sheet's board, a little beside its middle."""
    spot = page.evaluate(
        """async place => {
          const { layout } = await new Promise(done => {
            const source = new EventSource("events");
            source.addEventListener("snapshot", event => { source.close(); done(JSON.parse(event.data)); });
          });
          const shape = layout.shapes.find(each => each.place === place);
          const drawn = document.querySelector(".sheet[open] .pick-board svg");
          const aside = shape.inner_mm ? (shape.inner_mm + shape.r_mm) / 2 : 1;
          const point = new DOMPoint(shape.x_mm + aside, shape.y_mm).matrixTransform(drawn.getScreenCTM());
          return [point.x, point.y];
        }""",
        place,
    )
    page.mouse.click(*spot)


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_bridges_rings_and_blockers_are_entered_by_tapping_the_board(visitor: Visitor, size: tuple[int, int]) -> None:
    with live_table("finity") as table:
        page = visitor.open(table.link, size)
        page.get_by_role("button", name="Enter a move").click()
        expect(page.locator(".pick-turn")).to_have_text("Anna to move")
        tap(page, "N>NE M")
        expect(page.locator(".pick-options button")).to_have_count(4)
        page.get_by_role("button", name="black bridge from N to NE").click()
        expect(page.locator(".pick-turn")).to_have_text("Józef to move")
        tap(page, "S>C L" if page.locator("option[value='S>C L']").count() else "C>S R")
        expect(page.get_by_role("combobox", name="Where to")).to_be_visible()
        tap(page, "NE>E L")
        expect(page.locator(".pick-options button")).to_have_count(1)
        page.locator(".pick-options button").click()
        expect(page.locator(".pick-turn")).to_have_text("Anna to move")
        tap(page, "NE.S")
        page.get_by_role("button", name="small ring on NE").click()
        expect(page.locator(".pick-turn")).to_have_text("Józef to move")
        assert [move.split()[0] for move in table.moves] == ["add", "blocker", "ring"]
        assert table.moves[0] == "add b N>NE M"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out of the screen"


def test_another_phone_that_was_quicker_is_shown(visitor: Visitor) -> None:
    with live_table("infinity") as table:
        page = visitor.open(table.link)
        page.get_by_role("button", name="Enter a move").click()
        page.get_by_role("combobox", name="Where", exact=True).select_option("1.1")
        table.play("B4")
        expect(page.locator(".pick-turn")).to_have_text("Józef to move")
        expect(page.locator(".pick-options button")).to_have_count(0)


def test_a_double_tap_enters_a_move_once(visitor: Visitor) -> None:
    with live_table("infinity") as table:
        page = visitor.open(table.link)
        page.get_by_role("button", name="Enter a move").click()
        page.get_by_role("combobox", name="Where", exact=True).select_option("1.1")
        page.locator(".pick-options button").first.dblclick()
        expect(page.locator(".pick-turn")).to_have_text("Józef to move")
        page.wait_for_timeout(200)
        assert table.moves == ["B1"]


def post(link: str, name: str, body: str) -> int:
    address = link.partition("#")[0] + f"command/{name}"
    headers = {"Content-Type": "application/json", "X-Companion-Token": TOKEN}
    try:
        with urlopen(Request(address, body.encode(), headers), timeout=5) as answer:
            return int(answer.status)
    except OSError as error:
        return int(getattr(error, "code", 0))


def both_at_once(table: LiveTable, *bodies: tuple[str, str]) -> list[int]:
    found: list[int] = []
    threads = [threading.Thread(target=lambda n=n, b=b: found.append(post(table.link, n, b))) for n, b in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(found)


def test_of_two_phones_that_tap_at_once_one_is_refused() -> None:
    with live_table("infinity") as table:
        table.play("B1", "Y2", "B3")
        for number in range(10):
            before, seq = table.moves, table.seq
            body = '{{"seq": {}, "transaction": "{}-{}", "args": {{"ply": 3, "moves": ["{}3"]}}}}'
            one, other = (body.format(seq, phone, number, marble) for phone, marble in (("a", "B"), ("b", "K")))
            assert both_at_once(table, ("correct", one), ("correct", other)) == [200, 409]
            assert len(table.moves) == len(before)


def test_a_command_that_is_sent_again_counts_once() -> None:
    with live_table("infinity") as table:
        body = f'{{"seq": {table.seq}, "transaction": "tap", "args": {{"move": "B1"}}}}'
        assert both_at_once(table, ("play", body), ("play", body), ("play", body)) == [200, 200, 200]
        assert table.moves == ["B1"]


def test_a_name_stays_text_and_is_kept(visitor: Visitor) -> None:
    with live_table("infinity") as table:
        page = visitor.open(table.link)
        page.get_by_label("Your name").fill(EVIL[:40])
        page.get_by_label("Your name").blur()
        page.get_by_role("button", name="Enter a move").click()
        page.get_by_role("combobox", name="Where", exact=True).select_option("1.1")
        page.locator(".pick-options button").first.click()
        expect(page.locator("#events .event").first).to_contain_text(f"Entered by {EVIL[:40].strip()}")
        page.reload(wait_until="domcontentloaded")
        expect(page.get_by_label("Your name")).to_have_value(EVIL[:40])
        expect(page.locator("#events .event").first).to_contain_text(f"Entered by {EVIL[:40].strip()}")
        assert page.title() != "owned"


@pytest.mark.parametrize(
    "by", ['"' + "x" * 41 + '"', "7", '["Ada"]', "null"], ids=["too long", "a number", "a list", "nothing"]
)
def test_a_name_that_is_none_is_refused(by: str) -> None:
    with live_table("infinity") as table:
        body = f'{{"seq": {table.seq}, "transaction": "t", "by": {by}, "args": {{"move": "B1"}}}}'
        assert post(table.link, "play", body) == 400
        assert table.moves == []


def test_what_is_asked_needs_the_token_and_changes_nothing() -> None:
    with live_table("infinity") as table:
        address = table.link.partition("#")[0] + "ask/legal_moves?args=%7B%7D"
        with pytest.raises(OSError, match="403"):
            urlopen(address, timeout=5)
        before = table.loop.state()
        with urlopen(Request(address, headers={"X-Companion-Token": TOKEN}), timeout=5) as answer:
            assert b'"moves"' in answer.read()
        assert table.loop.state() == before
