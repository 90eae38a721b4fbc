"""The overlay in a real browser, as streaming software shows it."""

from __future__ import annotations

import io

import httpx
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from companion.page.app import create_app
from companion.page.server import PageServer
from tests.overlay.conftest import Open
from tests.page.conftest import Serve
from tests.page.fake_table import TOKEN, FakePageTable
from tests.page.finity_table import FakeFinityTable

HOSTILE = "<img src=x onerror=alert(1)> Łucja"


def overlay(server: PageServer, query: str = "") -> str:
    return f"{server.url}overlay/table{query}"


def shown(page: Page) -> Page:
    page.wait_for_selector("#overlay:not([aria-busy])")
    return page


def test_it_says_score_turn_and_last_move(server: PageServer, table: FakePageTable, open_page: Open) -> None:
    table.change(names={"blue": HOSTILE, "yellow": "Ben"})
    table.move("B1", "B...|....|....|....", by="blue")
    table.move("Y2", "B...|Y...|....|....", by="yellow", score=-2)
    page = shown(open_page(overlay(server)))
    plates = page.locator(".plate")
    expect(plates.nth(0)).to_contain_text(HOSTILE)
    expect(plates.nth(0)).to_contain_text("to move")
    expect(plates.nth(0).locator(".points")).to_have_text("0 / 5")
    expect(plates.nth(1).locator(".points")).to_have_text("2 / 5")
    expect(page.locator("#last")).to_have_text("Yellow pushes a marble into channel 2")
    expect(page.locator("#call")).to_be_hidden()
    expect(page.locator("#board")).to_be_hidden()
    table.move("B3", "B...|Y...|B...|....", by="blue", score=1)
    expect(plates.nth(0).locator(".points")).to_have_text("1 / 5")
    expect(page.locator("#last")).to_have_text("Blue pushes a marble into channel 3")


