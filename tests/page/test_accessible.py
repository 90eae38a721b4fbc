"""axe-core finds nothing against the page, whatever it shows; and what it cannot find: focus, motion, letters."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.games.game import Json
from companion.page.app import create_app
from companion.page.server import PageServer
from tests.page.conftest import DESK, PATIENCE_MS, PHONE, Serve, Visitor
from tests.page.fake_table import TOKEN
from tests.page.finity_table import FakeFinityTable
from tests.page.ruled_table import RuledTable
from tests.page.test_browser import jpeg
from tests.page.test_finity import MOVES
from tests.setup_page.accessible import faults

MOST_TABS = 120
"""More than the page has to stop at."""
AT = """() => {
    const at = document.activeElement;
    window.reached ??= new Map();
    if (!reached.has(at)) reached.set(at, reached.size);
    const style = getComputedStyle(at);
    const isSeen = parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== "none";
    return [reached.get(at), isSeen || !at.matches("button, select, summary, input")];
}"""
UNREACHED = """() => [...document.querySelectorAll("button, select, summary, input")]
    .filter((each) => each.checkVisibility() && !each.disabled && !reached.has(each))
    .map((each) => each.outerHTML)"""


def infinity() -> RuledTable:
    return RuledTable("infinity", ("B1", "Y2", "B1", "W3", "K2"), names={"blue": "Anna", "yellow": "Józef"})


def finity() -> RuledTable:
    return FakeFinityTable(MOVES)


def live(page: Page, table: RuledTable) -> None:
    table.change(devices={"camera": {"state": "ok", "detail": "", "since": None}})
    expect(page.locator("#devices")).to_contain_text("Camera")


def question(page: Page, table: RuledTable) -> None:
    table.put_question("q1", "Which marble?", {"B2": "A blue marble", "K2": "The black Joker"})
    expect(page.locator("#question")).to_be_visible()


def illegal(page: Page, table: RuledTable) -> None:
    seen: Json = {"1.1": "."} if table.game.name == "infinity" else {"NE.S": ".", "C>N M": "b C"}
    wrong: dict[str, Json] = {"reason": "piece_taken", "detail": "Put it back.", "seen": seen, "also": ["no_move"]}
    table.tell("illegal", then={"illegal": wrong}, by=None, **wrong)
    expect(page.locator("#board .wrong").first).to_be_attached()


def orphans(page: Page, table: RuledTable) -> None:
    rings: Json = [["A", "NE", "S"], ["A", "E", "M"]]
    table.tell("orphans", then={"orphans": rings}, orphans=rings)
    expect(page.locator("#orphans")).to_be_visible()


def history(page: Page, table: RuledTable) -> None:
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#view small")).to_be_visible()


def what_if(page: Page, table: RuledTable) -> None:
    page.locator("#analysis summary").click()
    page.locator(".what-if").first.click()
    expect(page.locator("#board-frame")).to_have_attribute("data-view", "what_if")


def trouble(page: Page, table: RuledTable) -> None:
    """A knob that is wrong, a device that is gone, one that is silent, a hand."""
    lost: Json = {"state": "lost", "detail": "Look at the cable.", "since": "2026-11-30T14:03:00+00:00"}
    table.change(
        devices={"camera": lost, "board": {"state": "stale", "detail": "", "since": None}},
        knob={"expected": 1, "seen": 5, "verified": False, "wrong": True},
        covered=True,
    )
    expect(page.locator("#gone")).to_contain_text("Camera offline since")
    if table.game.name == "infinity":
        expect(page.locator("#knob")).to_be_visible()


def over(page: Page, table: RuledTable) -> None:
    winner = table.game.players[0]
    won: Json = {"winner": str(winner), "by": "two_rows"}
    table.tell("game_over", then={"outcome": won, "outcome_words": "It is over."}, outcome=won, words="It is over.")
    expect(page.locator("#over")).to_be_visible()


def camera(page: Page, table: RuledTable) -> None:
    table.shot = jpeg(), 0.1
    live(page, table)
    page.get_by_role("button", name="Enlarge the camera picture").click()
    expect(page.locator("dialog[open] .camera-words")).to_have_text("Live")


def entering(page: Page, table: RuledTable) -> None:
    page.get_by_role("button", name="Enter a move").click()
    page.get_by_role("combobox", name="Where", exact=True).select_option(index=1)


def correcting(page: Page, table: RuledTable) -> None:
    """From the list of moves to what would come of it."""
    page.get_by_role("button", name="Correct a move").click()
    page.locator(".sheet[open] .choice").last.click()
    page.get_by_role("button", name="It was never played").click()
    expect(page.get_by_role("button", name="Correct it")).to_be_visible()


def correcting_by_tapping(page: Page, table: RuledTable) -> None:
    page.get_by_role("button", name="Correct a move").click()
    page.locator(".sheet[open] .choice").last.click()
    page.locator(".sheet[open] .choice").first.click()
    expect(page.locator(".sheet[open] .pick-board svg")).to_be_visible()


def undoing(page: Page, table: RuledTable) -> None:
    page.get_by_role("button", name="Take back the last move").click()
    expect(page.get_by_role("button", name="Take it back")).to_be_visible()


def doubt(page: Page, table: RuledTable) -> None:
    place, label = ("4.4", "B") if table.game.name == "infinity" else ("S.S", "A")
    unsure: Json = [
        {"place": place, "choices": [label, "."], "choice_words": ["something", "nothing"], "said": None, "by": ""}
    ]
    table.change(doubtful=unsure)
    expect(page.locator(".doubt-mark")).to_be_visible()


def doubt_opened(page: Page, table: RuledTable) -> None:
    doubt(page, table)
    page.locator(".doubt-mark").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".sheet[open] .choice")).to_have_count(2)


def quiet(page: Page, table: RuledTable) -> None:
    """Everything put right again, and the table shown."""
    table.change(question=None, illegal=None, orphans=[], covered=False, outcome=None, devices={}, doubtful=[])
    if page.locator("dialog[open]").count():
        page.keyboard.press("Escape")
    while page.locator(".to-live:visible").count():
        page.locator(".to-live").click()
    expect(page.locator(".call:visible")).to_have_count(0)
    expect(page.locator("dialog[open]")).to_have_count(0)


SHEETS = (entering, correcting, correcting_by_tapping, undoing, doubt, doubt_opened)
WHATEVER: dict[str, tuple[Callable[[], RuledTable], tuple[Callable[[Page, RuledTable], None], ...]]] = {
    "infinity": (infinity, (live, question, illegal, history, camera, *SHEETS, over, trouble)),
    "finity": (finity, (live, illegal, orphans, history, what_if, *SHEETS, over)),
}


@pytest.mark.parametrize("game", WHATEVER)
def test_axe_finds_nothing_whatever_is_shown(visitor: Visitor, serve: Serve, game: str) -> None:
    make, happenings = WHATEVER[game]
    table = make()
    page = visitor.open(serve(table, 0).link(TOKEN))
    found = []
    for happen in happenings:
        happen(page, table)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found += [f"{happen.__name__}, {scheme}: {fault}" for fault in faults(page)]
        if happen is not happenings[-1]:
            quiet(page, table)
    assert found == []


def test_axe_would_find_what_is_wrong(visitor: Visitor, serve: Serve) -> None:
    table = infinity()
    page = visitor.open(serve(table, 0).url)
    live(page, table)
    page.evaluate("document.querySelector('#turn').style.color = 'var(--line)'")
    page.evaluate("document.querySelector('.enlarge').removeAttribute('aria-label')")
    assert {fault.split(":")[0] for fault in faults(page)} == {"button-name", "color-contrast"}


def test_axe_finds_nothing_on_a_phone_in_polish(visitor: Visitor, serve: Serve) -> None:
    table = finity()
    page = visitor.open(f"{serve(table, 0).url}?lang=pl#token={TOKEN}", PHONE)
    expect(page.locator("#link")).to_have_text("Na żywo")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#view .tag")).to_have_text("Przeszłość")
    orphans(page, table)
    assert faults(page) == []


def test_axe_finds_nothing_on_the_list_of_tables(visitor: Visitor) -> None:
    tables = {"window": infinity(), "kitchen": finity()}
    tables["window"].put_question("q1", "Which marble?", {"B2": "A blue marble", "K2": "The black Joker"})
    with PageServer(create_app(tables, token=TOKEN), port=0) as server:
        context = visitor.browser.new_context(viewport={"width": DESK[0], "height": DESK[1]})
        visitor.contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(server.url, wait_until="domcontentloaded")
        expect(page.locator("#tables li")).to_have_count(2)
        assert faults(page) == []


def test_axe_finds_nothing_while_the_server_is_away(visitor: Visitor, serve: Serve) -> None:
    server = serve(infinity(), 0)
    page = visitor.open(server.url)
    server.stop()
    expect(page.locator("#lost")).to_be_visible()
    assert faults(page) == []


def test_the_camera_picture_fills_the_screen_and_gives_the_keyboard_back(visitor: Visitor, serve: Serve) -> None:
    table = infinity()
    table.shot = jpeg(), 0.1
    page = visitor.open(serve(table, 0).url)
    live(page, table)
    enlarge = page.get_by_role("button", name="Enlarge the camera picture")
    enlarge.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(
        "width => document.querySelector('dialog[open] .picture img')?.getBoundingClientRect().width >= width",
        arg=0.95 * DESK[0],
    )
    expect(page.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("ArrowLeft")  # turns no pages behind it
    expect(page.locator("#board-frame")).to_have_attribute("data-view", "live")
    page.keyboard.press("Escape")
    expect(page.locator("#camera .picture")).to_be_visible()
    expect(enlarge).to_be_focused()
    expect(page.locator(".camera-words")).to_have_text("Live")


def test_everything_that_can_be_pressed_is_reached_by_the_keyboard_and_shows_it(visitor: Visitor, serve: Serve) -> None:
    table = infinity()
    page = visitor.open(serve(table, 0).link(TOKEN))
    expect(page.get_by_role("button", name="Pause")).to_be_enabled()
    question(page, table)
    page.evaluate("document.activeElement.blur()")
    first = None
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        number, is_seen = page.evaluate(AT)
        assert is_seen, "the focus is not seen"
        if number == first:
            break
        first = number if first is None else first
    assert first is not None
    assert page.evaluate(UNREACHED) == []


@pytest.mark.parametrize("news", ["a device", "another stop", "the same of the past"])
def test_news_take_the_keyboard_from_nothing(visitor: Visitor, serve: Serve, news: str) -> None:
    table = infinity()
    table.change(knob={"expected": 1, "seen": 5, "verified": False})
    page = visitor.open(serve(table, 0).link(TOKEN))
    at = page.get_by_role("button", name="The knob is right")
    if news == "the same of the past":
        page.keyboard.press("ArrowLeft")
        at = page.get_by_role("button", name="Back to now")
    at.focus()
    page.evaluate("for (const each of document.querySelectorAll('#board svg, #view button')) each.dataset.kept = ''")
    table.change(devices={"camera": {"state": "stale", "detail": "", "since": None}})
    if news == "another stop":
        table.change(knob={"expected": 1, "seen": 4, "verified": False})
        expect(page.locator("#board .pointer")).to_have_attribute("transform", re.compile(r"^rotate\(144 "))
    expect(page.locator("#devices")).to_contain_text("Camera")
    expect(at).to_be_focused()
    # What shows nothing new is left as it is.
    kept = {"a device": 1, "another stop": 0, "the same of the past": 2}[news]
    expect(page.locator("[data-kept]")).to_have_count(kept)


def test_the_keyboard_goes_on_from_a_call_that_is_done(visitor: Visitor, serve: Serve) -> None:
    table = infinity()
    page = visitor.open(serve(table, 0).link(TOKEN))
    question(page, table)
    page.locator("#question .choice").first.focus()
    table.put_question("q2", "Which marble now?", {"B2": "A blue marble"})
    expect(page.locator("#question")).to_be_focused()  # and read out; no answer is given by a key that was meant for q1
    table.tell("question_closed", then={"question": None}, question="q2", answer="B2", by="Ada")
    expect(page.locator("#board-frame")).to_be_focused()


def test_nothing_moves_for_those_who_do_not_want_it(visitor: Visitor, serve: Serve) -> None:
    table = infinity()
    page = visitor.open(serve(table, 0).url)
    page.emulate_media(reduced_motion="reduce")
    table.play("Y4")
    expect(page.locator("#turn span")).to_have_text("Anna to move")
    expect(page.locator("#board .last").first).to_be_attached()
    assert page.evaluate("document.getAnimations().length") == 0


def test_what_happens_is_said_to_a_screen_reader_once(visitor: Visitor, serve: Serve) -> None:
    table = infinity()
    page = visitor.open(serve(table, 0).url)
    page.evaluate(
        """() => {
            window.said = [];
            const watch = new MutationObserver(() => said.push(document.querySelector("#news").textContent));
            watch.observe(document.querySelector("#news"), { childList: true });
            window.turned = 0;
            const call = document.querySelector("#illegal");
            new MutationObserver(() => { turned += 1; }).observe(call, { childList: true });
        }"""
    )
    table.play("Y4")
    expect(page.locator("#turn span")).to_have_text("Anna to move")
    illegal(page, table)
    table.change(paused=True)
    expect(page.locator("#turn span")).to_have_text("Paused")
    assert page.evaluate("said.filter((each) => each.includes('Józef')).length") == 1
    assert page.evaluate("turned") == 1  # an alert that is put there again is read out again
