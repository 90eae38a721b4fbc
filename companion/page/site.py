"""What all pages of one server share: the tables, the token, the files, the open streams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.catalogues import ENGLISH, found_languages, page_texts_json
from companion.page.gate import CommandGate
from companion.page.language import language_of
from companion.page.pictures import PictureFeed
from companion.page.refusals import Refusals
from companion.page.statics import read_statics, static_response, statics_mark
from companion.page.stream import OpenStreams, Telling
from companion.page.table import PageTable
from companion.texts import text

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.page.archive import Archive

NO_TABLE = text("There is no such table here.")
NO_PAGE = text("There is no such page here.")
TEXTS = "texts.json"
TEXTS_TYPE = "application/json"


@dataclass(frozen=True, slots=True)
class Shared:
    """What all who look on at one table share: the way of commands, what is told, the camera picture."""

    gate: CommandGate
    telling: Telling
    feed: PictureFeed


@dataclass(frozen=True, slots=True)
class Site:
    """One server's pages.

    Attributes:
        tables: by the name that stands in addresses (that of `companion.mqtt.topics.topic_part`); may change
            while the server runs.
        token: whoever sends it may command; everybody who reaches the page may look.
        outer_names: names beside this machine's own under which the page is reached.
        language: of a browser that prefers no language that there is.
        archives: what is kept of each table, by the same names.
        refusals: hears of what was refused.
        beat_s, fresh_picture_s, command_timeout_s: as `companion.page.app.create_app` takes them.
        pages: what else than tables this server shows ("setup"), so that pages have links to it.
    """

    tables: Mapping[str, PageTable]
    token: str
    outer_names: frozenset[str] = frozenset()
    language: str = ENGLISH
    archives: Mapping[str, Archive] = field(default_factory=dict)
    beat_s: float = 10.0
    fresh_picture_s: float = 3.0
    command_timeout_s: float = 5.0
    streams: OpenStreams = field(default_factory=OpenStreams)
    refusals: Refusals = field(default_factory=Refusals)
    statics: Mapping[str, tuple[bytes, str]] = field(default_factory=read_statics)
    mark: str = field(init=False)
    pages: list[str] = field(default_factory=list, init=False)
    _shared: dict[PageTable, Shared] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if not self.token:
            raise ValueError("a site wants a token that is not empty")
        texts = {f"{name}.json": (page_texts_json(name), TEXTS_TYPE) for name in found_languages()}
        object.__setattr__(self, "mark", statics_mark({**self.statics, **texts}))

    def table(self, request: Request) -> PageTable:
        """The table that an address names; the first one where it names none.

        Raises:
            HTTPException: 404 where there is no such table.
        """
        from starlette.exceptions import HTTPException

        name = request.path_params.get("table") or next(iter(self.tables), "")
        table = self.tables.get(name)
        if table is None:
            raise HTTPException(404, NO_TABLE)
        return table

    def shared(self, table: PageTable) -> Shared:
        """What everybody at a table shares; made once."""
        if table not in self._shared:
            gate = CommandGate(
                table,
                token=self.token,
                outer_names=self.outer_names,
                timeout_s=self.command_timeout_s,
                refusals=self.refusals,
                language=self.language,
            )
            self._shared[table] = Shared(gate, Telling(table), PictureFeed(table, self.fresh_picture_s))
        return self._shared[table]

    def gate(self, table: PageTable) -> CommandGate:
        """The one gate of a table's commands: it knows a command again that comes twice."""
        return self.shared(table).gate

    def file(self, request: Request, name: str) -> Response:
        """One of the static files; `texts.json` has all texts of the pages in the viewer's language."""
        if name == TEXTS:
            texts = page_texts_json(self.language_of(request))
            return static_response({TEXTS: (texts, TEXTS_TYPE)}, name, request.headers)
        if name not in self.statics:
            from starlette.exceptions import HTTPException

            raise HTTPException(404, NO_PAGE)
        return static_response(self.statics, name, request.headers)

    def language_of(self, request: Request) -> str:
        """The viewer's language: by `?lang=`, else the first that the browser prefers, else the site's."""
        return language_of(request, self.language)
