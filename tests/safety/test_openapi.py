"""The addresses for scripts are as openapi.json describes them, and hold against whatever is sent to them."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from starlette.applications import Starlette
from starlette.routing import Route

from calibration.board import load_board
from companion.config import Config
from companion.games.registry import game_named
from companion.journal.opening import open_journal
from companion.live import TableLoop
from companion.page.app import create_app
from companion.page.archive import Archive
from companion.page.commands import ASKED, COMMANDS
from companion.page.layout import layout_for
from companion.page.openapi import TAKES, openapi
from companion.page.report import FORMS
from companion.page.server import PageServer
from companion.page.table import Request
from companion.recording.report import Reports
from companion.table import Table
from tests.page.fake_table import TOKEN

FOR_BROWSERS = {
    "/",
    "/static/{name}",
    "/events",
    "/pictures",
    "/games/",
    "/phone",
    "/overlay/{table}",
    "/summary/{table}",
    "/summary/{table}/{game:int}",
    "/summary/{table}/{game:int}/replay.html",
    "/replay/{table}/{game:int}",
    "/report/{table}/file",
}
"""Pages, what they are made of, and streams: no script asks for them."""
OPERATIONS = sorted((path, method) for path, methods in openapi()["paths"].items() for method in methods)  # type: ignore[union-attr]
EXAMPLES = [pytest.param(6, id="short"), pytest.param(300, id="long", marks=pytest.mark.long)]


class House:
    """A server with a table at which two moves were played, its journal, and room for reports."""

    def __init__(self, server: PageServer, loop: TableLoop, app: Starlette) -> None:
        self.server = server
        self.loop = loop
        self.app = app


@contextmanager
def house(folder: Path) -> Iterator[House]:
    journal = open_journal(folder / "journal.sqlite").journal
    rules = game_named("infinity", {"first": "blue"})
    layout = layout_for("infinity", load_board("infinity").to_json(), rules.setup)
    loop = TableLoop(Table(rules), [], clock=time.monotonic, layout=layout, keeper=journal)
    thread = threading.Thread(target=loop.run)
    thread.start()
    for number, move in enumerate(("B1", "Y2")):
        assert loop.command(Request("play", 99, f"first {number}", {"move": move})).ok or move
    reports = Reports(folder / "reports", Config(), None, time.monotonic)
    archives = {"table": Archive(folder / "journal.sqlite", reports)}
    app = create_app({"table": loop}, token=TOKEN, archives=archives)
    try:
        with PageServer(app, port=0) as server:
            yield House(server, loop, app)
    finally:
        loop.stop()
        thread.join(20)
        journal.close()


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("house")) as found:
        yield found


def test_every_address_is_described_or_for_browsers(at_home: House) -> None:
    """And nothing else is described."""
    described = set()
    for path in openapi()["paths"]:  # type: ignore[union-attr]
        head, command, _ = str(path).partition("/command/")
        head, ask, _ = (head, command, "") if command else str(path).partition("/ask/")
        described.add(f"{head}{command or ask}{'{name}' if command or ask else ''}".replace("{game}", "{game:int}"))
    routes = {route.path for route in at_home.app.routes if isinstance(route, Route)}
    of_a_table = {path.removeprefix("/table/{table}") for path in routes if path.startswith("/table/{table}")}
    assert of_a_table <= routes, "the first table has all that any has"
    told = {path for path in routes if f"/table/{{table}}{path}" not in routes}
    assert {path.removeprefix("/table/{table}") for path in told} - FOR_BROWSERS == {
        path.removeprefix("/table/{table}") for path in described
    }


def test_every_command_has_words() -> None:
    assert TAKES.keys() == COMMANDS.keys() | ASKED.keys() | FORMS.keys()


def test_it_is_served_beside_what_it_describes(at_home: House) -> None:
    import schemathesis

    with httpx.Client(base_url=at_home.server.url) as client:
        served = client.get("openapi.json").json()
    assert served == json.loads(json.dumps(openapi(), default=dict))
    schemathesis.openapi.from_dict(served).validate()
    assert served["servers"] == [{"url": "."}], "behind any prefix"


@pytest.mark.parametrize("count", EXAMPLES)
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_an_address_answers_as_described_whatever_is_sent(
    at_home: House, caplog: pytest.LogCaptureFixture, path: str, method: str, count: int
) -> None:
    """Of the form that is described and of any other: no fault of the program, and no answer of another form."""
    import schemathesis
    from schemathesis import GenerationMode, checks
    from schemathesis.specs.openapi import checks as openapi_checks

    description = json.loads(json.dumps(openapi(), default=dict))
    operation = schemathesis.openapi.from_dict(description)[path][method]
    wanted = [
        checks.not_a_server_error,
        openapi_checks.status_code_conformance,
        openapi_checks.content_type_conformance,
        openapi_checks.response_schema_conformance,
    ]
    fixed = {"table": "table"} if "{table}" in path else None
    cases = operation.as_strategy(GenerationMode.POSITIVE, path_parameters=fixed)
    strange = operation.as_strategy(GenerationMode.NEGATIVE)
    caplog.set_level(logging.ERROR)

    @seed(1)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases | strange)
    def holds(case: Any) -> None:
        case.call_and_validate(
            base_url=at_home.server.url, headers={"X-Companion-Token": TOKEN}, checks=wanted, timeout=20
        )

    holds()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert [record["seq"] for record in at_home.loop.records(0)] == list(range(1, len(at_home.loop.records(0)) + 1))
