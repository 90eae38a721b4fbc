"""The pictures of overlay and summary in the documentation, from the pages themselves in Chromium.

python -m tests.overlay.pictures [FOLDER]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from companion.page.app import create_app
from companion.page.archive import Archive
from companion.page.server import PageServer
from tests.page.conftest import DESK, FLAGS, PHONE
from tests.page.fake_table import TOKEN
from tests.page.pictures import finity, infinity, keep
from tests.page.ruled_table import RuledTable
from tests.rules.playthrough import random_moves
from tests.shared_material import program
from tests.summary.games import PATTERN, Evening
from tests.summary.games import finity as finity_rules
from tests.summary.games import infinity as infinity_rules

STREAM = (1280, 720)
SMALL = (960, 540)


@contextmanager
def served(table: RuledTable, journal: Path | None = None) -> Iterator[str]:
    archives = {} if journal is None else {"table": Archive(journal)}
    with PageServer(create_app({"table": table}, token=TOKEN, archives=archives), port=0) as server:
        yield server.url


def visit(browser: Browser, address: str, size: tuple[int, int], scheme: str = "light") -> Page:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(address, wait_until="domcontentloaded")
    return page


def take_overlay(
    browser: Browser, path: Path, table: RuledTable, see: Callable[[], bytes], query: str, *, called: bool = False
) -> None:
    """The overlay as a stream shows it: over the picture of the camera."""
    with served(table) as address:
        page = visit(browser, f"{address}overlay/table{query}", STREAM)
        page.wait_for_selector("#overlay:not([aria-busy])")
        if called:
            page.wait_for_selector("#call:not([hidden])")
        page.wait_for_timeout(300)
        over = Image.open(BytesIO(page.screenshot(omit_background=True, animations="disabled")))
    under = Image.open(BytesIO(see())).convert("RGBA").resize(STREAM)
    picture = Image.alpha_composite(under, over.convert("RGBA")).convert("RGB")
    # Coarse steps leave colours for overlay and pieces: a grey table would take nearly all of them for itself.
    small = picture.resize(SMALL, Image.Resampling.LANCZOS)
    vivid = small.point(lambda value: value // 8 * 8).quantize(256, kmeans=4)
    small = small.quantize(palette=vivid, dither=Image.Dither.FLOYDSTEINBERG)
    small.save(path, "PNG", optimize=True)
    print(f"{path}: {path.stat().st_size} bytes")


def take_overlays(browser: Browser, folder: Path) -> None:
    table, see = infinity()
    take_overlay(browser, folder / "overlay-infinity.png", table, see, "?corner=bottom-right")
    table, see = finity()
    table.tell("orphans", then={"orphans": [["B", "W", "M"]]}, orphans=[["B", "W", "M"]])
    take_overlay(browser, folder / "overlay-finity.png", table, see, "?lang=pl&board=1&scale=0.9", called=True)


def take_summaries(browser: Browser, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        journal = Path(scratch) / "journal.sqlite"
        evening = Evening(journal)
        moves = random_moves("finity", {"players": 2, "pattern": PATTERN}, 12)
        evening.play(finity_rules(), {"A": "Ada", "B": "Józef"}, moves)
        evening.play(infinity_rules(), {"blue": "Ada", "yellow": "Józef"}, seed=7, amiss=True)
        evening.close()
        table = infinity()[0]
        with served(table, journal) as address:
            keep(visit(browser, f"{address}summary/table", DESK), folder / "summary-infinity.png")
            keep(
                visit(browser, f"{address}summary/table/1?lang=pl", PHONE, "dark"), folder / "summary-finity-phone.png"
            )
            replay = visit(browser, f"{address}replay/table/1", DESK)
            replay.locator(".controls:not([hidden])").wait_for()
            replay.locator("button[data-turn='60']").click()
            keep(replay, folder / "summary-replay.png")
            keep(visit(browser, f"{address}games/?lang=pl", (1000, 420)), folder / "summary-games.png")
        (folder / "summary-picture.png").write_bytes(Archive(journal).picture(1, "pl"))


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures")
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program("chromium"), args=list(FLAGS))
        take_overlays(browser, folder)
        take_summaries(browser, folder)
        browser.close()


if __name__ == "__main__":
    main()
