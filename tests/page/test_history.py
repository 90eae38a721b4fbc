"""The page's past: the board as it was after earlier moves, marked as the past, and back to the table by one tap."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from companion.games.game import Json, Played
from tests.page.conftest import PHONE, Serve, Visitor, intercept
from tests.page.fake_table import TOKEN
from tests.page.ruled_table import RuledTable
from tests.page.test_server import wait_until

MOVES = ("B1", "Y2", "B1", "W3", "K2", "Y2")
NAMES = {"blue": "Anna", "yellow": "Józef"}


@pytest.fixture
def table() -> RuledTable:
    return RuledTable("infinity", MOVES, names=NAMES)


@pytest.fixture
def page(visitor: Visitor, serve: Serve, table: RuledTable) -> Page:
    return visitor.open(serve(table, 0).link(TOKEN))


def channels(page: Page) -> str:
    """The marbles in the channels as the drawing has them, the well's left out."""
    expect_drawn(page)
    words = page.locator("#board-words").text_content() or ""
    return " ".join(re.findall(r"\d\.\d: \w+ \w+", words))


def expect_drawn(page: Page) -> None:
    """The position that the banner names is there: the server has been asked for it."""
    expect(page.locator("#board-frame:not(.awaited)")).to_be_visible()


def expect_past(page: Page, ply: int) -> None:
    expect(page.locator("#board-frame")).to_have_attribute("data-view", "past")
    expect(page.locator("#view .tag")).to_have_text("The past")
    expect(page.locator("#view")).to_contain_text(f"After move {ply} of 6" if ply else "Before the first move")
    expect(page.locator("#view small")).to_be_visible()


def expect_live(page: Page) -> None:
    expect(page.locator("#board-frame")).to_have_attribute("data-view", "live")
    expect(page.locator("#view")).to_be_hidden()


@pytest.mark.parametrize("way", ["buttons", "keys", "tap", "slider"])
def test_it_steps_back_and_forward(page: Page, way: str) -> None:
    live = channels(page)
    if way == "buttons":
        for _ in range(3):
            page.get_by_role("button", name="One move back").click()
    elif way == "keys":
        for _ in range(3):
            page.keyboard.press("ArrowLeft")
    elif way == "tap":
        page.locator('#events .jump[data-ply="3"]').click()
    else:
        page.get_by_role("slider", name="Move to look at").fill("3")
    expect_past(page, 3)
    assert channels(page) == "1.1: blue marble 1.2: blue marble 2.1: yellow marble"
    expect(page.locator('#events [data-ply="3"]')).to_have_attribute("aria-current", "true")
    expect(page.locator("#view")).to_contain_text("Anna pushes a marble into channel 1")
    expect(page.locator("#view small")).to_have_text("Even · Józef to move")
    page.get_by_role("button", name="One move forward").click()
    expect_past(page, 4)
    page.get_by_role("button", name="Back to now").click()
    expect_live(page)
    assert channels(page) == live
    expect(page.locator("#events [aria-current]")).to_have_count(0)


def test_the_start_and_the_end_are_one_tap_away(page: Page) -> None:
    page.keyboard.press("Home")
    expect_past(page, 0)
    assert channels(page) == ""
    page.keyboard.press("ArrowLeft")
    expect_past(page, 0)
    page.keyboard.press("End")
    expect_live(page)
    page.keyboard.press("ArrowRight")
    expect_live(page)


def test_score_and_turn_stay_those_of_the_table(page: Page, table: RuledTable) -> None:
    page.keyboard.press("Home")
    expect_past(page, 0)
    expect(page.locator("#turn span")).to_have_text("Anna to move")
    table.play("B4")
    expect(page.locator("#turn span")).to_have_text("Józef to move")
    expect(page.locator("#view")).to_contain_text("Before the first move")
    page.keyboard.press("End")
    expect(page.locator("#board-words")).to_contain_text("4.1: blue marble")


