"""The whole set-up on simulated tables, from the first step to the first move that the referee sees."""

from __future__ import annotations

import time
import tomllib

import pytest
from playwright.sync_api import expect

from tests.page.conftest import DESK, PHONE
from tests.setup_page.accessible import faults
from tests.setup_page.conftest import Start, Visitor
from tests.setup_page.walking import PATTERN, KeyWalk, Walk

FIRST_MOVE_MS = 120_000
ALLOWED_S = 300
"""From the start to the first move; people lay pieces meanwhile, so a rehearsal has to be far quicker."""


@pytest.mark.parametrize(
    ("game", "size", "way"),
    [
        ("infinity", PHONE, Walk),
        ("finity", DESK, KeyWalk),
        pytest.param("infinity", DESK, KeyWalk, marks=pytest.mark.long),
        pytest.param("finity", PHONE, Walk, marks=pytest.mark.long),
    ],
)
def test_from_the_start_to_the_first_move(
    start: Start, visitor: Visitor, game: str, size: tuple[int, int], way: type[Walk]
) -> None:
    begun_s = time.monotonic()
    table = start(game)
    page = visitor.open(table.link, size)
    found: dict[str, list[str]] = {}
    wide: list[str] = []

    def looked_at(word: str) -> None:
        found[word] = faults(page)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(word)

    way(page, game, looked_at).whole()
    expect(page.locator("#events .event", has_text="Anna").first).to_be_visible(timeout=FIRST_MOVE_MS)
    assert time.monotonic() - begun_s < ALLOWED_S
    assert {word: each for word, each in found.items() if each} == {}
    assert set(found) == {"game", "camera", "mat", "lay", "check", "learnt", "players", "rules", "ready"}
    assert wide == []
    config = tomllib.loads(table.config.read_text("utf-8"))
    assert config["table"]["game"] == game
    assert sorted(config["players"].values()) == ["Anna", "Józef"]
    if game == "finity":
        assert config["table"]["pattern"] == PATTERN
