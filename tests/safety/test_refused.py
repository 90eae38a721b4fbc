"""Each bad visit is refused, is told once in the log, and changes nothing. A real server, real sockets."""

from __future__ import annotations

import resource
import socket
import time
import urllib.parse
from collections.abc import Iterator

import httpx
import pytest

from companion.page import gate
from companion.page.connections import MOST
from tests.page.fake_table import TOKEN
from tests.safety.knocking import PATIENCE_S, House, everything, house


@pytest.fixture
def knocked() -> Iterator[House]:
    with house() as found:
        yield found


def request(path: str, *lines: str, method: str = "GET", host: str = "localhost") -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {host}", *lines, "Connection: close", "", ""]).encode()


HOSTILE_HOSTS = ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "\x1b[31mred", "a" * 3000]


@pytest.mark.parametrize("host", HOSTILE_HOSTS)
def test_a_foreign_host(knocked: House, host: str) -> None:
    for _ in range(3):
        answer = knocked.raw(request("/", host=host))
        assert answer.startswith((b"HTTP/1.1 421", b"HTTP/1.1 400"))
    assert knocked.undisturbed()
    told = [line for line in knocked.told if "foreign host" in line]
    assert len(told) == 1 if answer.startswith(b"HTTP/1.1 421") else told == []
    assert all(len(line) < 200 and line.isprintable() for line in told)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:1", "file://", "http://a\tb"])
def test_a_foreign_origin(knocked: House, origin: str) -> None:
    for n in range(3):
        answer = knocked.command(transaction=f"t{n}", headers={"Origin": origin})
        assert (answer.status_code, answer.json()["reason"]) == (403, "origin")
    assert knocked.undisturbed()
    assert len(knocked.told) == 1
    assert "foreign origin" in knocked.told[0]


@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN[:-1], f"{TOKEN}x"])
def test_a_missing_or_wrong_token_is_never_in_the_log(knocked: House, token: str | None) -> None:
    for n in range(3):
        answer = knocked.command(transaction=f"t{n}", headers={"X-Companion-Token": token})
        assert (answer.status_code, answer.json()["reason"]) == (403, "token")
    assert knocked.undisturbed()
    assert len(knocked.told) == 1
    assert TOKEN[:-1] not in knocked.told[0]
    assert "wrong" not in knocked.told[0]


def test_a_token_in_the_address_is_no_token(knocked: House) -> None:
    with knocked.client as client:
        answer = client.post(f"command/undo?token={TOKEN}", json={"seq": 1, "transaction": "t", "args": {"ply": 1}})
    assert answer.status_code == 403
    assert knocked.undisturbed()


def test_a_replayed_command_is_carried_out_once(knocked: House) -> None:
    first = knocked.command(transaction="taped")
    again = [knocked.command(transaction="taped") for _ in range(3)]
    assert first.json()["ok"]
    assert [answer.json() for answer in again] == [first.json()] * 3
    assert len(knocked.table.commands) == 1
    assert len(knocked.told) == 1
    assert "replayed command" in knocked.told[0]


def test_a_huge_body(knocked: House) -> None:
    for _ in range(2):
        answer = knocked.command(content=b"x" * 10_000_000)
        assert (answer.status_code, answer.json()["reason"]) == (413, "too_large")
    assert knocked.undisturbed()
    assert len(knocked.told) == 1
    assert "huge body" in knocked.told[0]


def test_a_body_that_never_ends(knocked: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "BODY_S", 0.3)
    head = request("/command/undo", f"X-Companion-Token: {TOKEN}", "Content-Length: 100", method="POST")
    with knocked.connected() as sock:
        sock.sendall(head + b'{"seq": 1')
        answer = everything(sock)
    assert answer.startswith(b"HTTP/1.1 408")
    assert knocked.undisturbed()
    assert len(knocked.told) == 1
    assert "slow body" in knocked.told[0]


def test_a_request_letter_by_letter_is_cut_off() -> None:
    with house(request_s=0.5) as knocked:
        began_s = time.monotonic()
        with knocked.connected() as sock:
            answer = b""
            for letter in request("/state") * 50:
                try:
                    sock.sendall(bytes([letter]))
                except (BrokenPipeError, ConnectionResetError):
                    break
                time.sleep(0.02)  # the sender's slowness itself, not a wait for anything
            answer = everything(sock)
        assert answer == b""
        assert time.monotonic() - began_s < PATIENCE_S
        assert knocked.undisturbed()
        assert ["slow request" in line for line in knocked.told] == [True]


def test_a_connection_that_says_nothing_is_closed_without_a_word() -> None:
    """Browsers open connections that they may need soon."""
    with house(request_s=0.3) as knocked:
        with knocked.connected() as sock:
            assert everything(sock) == b""
        assert knocked.undisturbed()
        assert knocked.told == []