def test_it_is_transparent_but_for_what_it_says(server: PageServer, table: FakePageTable, open_page: Open) -> None:
    page = shown(open_page(overlay(server, "?corner=bottom-right")))
    page.wait_for_timeout(700)  # the fade itself
    image = Image.open(io.BytesIO(page.screenshot(omit_background=True)))
    width, height = image.size
    assert image.getpixel((width // 2, height // 2)) == (0, 0, 0, 0)
    assert image.getpixel((5, 5)) == (0, 0, 0, 0)
    opaque = image.getchannel("A").point(lambda alpha: 255 * (alpha > 100)).getbbox()
    assert opaque is not None
    assert opaque[0] > width // 2
    assert opaque[1] > height // 2


@pytest.mark.parametrize(
    ("corner", "left", "top"),
    [
        ("top-left", True, True),
        ("top-right", False, True),
        ("bottom-left", True, False),
        ("bottom-right", False, False),
    ],
)
def test_it_stands_in_any_corner(server: PageServer, open_page: Open, corner: str, left: bool, top: bool) -> None:
    page = shown(open_page(overlay(server, f"?corner={corner}")))
    box = page.locator("#overlay").bounding_box()
    assert box is not None
    assert (box["x"] < 100) == left
    assert (box["y"] < 100) == top


def test_it_can_be_larger_and_speak_polish(server: PageServer, table: FakePageTable, open_page: Open) -> None:
    table.change(to_move="blue")
    small = shown(open_page(overlay(server, "?lang=pl"))).locator(".plate").first
    large = shown(open_page(overlay(server, "?lang=pl&scale=1.5"))).locator(".plate").first
    expect(small).to_contain_text("na ruchu")
    one, other = small.bounding_box(), large.bounding_box()
    assert one is not None
    assert other is not None
    assert other["height"] == pytest.approx(1.5 * one["height"], rel=0.05)


@pytest.mark.parametrize("scale", ["1", "1.5", "2"])
def test_in_a_narrow_source_nothing_lies_over_something_else(
    server: PageServer, table: FakePageTable, open_page: Open, scale: str
) -> None:
    table.change(to_move="blue", names={"blue": "Wielisława Brzęczyszczykiewicz"})
    page = shown(open_page(overlay(server, f"?scale={scale}"), size=(390, 844)))
    plate = page.locator(".plate.turn")
    expect(plate.locator(".mark")).to_have_text("to move")
    parts = [plate.locator(part).bounding_box() for part in (".name", ".mark", ".points")]
    for number, one in enumerate(parts):
        for other in parts[number + 1 :]:
            assert one is not None
            assert other is not None
            beside = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
            above = one["y"] + one["height"] <= other["y"] + 1 or other["y"] + other["height"] <= one["y"] + 1
            assert beside or above
        assert one is not None
        assert one["width"] > 20, "what is there can be read"


@pytest.mark.parametrize("query", ["?scale=900&corner=<script>&lang=../../etc", "?scale=-1", "?scale=x&corner="])
def test_choices_that_cannot_be_count_as_not_given(server: PageServer, open_page: Open, query: str) -> None:
    page = shown(open_page(overlay(server, query)))
    expect(page.locator("body")).to_have_class("top-left")
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--scale')") == "1"


def test_the_board_is_drawn_where_it_is_asked_for(server: PageServer, table: FakePageTable, open_page: Open) -> None:
    table.move("B1", "B...|....|....|....", by="blue")
    page = shown(open_page(overlay(server, "?board=1&moves=0")))
    expect(page.locator("#board svg .piece[data-label=B]").first).to_be_visible()
    expect(page.locator("#last")).to_be_hidden()
    table.move("Y1", "BY..|....|....|....", by="yellow")
    expect(page.locator("#board svg .last")).to_have_count(0)


def test_calls_are_told_the_most_urgent_first(server: PageServer, table: FakePageTable, open_page: Open) -> None:
    page = shown(open_page(overlay(server)))
    call = page.locator("#call")
    table.put_question("q1", "Which one?", {"B1": "a marble"})
    expect(call).to_have_text("The referee asks the table")
    table.change(illegal={"reason": "two_moves", "detail": "…", "seen": {}, "by": None, "also": []})
    expect(call).to_have_text("Two moves at once")
    table.change(illegal=None, question=None)
    expect(call).to_be_hidden()
    table.change(outcome={"winner": "blue", "by": "five_ahead"}, outcome_words="Blue wins (five ahead)")
    expect(call).to_have_text("Blue wins (five ahead)")
    expect(page.locator(".plate.won")).to_contain_text("has won")


def test_without_a_connection_it_fades_and_never_shows_the_past_as_now(
    table: FakePageTable, serve: Serve, open_page: Open
) -> None:
    server = serve(table, 0)
    page = shown(open_page(overlay(server)))
    expect(page.locator("#overlay")).to_have_css("opacity", "1")
    server.stop()
    expect(page.locator("#overlay")).to_have_css("opacity", "0")
    table.move("B4", "....|....|....|B...", by="blue")
    serve(table, server.port)
    expect(page.locator("#overlay")).to_have_css("opacity", "1")
    expect(page.locator("#last")).to_have_text("Blue pushes a marble into channel 4")


def test_it_takes_no_commands(server: PageServer, table: FakePageTable, open_page: Open) -> None:
    table.put_question("q1", "Which one?", {"B1": "a marble"})
    page = shown(open_page(overlay(server, f"?board=1#token={TOKEN}")))
    assert page.locator("button, input, select, textarea, a, form, [tabindex]").count() == 0
    assert table.commands == []


def test_finitys_paths_are_told(open_page: Open) -> None:
    table = FakeFinityTable(["add b N>NE M", "add b S>SW M"])
    with PageServer(create_app({"table": table}, token=TOKEN), port=0) as server:
        page = shown(open_page(overlay(server, "?board=1")))
        expect(page.locator(".plate .points").first).to_have_text("1 / 8")
        assert page.locator("#board svg .arrow").count() > 0


def test_a_table_that_is_not_there_is_said_so(server: PageServer) -> None:
    assert httpx.get(f"{server.url}overlay/nowhere").status_code == 404
