"""axe-core on a page, as it is shown at this moment."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_AXE = Axe()
_AT_REST = """Promise.all(
    document.getAnimations().filter((each) => each.effect.getTiming().iterations === 1)
        .map((each) => each.finished.catch(() => null))
)"""


def faults(page: Page) -> list[str]:
    """What axe-core has against the page, with the elements; colours that fade in are waited for."""
    page.evaluate(_AT_REST)
    found = _AXE.run(page).response["violations"]
    return [f"{fault['id']}: {fault['help']}: {[node['html'][:200] for node in fault['nodes']]}" for fault in found]