def test_a_slow_viewer_of_the_stream_is_not_cut_off() -> None:
    with house(request_s=0.3) as knocked, knocked.client as client, client.stream("GET", "events") as stream:
        lines = stream.iter_lines()
        assert next(lines).startswith("id: ")
        time.sleep(0.6)  # longer than a request may take: the stream is an answer under way
        knocked.table.tell("move")
        assert any(line.startswith("event: record") for line in lines)


OUTSIDE = [
    "/static/../../etc/passwd",
    "/static/..%2f..%2fetc%2fpasswd",
    "/static/%2e%2e/%2e%2e/etc/passwd",
    "/static/%252e%252e%252fetc%252fpasswd",
    "/static/..\\..\\etc\\passwd",
    "/static/....//etc/passwd",
    "/table/../../etc/passwd",
    "/overlay/..%2f..%2fetc%2fpasswd",
    "/summary/..%2f/1/record.txt",
    "/static/page.js%00.html",
    "/%2e%2e/%2e%2e/etc/shadow",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_outside(knocked: House, path: str) -> None:
    for _ in range(3):
        answer = knocked.raw(request(path))
        assert answer.startswith((b"HTTP/1.1 404", b"HTTP/1.1 400"))
        assert b"root:" not in answer
    assert knocked.undisturbed()
    assert ["leads outside" in line for line in knocked.told] == [True]


@pytest.mark.parametrize(
    "path", ["//etc/passwd", "/static//etc/passwd", "/static/", "/static/server.py", "/.env", "/admin"]
)
def test_a_path_that_is_not_there(knocked: House, path: str) -> None:
    assert knocked.raw(request(path)).startswith(b"HTTP/1.1 404")
    assert knocked.undisturbed()


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/state"), ("DELETE", "/"), ("PUT", "/static/page.js"), ("GET", "/command/undo"), ("TRACE", "/"),
     ("OPTIONS", "/command/undo"), ("POST", "/games/"), ("POST", "/overlay/table"), ("BREW", "/state")],
)  # fmt: skip
def test_a_wrong_method(knocked: House, method: str, path: str) -> None:
    for _ in range(3):
        assert knocked.raw(request(path, "Content-Length: 0", method=method)).startswith(b"HTTP/1.1 405")
    assert knocked.undisturbed()
    assert ["wrong method" in line for line in knocked.told] == [True]


NO_REQUESTS = [
    b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
    b"GET\r\n\r\n",
    b"\x00" * 200,
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"A" * 200_000,
]


@pytest.mark.parametrize("data", NO_REQUESTS)
def test_what_is_no_request(knocked: House, data: bytes) -> None:
    for _ in range(3):
        with knocked.connected() as sock:
            try:
                sock.sendall(data)
                sock.shutdown(socket.SHUT_WR)
            except OSError:
                continue  # the server has hung up already
            answer = everything(sock)
            assert answer == b"" or answer.startswith(b"HTTP/1.1 4")
    assert knocked.undisturbed()
    assert len(knocked.told) == 1


def test_who_hangs_up_in_the_middle_of_a_command_is_no_fault(knocked: House, caplog: pytest.LogCaptureFixture) -> None:
    """As a phone does that leaves the room."""
    with knocked.connected() as sock:
        head = f"POST /command/undo HTTP/1.1\r\nHost: localhost\r\nX-Companion-Token: {TOKEN}\r\n"
        sock.sendall(f"{head}Content-Length: 99\r\n\r\n{{".encode())
    assert knocked.undisturbed()
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize(
    "address", ["http://[", "http://[::1", "http://a]", "//", "http://localhost:99999999/", "\ud800"]
)
def test_an_address_for_phones_that_is_none(knocked: House, address: str) -> None:
    with knocked.client as client:
        query = urllib.parse.quote(address, errors="surrogatepass")
        answer = client.get(f"phone?address={query}", headers={"X-Companion-Token": TOKEN})
    assert answer.status_code == 200
    assert knocked.undisturbed()


def test_a_thousand_connections_leave_room_for_those_that_are_there() -> None:
    _, most_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert most_files >= 4096, "this test itself needs two files for each of its connections"
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, most_files))
    with house() as knocked, knocked.client as honest:
        assert honest.get("state").status_code == 200
        crowd = [knocked.connected() for _ in range(1000)]
        for sock in crowd:
            sock.settimeout(PATIENCE_S)
        closed = [sock for sock in crowd[MOST:] if everything(sock) == b""]
        assert len(closed) == 1000 - MOST
        assert honest.get("state").json()["seq"] == 1
        for sock in crowd:
            sock.close()
        deadline_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                with httpx.Client(base_url=knocked.server.url) as late:
                    assert late.get("state").status_code == 200
                break
            except httpx.TransportError:
                assert time.monotonic() < deadline_s, "nobody is let in any more"
        assert ["too many connections" in line for line in knocked.told] == [True]
        assert knocked.undisturbed()


def test_nothing_of_a_page_may_be_framed_by_others(knocked: House) -> None:
    with knocked.client as client:
        headers = client.get("").headers
    assert "frame-ancestors 'self'" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "SAMEORIGIN"
