"""The page in a real browser: what people see, hear and press."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.games.game import Json
from companion.page.server import PageServer
from companion.page.table import CommandResult
from tests.page.conftest import DESK, PATIENCE_MS, PHONE, Serve, Visitor, boxes, widen
from tests.page.fake_table import TOKEN, FakePageTable, sight_of

LINES = (
    "element => Math.round(element.getBoundingClientRect().height / parseFloat(getComputedStyle(element).lineHeight))"
)
CUT = "it => it.scrollHeight > it.clientHeight + 1"

EVIL = "<img src=x onerror=document.title='owned'>"

expect.set_options(timeout=PATIENCE_MS)


def jpeg() -> bytes:
    """A small picture such as a camera gives."""
    done, data = cv2.imencode(".jpg", np.full((90, 160, 3), 120, np.uint8))
    assert done
    return data.tobytes()


def expect_pieces(page: Page, labels: str) -> None:
    """The drawing comes to show these labels on the board, in the order of its places."""
    script = """labels => {
      const drawn = [...document.querySelectorAll("#board .piece")];
      return drawn.map((piece) => piece.dataset.label).join("") === labels;
    }"""
    page.wait_for_function(script, arg=labels)


def wait_for_command(page: Page, table: FakePageTable, count: int = 1) -> None:
    for _ in range(PATIENCE_MS // 20):
        if len(table.commands) >= count:
            return
        page.wait_for_timeout(20)
    pytest.fail(f"{count} commands were awaited, {table.commands} came")


def test_score_turn_and_board_are_live(visitor: Visitor, server: PageServer, table: FakePageTable) -> None:
    page = visitor.open(server.url)
    expect(page.locator(".points")).to_have_text("0")
    expect(page.locator("#turn span")).to_have_text("Anybody may start")
    page.evaluate("window.stayed = true")

    table.change(well={})
    table.move("B1", "B...|....|....|....", by="blue")
    table.move("W2", "B...|W...|....|....", by="yellow")
    expect(page.locator("#turn span")).to_have_text("Blue to move")
    table.move("K1", "KB..|W...|....|....", by="blue", score=-2, house_rules=["A2"])

    expect(page.locator(".points")).to_have_text("2")
    expect(page.locator(".lead-words")).to_have_text("Yellow leads")
    expect(page.locator("#turn span")).to_have_text("Yellow to move")
    expect_pieces(page, "KBW")
    expect(page.locator("#board .last")).to_have_count(2)
    newest = page.locator("#events .event").first
    expect(newest).to_contain_text("Blue pushes a marble into channel 1")
    expect(newest).to_contain_text("house rule A2")
    expect(page.locator("#news")).to_contain_text("Blue pushes a marble into channel 1")
    expect(page).to_have_title("Yellow to move · Rubik's Infinity")
    assert page.evaluate("window.stayed") is True


def test_the_score_is_readable_across_a_room(visitor: Visitor, server: PageServer, table: FakePageTable) -> None:
    page = visitor.open(server.url)
    size = page.locator(".points").evaluate("element => parseFloat(getComputedStyle(element).fontSize)")
    assert size >= 120  # px on a desk's screen: some 3 cm, read from 5 m


def test_the_score_begins_where_its_box_does(visitor: Visitor, server: PageServer) -> None:
    page = visitor.open(server.url)
    lead, points = boxes(page, "#score .lead", "#score .points")
    assert points[0] == pytest.approx(lead[0], abs=2)


def test_what_people_wrote_stays_text(visitor: Visitor, server: PageServer, table: FakePageTable) -> None:
    table.change(
        names={"blue": EVIL, "yellow": EVIL},
        devices={EVIL: {"state": EVIL, "detail": EVIL, "since": EVIL}},
        illegal={"reason": EVIL, "detail": EVIL, "seen": {"1.1": EVIL}},
        outcome_words=EVIL,
        sight={**sight_of("....|....|....|...."), "2.2": EVIL},
    )
    table.move("B1", "B...|....|....|....", by="blue", score=1, explanation=EVIL, then_words=EVIL)
    table.put_question(EVIL, EVIL, {EVIL: EVIL, "B": EVIL})
    table.tell(EVIL, detail=EVIL)
    page = visitor.open(server.link(TOKEN))
    expect(page.locator(".lead-words")).to_have_text(f"{EVIL} leads")
    expect(page.locator("#question-text")).to_have_text(EVIL)
    expect(page.locator("img")).to_have_count(1)  # the camera's own
    assert page.title() != "owned"


@pytest.mark.parametrize("way", ["click", "number", "tab and enter"])
def test_a_question_is_answered_by_one_touch(
    visitor: Visitor, server: PageServer, table: FakePageTable, way: str
) -> None:
    def answered(name: str, args: object) -> CommandResult:
        table.tell("question_closed", then={"question": None}, question="q1", answer="W2", by="person")
        return CommandResult(True)

    table.answer = answered
    page = visitor.open(server.link(TOKEN))
    table.put_question("q1", "Which marble went into channel 2?", {"Y2": "A yellow marble", "W2": "The white Joker"})
    choice = page.get_by_role("button", name="The white Joker")
    expect(choice).to_be_enabled()
    if way == "click":
        choice.click()
    elif way == "number":
        page.keyboard.press("2")
    else:
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        expect(choice).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator("#question")).to_be_hidden()
    assert table.commands == [("answer", {"question": "q1", "choice": "W2"})]
    expect(page.locator("#events .event").first).to_have_text(re.compile("Answered: The white Joker"))


def test_a_double_tap_answers_once(visitor: Visitor, server: PageServer, table: FakePageTable) -> None:
    page = visitor.open(server.link(TOKEN))
    table.put_question("q1", "Which marble?", {"Y2": "A yellow marble", "W2": "The white Joker"})
    page.get_by_role("button", name="A yellow marble").dblclick()
    expect(page.locator("#reply")).to_have_text("Done.")
    page.get_by_role("button", name="The white Joker").click()
    page.wait_for_timeout(100)
    assert table.commands == [("answer", {"question": "q1", "choice": "Y2"})]


def test_a_question_takes_no_keys_from_somebody_who_writes(
    visitor: Visitor, server: PageServer, table: FakePageTable
) -> None:
    table.move("B1", "B...|....|....|....", by="blue")
    page = visitor.open(server.link(TOKEN))
    page.get_by_label("Your name").fill("")
    table.put_question("q1", "Which marble?", {"Y2": "A yellow marble"})
    expect(page.locator("#question")).to_be_visible()
    page.keyboard.type("K1")
    expect(page.get_by_label("Your name")).to_have_value("K1")
    assert table.commands == []


def test_calls_to_act_come_and_go(visitor: Visitor, server: PageServer, table: FakePageTable) -> None:
    table.change(well={})
    table.move("B1", "B...|....|....|....", by="blue", score=1)
    page = visitor.open(server.link(TOKEN))
    detail = "Put the marble back into channel 1."
    wrong: dict[str, Json] = {
        "reason": "piece_taken",
        "detail": detail,
        "seen": {"1.1": "."},
        "also": ["no_move"],
    }
    table.tell("illegal", then={"illegal": wrong}, by=None, **wrong)
    expect(page.locator("#illegal")).to_contain_text(detail)
    expect(page.locator("#illegal")).to_contain_text("Or, which looks the same: No move was made.")
    expect(page.locator("#board .wrong")).to_have_count(1)
    table.tell("illegal_cleared", then={"illegal": None}, reason="piece_taken")
    expect(page.locator("#illegal")).to_be_hidden()

    table.change(knob={"expected": 1, "seen": 5, "verified": True})
    expect(page.locator("#board .stop.wanted")).to_have_text("1")
    expect(page.locator("#knob")).to_be_hidden()  # the grace time is not over
    table.tell("knob_mismatch", expected=1, seen=5, resolved=False, words="")
    expect(page.locator("#knob")).to_contain_text("It should stand at 1; it stands at ∞.")
    right = {"expected": 1, "seen": 1, "verified": True}
    table.tell("knob_mismatch", then={"knob": right}, expected=1, seen=1, resolved=True, words="")
    expect(page.locator("#knob")).to_be_hidden()

    table.change(knob={"expected": 1, "seen": 5, "verified": False})
    expect(page.locator("#knob")).to_contain_text("Is the knob right?It should stand at 1.")
    page.get_by_role("button", name="The knob is right").click()
    wait_for_command(page, table)
    assert table.commands == [("confirm_knob", {})]
    table.change(knob=right)
    expect(page.locator("#knob")).to_be_hidden()

    table.tell("occluded", places=["1.1"])
    expect(page.locator("#hand")).to_be_visible()
    table.tell("clear")
    expect(page.locator("#hand")).to_be_hidden()

    table.change(devices={"board": {"state": "lost", "detail": "Look at the cable.", "since": "2026-11-30T14:03:00"}})
    expect(page.locator("#devices li")).to_contain_text(["Sensor board offline since 14:03"])
    expect(page.locator("#devices li")).to_contain_text(["Look at the cable."])

    won = {"winner": "blue", "by": "two_rows"}
    table.tell("game_over", then={"outcome": won, "outcome_words": "Blue has two rows."}, outcome=won, words="")
    expect(page.locator("#over")).to_contain_text("Blue has won")
    expect(page.locator("#turn")).to_be_hidden()


def test_the_table_is_run_from_the_page(visitor: Visitor, server: PageServer, table: FakePageTable) -> None:
    page = visitor.open(server.link(TOKEN))
    expect(page.get_by_role("button", name="Take back the last move")).to_be_disabled()
    table.move("B1", "B...|....|....|....", by="blue")
    expect(page.get_by_role("button", name="Take back the last move")).to_be_enabled()
    page.get_by_role("button", name="Pause").click()
    wait_for_command(page, table, 1)
    table.change(paused=True)
    expect(page.locator("#turn span")).to_have_text("Paused")
    page.get_by_role("button", name="Go on").click()
    wait_for_command(page, table, 2)
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Really start again?").click()
    wait_for_command(page, table, 3)
    assert table.commands == [
        ("pause", {}),
        ("resume", {}),
        ("new_game", {}),
    ]


def test_a_refusal_is_told_and_nothing_is_played_ahead(
    visitor: Visitor, server: PageServer, table: FakePageTable
) -> None:
    table.change(well={})
    table.move("B1", "B...|....|....|....", by="blue")
    table.answer = lambda name, args: CommandResult(True, detail="The move stays: Anna did not agree.")
    page = visitor.open(server.link(TOKEN))
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Really start again?").click()
    expect(page.locator("#reply")).to_have_text("The move stays: Anna did not agree.")
    expect_pieces(page, "B")


@pytest.mark.parametrize("token", ["", "#token=wrong"])
def test_without_the_token_people_look_on(
    visitor: Visitor, server: PageServer, table: FakePageTable, token: str
) -> None:
    table.put_question("q1", "Which marble?", {"Y2": "A yellow marble"})
    page = visitor.open(server.url + token)
    expect(page.locator("#commands")).to_have_text(re.compile("You are looking on"))
    expect(page.get_by_role("button", name="A yellow marble")).to_be_disabled()
    expect(page.locator("#question")).to_contain_text("Somebody who may take part has to answer.")


def test_the_token_leaves_the_address_and_stays_in_the_tab(visitor: Visitor, server: PageServer) -> None:
    page = visitor.open(server.link(TOKEN))
    expect(page.get_by_role("button", name="Pause")).to_be_enabled()
    assert urlsplit(page.url).fragment == ""
    page.reload(wait_until="domcontentloaded")
    expect(page.get_by_role("button", name="Pause")).to_be_enabled()


def test_both_tabs_come_back_after_the_server_was_away(visitor: Visitor, table: FakePageTable, serve: Serve) -> None:
    table.change(well={})
    server = serve(table, 0)
    pages = [visitor.open(server.link(TOKEN)) for _ in range(2)]
    for page in pages:
        expect(page.get_by_role("button", name="Pause")).to_be_enabled()
    server.stop()
    for page in pages:
        expect(page.locator("#lost")).to_have_text(re.compile(r"Connection lost since \d"))
        expect(page.get_by_role("button", name="Pause")).to_be_disabled()
    table.move("B1", "B...|....|....|....", by="blue", score=1)
    serve(table, server.port)
    for page in pages:
        expect(page.locator("#lost")).to_be_hidden()
        expect(page.locator(".points")).to_have_text("1")
        expect(page.get_by_role("button", name="Pause")).to_be_enabled()
        expect_pieces(page, "B")
        expect(page.locator("#events .event")).to_have_count(2)
    table.move("Y1", "YB..|....|....|....", by="yellow", score=1)
    for page in pages:
        expect(page.locator("#events .event")).to_have_count(3)


def test_another_game_on_the_same_address_leaves_nothing_of_the_old_one(
    visitor: Visitor, table: FakePageTable, serve: Serve
) -> None:
    for number in range(1, 5):
        table.move(f"B{number}", "B...|B...|B...|B...", by="blue", score=4)
    server = serve(table, 0)
    page = visitor.open(server.url)
    expect(page.locator("#events .event")).to_have_count(5)
    server.stop()
    expect(page.locator("#lost")).to_be_visible()
    fresh = FakePageTable()
    fresh.change(well={})
    serve(fresh, server.port)
    expect(page.locator(".points")).to_have_text("0")
    expect(page.locator("#events .event")).to_have_count(1)
    expect_pieces(page, "")


def test_a_new_game_clears_the_page(visitor: Visitor, server: PageServer, table: FakePageTable) -> None:
    table.change(well={})
    table.move("B1", "B...|....|....|....", by="blue", score=1)
    page = visitor.open(server.url)
    empty: dict[str, Json] = {"moves": [], "sight": sight_of("....|....|....|...."), "score": 0, "to_move": None}
    table.tell("game_started", then=empty, game="infinity")
    expect(page.locator("#events .event")).to_have_count(1)
    expect(page.locator(".points")).to_have_text("0")
    expect_pieces(page, "")
    expect(page.locator("#board .last")).to_have_count(0)


def test_an_old_picture_is_greyed_and_says_since_when(
    visitor: Visitor, server: PageServer, table: FakePageTable
) -> None:
    page = visitor.open(server.url)
    expect(page.locator(".camera-words")).to_have_text("No camera picture yet")
    table.shot = (jpeg(), 0.1)
    expect(page.locator(".camera-words")).to_have_text("Live")
    expect(page.locator("#camera img")).to_be_visible()
    page.wait_for_function("() => document.querySelector('#camera img').naturalWidth === 160")
    table.shot = (jpeg(), 600.0)
    expect(page.locator(".camera-words")).to_have_text(re.compile(r"Camera offline since \d+:\d\d"))
    expect(page.locator("#camera img")).to_have_css("filter", re.compile("grayscale"))
    table.shot = (jpeg(), 0.1)
    expect(page.locator(".camera-words")).to_have_text("Live")


def test_no_picture_is_fetched_while_nobody_looks(visitor: Visitor, server: PageServer, table: FakePageTable) -> None:
    table.shot = (jpeg(), 0.1)
    page = visitor.open(server.url, PHONE)
    page.wait_for_timeout(700)
    assert table.shots_taken == 0  # the picture lies below the fold
    page.locator("#camera").scroll_into_view_if_needed()
    expect(page.locator(".camera-words")).to_have_text("Live")
    assert table.shots_taken > 0


def test_nothing_hangs_over_the_edge(visitor: Visitor, server: PageServer, table: FakePageTable) -> None:
    table.change(names={"blue": "Wolfeschlegelsteinhausenbergerdorff", "yellow": "Ann"})
    table.move("B1", "B...|....|....|....", by="yellow", score=3)
    table.put_question("q1", "Which marble went into channel 2?", {"Y2": "A yellow marble", "W2": "The white Joker"})
    page = visitor.open(server.link(TOKEN), PHONE)
    expect(page.get_by_role("button", name="Pause")).to_be_enabled()
    for width in (320, 390, 820, 1280, 1920):
        widen(page, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        over = page.locator(".card, .card *").evaluate_all(
            "all => all.filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.id || e.className)"
        )
        assert over == [], width


def test_a_state_with_nothing_in_it_is_drawn(visitor: Visitor, server: PageServer, table: FakePageTable) -> None:
    page = visitor.open(server.url)
    table._state = {"seq": 2}
    table.change()
    expect(page.locator("#devices")).to_have_text("No camera and no sensors so far. Moves can be entered by hand.")
    expect(page.locator(".card.camera")).to_be_hidden()
    expect(page.locator("#turn span")).to_have_text("Anybody may start")


def test_the_drawing_is_told_in_words(visitor: Visitor, server: PageServer, table: FakePageTable) -> None:
    table.move("K1", "K...|....|....|....", by="blue")
    page = visitor.open(server.url)
    expect(page.locator("#board-words")).to_have_text("1.1: black Joker, knob: ★")


def test_the_camera_is_recalibrated_from_the_page(visitor: Visitor, server: PageServer, table: FakePageTable) -> None:
    page = visitor.open(server.link(TOKEN))
    page.get_by_text("Does the camera misread?").click()
    table.answer = lambda name, args: CommandResult(False, "refused", "A piece is missing: put it right first.")
    page.get_by_role("button", name="Recalibrate").click()
    expect(page.locator("#recalibrate [role=status]")).to_have_text("A piece is missing: put it right first.")
    table.answer = lambda name, args: CommandResult(True)
    page.get_by_role("button", name="Recalibrate").click()
    expect(page.locator("#recalibrate [role=status]")).to_have_text("")
    assert table.commands == [("recalibrate", {})] * 2
    told = {"camera": {"state": "ok", "detail": "recalibrated", "since": None}}
    table.tell("device", then={"devices": told}, device="camera", state="ok", detail="recalibrated")
    expect(page.locator("#events .event").first).to_contain_text("recalibrated")


def test_nobody_recalibrates_who_only_looks_on(visitor: Visitor, server: PageServer, table: FakePageTable) -> None:
    page = visitor.open(server.url)
    expect(page.locator("#camera")).to_be_visible()
    expect(page.locator("#recalibrate")).to_be_hidden()


@pytest.mark.parametrize("size", [PHONE, (1024, 768), DESK, (1920, 1080)], ids=lambda size: f"{size[0]}")
def test_who_leads_and_whose_turn_it_is_can_be_read(
    visitor: Visitor, server: PageServer, table: FakePageTable, size: tuple[int, int]
) -> None:
    table.change(names={"blue": "Żółć Świętopełk-Gęśliński", "yellow": "Ben"}, to_move="blue", score=-5)
    page = visitor.open(server.url, size)
    expect(page.locator(".lead-words")).to_have_text("Ben leads")
    assert page.locator(".lead-words").evaluate(LINES) == 1
    expect(page.locator("#turn span")).to_have_text("Żółć Świętopełk-Gęśliński to move")
    assert not page.locator("#turn span").evaluate(CUT)


def test_what_else_a_breach_could_be_is_a_sentence_of_its_own(
    visitor: Visitor, server: PageServer, table: FakePageTable
) -> None:
    page = visitor.open(server.url)
    wrong: dict[str, Json] = {"reason": "wrong_player", "detail": "It is Ben's turn", "seen": {}}
    wrong["also"] = ["wrong_player", "piece_taken"]
    table.tell("illegal", then={"illegal": wrong}, by=None, **wrong)
    said = page.locator('[data-event="illegal"] small')
    expect(said).to_have_text("It is Ben's turn. Or, which looks the same: A piece was taken away.")
    expect(page.locator("#illegal .quiet")).to_have_text("Or, which looks the same: A piece was taken away.")