def test_nothing_wrong_of_now_is_drawn_into_the_past(page: Page, table: RuledTable) -> None:
    wrong: dict[str, Json] = {"reason": "piece_taken", "detail": "Put it back.", "seen": {"1.1": "."}, "also": []}
    table.tell("illegal", then={"illegal": wrong}, by=None, **wrong)
    expect(page.locator("#board .wrong")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    expect_past(page, 5)
    expect(page.locator("#board .wrong")).to_have_count(0)
    expect(page.locator("#illegal")).to_be_visible()


def test_keys_that_are_typed_turn_no_pages(page: Page) -> None:
    page.get_by_role("slider", name="Move to look at").focus()
    page.keyboard.press("ArrowLeft")  # the slider's own step, not that and one more
    expect_past(page, 5)
    page.keyboard.press("End")
    expect_live(page)
    page.locator("select.language").focus()
    page.keyboard.press("Home")
    expect_live(page)


def test_a_correction_changes_the_past_that_is_shown(page: Page, table: RuledTable) -> None:
    page.locator('#events .jump[data-ply="3"]').click()
    expect_past(page, 3)
    table.obey("correct", {"ply": 3, "moves": ["K1"], "why": "it was black"})
    expect(page.locator("#board-words")).to_contain_text("1.1: black Joker")
    expect(page.locator("#view")).to_contain_text("After move 3 of")


def test_each_position_is_asked_for_once(page: Page, table: RuledTable) -> None:
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
    expect_past(page, 5)

    def asked() -> list[str]:
        return sorted(str(args["ply"]) for name, args in table.asked if name == "position")

    wait_until(lambda: len(asked()) >= 3)  # steps that nobody stays at are asked for, too, and may be answered late
    page.keyboard.press("ArrowLeft")
    expect_past(page, 4)
    assert asked() == ["4", "5", "6"]  # the last for the mark of what its move changed


def test_a_new_game_has_no_past(page: Page, table: RuledTable) -> None:
    page.keyboard.press("ArrowLeft")
    expect_past(page, 5)
    table.obey("new_game", {})
    expect_live(page)
    expect(page.locator("#history")).to_be_hidden()
    table.play("Y4")
    expect(page.locator(".count")).to_have_text("1 / 1")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#view")).to_contain_text("Before the first move")
    assert channels(page) == ""


def test_a_past_that_cannot_be_had_is_said(page: Page, table: RuledTable) -> None:
    intercept(page, "**/position?ply=5*", lambda route: route.abort("connectionrefused"))
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#view")).to_contain_text("This position cannot be had at the moment.")
    expect(page.locator("#board svg")).to_be_hidden()  # the table's own board is not that position
    page.keyboard.press("ArrowRight")
    expect_live(page)
    expect(page.locator("#board svg")).to_be_visible()


def test_fingers_step_through_it_on_a_phone(visitor: Visitor, serve: Serve, table: RuledTable) -> None:
    phone = visitor.open(serve(table, 0).url, PHONE)
    for name in ("To the start of the game", "One move back", "One move forward", "To the table as it is now"):
        box = phone.get_by_role("button", name=name).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    phone.get_by_role("button", name="One move back").click()
    expect_past(phone, 5)


def test_the_keyboard_finds_its_way_back(page: Page) -> None:
    page.locator('#events .jump[data-ply="2"]').focus()
    page.keyboard.press("Enter")
    expect_past(page, 2)
    page.get_by_role("button", name="Back to now").focus()
    page.keyboard.press("ArrowLeft")
    expect_past(page, 1)
    expect(page.get_by_role("button", name="Back to now")).to_be_focused()
    page.keyboard.press("Enter")
    expect_live(page)


def going_on(table: RuledTable, number: int) -> str:
    """A legal move that keeps the game even, another one each time."""
    rules, position = table.game, table.table.referee.record.position
    legal = rules.legal_moves(position)
    found = []
    for at, move in enumerate(legal):
        played = rules.play(position, move)
        assert isinstance(played, Played)
        if rules.outcome(played.after) is None:
            score = rules.position_json(played.after)["score"]
            assert isinstance(score, int)
            found.append((abs(score), (at + number) % len(legal), move))
    return min(found)[2]


def test_a_long_game_lists_its_newest_moves_and_all_when_asked(visitor: Visitor, serve: Serve) -> None:
    table = RuledTable("infinity", names=NAMES)
    for number in range(300):
        table.play(going_on(table, number))
    page = visitor.open(serve(table, 0).url)
    expect(page.locator("#events .event")).to_have_count(40)
    page.get_by_role("button", name="Show all moves and events").click()
    expect(page.locator("#events .jump").last).to_have_attribute("data-ply", "1")
    expect(page.locator("#events-more")).to_be_hidden()
    page.get_by_role("slider", name="Move to look at").fill("1")
    expect(page.locator("#view")).to_contain_text("After move 1 of")
