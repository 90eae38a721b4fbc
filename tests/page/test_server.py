"""The server from outside: a real one on loopback, asked by a real client."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from companion.errors import DeviceError
from companion.page.app import create_app, new_token
from companion.page.guard import HEADERS
from companion.page.server import STOP_TIMEOUT_S, PageServer
from companion.page.statics import read_statics
from companion.page.table import CommandResult
from tests.page.conftest import Serve
from tests.page.fake_table import TOKEN, FakePageTable

PATIENCE_S = 10.0


@pytest.fixture
def client(server: PageServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=PATIENCE_S) as client:
        yield client


@pytest.fixture(scope="module")
def quiet_table() -> FakePageTable:
    """A table for the tests that change nothing: they share one server."""
    return FakePageTable()


@pytest.fixture(scope="module")
def quiet(quiet_table: FakePageTable) -> Iterator[httpx.Client]:
    app = create_app({"table": quiet_table}, token=TOKEN)
    with PageServer(app, port=0) as server, httpx.Client(base_url=server.url, timeout=PATIENCE_S) as client:
        yield client


def post(client: httpx.Client, name: str, args: Mapping[str, object], **changes: Any) -> httpx.Response:
    body = {"seq": changes.pop("seq", 1), "transaction": changes.pop("transaction", "t1"), "args": args}
    headers = {"X-Companion-Token": TOKEN, **changes.pop("headers", {})}
    return client.post(f"command/{name}", content=changes.pop("content", json.dumps(body)), headers=headers)


def messages(response: httpx.Response) -> Iterator[dict[str, Any]]:
    """Server-sent events, one mapping each: event, data, id."""
    message: dict[str, Any] = {}
    for line in response.iter_lines():
        if not line:
            yield message
            message = {}
            continue
        key, _, value = line.partition(": ")
        message[key] = json.loads(value) if key == "data" else value


def wait_until(holds: Any) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


# What stands on every answer


@pytest.mark.parametrize("path", ["", "static/page.js", "static/page.css", "state", "access", "picture.jpg", "nowhere"])
def test_every_answer_binds_the_browser(quiet: httpx.Client, path: str) -> None:
    headers = quiet.get(path).headers
    for name, value in HEADERS:
        assert headers[name.decode()] == value.decode()
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_page_has_no_script_or_style_of_its_own(quiet: httpx.Client) -> None:
    html = quiet.get("").text
    assert re.findall(r"<script[^>]*>([^<]+)", html) == []
    assert "<style" not in html
    assert re.search(r"\s(style|on\w+)=", html) is None


def test_all_addresses_in_the_files_are_relative() -> None:
    for name, (content, _) in read_statics().items():
        text = content.decode()
        addresses = re.findall(r"(?:src|href|from|fetch\(|EventSource\()\s*=?\s*[\"'`]([^\"'`]+)", text)
        assert [address for address in addresses if address.startswith(("/", "http"))] == [], name


def test_files_have_their_media_types_and_are_asked_for_anew(quiet: httpx.Client) -> None:
    script = quiet.get("static/page.js")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert script.headers["cache-control"] == "no-cache"
    again = quiet.get("static/page.js", headers={"If-None-Match": script.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["static/../server.py", "static/%2e%2e%2fserver.py", "static/", "static/page.py"])
def test_nothing_else_can_be_fetched(quiet: httpx.Client, path: str) -> None:
    assert quiet.get(path).status_code == 404


# Who may do what


@pytest.mark.parametrize("path", ["", "events", "state", "static/page.js"])
def test_a_foreign_host_is_refused(quiet: httpx.Client, path: str) -> None:
    answer = quiet.get(path, headers={"Host": "evil.example"})
    assert answer.status_code == 421
    assert "evil.example" in answer.text


@pytest.mark.parametrize(
    "headers",
    [{"X-Companion-Token": ""}, {"X-Companion-Token": "wrong"}, {"Origin": "https://evil.example"}, {"Origin": "null"}],
)
def test_without_the_token_or_from_another_site_nothing_is_commanded(
    quiet: httpx.Client, quiet_table: FakePageTable, headers: dict[str, str]
) -> None:
    answer = post(quiet, "undo", {"ply": 1}, headers=headers)
    assert answer.status_code == 403
    assert answer.json()["ok"] is False
    assert answer.json()["detail"]
    assert quiet_table.commands == []


def test_the_page_itself_may_command(client: httpx.Client, server: PageServer, table: FakePageTable) -> None:
    answer = post(client, "undo", {"ply": 1}, headers={"Origin": server.url.rstrip("/")})
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "reason": "", "detail": "", "seq": 1})
    assert table.commands == [("undo", {"ply": 1})]


def test_commands_are_only_posted(quiet: httpx.Client, quiet_table: FakePageTable) -> None:
    assert quiet.get("command/undo", headers={"X-Companion-Token": TOKEN}).status_code == 405
    assert quiet_table.commands == []


def test_access_is_told(quiet: httpx.Client) -> None:
    assert quiet.get("access").json() == {"may_command": False}
    assert quiet.get("access", headers={"X-Companion-Token": TOKEN}).json() == {"may_command": True}


# Commands


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("undo", "", 400),
        ("undo", "{", 400),
        ("undo", "[" * 20_000, 400),
        ("undo", b"\xff\xfe", 400),
        ("undo", '{"seq":1,"transaction":"t","args":{"ply":"one"}}', 400),
        ("undo", " " * 70_000, 413),
        ("explode", '{"seq":1,"transaction":"t","args":{}}', 404),
    ],
)
def test_nonsense_is_answered_in_one_sentence(
    quiet: httpx.Client, quiet_table: FakePageTable, name: str, content: str | bytes, status: int
) -> None:
    answer = post(quiet, name, {}, content=content)
    assert answer.status_code == status
    assert answer.json()["detail"].endswith(".")
    assert quiet_table.commands == []


def test_a_stale_command_is_refused(client: httpx.Client, table: FakePageTable) -> None:
    seen = table.state()["seq"]
    table.move("B1", "B...|....|....|....", by="blue")
    answer = post(client, "undo", {"ply": 1}, seq=seen)
    assert (answer.status_code, answer.json()["reason"], answer.json()["seq"]) == (409, "stale", 2)
    assert table.commands == []


def test_a_refusal_of_the_table_is_handed_on_and_may_be_tried_again(client: httpx.Client, table: FakePageTable) -> None:
    table.answer = lambda name, args: CommandResult(False, "refused", "There is no move to take back.")
    for _ in range(2):
        answer = post(client, "undo", {"ply": 1})
        assert (answer.status_code, answer.json()["detail"]) == (409, "There is no move to take back.")
    assert len(table.commands) == 2


def test_a_double_tap_counts_once(client: httpx.Client, table: FakePageTable) -> None:
    both_sent = threading.Event()
    table.answer = lambda name, args: CommandResult(both_sent.wait(PATIENCE_S))
    with ThreadPoolExecutor(2) as pool:
        taps = [pool.submit(post, client, "new_game", {}, transaction="tap") for _ in range(2)]
        wait_until(lambda: table.commands)
        both_sent.set()
        assert [tap.result().json()["ok"] for tap in taps] == [True, True]
    assert post(client, "new_game", {}, transaction="tap").json()["ok"] is True
    assert len(table.commands) == 1
    post(client, "new_game", {}, transaction="another")
    assert len(table.commands) == 2


def test_a_table_that_does_not_answer_is_told(table: FakePageTable) -> None:
    release = threading.Event()
    table.answer = lambda name, args: CommandResult(release.wait(PATIENCE_S))
    app = create_app({"table": table}, token=TOKEN, command_timeout_s=0.05)
    with PageServer(app, port=0) as server, httpx.Client(base_url=server.url) as client:
        answer = post(client, "pause", {})
        release.set()
    assert (answer.status_code, answer.json()["reason"]) == (503, "busy")


def test_a_table_that_fails_costs_one_request(
    client: httpx.Client, table: FakePageTable, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(name: str, args: object) -> CommandResult:
        raise ArithmeticError

    table.answer = fail
    failed = post(client, "pause", {})
    assert (failed.status_code, failed.json()["reason"]) == (500, "failed")
    assert "the command pause failed" in caplog.text
    table.answer = lambda name, args: CommandResult(True)
    assert post(client, "pause", {}).status_code == 200


# The picture


def test_a_fresh_picture_comes_with_its_age(client: httpx.Client, table: FakePageTable) -> None:
    table.shot = (b"jpeg", 0.25)
    answer = client.get("picture.jpg")
    assert (answer.content, answer.headers["content-type"]) == (b"jpeg", "image/jpeg")
    assert 0.25 <= float(answer.headers["x-picture-age-s"]) < PATIENCE_S
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("shot", [None, (b"jpeg", 3.5)])
def test_an_old_picture_is_never_handed_out(
    client: httpx.Client, table: FakePageTable, shot: tuple[bytes, float] | None
) -> None:
    table.shot = shot
    answer = client.get("picture.jpg")
    assert (answer.status_code, answer.content) == (204, b"")
    assert shot is None or float(answer.headers["x-picture-age-s"]) >= shot[1]


# The stream


def test_the_stream_begins_with_all_and_goes_on_with_news(client: httpx.Client, table: FakePageTable) -> None:
    with client.stream("GET", "events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        stream = messages(response)
        first = next(stream)
        assert (first["event"], first["id"]) == ("snapshot", "1")
        assert set(first["data"]) == {"state", "records", "layout", "page", "table", "tables", "pages"}
        table.move("B1", "B...|....|....|....", by="blue")
        record, state = next(stream), next(stream)
        assert (record["event"], record["id"], record["data"]["move"]) == ("record", "2", "B1")
        assert (state["event"], state["data"]["ply"]) == ("state", 1)
        assert "id" not in state
        table.change(paused=True)
        assert next(stream)["data"]["paused"] is True
    wait_until(lambda: table.watchers == 0)


def test_a_client_that_was_away_gets_what_it_missed(client: httpx.Client, table: FakePageTable) -> None:
    for number in range(5):
        table.tell("device", device="camera", state="ok", detail=str(number))
    with client.stream("GET", "events", headers={"Last-Event-ID": "3"}) as response:
        stream = messages(response)
        assert [next(stream)["id"] for _ in range(3)] == ["4", "5", "6"]
        assert next(stream)["event"] == "state"


@pytest.mark.parametrize("last", ["99", "-1", "abc", "1" * 40, "²"])
def test_a_client_from_another_record_begins_anew(quiet: httpx.Client, last: str) -> None:
    with quiet.stream("GET", "events", headers=[(b"Last-Event-ID", last.encode())]) as response:
        assert next(messages(response))["event"] == "snapshot"


def test_silence_is_broken_by_beats(table: FakePageTable) -> None:
    app = create_app({"table": table}, token=TOKEN, beat_s=0.02)
    with PageServer(app, port=0) as server, httpx.stream("GET", f"{server.url}events") as response:
        assert [message["event"] for _, message in zip(range(3), messages(response), strict=False)] == [
            "snapshot",
            "beat",
            "beat",
        ]


def test_a_burst_reaches_every_browser_once_and_in_order(client: httpx.Client, table: FakePageTable) -> None:
    def watch() -> list[int]:
        seqs: list[int] = []
        end = time.monotonic() + PATIENCE_S
        with httpx.stream("GET", f"{client.base_url}events", timeout=PATIENCE_S) as response:
            for message in messages(response):
                if message["event"] == "snapshot":
                    seqs += [record["seq"] for record in message["data"]["records"]]
                elif message["event"] == "record":
                    seqs.append(message["data"]["seq"])
                if seqs[-1] == 101 or time.monotonic() > end:
                    return seqs
        return seqs

    with ThreadPoolExecutor(3) as pool:
        watchers = [pool.submit(watch) for _ in range(3)]
        wait_until(lambda: table.watchers == 3)
        for number in range(100):
            table.tell("device", device="camera", state="ok", detail=str(number))
        assert [watcher.result() for watcher in watchers] == [list(range(1, 102))] * 3


# Start and stop


def test_a_busy_port_is_one_clear_line(server: PageServer, table: FakePageTable) -> None:
    with pytest.raises(DeviceError) as caught:
        PageServer(create_app({"table": table}, token=TOKEN), port=server.port).start()
    assert str(caught.value) == (
        f"the page cannot listen on 127.0.0.1:{server.port}: Address already in use; "
        "stop the program that has it, or set another port for the page"
    )


@pytest.mark.parametrize(("host", "port"), [("no.such.host.invalid", 0), ("203.0.113.9", 0), ("127.0.0.1", 70_000)])
def test_an_address_that_cannot_be_had_is_one_clear_line(table: FakePageTable, host: str, port: int) -> None:
    with pytest.raises(DeviceError, match=r"^the page cannot listen on [^\n]+$"):
        PageServer(create_app({"table": table}, token=TOKEN), host=host, port=port).start()


def test_stopping_ends_open_streams_at_once_and_frees_the_port(table: FakePageTable, serve: Serve) -> None:
    server = serve(table, 0)
    ended = threading.Event()

    def watch() -> None:
        with httpx.stream("GET", f"{server.url}events", timeout=PATIENCE_S) as response:
            for _ in messages(response):
                pass
        ended.set()

    watcher = threading.Thread(target=watch)
    watcher.start()
    wait_until(lambda: table.watchers == 1)
    began = time.monotonic()
    server.stop()
    server.stop()
    assert time.monotonic() - began < STOP_TIMEOUT_S, "the stream was waited for"
    watcher.join(PATIENCE_S)
    assert ended.is_set()
    with socket.create_server(("127.0.0.1", server.port)):
        pass


def test_a_server_that_runs_is_not_started_again(server: PageServer) -> None:
    with pytest.raises(RuntimeError, match="runs"):
        server.start()


def test_the_link_keeps_the_token_behind_the_hash(table: FakePageTable) -> None:
    app = create_app({"table": table}, token=TOKEN)
    assert PageServer(app, "0.0.0.0", 8420).link("abc") == "http://127.0.0.1:8420/#token=abc"
    assert PageServer(app, "::1", 8420).url == "http://[::1]:8420/"
    assert len(new_token()) >= 32
    assert new_token() != new_token()


def test_an_empty_token_is_misuse(table: FakePageTable) -> None:
    with pytest.raises(ValueError, match="token"):
        create_app({"table": table}, token="")


def test_the_page_works_behind_a_prefix(table: FakePageTable) -> None:
    outer = Starlette(routes=[Mount("/some/prefix", create_app({"table": table}, token=TOKEN))])
    outer.state.streams = outer.routes[0].app.state.streams  # type: ignore[attr-defined]
    with PageServer(outer, port=0) as server, httpx.Client(base_url=f"{server.url}some/prefix/") as client:
        assert client.get("").status_code == 200
        assert client.get("static/page.js").status_code == 200
        assert post(client, "pause", {}).status_code == 200
