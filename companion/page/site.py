"""What all pages of one server share: the tables, the token, the files, the open streams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.page.gate import CommandGate
from companion.page.statics import read_statics, static_response, statics_mark
from companion.page.stream import OpenStreams
from companion.page.table import PageTable

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


@dataclass(frozen=True, slots=True)
class Site:
    """One server's pages.

    Attributes:
        tables: by the name that stands in addresses (that of `companion.sinks.mqtt_settings.topic_part`); may change
            while the server runs.
        token: whoever sends it may command; everybody who reaches the page may look.
        outer_names: names beside this machine's own under which the page is reached.
        beat_s, fresh_picture_s, command_timeout_s: as `companion.page.app.create_app` takes them.
    """

    tables: Mapping[str, PageTable]
    token: str
    outer_names: frozenset[str] = frozenset()
    beat_s: float = 10.0
    fresh_picture_s: float = 3.0
    command_timeout_s: float = 5.0
    streams: OpenStreams = field(default_factory=OpenStreams)
    statics: Mapping[str, tuple[bytes, str]] = field(default_factory=read_statics)
    mark: str = field(init=False)
    _gates: dict[PageTable, CommandGate] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if not self.token:
            raise ValueError("a site wants a token that is not empty")
        object.__setattr__(self, "mark", statics_mark(self.statics))

    def table(self, request: Request) -> PageTable:
        """The table that an address names; the first one where it names none.

        Raises:
            HTTPException: 404 where there is no such table.
        """
        from starlette.exceptions import HTTPException

        name = request.path_params.get("table") or next(iter(self.tables), "")
        table = self.tables.get(name)
        if table is None:
            raise HTTPException(404, "There is no such table here.")
        return table

    def gate(self, table: PageTable) -> CommandGate:
        """The one gate of a table's commands: it knows a command again that comes twice."""
        if table not in self._gates:
            self._gates[table] = CommandGate(
                table, token=self.token, outer_names=self.outer_names, timeout_s=self.command_timeout_s
            )
        return self._gates[table]

    def file(self, request: Request, name: str) -> Response:
        """One of the static files."""
        return static_response(self.statics, name, request.headers)
