"""The pictures of the set-up in the documentation, from the page itself in Chromium, on simulated tables.

python -m tests.setup_page.pictures [FOLDER]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.page.conftest import DESK, FLAGS, PHONE
from tests.page.pictures import keep
from tests.setup_page.conftest import PATIENCE_MS, Rehearsal, Visitor, rehearsed
from tests.setup_page.walking import Walk
from tests.shared_material import program

WALKS: Mapping[str, Mapping[str, str]] = {
    "infinity": {"game": "game", "mat": "mat", "lay": "lay", "rules": "rules"},
    "finity": {"check": "tap-phone", "players": "tower-phone", "ready": "ready-phone"},
}
"""What is seen on the way, and the picture that is kept of it."""

SMALL = (560, 760)
"""Of a window in which a camera picture stays a small file."""


def take(browser: Browser, folder: Path, game: str, look: Callable[[Rehearsal, Browser, Path], None]) -> None:
    with tempfile.TemporaryDirectory() as own:
        for table in rehearsed(game, Path(own)):
            look(table, browser, folder)


def take_infinity(table: Rehearsal, browser: Browser, folder: Path) -> None:
    page = Visitor(browser).open(table.link("game"), DESK)
    walk = Walk(page, "infinity", lambda word: shoot(page, folder, WALKS["infinity"], word))
    for step in (walk.choose_game, walk.choose_camera, walk.lay_the_mat, walk.take_pictures, walk.learn):
        step()
    walk.say_who_plays()
    walk.look_at_rules()
    learnt = Visitor(browser).open(table.link("pictures"), SMALL)
    Walk(learnt, "infinity").live(learnt.locator(".setup-learning"))
    learnt.locator(".setup-learning").evaluate("section => section.scrollIntoView()")
    keep(learnt, folder / "setup-learnt.png")
    dark = Visitor(browser).open(table.link("editor"), SMALL, color_scheme="dark")
    dark.get_by_role("button", name="Begin from").first.click()
    expect(dark.locator('[data-id="corner.0"]')).to_be_focused()
    dark.get_by_label("Go to a place").select_option(label="Knob")
    dark.locator(".editor").evaluate("drawing => drawing.scrollIntoView({ block: 'center' })")
    keep(dark, folder / "setup-editor.png")


def take_finity(table: Rehearsal, browser: Browser, folder: Path) -> None:
    page = Visitor(browser).open(table.link("game"), PHONE)
    walk = Walk(page, "finity", lambda word: shoot(page, folder, WALKS["finity"], word))
    for step in (walk.choose_game, walk.choose_camera, walk.lay_the_mat, walk.take_pictures, walk.learn):
        step()
    walk.say_who_plays()
    walk.look_at_rules()
    walk.seen("ready")


def shoot(page: Page, folder: Path, wanted: Mapping[str, str], word: str) -> None:
    if word not in wanted:
        return
    page.wait_for_timeout(500)  # until what fades in is there
    keep(page, folder / f"setup-{wanted[word]}.png")


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures")
    folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program("chromium"), args=list(FLAGS))
        take(browser, folder, "infinity", take_infinity)
        take(browser, folder, "finity", take_finity)
        browser.close()


if __name__ == "__main__":
    main()
