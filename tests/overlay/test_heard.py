"""What the page makes heard. The browser's voice and loudspeaker are stood in for: no machine of ours has them."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.page.server import PageServer
from tests.overlay.conftest import Open
from tests.page.conftest import Serve
from tests.page.fake_table import FakePageTable

EARS = """
    window.said = [];
    window.tones = [];
    const voice = {
        speaking: null,
        speak(utterance) { said.push([utterance.lang, utterance.text]); this.speaking = utterance; },
        cancel() {},
        getVoices() { return []; },
        finish() { this.speaking?.onend?.(); },
    };
    Object.defineProperty(window, "speechSynthesis", { value: voice });
    window.OscillatorNode = new Proxy(window.OscillatorNode, {
        construct(target, args) { tones.push(args[1].frequency); return new target(...args); },
    });
"""


@pytest.fixture
def page(server: PageServer, open_page: Open) -> Page:
    return with_box(open_page(server.url, script=EARS))


def with_box(page: Page) -> Page:
    page.wait_for_selector("#table:not([aria-busy]) .more input")
    return page


def said(page: Page) -> list[str]:
    words: list[str] = page.evaluate("said.map(([, text]) => text)")
    return words


def until_said(page: Page, count: int) -> None:
    """Wait for so many sentences. The page's policy forbids Playwright's own way, an eval."""
    deadline_s = time.monotonic() + 10
    while len(said(page)) < count:
        assert time.monotonic() < deadline_s, f"only {said(page)} was said"
        page.wait_for_timeout(20)


def heard(page: Page, *sentences: str) -> None:
    """Let the voice come to an end of each sentence, until it has said these."""
    for number in range(1, len(sentences) + 1):
        until_said(page, number)
        page.evaluate("speechSynthesis.finish()")
    assert said(page) == list(sentences)


def move(table: FakePageTable, channel: int) -> None:
    table.move(f"B{channel}", "....|....|....|....", by="blue", words=f"Łucja plays {channel}")


def test_nothing_is_heard_until_somebody_turns_it_on(page: Page, table: FakePageTable) -> None:
    page.locator("h1").click()
    move(table, 1)
    table.tell("illegal", reason="two_moves", detail="Two marbles")
    expect(page.locator("#events .event")).to_have_count(3)
    assert said(page) == []
    assert page.evaluate("tones") == []


def test_events_are_said_once_and_in_order(page: Page, table: FakePageTable) -> None:
    page.get_by_label("Say aloud what happens").check()
    move(table, 1)
    table.tell("score", score=2, points={})
    table.tell("illegal", reason="two_moves", detail="Two marbles were pushed")
    table.put_question("q1", "Which one?", {"B1": "a marble", "K1": "the Joker"})
    heard(
        page, "Łucja plays 1", "Blue leads with 2.", "Please put it right: Two marbles were pushed",
        "Which one? 1: a marble 2: the Joker",
    )  # fmt: skip


def test_a_voice_that_falls_behind_leaves_out_what_is_overtaken_and_no_warning(
    page: Page, table: FakePageTable
) -> None:
    page.get_by_label("Say aloud what happens").check()
    move(table, 1)
    until_said(page, 1)
    table.tell("illegal", reason="two_moves", detail="Two marbles")
    for channel in (2, 3, 4):
        move(table, channel)
    expect(page.locator("#events .event")).to_have_count(6)
    heard(page, "Łucja plays 1", "Please put it right: Two marbles", "Łucja plays 3", "Łucja plays 4")


def test_a_correction_says_only_itself(page: Page, table: FakePageTable) -> None:
    page.get_by_label("Say aloud what happens").check()
    move(table, 1)
    until_said(page, 1)
    move(table, 2)
    table.tell("correction", ply=2, old=["B2"], new=["B3"], by="Ola", why="")
    expect(page.locator("#events .event")).to_have_count(4)
    heard(page, "Łucja plays 1", "Move 2 corrected: B2 → B3")


def test_nothing_is_repeated_after_the_server_was_away(table: FakePageTable, serve: Serve, open_page: Open) -> None:
    server = serve(table, 0)
    page = with_box(open_page(server.url, script=EARS))
    page.get_by_label("Say aloud what happens").check()
    move(table, 1)
    heard(page, "Łucja plays 1")
    server.stop()
    expect(page.locator("#lost")).to_be_visible()
    move(table, 2)
    serve(table, server.port)
    expect(page.locator("#lost")).to_be_hidden()
    move(table, 3)
    heard(page, "Łucja plays 1", "Łucja plays 3")


def test_the_switch_is_remembered_and_waits_for_a_touch(
    server: PageServer, table: FakePageTable, open_page: Open
) -> None:
    page = with_box(open_page(f"{server.url}?lang=pl", script=EARS))
    page.get_by_label("Mów na głos, co się dzieje").check()
    page.get_by_label("Dźwięki, gdy coś wymaga uwagi").check()
    page.reload()
    with_box(page)
    expect(page.get_by_label("Mów na głos, co się dzieje")).to_be_checked()
    hint = page.get_by_text("Dotknij raz tej strony").first
    expect(hint).to_be_visible()
    move(table, 1)
    expect(page.locator("#events .event")).to_have_count(2)
    assert said(page) == []
    page.locator("h1").click()
    expect(hint).to_be_hidden()
    move(table, 2)
    heard(page, "Łucja plays 2")
    assert page.evaluate("said[0][0]") == "pl"


@pytest.mark.parametrize(
    ("event", "fields", "tones"),
    [
        ("illegal", {"reason": "two_moves", "detail": "x"}, 2),
        ("orphans", {"orphans": [["A", "NE", "S"]]}, 4),
        ("question", {"question": "q", "text": "?", "choices": [], "choice_words": []}, 2),
        ("game_over", {"words": "Blue wins", "outcome": {"winner": "blue", "by": "two_rows"}}, 4),
        ("score", {"score": 1, "points": {}}, 0),
    ],
)
def test_each_call_has_a_sound_of_its_own(
    page: Page, table: FakePageTable, event: str, fields: dict[str, Any], tones: int
) -> None:
    page.get_by_label("Sounds for what asks to be looked at").check()
    table.tell(event, **fields)
    table.tell("device", device="camera", state="ok")
    expect(page.locator('#events .event[data-event="device"]')).to_have_count(1)
    assert len(page.evaluate("tones")) == tones
