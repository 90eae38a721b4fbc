"""The picture of the club's page in the documentation, from the page itself in Chromium.

python -m tests.club.pictures [FOLDER]
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from companion.club.club import Club
from companion.club.store import open_store
from companion.page.club import create_club_app
from companion.page.server import PageServer
from tests.page.conftest import DESK, FLAGS, PHONE
from tests.shared_material import program

LARGEST = 120_000
BAR = (38, 39)
"""Tables of a program that is gone."""
COLOURS = 64
NAMES = ("Ada", "Józef", "Mei", "Ola", "Piotr", "Zofia", "Ben", "Ruth", "Igor", "Lena", "Žofie", "Tomek")
CALLS: Mapping[int, Mapping[str, Any]] = {
    4: {"question": {"question": "q", "text": "Which marble was pushed into channel 2?", "choices": []}},
    9: {"illegal": {"reason": "two_marbles", "detail": "Two marbles came in at once"}},
    17: {"knob": {"expected": 2, "seen": 1, "wrong": True}},
    23: {"devices": {"camera": {"state": "lost", "detail": ""}}},
}


def state_of(number: int) -> dict[str, Any]:
    """A table in the middle of a game; some call for a referee."""
    first, second = NAMES[number % 12], NAMES[(number * 5 + 1) % 12]
    score = (number * 7) % 9 - 4
    over = number % 11 == 10
    return {
        "table": f"Table {number + 1}",
        "seq": 40 + number,
        "game": "infinity",
        "players": ["blue", "yellow"],
        "names": {"blue": first, "yellow": second if second != first else "Kim"},
        "score": 7 if over else score,
        "to_move": None if over else ("blue", "yellow")[number % 2],
        "ply": 6 + number * 3 % 31,
        "moves": [],
        "outcome": {"winner": "blue", "by": "score"} if over else None,
        "outcome_words": f"{first} wins" if over else "",
        "paused": number % 13 == 5,
        **CALLS.get(number, {}),
    }


def fill(club: Club, tables: int = 200, each: int = 10) -> None:
    """Let a broker tell of so many tables."""
    club.broker(True, "")
    for number in range(tables):
        node = "bar" if number in BAR else f"room-{number // each + 1}"
        if number % each == 0:
            club.take(f"{node}/status", b"stopped" if number == 50 else b"online")
        club.take(f"{node}/Table_{number + 1}/state", json.dumps(state_of(number)).encode())
    club.take("bar/status", b"offline")
    for number in range(24):
        _game(club, number)
    club.keep()
    club.wake()


def _game(club: Club, number: int) -> None:
    """A game of the evening before, from its events."""
    state = state_of(number)
    about = {"game": "infinity", "players": state["players"], "names": state["names"], "table": state["table"]}
    winner = ("blue", "yellow", None)[number % 3 if number % 5 else 2]
    score = {"blue": 5, "yellow": -4, None: 0}[winner]
    topic = f"room-{number // 10 + 1}/Table_{number + 1}/event"
    at = f"2026-03-14T19:{10 + number:02d}:00.000+00:00"
    lines: list[dict[str, Any]] = [
        {"event": "game_started", **about},
        {"event": "move", "score": score},
        {"event": "game_over", "outcome": {"winner": winner} if winner else {"draw": "agreed"}, "words": ""},
    ]
    for seq, line in enumerate(lines, start=1):
        club.take(topic, json.dumps({**line, "seq": seq, "id": f"{number}-{seq}", "at": at}).encode())


@contextmanager
def club_page(tables: int = 200) -> Iterator[tuple[Club, str]]:
    """A club's page with so many tables, and its address."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "club.sqlite", datetime.now(UTC)).store
        club = Club(store)
        fill(club, tables)
        with PageServer(create_club_app(club), port=0) as server:
            yield club, server.url
        store.close()


def opened(browser: Browser, url: str, size: tuple[int, int] = DESK, **more: Any) -> Page:
    page = browser.new_context(viewport={"width": size[0], "height": size[1]}, **more).new_page()
    page.goto(url, wait_until="domcontentloaded")
    page.wait_for_selector("main:not([aria-busy])")
    return page


def save(png: bytes, path: Path) -> None:
    """Write a picture with few colours, so that it is small."""
    image = Image.open(BytesIO(png)).convert("RGB").quantize(COLOURS)
    image.save(path, optimize=True)
    assert path.stat().st_size < LARGEST, f"{path} has {path.stat().st_size} bytes"


def main(folder: Path) -> None:
    with sync_playwright() as playwright, club_page() as (_, url):
        browser = playwright.chromium.launch(executable_path=program("chromium"), args=list(FLAGS))
        save(opened(browser, url).screenshot(), folder / "club.png")
        if folder != Path("docs/pictures"):
            save(opened(browser, url, PHONE, color_scheme="dark").screenshot(), folder / "club-phone.png")
            page = opened(browser, f"{url}?lang=pl#standings", color_scheme="dark")
            page.wait_for_selector(".club-standings")
            save(page.screenshot(), folder / "club-standings.png")
            page = opened(browser, f"{url}?lang=pl#standings", PHONE)
            page.wait_for_selector(".club-standings")
            save(page.screenshot(), folder / "club-standings-phone.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs/pictures"))
