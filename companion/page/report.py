"""Recording the next minutes of a table for a bug report, for who may command.

GET  report/{table}?lang=           {"left_s", "size", "ready", "failed"}; `left_s` null while nothing is recorded
POST report/{table}/command/{name}  start {"minutes"}, stop {}: same form and rules as commands to the table
GET  report/{table}/file            the finished report; with the token in `X-Companion-Token`
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse
from starlette.routing import Route

from companion.errors import CompanionError, error_words
from companion.page.commands import Form, refused
from companion.page.gate import CommandGate
from companion.page.guard import TOKEN_HEADER, token_matches
from companion.page.site import NO_TABLE
from companion.page.table import CommandResult
from companion.page.table import Request as Command
from companion.texts import in_language, text

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.games.game import Json
    from companion.page.site import Site
    from companion.recording.report import Reports

FORMS: Mapping[str, Form] = {"start": Form({"minutes": int}, tied=False), "stop": Form({}, tied=False)}
NO_STORE = {"Cache-Control": "no-store"}
NO_REPORT = text("There is no finished report.")


class ReportDesk:
    """Takes the commands of one table's reports."""

    def __init__(self, reports: Reports) -> None:
        self.reports = reports

    def state(self) -> Mapping[str, Json]:
        return asdict(self.reports.state())

    def command(self, request: Command) -> CommandResult:
        minutes = request.args.get("minutes", 1)
        try:
            if request.name == "stop":
                self.reports.stop()
            elif isinstance(minutes, int):
                self.reports.start(minutes)
        except CompanionError as error:
            return CommandResult(False, "refused", error_words(error))
        return CommandResult(True)


def report_routes(site: Site) -> list[Route]:
    """The routes of all tables' reports."""
    gates: dict[Reports, CommandGate] = {}

    def reports(request: Request) -> Reports:
        archive = site.archives.get(request.path_params["table"])
        if archive is None or archive.reports is None:
            raise HTTPException(404, NO_TABLE)
        return archive.reports

    async def state(request: Request) -> Response:
        told = await asyncio.to_thread(reports(request).state)
        return JSONResponse(asdict(told), headers=NO_STORE)

    async def command(request: Request) -> Response:
        found = reports(request)
        if found not in gates:
            gates[found] = CommandGate(
                ReportDesk(found),
                token=site.token,
                outer_names=site.outer_names,
                timeout_s=site.command_timeout_s,
                forms=FORMS,
                refusals=site.refusals,
                language=site.language,
            )
        return await gates[found].receive(request)

    async def file(request: Request) -> Response:
        found = reports(request)
        if not token_matches(request.headers.get(TOKEN_HEADER), site.token):
            site.refusals.note("report without the token")
            words = in_language(refused("token").detail, site.language_of(request))
            return PlainTextResponse(f"{words}\n", 403, NO_STORE)
        told = await asyncio.to_thread(found.state)
        if not told.ready:
            raise HTTPException(404, NO_REPORT)
        return FileResponse(found.file, media_type="application/zip", filename="report.zip", headers=NO_STORE)

    own = "/report/{table}"
    return [
        Route(own, state),
        Route(f"{own}/command/{{name}}", command, methods=["POST"]),
        Route(f"{own}/file", file),
    ]
