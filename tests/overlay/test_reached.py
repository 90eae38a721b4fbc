"""The page behind a prefix, in Home Assistant's ingress, in another site's frame, and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest
from playwright.sync_api import expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from companion.page.app import create_app
from companion.page.archive import Archive
from companion.page.reach import lan_url
from companion.page.server import PageServer
from tests.overlay.conftest import Open
from tests.page.fake_table import TOKEN, FakePageTable
from tests.summary.games import Evening, infinity

INGRESS = "/api/hassio_ingress/abc123"


def proxy(target: str) -> Starlette:
    """A proxy as Home Assistant's: takes the prefix away, says what it was, and passes the browser's Host on."""

    clients: list[httpx.AsyncClient] = []

    async def passed_on(request: Request) -> Response:
        headers = {key: value for key, value in request.headers.items() if key != "content-length"}
        clients[:] = clients or [httpx.AsyncClient(base_url=target, timeout=None)]
        client = clients[0]
        asked = client.build_request(
            request.method, f"/{request.path_params['rest']}", params=request.query_params,
            headers={**headers, "X-Ingress-Path": INGRESS}, content=await request.body(),
        )  # fmt: skip
        answer = await client.send(asked, stream=True)

        async def body() -> Any:
            with suppress(httpx.TransportError):
                async for chunk in answer.aiter_raw():
                    yield chunk
            await answer.aclose()

        told = {
            key: value for key, value in answer.headers.items() if key not in ("content-length", "transfer-encoding")
        }
        return StreamingResponse(body(), answer.status_code, told)

    async def nothing(request: Request) -> Response:
        return Response(status_code=204)

    async def frame(request: Request) -> Response:
        return HTMLResponse(f'<iframe id="panel" width="1200" height="700" src="{INGRESS}/"></iframe>')

    return Starlette(
        routes=[
            Route("/", frame),
            Route("/favicon.ico", nothing),
            Route(INGRESS + "/{rest:path}", passed_on, methods=["GET", "POST"]),
        ]
    )


@contextmanager
def served(app: Starlette) -> Iterator[str]:
    """Any app of ours or another's on a port of its own."""
    if not hasattr(app.state, "streams"):
        app.state.streams = create_app({}, token=TOKEN).state.streams
    with PageServer(app, port=0) as server:
        yield server.url


@pytest.fixture
def table() -> FakePageTable:
    return FakePageTable()


@pytest.fixture
def app(table: FakePageTable, tmp_path: Path) -> Starlette:
    path = tmp_path / "journal.sqlite"
    evening = Evening(path)
    evening.play(infinity(), {"blue": "Anna"}, most=3)
    evening.close()
    return create_app({"table": table}, token=TOKEN, archives={"table": Archive(path)})


def test_the_page_lives_in_home_assistants_ingress(app: Starlette, table: FakePageTable, open_page: Open) -> None:
    with served(app) as target, served(proxy(target)) as outside:
        page = open_page(outside)
        panel = page.frame_locator("#panel")
        expect(panel.locator("#turn")).to_be_visible()
        table.move("B2", "....|B...|....|....", by="blue")
        expect(panel.locator("#events .event").first).to_contain_text("channel 2")
        panel.get_by_role("link", name="Summary of the game").click()
        expect(panel.locator("h1")).to_contain_text("Anna")
        panel.get_by_role("link", name="Step through the game").click()
        expect(panel.locator(".controls")).to_be_visible()
        panel.get_by_role("link", name="Summary of the game").click()
        panel.get_by_role("link", name="All games").click()
        panel.get_by_role("link", name="To the table").click()
        expect(panel.locator("#turn")).to_be_visible()
        page.goto("about:blank")


def test_commands_come_through_the_ingress(app: Starlette, table: FakePageTable, open_page: Open) -> None:
    with served(app) as target, served(proxy(target)) as outside:
        page = open_page(f"{outside.rstrip('/')}{INGRESS}/#token={TOKEN}")
        page.get_by_role("button", name="Pause").click()
        expect(page.locator("#reply")).not_to_be_empty()
        assert [name for name, _ in table.commands] == ["pause"]
        page.goto("about:blank")


@pytest.mark.parametrize("path", ["table/table", "games", "state/"])
def test_redirects_stay_behind_the_prefix(app: Starlette, path: str) -> None:
    with served(app) as target, served(proxy(target)) as outside, httpx.Client(follow_redirects=True) as client:
        answer = client.get(f"{outside.rstrip('/')}{INGRESS}/{path}")
        assert answer.status_code == 200
        assert INGRESS in str(answer.url)


@pytest.mark.parametrize("named", [False, True])
def test_only_a_site_that_the_config_names_may_frame_the_page(
    table: FakePageTable, open_page: Open, visitor: Any, named: bool
) -> None:
    async def frame(request: Request) -> Response:
        return HTMLResponse(f'<iframe id="panel" src="{request.query_params["of"]}"></iframe>')

    async def nothing(request: Request) -> Response:
        return Response(status_code=204)

    with served(Starlette(routes=[Route("/", frame), Route("/favicon.ico", nothing)])) as other:
        site = other.rstrip("/").replace("127.0.0.1", "localhost")
        app = create_app({"table": table}, token=TOKEN, frames=[site] if named else [])
        with served(app) as ours:
            page = open_page(f"{site}/?of={ours}")
            page.wait_for_timeout(500)
            panel = page.frames[-1]
            assert (panel.locator("#table").count() == 1) == named
    if not named:
        assert any("frame-ancestors" in each for each in visitor.complaints)
        visitor.complaints.clear()


def test_a_phone_finds_the_page_by_its_qr_code(table: FakePageTable, open_page: Open) -> None:
    app = create_app({"table": table}, token=TOKEN)
    with PageServer(app, host="0.0.0.0", port=0) as server:
        wanted = lan_url(("0.0.0.0", server.port))
        page = open_page(server.link(TOKEN))
        page.get_by_text("Take part from a phone").click()
        if wanted is None:
            expect(page.locator(".more details[open]")).to_contain_text("Only this machine")
            return
        code = page.locator(".more img.qr")
        expect(code).to_be_visible()
        expect(code).to_have_js_property("complete", True)
        pixels = cv2.imdecode(np.frombuffer(code.screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
        assert pixels is not None
        read, *_ = cv2.QRCodeDetector().detectAndDecode(cv2.resize(pixels, None, fx=2, fy=2))
        assert read == f"{wanted}#token={TOKEN}"


def test_who_only_looks_on_gets_no_link(table: FakePageTable, open_page: Open) -> None:
    app = create_app({"table": table}, token=TOKEN)
    with PageServer(app, host="0.0.0.0", port=0) as server:
        page = open_page(server.url)
        page.wait_for_selector("#table:not([aria-busy]) .more input")
        assert page.get_by_text("Take part from a phone").count() == 0
        answer = httpx.get(f"{server.url}phone", params={"address": server.url})
        assert answer.status_code == 403
        assert TOKEN not in answer.text
