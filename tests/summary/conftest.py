"""One journal for all tests that only read it: three games of Infinity and Finity, the newest with hostile names."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.game import Json
from companion.journal.reader import read_journal
from companion.summary.story import Story, story_of
from tests.rules.playthrough import random_moves
from tests.summary.games import HOSTILE, PATTERN, Evening, finity, infinity


@pytest.fixture(scope="package")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("journal") / "journal.sqlite"
    evening = Evening(path)
    setup: dict[str, Json] = {"players": 3, "pattern": PATTERN}
    evening.play(finity(3), {"A": "Łucja", "B": "Ben", "C": "Żółw"}, random_moves("finity", setup, 165))
    evening.play(infinity(), {"blue": "Anna"}, seed=5, most=4)
    evening.play(infinity(), HOSTILE, seed=7, amiss=True)
    evening.close()
    return path


def story(journal: Path, number: int) -> Story:
    reader = read_journal(journal)
    try:
        return story_of(number, reader.entries(number))
    finally:
        reader.close()


@pytest.fixture(scope="package")
def finity_story(journal: Path) -> Story:
    return story(journal, 1)


@pytest.fixture(scope="package")
def left_story(journal: Path) -> Story:
    return story(journal, 2)


@pytest.fixture(scope="package")
def hostile_story(journal: Path) -> Story:
    return story(journal, 3)
