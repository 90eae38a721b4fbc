"""All pages of one server: a module of routes each, behind one guard.

    ./                        the table's page; a list of them where there are several (`companion.page.tables_page`)
    table/{table}/            any table's page (`companion.page.table_page`)
    overlay/{table}           what is laid over a stream (`companion.page.overlay`)
    summary/, replay/, games/ after a game (`companion.page.summary`)
    report/                   recording for a bug report (`companion.page.report`)
    phone                     the page's link for phones, as a QR code (`companion.page.sharing`)
    setup/                    the set-up, where there is one (`companion.page.setup`)

All addresses in the pages are relative, so that they work behind a prefix (a reverse proxy, Home Assistant's ingress).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from companion.page.guard import Guard, own_names
from companion.page.table import PageTable

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from companion.page.archive import Archive
    from companion.setup.session import SetupSession

NO_ARCHIVES: Mapping[str, Archive] = MappingProxyType({})


def new_token() -> str:
    """A secret that lets a browser command; it stands behind `#token=` in the link that the terminal shows."""
    return secrets.token_urlsafe(24)


def create_app(
    tables: Mapping[str, PageTable],
    *,
    token: str,
    setup: SetupSession | None = None,
    hosts: Iterable[str] = (),
    frames: Iterable[str] = (),
    archives: Mapping[str, Archive] = NO_ARCHIVES,
    language: str = "en",
    beat_s: float = 10.0,
    fresh_picture_s: float = 3.0,
    command_timeout_s: float = 5.0,
) -> Starlette:
    """Build the pages of some tables.

    Args:
        tables: by the name that stands in addresses (that of `companion.mqtt.topics.topic_part`), the first
            one's page at the root; may change while the server runs.
        token: whoever sends it may command; everybody who reaches the page may look.
        setup: is shown at `setup/`, and at the root while there is no table.
        hosts: names beside this machine's own under which the page is reached.
        frames: other sites that may show the page in a frame, as "https://homeassistant.local:8123".
        archives: what is kept of each table, by the same names; may change while the server runs.
        language: of a browser that prefers no language that there is (`companion.texts.languages`).
        beat_s: seconds of silence on the event stream after which a beat is sent; the page calls the connection lost
            after two and a half of the default.
        fresh_picture_s: a camera picture that is older is not served. A camera under way gives 15 a second, a slow
            one 1, and an exposure step may cost one or two.
        command_timeout_s: how long a command may take before the person is told that the table does not answer.
    Raises:
        ValueError: on an empty token.
    """
    from starlette.applications import Starlette
    from starlette.middleware import Middleware

    from companion.page.missing import missing_handler
    from companion.page.openapi import openapi_routes
    from companion.page.overlay import overlay_routes
    from companion.page.report import report_routes
    from companion.page.sharing import sharing_routes
    from companion.page.site import Site
    from companion.page.summary import summary_routes
    from companion.page.table_page import table_routes
    from companion.page.tables_page import tables_routes

    outer_names = frozenset(name.lower() for name in hosts)
    site = Site(
        tables,
        token,
        outer_names,
        language,
        archives=archives,
        beat_s=beat_s,
        fresh_picture_s=fresh_picture_s,
        command_timeout_s=command_timeout_s,
    )
    routes = [*tables_routes(site), *table_routes(site), *table_routes(site, "/table/{table}")]
    routes += [*overlay_routes(site), *summary_routes(site), *sharing_routes(site), *report_routes(site)]
    routes += openapi_routes()
    if setup is not None:
        from companion.page.setup import setup_routes

        routes += setup_routes(site, setup)
        site.pages.append("setup")
    app = Starlette(
        routes=routes,
        exception_handlers={404: missing_handler(site)},
        middleware=[
            Middleware(partial(Guard, names=own_names(outer_names), frames=tuple(frames), refusals=site.refusals))
        ],
    )
    app.state.streams = site.streams
    app.state.refusals = site.refusals
    app.state.bound = None
    return app
