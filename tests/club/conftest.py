"""A store of a club, and one browser."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from companion.club.store import Store, open_store
from tests.page.conftest import FLAGS
from tests.shared_material import program

NIGHT = datetime(2030, 1, 2, 18, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path / "club.sqlite", NIGHT)
    assert opened.notice is None
    yield opened.store
    opened.store.close()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = program("chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield chromium
        chromium.close()
