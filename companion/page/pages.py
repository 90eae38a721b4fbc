"""One server's pages for tables that come and go while it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING

from companion.page.reach import lan_url

if TYPE_CHECKING:
    from companion.config import PageSection
    from companion.page.archive import Archive
    from companion.page.table import PageTable
    from companion.setup.session import SetupSession


class Pages:
    """The server of a config's pages, and the tables on it. Use it as a context.

    Args:
        section: where it listens.
        setup: is shown at `setup/`, where there is one.
        language: of a browser that prefers no language that there is.
    Raises:
        DeviceError: on entering, where the address or port cannot be had.
    """

    def __init__(self, section: PageSection, *, setup: SetupSession | None = None, language: str = "en") -> None:
        from companion.page.app import create_app, new_token
        from companion.page.server import PageServer
        from companion.page.token_file import kept_token

        self.token = new_token() if section.token_file is None else kept_token(section.token_file)
        self._tables: dict[str, PageTable] = {}
        self._archives: dict[str, Archive] = {}
        self._app = create_app(
            self._tables,
            token=self.token,
            setup=setup,
            hosts=section.hosts,
            language=language,
            frames=section.frames,
            archives=self._archives,
        )
        self._server = PageServer(self._app, section.host, section.port)

    @property
    def tables(self) -> Mapping[str, PageTable]:
        """The tables by their names in addresses."""
        return self._tables

    def link(self, page: str = "") -> str:
        """The address of a page ("" or "setup/") that lets its browser command."""
        return f"{self._server.url}{page}#token={self.token}"

    def phone_link(self, page: str = "") -> str | None:
        """As `link`, as a phone in the same network finds it; None where only this machine reaches the page."""
        url = lan_url((self._server.host, self._server.port))
        return None if url is None else f"{url}{page}#token={self.token}"

    def show(self, name: str, table: PageTable, archive: Archive | None = None) -> Callable[[], None]:
        """Show a table from here on; what is returned takes it away, and lets its browsers look anew what there is.

        Args:
            name: of the table; its address is made of it.
            archive: its earlier games, which stay to be looked at after the table is taken away.
        """
        from companion.mqtt.topics import topic_part

        part = topic_part(name)
        self._tables[part] = table
        if archive is not None:
            self._archives[part] = archive

        def take_away() -> None:
            if self._tables.get(part) is table:
                del self._tables[part]
            self._app.state.streams.end(table)

        return take_away

    def __enter__(self) -> Pages:
        self._server.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.stop()
