"""The pictures of the page in the documentation, from the page itself in Chromium, with simulated cameras.

python -m tests.page.pictures [FOLDER]
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from companion.cli.simulated import calibrated_camera, calibrated_finity_camera
from companion.games.game import Json
from companion.page.app import create_app
from companion.page.layout.colours import learnt_colours
from companion.page.server import PageServer
from tests.page.conftest import DESK, FLAGS, PHONE
from tests.page.fake_table import TOKEN, FakePageTable
from tests.page.ruled_table import RuledTable
from tests.shared_material import program

COLOURS = (256, 128, 64)
"""Of a picture's palette: the most with which a file stays below `LARGEST`."""
LARGEST = 120_000
NAMES = {"blue": "Ada", "yellow": "Józef", "A": "Ada", "B": "Ben"}
INFINITY = ("B1", "Y2", "B1", "W3", "K2", "Y2", "B3", "Y4", "B1", "Y1", "B4", "Y4")
FINITY = (
    "add b N>NE M", "add b S>SW M", "ring NE S", "ring SW S", "add w NE>E M", "add w SW>W M", "ring E M", "ring W M",
    "add b E>SE M", "add b W>SW L", "ring NE M", "ring SW L",
)  # fmt: skip


def infinity() -> tuple[RuledTable, Callable[[], bytes]]:
    """A game of Infinity under way, and its camera."""
    from calibration.infinity.board import reference_board
    from hw_sim.camera.positions import Layout
    from hw_sim.camera.troubles import resting_scene

    table = RuledTable("infinity", INFINITY, names=NAMES)
    camera = calibrated_camera("slate_window", 1)

    def scene() -> Any:
        state: Any = table.state()
        well = "".join(label * count for label, count in state["well"].items())
        layout = Layout(state["position"]["board"], well, state["knob"]["expected"])
        return resting_scene(layout, reference_board())

    return table, lambda: _seen(camera, scene())


def finity() -> tuple[RuledTable, Callable[[], bytes]]:
    """A game of Finity under way, and its camera."""
    from calibration.finity.board import reference_board
    from hw_sim.finity.camera.positions import Standing, scene_of
    from hw_sim.finity.scene import FinityScene

    pattern = "bwbbwbww"
    camera = calibrated_finity_camera("granite_window", 1, FinityScene(2, pattern))
    colours = learnt_colours(camera.calibration)
    table = RuledTable("finity", FINITY, setup={"players": 2, "pattern": pattern}, names=NAMES, colours=colours)

    def scene() -> Any:
        position: Any = table.state()["position"]
        standing = Standing(
            tuple(position["bridges"]),
            position["rings"],
            position["posts"],
            {player: tuple(places) for player, places in position["blockers"].items()},
        )
        rng = np.random.default_rng(1)
        return scene_of(standing, reference_board(), 2, pattern, tiles={}, rng=rng, centre_rings="AB")

    return table, lambda: _seen(camera, scene())


def _seen(camera: Any, scene: Any) -> bytes:
    from vision.annotate import annotated_jpeg
    from vision.recogniser import recogniser_for

    picture = camera.camera.picture(scene)
    recogniser = recogniser_for(camera.calibration)
    reading = [recogniser.look(picture) for _ in range(3)][-1]
    return annotated_jpeg(picture, reading, camera.calibration, pose=recogniser.pose)


@contextmanager
def shown(table: FakePageTable) -> Iterator[str]:
    with PageServer(create_app({"table": table}, token=TOKEN), port=0) as server:
        yield server.link(TOKEN)


def visit(browser: Browser, address: str, size: tuple[int, int], **how: Any) -> Page:
    """A page with its camera picture."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", **how)
    page = context.new_page()
    page.goto(address, wait_until="domcontentloaded")
    page.wait_for_selector("#table:not([aria-busy]) :is(.lead, .path)")
    page.wait_for_timeout(600)  # the camera picture is seen and asked for
    return page


def keep(page: Page, path: Path) -> None:
    """Write what the page shows, with a palette so that it stays small."""
    page.wait_for_timeout(200)
    png = page.screenshot(animations="disabled")
    for colours in COLOURS:
        small = BytesIO()
        Image.open(BytesIO(png)).convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(
            small, "PNG", optimize=True
        )
        if len(small.getvalue()) < LARGEST:
            break
    path.write_bytes(small.getvalue())
    print(f"{path}: {path.stat().st_size} bytes, {colours} colours")


def take_infinity(browser: Browser, folder: Path) -> None:
    table, see = infinity()
    table.shot = see(), 0.1
    table.change(devices={"camera": OK, "board": OK})
    with shown(table) as address:
        page = visit(browser, address, DESK)
        keep(page, folder / "page-infinity.png")
        page.locator("#events .jump").nth(4).click()
        page.wait_for_selector('[data-view="past"] .view small')
        keep(page, folder / "page-infinity-history.png")
        page.keyboard.press("End")
        table.put_question("q1", "Which marble went into channel 2?", {"B2": "A blue marble", "K2": "The black Joker"})
        page.wait_for_selector("#question:not([hidden])")
        keep(page, folder / "page-infinity-question.png")
        table.tell("question_closed", then={"question": None}, question="q1", answer="K2", by="person")
        dark = visit(browser, address, PHONE, color_scheme="dark")
        keep(dark, folder / "page-infinity-phone.png")
        wrong: dict[str, Json] = {"reason": "piece_taken", "detail": TAKEN, "seen": {"1.1": "."}, "also": []}
        table.tell("illegal", then={"illegal": wrong}, by=None, **wrong)
        page.wait_for_selector("#illegal:not([hidden])")
        keep(page, folder / "page-infinity-illegal.png")


def take_finity(browser: Browser, folder: Path) -> None:
    table, see = finity()
    table.shot = see(), 0.1
    table.change(devices={"camera": OK})
    with shown(table) as address:
        page = visit(browser, address, (1440, 900))
        page.locator("#analysis summary").click()
        page.wait_for_selector(".what-if")
        keep(page, folder / "page-finity.png")
        page.locator(".what-if.cuts").first.click()
        page.wait_for_selector('[data-view="what_if"]')
        keep(page, folder / "page-finity-what-if.png")
        page.locator(".to-live").click()
        page.locator("#analysis summary").click()
        table.play("reverse S>SW M")
        table.change(devices={"camera": OK})
        page.wait_for_selector("#orphans:not([hidden])")
        keep(page, folder / "page-finity-orphans.png")
        polish = visit(browser, address, (1440, 900), color_scheme="dark", locale="pl-PL")
        keep(polish, folder / "page-finity-polish.png")
        phone = visit(browser, address, PHONE)
        phone.keyboard.press("ArrowLeft")
        phone.wait_for_selector('[data-view="past"] .view small')
        phone.evaluate("document.querySelector('#history').scrollIntoView()")
        keep(phone, folder / "page-finity-phone.png")


OK: Mapping[str, Json] = {"state": "ok", "detail": "", "since": None}
TAKEN = "The marble was taken out of channel 1: put it back."


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures")
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program("chromium"), args=list(FLAGS))
        take_infinity(browser, folder)
        take_finity(browser, folder)
        browser.close()


if __name__ == "__main__":
    main()
