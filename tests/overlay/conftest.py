"""The browser of the page's tests, and pages opened in it that are no table's own."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.page.conftest import DESK, Visitor, browser, serve, server, table, visitor

__all__ = ["browser", "serve", "server", "table", "visitor"]

Open = Callable[..., Page]


@pytest.fixture
def open_page(visitor: Visitor) -> Open:
    """Open an address as it is: `size`, `script` (is run before the page's own), `scheme` (light or dark)."""

    def open_it(
        address: str, *, size: tuple[int, int] = DESK, script: str = "", scheme: str = "light", java: bool = True
    ) -> Page:
        context = visitor.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=java,
        )
        context.set_default_timeout(10_000)
        visitor.contexts.append(context)
        page = context.new_page()
        page.on("console", visitor._heard)
        page.on("pageerror", lambda error: visitor.complaints.append(str(error)))
        if script:
            page.add_init_script(script)
        page.goto(address, wait_until="domcontentloaded")
        return page

    return open_it
