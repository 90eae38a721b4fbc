"""Questions, doubtful places and corrections in a real browser on a real table."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest
from playwright.sync_api import Page, Route, expect

from companion.evidence import MarbleEntered, Sight
from tests.page.conftest import DESK, PHONE, Visitor, boxes, intercept
from tests.page.live_table import LiveTable, live_table
from tests.reconciler.sights import EMPTY, sight
from vision.reading import PlaceReading, Status

WON = {"board": "BB..|BB..|BB..|B...", "score": 0, "to_move": "blue"}
BLUE_OR_JOKER = PlaceReading({"B": 0.6, "K": 1.0, ".": 0.01, "Y": 0.001, "W": 0.001}, sure=False)


def open_correction(page: Page, words: str | re.Pattern[str]) -> None:
    page.get_by_role("button", name="Correct a move").click()
    page.locator(".sheet[open] .choice", has_text=words).click()


def test_a_correction_shows_what_would_come_of_it_and_is_then_accepted(visitor: Visitor) -> None:
    with live_table("infinity") as table:
        table.play("B1", "Y2", "B3", "Y4")
        page = visitor.open(table.link)
        page.get_by_label("Your name").fill("Ada")
        page.get_by_label("Your name").blur()
        open_correction(page, "2: ")
        page.get_by_role("button", name="A move before it is missing").click()
        page.get_by_role("combobox", name="Where", exact=True).select_option("2.1")
        before = table.loop.state()
        page.locator(".pick-options button").first.click()
        expect(page.get_by_text("This would change")).to_be_visible()
        assert table.loop.state() == before, "who only looks changes nothing"
        expect(page.locator(".new li")).to_have_count(1)
        expect(page.locator(".stays summary")).to_have_count(0)
        expect(page.locator(".falls li")).to_have_count(3)
        expect(page.locator(".falls")).to_contain_text("Because: ")
        expect(page.locator(".preview tbody td").first).to_have_text("Even")
        page.get_by_label("Why (others will read it)").fill("nobody looked")
        page.get_by_role("button", name="Correct it").click()
        expect(page.locator(".sheet[open]")).to_have_count(0)
        expect(page.locator("#events .event").first).to_contain_text("By Ada. Nobody looked")
        assert len(table.moves) == 2


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_what_is_decided_stays_in_sight_below_many_moves(visitor: Visitor, size: tuple[int, int]) -> None:
    with live_table("infinity") as table:
        table.play(*("B1", "Y2", "B3", "Y4") * 3)
        page = visitor.open(table.link, size)
        open_correction(page, re.compile(r"^\s*1: "))
        page.get_by_role("button", name="It was never played").click()
        expect(page.locator(".falls li")).to_have_count(11)
        expect(page.get_by_role("button", name="Correct it")).to_be_in_viewport(ratio=1)


def test_a_move_is_replaced_and_two_are_swapped_with_the_keyboard_alone(visitor: Visitor) -> None:
    with live_table("finity") as table:
        table.play("add b N>NE M", "add w NE>E M", "add b N>NW M")
        page = visitor.open(table.link, PHONE)
        page.get_by_role("button", name="Correct a move").focus()
        page.keyboard.press("Enter")
        page.locator(".sheet[open] .choice").last.focus()
        page.keyboard.press("Enter")
        page.get_by_role("button", name=re.compile("It came after the next one")).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Correct it")).to_be_focused()
        expect(page.locator(".stays summary")).to_have_text("1 later move stays")
        page.keyboard.press("Enter")
        table.wait_for(page, ["add w NE>E M", "add b N>NE M", "add b N>NW M"])
        expect(page.get_by_role("button", name="Correct a move")).to_be_focused()


def test_an_end_by_mistake_is_taken_back(visitor: Visitor) -> None:
    with live_table("infinity", WON) as table:
        table.play("B4")
        page = visitor.open(table.link)
        expect(page.locator("#over")).to_contain_text("Anna has won")
        undo = page.get_by_role("button", name="Take back the last move")
        undo.focus()
        page.keyboard.press("Enter")
        accept = page.get_by_role("button", name="Take it back")
        expect(accept).to_be_focused()
        expect(page.locator(".sheet[open] .gone li")).to_have_count(1)
        described = accept.evaluate(
            "each => document.getElementById(each.getAttribute('aria-describedby')).textContent"
        )
        assert "Anna" in described, "a screen reader says with the button what it would do"
        assert table.moves == ["B4"], "who only looks changes nothing"
        page.keyboard.press("Enter")
        expect(page.locator(".sheet[open]")).to_have_count(0)
        expect(page.locator("#over")).to_be_hidden()
        expect(page.locator("#turn span")).to_have_text("Anna to move")
        expect(page.locator("#events .event").first).to_contain_text("taken back")
        assert table.moves == []


def test_what_came_too_late_is_refused_and_both_sides_stay_the_same(visitor: Visitor) -> None:
    """W07: the page applies nothing early."""
    with live_table("infinity") as table:
        table.play("B1", "Y2")
        page = visitor.open(table.link)

        def overtake(route: Route) -> None:
            table.play("B3")
            route.continue_()

        intercept(page, "**/command/undo*", overtake)
        page.get_by_role("button", name="Take back the last move").click()
        page.get_by_role("button", name="Take it back").click()
        expect(page.locator(".sheet[open] .reply")).to_contain_text("The game has gone on since")
        page.keyboard.press("Escape")
        expect(page.locator("#turn span")).to_have_text("Józef to move")
        assert table.moves == ["B1", "Y2", "B3"]
        expect(page.locator("#board-words")).to_contain_text("3.1")
    visitor.complaints = [each for each in visitor.complaints if "409" not in each]


def test_a_move_that_comes_while_an_undo_is_looked_at_is_not_taken_back_unseen(visitor: Visitor) -> None:
    with live_table("finity") as table:
        table.play("add b N>NE M", "add w NE>E M")
        page = visitor.open(table.link, PHONE)
        page.get_by_role("button", name="Take back the last move").click()
        expect(page.get_by_role("button", name="Take it back")).to_be_focused()
        table.play("add b N>NW M")
        expect(page.locator(".sheet[open] .reply")).to_contain_text("The game has gone on")
        expect(page.get_by_role("button", name="Take it back")).to_have_count(0)
        page.get_by_role("button", name="Show the last move").click()
        page.get_by_role("button", name="Take it back").click()
        table.wait_for(page, ["add b N>NE M", "add w NE>E M"])


def test_the_last_game_is_taken_up_where_a_new_one_was_begun_by_mistake(visitor: Visitor) -> None:
    with live_table("infinity", WON) as table:
        table.play("B4")
        page = visitor.open(table.link)
        again = page.get_by_role("button", name="Take up the last game again")
        expect(again).to_be_hidden()
        page.get_by_role("button", name="New game").click()
        expect(page.locator("#over")).to_be_hidden()
        expect(again).to_contain_text("Anna wins")
        again.click()
        expect(page.locator("#over")).to_contain_text("Anna has won")
        expect(page.locator("#events")).to_contain_text("The last game goes on")
        expect(again).to_be_hidden()


def test_the_moves_of_a_game_that_is_taken_up_again_are_read_and_tapped_as_before(visitor: Visitor) -> None:
    with live_table("infinity") as table:
        table.play("B1", "Y2", "B3")
        page = visitor.open(table.link)
        expect(page.locator("#events .jump")).to_have_count(3)
        words = page.locator("#events .jump").all_inner_texts()
        assert table.command("new_game").ok
        page.get_by_role("button", name="Take up the last game again").click()
        expect(page.locator("#events .jump")).to_have_text(words)
        table.play("Y4")
        expect(page.locator("#events .jump")).to_have_count(4)
        page.locator("#events .jump").nth(2).click()
        expect(page.locator("#view")).to_contain_text(words[1])
        page.reload(wait_until="domcontentloaded")
        expect(page.locator("#events .jump")).to_have_count(4)
        expect(page.locator("#events .jump")).to_have_text([re.compile("channel 4"), *words])


def test_a_correction_of_an_older_move_stays_while_the_game_goes_on(visitor: Visitor) -> None:
    with live_table("infinity") as table:
        table.play("B1", "Y2")
        page = visitor.open(table.link)
        open_correction(page, "2: ")
        ways = page.locator(".sheet[open] .choice")
        expect(ways).to_have_count(3)
        table.play("B3")
        expect(ways).to_have_count(4)  # now it may have come after the next one
        page.get_by_role("button", name="Another move was played").click()
        page.get_by_role("combobox", name="Where", exact=True).select_option("4.1")
        table.play("Y1")
        expect(page.locator("#turn span")).to_have_text("Anna to move")
        expect(page.get_by_role("combobox", name="Where", exact=True)).to_have_value("4.1")
        page.locator(".pick-options button").first.click()
        expect(page.get_by_role("button", name="Correct it")).to_be_focused()
        page.get_by_label("Why (others will read it)").fill("a slip")
        table.play("B4")
        expect(page.locator(".sheet[open] .reply")).to_contain_text("what would come of it now")
        expect(page.locator(".sheet[open] .stays")).to_contain_text("5: ")
        expect(page.get_by_label("Why (others will read it)")).to_be_focused()
        page.keyboard.press("Enter")
        table.wait_for(page, ["B1", "Y4", "B3", "Y1", "B4"])
        expect(page.locator("#events .event").first).to_contain_text("A slip")


def test_a_correction_of_a_move_that_is_another_one_now_begins_again(visitor: Visitor) -> None:
    with live_table("infinity") as table:
        table.play("B1", "Y2")
        page = visitor.open(table.link)
        open_correction(page, "2: ")
        page.get_by_role("button", name="It was never played").click()
        expect(page.get_by_role("button", name="Correct it")).to_be_visible()
        assert table.command("correct", ply=1, moves=["B3"], replaces=1).ok
        expect(page.locator(".sheet[open] .reply")).to_have_text("The game has gone on; choose again.")
        expect(page.locator(".sheet[open] .choice")).to_have_count(2)


def test_a_correction_that_a_move_overtakes_on_its_way_is_shown_anew(visitor: Visitor) -> None:
    with live_table("infinity") as table:
        table.play("B1", "Y2")
        page = visitor.open(table.link)

        def overtake(route: Route) -> None:
            table.play("B3")
            route.continue_()

        intercept(page, "**/command/correct*", overtake, times=1)
        open_correction(page, "2: ")
        page.get_by_role("button", name="It was never played").click()
        page.get_by_role("button", name="Correct it").click()
        expect(page.locator(".sheet[open] .reply")).to_contain_text("what would come of it now")
        assert table.moves == ["B1", "Y2", "B3"], "what was seen is done, nothing else"
        expect(page.locator(".sheet[open] .falls")).to_contain_text("3: ")
        page.get_by_role("button", name="Correct it").click()
        table.wait_for(page, ["B1"])


def test_a_question_of_a_real_table_is_answered_by_one_tap(visitor: Visitor) -> None:
    with live_table("infinity") as table:
        page = visitor.open(table.link)
        table.loop.put(MarbleEntered(time.monotonic(), "board", 1))
        expect(page.locator("#turn span")).to_have_text("Józef to move")
        choice = page.locator("#question .choice", has_text="Joker")
        expect(choice).to_be_enabled()
        choice.click()
        table.wait_for(page, ["K1"])
        expect(page.locator("#question")).to_be_hidden()


def unsure(t_s: float) -> Sight:
    plain = sight(t_s, EMPTY)
    places = {**plain.reading.places, "1.1": BLUE_OR_JOKER}
    return replace(plain, reading=replace(plain.reading, places=places, status=Status.UNSURE))


def look_for(table: LiveTable, page: Page, seconds: float) -> None:
    """The camera looks, five times a second."""
    for _ in range(round(seconds * 5)):
        table.look(unsure(time.monotonic()))
        page.wait_for_timeout(200)


def test_a_doubtful_place_is_told_by_one_tap_and_can_be_put_right(visitor: Visitor) -> None:
    with live_table("infinity") as table:
        page = visitor.open(table.link)
        look_for(table, page, 3.6)
        box = page.locator("#doubtful")
        expect(box).to_contain_text("The camera cannot tell")
        expect(box.get_by_role("button").first).to_contain_text("black Joker")
        box.get_by_role("button", name=re.compile("nothing")).click()
        expect(box).to_be_hidden()
        page.locator(".doubts summary").click()
        expect(page.locator(".doubts")).to_contain_text("told by a person")
        page.locator(".doubts select").select_option("")
        expect(box).to_be_visible()


def test_a_doubtful_place_is_marked_on_the_board_and_answered_there_with_the_keyboard(visitor: Visitor) -> None:
    with live_table("infinity") as table:
        page = visitor.open(table.link)
        look_for(table, page, 3.6)
        mark = page.get_by_role("button", name=re.compile("1.1: the camera cannot tell"))
        expect(mark).to_have_text("?")
        page.locator("#doubtful button").first.focus()
        for _ in range(20):
            if mark.evaluate("each => each === document.activeElement"):
                break
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        choices = page.locator(".sheet[open] .choice")
        expect(choices.first).to_be_focused()
        expect(choices.first).to_contain_text("black Joker")
        choices.filter(has_text="nothing").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".sheet[open]")).to_have_count(0)
        expect(page.locator(".doubt-mark")).to_have_count(0)
        expect(page.locator("#board-frame")).to_be_focused()


def test_a_mark_is_tapped_where_the_place_is_drawn_and_vanishes_where_the_camera_can_tell_again(
    visitor: Visitor,
) -> None:
    with live_table("infinity") as table:
        page = visitor.open(table.link, PHONE)
        look_for(table, page, 3.6)
        mark = page.locator(".doubt-mark")
        expect(mark).to_be_visible()
        drawn, tapped = boxes(page, "#board svg", "#doubt-marks svg")
        assert drawn == tapped, "a mark lies where its place is drawn"
        mark.click()
        expect(page.locator(".sheet[open]")).to_contain_text("What stands here: 1.1?")
        for _ in range(5):
            table.look(sight(time.monotonic(), EMPTY))
            page.wait_for_timeout(200)
        expect(page.locator(".sheet[open]")).to_have_count(0)
        expect(mark).to_have_count(0)


def test_who_only_looks_on_sees_the_mark_and_cannot_press_it(visitor: Visitor) -> None:
    with live_table("infinity") as table:
        page = visitor.open(table.link.split("#")[0])
        look_for(table, page, 3.6)
        expect(page.get_by_role("img", name="What stands here: 1.1?")).to_be_visible()
        expect(page.locator(".doubt-mark[tabindex]")).to_have_count(0)
