"""What goes wrong while a table is set up: said in words, with a way on."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.page.conftest import PHONE, boxes
from tests.setup.at_table import until
from tests.setup_page.accessible import faults
from tests.setup_page.conftest import Rehearsal, Visitor

EVIL = "<img src=x onerror=document.title='owned'>"
LONG_S = 1e9
"""Until the test itself ends it."""


def test_whoever_has_no_token_looks_on_and_is_told_so(visitor: Visitor, infinity: Rehearsal) -> None:
    page = visitor.open(infinity.link("players").partition("#")[0])
    expect(page.locator("#trouble")).to_contain_text("This page may only look on.")
    for step in ("game", "camera", "players", "rules", "ready"):
        page.locator(f"[data-step={step}]").click()
        expect(page.locator(f"[data-step={step}]")).to_have_attribute("aria-current", "step")
        able = page.locator("#panel :is(input, select, button:not(.setup-link)):enabled").locator("visible=true")
        expect(able).to_have_count(0)
    assert faults(page) == []


def test_a_server_that_was_away_is_marked_and_comes_back_with_its_state(visitor: Visitor, infinity: Rehearsal) -> None:
    page = visitor.open(infinity.link("players"))
    name = page.get_by_label("Name of Blue")
    expect(name).to_be_enabled()
    port = infinity.server.port
    infinity.server.stop()
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator("#link")).to_have_text("")
    expect(name).to_be_disabled()
    infinity.tell("set_names", names={"blue": "Zoë"})
    infinity.serve(port)
    expect(name).to_have_value("Zoë")  # how soon: tests/page/test_reconnect.py, for both pages have the same stream
    expect(page.locator("#lost")).to_be_hidden()
    expect(name).to_be_enabled()
    infinity.tell("set_names", names={"blue": ""})


def test_a_camera_that_is_pulled_is_told_and_seen_again_by_itself(visitor: Visitor, infinity: Rehearsal) -> None:
    page = visitor.open(infinity.link("mat"))
    picture = page.locator(".setup-picture")
    expect(picture).to_have_attribute("data-state", "live")
    expect(page.get_by_text("Good: the camera sees all that it needs.")).to_be_visible()
    infinity.camera.unplug(LONG_S)
    expect(page.locator("#trouble")).to_be_visible()
    expect(picture).to_have_attribute("data-state", "offline")
    expect(page.locator(".camera-words")).to_contain_text("offline since")
    expect(page.get_by_text("Good: the camera sees all that it needs.")).to_be_hidden()
    infinity.camera.unplug(0.0)
    expect(page.locator("#trouble")).to_be_hidden()
    expect(picture).to_have_attribute("data-state", "live")
    expect(page.get_by_text("Good: the camera sees all that it needs.")).to_be_visible()


def test_what_is_refused_is_said_in_words_and_goes_back(visitor: Visitor, infinity: Rehearsal) -> None:
    page = visitor.open(infinity.link("rules"))
    lag = page.get_by_label(re.compile("^Seconds that the knob"))
    lag.fill("5000")
    lag.press("Tab")
    expect(page.locator("#reply.refused")).to_contain_text("0 to 3600")
    expect(lag).to_have_value("10")
    passing = page.get_by_label("A player may pass.")
    passing.click()
    expect(page.get_by_text("Changed; the usual way is: no")).to_be_visible()
    until(lambda: infinity.state["draft"]["options"] == {"allow_pass": True}, "what was chosen")
    page.get_by_role("button", name="Everything the usual way").click()
    expect(passing).not_to_be_checked()
    until(lambda: infinity.state["draft"]["options"] == {}, "the usual way")


def test_names_are_text_and_never_markup(visitor: Visitor, infinity: Rehearsal) -> None:
    page = visitor.open(infinity.link("players"))
    name = page.get_by_label("Name of Yellow")
    name.fill(EVIL)
    name.press("Tab")
    page.locator("[data-step=ready]").click()
    expect(page.locator(".setup-summary")).to_contain_text(EVIL)
    expect(page.locator(".setup-summary img")).to_have_count(0)
    assert page.title() != "owned"
    infinity.tell("set_names", names={"yellow": ""})


def test_the_ready_step_says_what_is_missing_and_leads_there(visitor: Visitor, infinity: Rehearsal) -> None:
    page = visitor.open(infinity.link("ready"), PHONE)
    expect(page.get_by_role("button", name="Begin", exact=True)).to_be_disabled()
    page.get_by_role("button", name="Go to “Pictures”").first.click()
    expect(page.locator("#step-title")).to_have_text("Pictures")
    expect(page.locator("#step-title")).to_be_focused()
    page.go_back()
    expect(page.locator("#step-title")).to_have_text("Ready")


def test_another_language_holds_for_page_and_table(visitor: Visitor, infinity: Rehearsal) -> None:
    page = visitor.open(infinity.link("rules"))
    page.get_by_label("Language").select_option("pl")
    expect(page.locator("#step-title")).to_have_text("Zasady domowe")
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    until(lambda: infinity.state["draft"]["language"] == "pl", "the language")
    english = re.compile(r"\b(the|player|usual|back|next)\b", re.IGNORECASE)
    expect(page.locator("#step")).not_to_contain_text(english, use_inner_text=True)
    assert faults(page) == []
    infinity.tell("set_language", language="en")


def test_two_browsers_see_the_same_and_go_their_own_ways(visitor: Visitor, infinity: Rehearsal) -> None:
    one, other = visitor.open(infinity.link("players")), visitor.open(infinity.link("ready"), PHONE)
    name = one.get_by_label("Name of Blue")
    name.fill("Ada")
    name.press("Tab")
    expect(other.locator(".setup-summary")).to_contain_text("Ada (Blue)")
    expect(one.locator("#step-title")).to_have_text("Players")
    infinity.tell("set_names", names={"blue": ""})
    expect(name).to_have_value("")


@pytest.mark.parametrize("table", ["infinity", "finity"])
def test_the_mat_can_be_printed_on_every_paper_that_is_offered(
    visitor: Visitor, request: pytest.FixtureRequest, table: str
) -> None:
    rehearsal: Rehearsal = request.getfixturevalue(table)
    page = visitor.open(rehearsal.link("mat"))
    links = page.locator(".setup-papers a")
    expect(links).to_have_text(["A4", "A3", "Letter"])
    for link in links.all():
        answer = page.request.get(f"{rehearsal.server.url}setup/{link.get_attribute('href')}")
        assert answer.ok
        assert answer.body().startswith(b"%PDF")
    assert page.request.get(f"{rehearsal.server.url}setup/mat.pdf?paper=../a4").status == 404


def test_a_table_without_a_camera_says_so_in_the_end(visitor: Visitor, infinity: Rehearsal) -> None:
    infinity.tell("choose_camera", device=None)
    page = visitor.open(infinity.link("ready"))
    summary = page.locator(".setup-summary")
    expect(summary).to_contain_text("Without a camera")
    expect(summary).not_to_contain_text("not chosen yet")
    expect(page.get_by_role("button", name="Begin", exact=True)).to_be_enabled()
    page.locator("[data-step=camera]").click()
    expect(page.get_by_role("radio", name="Without a camera")).to_have_accessible_name(
        re.compile("enter them on the page")
    )
    infinity.tell("choose_camera", device="simulated", width=1280, height=720)


def test_what_takes_long_is_told_without_covering_another_step(visitor: Visitor, finity: Rehearsal) -> None:
    page = visitor.open(finity.link("players"), PHONE)
    released = threading.Event()

    def works(say: Callable[[str], None]) -> None:
        say("fitting")
        released.wait()

    finity.session.work("The camera learns.", works)
    try:
        busy = page.locator("#busy")
        expect(busy).to_have_text("The camera learns: fitting")
        (_, _, _, words_end), (_, tower_begins, _, _) = boxes(page, "#busy", ".setup-tower svg")
        assert words_end < tower_begins
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        expect(busy).not_to_be_in_viewport()
    finally:
        released.set()


def test_numbers_are_said_as_the_language_does(visitor: Visitor, infinity: Rehearsal) -> None:
    page = visitor.open(infinity.link("mat").replace("?", "?lang=pl&"))
    said = page.evaluate(
        """async () => {
            const { learning } = await import("./static/setup_learning.js");
            const shown = learning(() => null);
            const calibration = { ok: true, stale: false, doubtful: [], blind: [], reprojection_error_px: 0.16 };
            shown.draw({ calibration, shots: [] }, true);
            return shown.root.textContent;
        }"""
    )
    assert "0,16 piksela" in said
