"""What lies on the board, said by tapping and by keys."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.conftest import DESK, PHONE
from tests.setup_page.accessible import faults
from tests.setup_page.conftest import Rehearsal, Visitor


def opened(visitor: Visitor, table: Rehearsal, size: tuple[int, int] = DESK) -> Page:
    """The picture of the first position, taken and open for saying what lies there."""
    for shot in table.state["shots"][:2]:
        if not shot["taken"]:
            table.tell("take_shot", name=shot["name"])
    page = visitor.open(table.link("pictures"), size)
    row = page.locator(".setup-shot", has_text="The first position")
    expect(row.get_by_role("button", name=re.compile("Open|This is right")).first).to_be_visible()
    if row.get_by_role("button", name="Open").is_visible():
        row.get_by_role("button", name="Open").click()
    expect(page.locator(".setup-target").first).to_be_attached()
    return page


def said(table: Rehearsal) -> dict[str, object]:
    state = next(each for each in table.state["shots"] if each["name"] == "first")["state"]
    assert isinstance(state, dict)
    return state


def test_a_tap_on_a_place_asks_what_lies_there(visitor: Visitor, infinity: Rehearsal) -> None:
    page = opened(visitor, infinity)
    before = str(said(infinity)["board"]).split("|")
    place = page.locator('.setup-target[data-place="4.2"]')
    expect(place).to_have_attribute("aria-label", "channel 4, place 2: nothing")
    place.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("channel 4, place 2")
    expect(dialog.get_by_role("button", name="nothing")).to_be_focused()
    assert faults(page) == []
    dialog.get_by_role("button", name="yellow marble").click()
    expect(dialog).to_be_hidden()
    expect(place).to_have_attribute("aria-label", "channel 4, place 2: yellow marble")
    expect(place).to_be_focused()
    page.get_by_role("button", name="This is right").click()
    expect(page.locator(".setup-shot.active", has_text="The first position")).to_have_count(0)
    after = str(said(infinity)["board"]).split("|")
    assert after == [*before[:3], before[3][0] + "Y.."]


def test_keys_go_from_place_to_place_and_enter_pieces(visitor: Visitor, infinity: Rehearsal) -> None:
    page = opened(visitor, infinity)
    here = page.locator(".setup-target:focus")
    page.locator('.setup-target[tabindex="0"]').focus()
    expect(here).to_have_attribute("data-place", "1.1")
    page.keyboard.press("ArrowUp")
    expect(here).to_have_attribute("data-place", "1.2")
    page.keyboard.press("ArrowRight")
    expect(here).to_have_attribute("data-place", "2.2")
    page.keyboard.press("b")
    expect(here).to_have_attribute("aria-label", "channel 2, place 2: blue marble")
    page.keyboard.press("Delete")
    expect(here).to_have_attribute("aria-label", "channel 2, place 2: nothing")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(here).to_have_attribute("aria-label", "channel 2, place 2: blue marble")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(here).to_have_attribute("aria-label", "channel 2, place 2: blue marble")


def test_the_knob_is_said_by_its_stops(visitor: Visitor, infinity: Rehearsal) -> None:
    page = opened(visitor, infinity)
    page.locator('.setup-target[data-place="knob"]').click()
    page.get_by_role("dialog").get_by_role("button", name="at the infinity sign").click()
    expect(page.locator('.setup-target[data-place="knob"]')).to_have_attribute(
        "aria-label", "knob: at the infinity sign"
    )
    page.get_by_role("button", name="This is right").click()
    expect(page.locator(".setup-shot.active", has_text="The first position")).to_have_count(0)
    assert said(infinity)["knob_stop"] == 5


def test_a_position_that_cannot_be_is_refused_in_words_and_can_be_mended(visitor: Visitor, infinity: Rehearsal) -> None:
    page = opened(visitor, infinity)
    before = said(infinity)
    joker = page.locator('.setup-target[aria-label*="nothing"]').first
    joker.focus()
    page.keyboard.press("k")
    page.get_by_role("button", name="This is right").click()
    expect(page.locator("#reply.refused")).to_contain_text("black marbles are said to be there, a set has 1")
    assert said(infinity) == before
    expect(page.locator(".setup-shot.active .setup-target").first).to_be_attached()


@pytest.mark.parametrize("size", [PHONE, pytest.param(DESK, marks=pytest.mark.long)])
def test_bridges_and_rings_are_entered_by_tapping(visitor: Visitor, finity: Rehearsal, size: tuple[int, int]) -> None:
    page = opened(visitor, finity, size)
    drawing = page.locator(".setup-entry svg.setup-board").last
    drawing.scroll_into_view_if_needed()
    place = page.locator('.setup-target[data-place="W.L"]')
    if size == PHONE:  # a tap on what is small comes nearer first
        box = page.locator('.setup-target[data-place="W.P"]').bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert drawing.evaluate("drawing => drawing.clientWidth > 2.5 * drawing.parentElement.clientWidth")
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box is not None
    # On its band: a ring's middle belongs to other places.
    place.click(position={"x": box["width"] / 2, "y": box["height"] * 0.95}, force=True)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("large ring on W")
    dialog.get_by_role("button", name="B", exact=True).click()
    expect(place).to_have_attribute("aria-label", "large ring on W: B")
    lane = page.locator('.setup-target[data-place="C>NW M"]')
    lane.focus()
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="white bridge from NW to C").click()
    expect(lane).to_have_attribute("aria-label", re.compile("white bridge from NW to C$"))
    page.get_by_role("button", name="This is right").click()
    expect(page.locator(".setup-shot.active")).to_have_count(0)
    state = said(finity)
    assert "w NW>C M" in str(state["bridges"])
    rings = state["rings"]
    assert isinstance(rings, dict)
    assert rings["W"]["L"] == "B"


def test_a_post_stands_in_one_place_only(visitor: Visitor, finity: Rehearsal) -> None:
    page = opened(visitor, finity)
    page.locator('.setup-target[data-place="SE.P"]').focus()
    page.keyboard.press("a")
    expect(page.locator('.setup-target[data-place="SE.P"]')).to_have_attribute("aria-label", "post on SE: A")
    expect(page.locator('.setup-target[data-place="N.P"]')).to_have_attribute("aria-label", "post on N: nothing")
