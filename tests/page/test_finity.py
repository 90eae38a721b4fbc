"""The page of Finity in a browser: board, paths, what holds a ring, what is threatened, what must go."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from companion.games.game import Json
from companion.page.server import PageServer
from tests.page.conftest import PHONE, Serve, Visitor, boxes, widen
from tests.page.fake_table import TOKEN
from tests.page.finity_table import FakeFinityTable

MOVES = (
    "add b N>NE M", "add b S>SW M", "ring NE S", "ring SW S", "add w NE>E M", "add w SW>W M", "ring E M",
)  # fmt: skip
"""A has rings on NE and E, held over N>NE and NE>E; B has one on SW, and a bridge beyond it."""


@pytest.fixture
def table() -> FakeFinityTable:
    return FakeFinityTable(MOVES)


@pytest.fixture
def page(visitor: Visitor, serve: Serve, table: FakeFinityTable) -> Page:
    return visitor.open(serve(table, 0).link(TOKEN))


def labels(page: Page) -> list[str]:
    found = page.locator("#board .piece").evaluate_all("all => all.map(piece => piece.dataset.label).sort()")
    assert isinstance(found, list)
    return found


def ring(page: Page, player: str, station: str) -> str:
    return f'#board .choosable[data-player="{player}"][data-station="{station}"]'


def test_every_piece_is_drawn_with_its_letter(page: Page) -> None:
    assert labels(page) == sorted(
        ["A", "A", "A", "B", "B", "b N", "b S", "blocker A", "blocker A", "blocker B", "blocker B", "w NE", "w SW"]
    )
    expect(page.locator("#board .cone")).to_have_count(8)
    letters = page.locator("#board .choosable text.letter").all_text_contents()
    assert sorted(letters) == ["A", "A", "B"]
    words = page.locator("#board-words")
    expect(words).to_contain_text("small ring on NE: A")
    expect(words).to_contain_text("middle slot from N to NE: black bridge from N")
    expect(words).to_contain_text("medium ring on E: A")


def test_a_bridge_points_from_its_tail_to_its_tip(page: Page) -> None:
    from_middle = """element => {
      const tip = element.querySelector('polygon').points[0];
      const end = tip.matrixTransform(element.getScreenCTM());
      const box = element.getBoundingClientRect();
      return [end.x - box.x - box.width / 2, end.y - box.y - box.height / 2];
    }"""
    x, y = page.locator('#board [data-label="b N"]').evaluate(from_middle)
    assert x > 0  # NE lies to the right of N and below it
    assert y > 0
    x, y = page.locator('#board [data-label="b S"]').evaluate(from_middle)
    assert x < 0  # SW lies to the left of S and above it
    assert y < 0


def test_paths_are_counted_along_the_pattern(page: Page) -> None:
    expect(page.locator("#score-title")).to_have_text("Paths")
    expect(page.locator(".path-name")).to_have_text(["Anna", "B"])
    expect(page.locator(".path-length")).to_have_text(["2 of 8", "2 of 8"])
    expect(page.locator(".path").first.locator(".bead.reached")).to_have_count(2)
    page.locator(".path").first.hover()
    expect(page.locator("#board-note")).to_have_text("Anna's longest path: N → NE → E.")
    expect(page.locator("#board .step text")).to_have_text(["1", "2"])


@pytest.mark.parametrize("way", ["pointer", "tap", "keyboard"])
def test_a_ring_shows_what_holds_it(page: Page, way: str) -> None:
    chosen = page.locator(ring(page, "A", "E"))
    if way == "keyboard":
        chosen.focus()
    elif way == "tap":
        chosen.locator("text.letter").click()
        page.mouse.move(2, 2)
    else:
        chosen.locator("text.letter").hover()
    note = page.locator("#board-note")
    expect(note).to_contain_text("Anna's rings on E (medium) are held by N → NE → E.")
    expect(note).to_contain_text("Every path there needs the bridge b N>NE M and w NE>E M.")
    expect(page.locator("#board .step.hangs")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(note).to_contain_text("Point at a ring")
    expect(page.locator("#board .step")).to_have_count(0)


def test_a_finger_may_tap_into_a_rings_hollow(visitor: Visitor, serve: Serve) -> None:
    moves = (
        "add b N>NE M", "add b S>SE M", "ring NE S", "ring SE S", "add w NE>E M", "add w SE>NE M", "ring E M",
        "ring NE L",
    )  # fmt: skip
    phone = visitor.open(serve(FakeFinityTable(moves), 0).link(TOKEN), PHONE)
    expect(phone.get_by_role("button", name="Enter a move")).to_be_enabled()  # then the board is not drawn anew
    for station, said in (("SE", "B's rings on SE (small)"), ("NE", "Anna's rings on NE (small)")):
        hollow = phone.locator(f'#board .choosable[data-station="{station}"] .hollow').last
        hollow.click(force=True)  # whatever lies under its middle takes the tap
        expect(phone.locator("#board-note")).to_contain_text(said)


def test_a_ring_tells_a_screen_reader_what_holds_it(page: Page) -> None:
    expect(page.locator(ring(page, "A", "NE"))).to_have_attribute(
        "aria-label", re.compile(r"Anna's rings on NE \(small\) are held by N → NE")
    )


def test_what_the_next_move_could_cut_off_is_marked_by_shape(page: Page, table: FakeFinityTable) -> None:
    explanation = table.state()["explanation"]
    assert isinstance(explanation, dict)
    told = {tuple(ring) for rings in explanation["would_orphan"].values() for ring in rings if ring[0] == "A"}
    assert told == {("A", "NE", "S"), ("A", "E", "M")}  # B is to move, and may reverse N>NE or NE>E
    expect(page.locator("#board .threatened")).to_have_count(2)
    expect(page.locator("#board-key")).to_be_visible()
    page.locator(ring(page, "A", "NE")).focus()
    expect(page.locator("#board-note")).to_contain_text("B could cut rings off by: reverse N>NE M")


def test_rings_that_must_go_are_called_for_until_they_are_gone(page: Page, table: FakeFinityTable) -> None:
    orphans: Json = [["A", "NE", "S"], ["A", "E", "M"]]
    table.tell("orphans", then={"orphans": orphans}, orphans=orphans)
    call = page.locator("#orphans")
    expect(call).to_contain_text("Please take off")
    expect(call.locator("li > span")).to_have_text(["Anna's small ring on NE", "Anna's medium ring on E"])
    expect(page.locator("#board .orphan")).to_have_count(2)
    newest = page.locator("#events .event").first
    expect(newest).to_contain_text("Cut off: Anna's small ring on NE, Anna's medium ring on E")
    table.tell("orphans_reminder", orphans=[["A", "E", "M"]], then={"orphans": [["A", "E", "M"]]})
    expect(newest).to_contain_text("Still on the board: Anna's medium ring on E")
    table.tell("orphans_removed", orphans=orphans, then={"orphans": []})
    expect(call).to_be_hidden()
    expect(page.locator("#board .orphan")).to_have_count(0)
    expect(newest).to_contain_text("gone")


def test_what_is_seen_against_the_rules_is_drawn_where_it_lies(page: Page, table: FakeFinityTable) -> None:
    seen: Json = {"C>N M": "b C", "NE.L": "B", "E.P": "B", "NE.S": "."}
    illegal: Json = {"reason": "redundant_bridge", "detail": "There is one.", "by": "B", "seen": seen, "also": []}
    table.tell(
        "illegal", then={"illegal": illegal}, reason="redundant_bridge", detail="There is one.", seen=seen, by="B"
    )
    expect(page.locator("#board .wrong")).to_have_count(4)
    expect(page.locator('#board .wrong [data-label="b C"]')).to_have_count(1)
    expect(page.locator("#illegal")).to_contain_text("A second bridge of this kind")


def test_focus_stays_on_a_ring_when_news_come(page: Page, table: FakeFinityTable) -> None:
    page.locator(ring(page, "A", "E")).focus()
    table.change(devices={"camera": {"state": "stale", "detail": "", "since": None}})
    expect(page.locator("#devices")).to_contain_text("Camera")
    expect(page.locator(ring(page, "A", "E"))).to_be_focused()
    expect(page.locator("#board-note")).to_contain_text("Anna's rings on E")


def test_the_winning_path_is_shown_by_itself(page: Page, table: FakeFinityTable) -> None:
    won: Json = {"winner": "A", "by": "full_path", "path": ["N", "NE", "E"]}
    table.tell("game_over", then={"outcome": won, "outcome_words": "Anna wins"}, outcome=won, words="Anna wins")
    expect(page.locator("#over")).to_contain_text("Anna has won")
    expect(page.locator("#board .chosen-walk")).to_have_count(1)
    expect(page.locator("#board .step text")).to_have_text(["1", "2"])


def test_nobody_is_told_to_tidy_up_after_the_end(page: Page, table: FakeFinityTable) -> None:
    orphans: Json = [["A", "NE", "S"]]
    table.tell("orphans", then={"orphans": orphans}, orphans=orphans)
    expect(page.locator("#orphans")).to_be_visible()
    won: Json = {"winner": "B", "by": "full_path"}
    table.tell("game_over", then={"outcome": won, "outcome_words": "B wins"}, outcome=won, words="B wins")
    expect(page.locator("#over")).to_contain_text("B has won")
    expect(page.locator("#orphans")).to_be_hidden()


def test_a_long_name_stays_in_its_card(page: Page, table: FakeFinityTable) -> None:
    table.change(names={"A": "W" * 60, "B": "<onerror=somethinglong>" * 2})
    won: Json = {"winner": "B", "by": "full_path"}
    table.tell("game_over", then={"outcome": won, "outcome_words": "B wins"}, outcome=won, words="B wins")
    expect(page.locator("#over")).to_be_visible()
    (_, _, call_ends, _), (board_begins, _, _, _) = boxes(page, "#over", "#board svg")
    assert call_ends <= board_begins
    table.change(outcome=None)
    turn = page.locator("#turn")
    expect(turn).to_be_visible()
    assert turn.evaluate("element => element.offsetHeight") < 160  # three lines at most


def test_what_people_wrote_stays_text(visitor: Visitor, serve: Serve, table: FakeFinityTable) -> None:
    evil = '"><img src=x onerror="document.title=1">]'
    table.change(names={"A": evil, "B": evil}, orphans=[[evil, evil, evil]])
    explanation = table.state()["explanation"]
    assert isinstance(explanation, dict)
    table.change(explanation={**explanation, "rings": [{**explanation["rings"][0], "player": evil}]})
    page = visitor.open(serve(table, 0).link(TOKEN))
    expect(page.locator("#orphans")).to_contain_text(evil)
    expect(page.locator("img")).to_have_count(1)  # the camera's own


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_hangs_over_the_edge(visitor: Visitor, serve: Serve, players: int) -> None:
    table = FakeFinityTable(MOVES if players == 2 else (), players=players)
    table.change(names={"A": "Wolfeschlegelsteinhausenbergerdorff"})
    server: PageServer = serve(table, 0)
    page = visitor.open(server.link(TOKEN), PHONE)
    for width in (320, 390, 820, 1280, 1920):
        widen(page, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        [(left, _, right, _)] = boxes(page, "#board svg")
        assert 0 <= left < right <= width
