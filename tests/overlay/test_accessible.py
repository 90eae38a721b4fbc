"""axe-core finds nothing on the overlay and the pages after a game: both languages, light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from companion.page.app import create_app
from companion.page.archive import Archive
from companion.page.server import PageServer
from tests.overlay.conftest import Open
from tests.page.conftest import DESK, PHONE
from tests.page.fake_table import TOKEN, FakePageTable
from tests.rules.playthrough import random_moves
from tests.summary.games import HOSTILE, PATTERN, Evening, finity, infinity


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("journal") / "journal.sqlite"
    evening = Evening(path)
    moves = random_moves("finity", {"players": 2, "pattern": PATTERN}, 12)
    evening.play(finity(), {"A": "Łucja", "B": "Ben"}, moves)
    evening.play(infinity(), HOSTILE, seed=7, amiss=True)
    evening.close()
    return path


@pytest.fixture(scope="module")
def site(journal: Path) -> Iterator[str]:
    table = FakePageTable()
    table.move("B1", "B...|....|....|....", by="blue")
    table.put_question("q1", "Which one?", {"B1": "a marble"})
    app = create_app({"table": table}, token=TOKEN, archives={"table": Archive(journal)})
    with PageServer(app, port=0) as server:
        yield server.url


def violations(page: Page) -> list[Any]:
    found: list[Any] = Axe().run(page).response["violations"]
    return [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found]


PAGES = [
    "overlay/table?board=1",
    "summary/table",
    "summary/table/1",
    "games/",
    "replay/table/1",
    "replay/table/2",
    "summary/table/99",
]


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_found(site: str, open_page: Open, visitor: Any, path: str) -> None:
    for lang, size, scheme in (("en", DESK, "light"), ("pl", PHONE, "dark")):
        page = open_page(f"{site}{path}{'&' if '?' in path else '?'}lang={lang}", size=size, scheme=scheme)
        if path.startswith("overlay"):
            page.wait_for_selector("#overlay:not([aria-busy])")
            page.wait_for_timeout(700)  # colours are compared as they are after the fade
        assert violations(page) == [], (lang, scheme)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it runs out of a phone's side"
    if path.endswith("99"):
        visitor.complaints = [each for each in visitor.complaints if "404" not in each]


BROKEN_WORDS = """() => [...document.querySelectorAll("main td, main td *")].flatMap((each) => [...each.childNodes])
  .filter((node) => node.nodeType === Node.TEXT_NODE)
  .flatMap((node) => [...node.data.matchAll(/[\\p{L}\\d]+/gu)].map((found) => [node, found]))
  .filter(([node, found]) => {
    const range = document.createRange();
    range.setStart(node, found.index);
    range.setEnd(node, found.index + found[0].length);
    return new Set([...range.getClientRects()].map((box) => box.top)).size > 1;
  })
  .map(([, found]) => found[0])"""


@pytest.mark.parametrize("width", [390, 660, 1280])
def test_the_list_of_games_breaks_no_word(site: str, open_page: Open, width: int) -> None:
    page = open_page(f"{site}games/?lang=pl", size=(width, 844))
    page.wait_for_function("() => [...document.styleSheets].some((sheet) => sheet.cssRules.length)")
    assert page.evaluate(BROKEN_WORDS) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_picture_without_words_would_be_found(site: str, open_page: Open) -> None:
    page = open_page(f"{site}games/")
    page.evaluate("document.querySelector('main').append(document.createElement('img'))")
    assert [name for name, _ in violations(page)] == ["image-alt"]


def test_nothing_is_found_in_the_box_beside_the_game(site: str, open_page: Open) -> None:
    page = open_page(f"{site}#token={TOKEN}")
    page.wait_for_selector(".more details")
    page.locator(".more summary").first.click()
    page.wait_for_selector(".more details[open] p")
    assert [each for each in violations(page) if "more" in str(each[1])] == []
