"""The board editor: lines over a picture, dragged with a mouse and moved by keys."""

from __future__ import annotations

import json
import math
import re
import time

from playwright.sync_api import Page, expect

from tests.page.conftest import PHONE
from tests.setup.at_table import until
from tests.setup_page.accessible import faults
from tests.setup_page.conftest import Rehearsal, Visitor


def opened(visitor: Visitor, table: Rehearsal, size: tuple[int, int] = (1280, 800)) -> Page:
    """The editor, newly begun from the usual board, with its first corner chosen."""
    if table.state["board_editor"]:
        table.tell("edit_board", do="close")
    page = visitor.open(table.link("editor"), size)
    page.get_by_role("button", name="Begin from: the usual board").click()
    expect(page.locator('[data-id="corner.0"]')).to_be_focused()
    return page


def handle(table: Rehearsal, place: str) -> tuple[float, float]:
    found = next(each for each in table.state["board_editor"]["handles"] if each["place"] == place)
    return found["x"], found["y"]


def expect_at(table: Rehearsal, place: str, at: tuple[float, float], within_px: float) -> None:
    """The table comes to have a place there: what is dragged is told when it has come to rest."""
    until(lambda: math.dist(handle(table, place), at) < within_px, f"{place} at {at}")


def drag(page: Page, place: str, by_px: tuple[float, float]) -> None:
    """Drag a handle by so many pixels of the picture."""
    dot = page.locator(f'[data-id="{place}"] .editor-dot')
    dot.scroll_into_view_if_needed()
    x, y, scale = dot.evaluate(
        """dot => {
            const { left, top, width, height } = dot.getBoundingClientRect();
            return [left + width / 2, top + height / 2, dot.closest(".editor").getScreenCTM().a];
        }"""
    )
    page.mouse.move(x, y)
    page.mouse.down()
    expect(page.locator(".dragging")).to_have_count(1)
    page.mouse.move(x + by_px[0] * scale / 2, y + by_px[1] * scale / 2)
    page.mouse.move(x + by_px[0] * scale, y + by_px[1] * scale)
    expect(page.locator(".editor-loupe")).to_be_visible()
    page.mouse.up()
    expect(page.locator(".dragging")).to_have_count(0)


def test_a_place_and_the_corners_are_dragged_taken_back_saved_and_used(visitor: Visitor, infinity: Rehearsal) -> None:
    page = opened(visitor, infinity)
    assert faults(page) == []
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    knob, seat = handle(infinity, "knob"), handle(infinity, "1.1")

    drag(page, "knob", (30, -20))
    expect(undo).to_be_enabled()
    expect_at(infinity, "knob", (knob[0] + 30, knob[1] - 20), 1.5)
    expect_at(infinity, "1.1", seat, 0.5)  # nothing else moved

    corner = page.locator('[data-id="corner.1"]')
    before = corner.get_attribute("aria-label") or ""
    drag(page, "corner.1", (40, 0))
    expect(page.locator(".editor-spoken")).to_contain_text("Top right corner")
    undo.click()
    expect(corner).to_have_attribute("aria-label", before)  # only then the next press is no double tap
    undo.click()
    expect(undo).to_be_disabled()
    expect_at(infinity, "knob", knob, 0.5)

    drag(page, "knob", (10, 0))
    page.get_by_label("Name of the board").fill("attic")
    page.get_by_role("button", name="Save the board").click()
    expect(page.get_by_text(re.compile(r"Saved in .*attic\.json"))).to_be_visible()
    saved = json.loads((infinity.folder / "attic.json").read_text("utf-8"))
    assert saved["game"] == "infinity"
    page.get_by_role("button", name="Use this board").click()
    expect(page.locator("#step-title")).to_have_text("Mat")
    expect(page.get_by_role("radio", name="attic")).to_be_checked()
    page.get_by_role("radio", name="the usual board").click()
    until(lambda: infinity.state["draft"]["board"] != "attic.json", "the usual board")


def test_keys_choose_and_move_and_a_screen_reader_hears_where(visitor: Visitor, infinity: Rehearsal) -> None:
    page = opened(visitor, infinity)
    here = page.locator(".editor-handle:focus")
    page.get_by_label("Go to a place").select_option(label="Knob")
    expect(here).to_have_attribute("data-id", "knob")
    x, y = handle(infinity, "knob")
    # Keys that follow one another are one change: on the page's own clock no time passes between them.
    page.clock.install()
    page.clock.pause_at(time.time() + 1)
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "Shift+ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator(".editor-spoken")).to_have_text(f"Knob: {round(x + 2)}, {round(y + 9)}")
    page.clock.resume()
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    expect_at(infinity, "knob", (x + 2, y + 9), 1.0)
    expect(here).to_have_attribute("data-id", "knob")
    page.keyboard.press("PageDown")
    expect(here).to_have_attribute("data-id", "well")
    page.keyboard.press("PageUp")
    expect(here).to_have_attribute("data-id", "knob")
    page.get_by_role("button", name="Undo").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    expect_at(infinity, "knob", (x, y), 0.5)


def test_numbers_are_set_and_impossible_ones_refused_in_words(visitor: Visitor, infinity: Rehearsal) -> None:
    page = opened(visitor, infinity)
    page.get_by_text("Measures in numbers").click()
    page.get_by_label("Which measure").select_option("knob.r")
    before = infinity.state["board_editor"]["board"]["knob"]["r"]
    page.get_by_label("Number", exact=True).fill(str(before + 1))
    page.get_by_role("button", name="Set").click()
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    assert infinity.state["board_editor"]["board"]["knob"]["r"] == before + 1
    page.get_by_label("Number", exact=True).fill("-5")
    page.get_by_role("button", name="Set").click()
    expect(page.locator("#reply.refused")).to_contain_text("knob")
    assert infinity.state["board_editor"]["board"]["knob"]["r"] == before + 1


def test_a_board_of_tiles_is_dragged_on_a_phone(visitor: Visitor, finity: Rehearsal) -> None:
    page = opened(visitor, finity, PHONE)
    station = handle(finity, "W")
    page.get_by_role("button", name="Larger").click()
    drag(page, "W", (-25, 5))
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    expect_at(finity, "W", (station[0] - 25, station[1] + 5), 1.5)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
