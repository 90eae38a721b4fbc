"""The parts of the page's guard, each by itself."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest

from companion.errors import InputError
from companion.page.guard import headers_for, is_this_machine, leads_outside, own_names, relative_location
from companion.page.reach import lan_address, lan_url
from companion.page.refusals import QUIET_S, Refusals
from companion.page.sharing import phone_address, qr_svg, qr_text
from companion.page.token_file import TOKEN, kept_token, write_new_token


def test_each_kind_is_told_once_a_minute_with_how_often() -> None:
    now_s, told = [0.0], list[str]()
    refusals = Refusals(lambda: now_s[0], told.append)
    for n in range(1000):
        now_s[0] = n * 0.01
        refusals.note("foreign host", "evil.example")
        refusals.note("huge body")
    assert told == [
        "the page refused a request (foreign host): 'evil.example'",
        "the page refused a request (huge body)",
    ]
    now_s[0] += QUIET_S
    refusals.note("foreign host", "other.example")
    assert told[2] == "the page refused a request (foreign host): 'other.example'; 999 more like it in the meantime"


def test_what_somebody_sent_stays_short_and_in_one_line() -> None:
    told: list[str] = []
    Refusals(tell=told.append).note("foreign host", "\x1b[31m\n\u202e" + "x" * 10_000)
    assert len(told[0]) < 200
    assert told[0].isprintable()


@pytest.mark.parametrize(
    ("location", "told"),
    [
        (b"http://evil.example/table/one/", b"./one/"),
        (b"/table/one/?lang=pl", b"./one/?lang=pl"),
        (b"http://localhost:8420/state", b"../state"),
        (b"http://localhost/games/", b"./games/"),
    ],
)
def test_redirects_lead_to_the_right_place_behind_any_prefix(location: bytes, told: bytes) -> None:
    assert relative_location(location) == told


def test_only_named_sites_may_frame_the_page() -> None:
    plain, framed = dict(headers_for(())), dict(headers_for(["https://ha.home:8123"]))
    assert plain[b"x-frame-options"] == b"SAMEORIGIN"
    assert plain[b"content-security-policy"].endswith(b"frame-ancestors 'self'")
    assert b"x-frame-options" not in framed
    assert framed[b"content-security-policy"].endswith(b"frame-ancestors 'self' https://ha.home:8123")


@pytest.mark.parametrize("path", ["/..", "/a/../b", "/%2e%2e/x", "/a\\b", "/a\x00", "/%2F", "/..;/"])
def test_addresses_that_lead_outside(path: str) -> None:
    assert leads_outside(path)


@pytest.mark.parametrize("path", ["/", "/static/page.js", "/table/küche/", "/summary/table-1/12/picture.png"])
def test_addresses_of_ours(path: str) -> None:
    assert not leads_outside(path)


# The link for phones


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "127.1.2.3", "::1"])
def test_names_that_on_a_phone_would_mean_the_phone(name: str) -> None:
    assert is_this_machine(name)
    assert not is_this_machine("192.168.1.7")
    assert not is_this_machine("table.home")


@pytest.mark.parametrize("bound", [None, ("127.0.0.1", 8420), ("localhost", 8420), ("::1", 8420)])
def test_a_page_of_this_machine_alone_has_no_link_for_phones(bound: tuple[str, int] | None) -> None:
    assert lan_url(bound) is None
    assert phone_address("http://localhost:8420/", bound, own_names()) is None


def test_a_page_in_the_network_has_one() -> None:
    assert lan_url(("192.168.1.7", 80)) == "http://192.168.1.7:80/"
    assert lan_url(("fd00::7", 80)) == "http://[fd00::7]:80/"
    address = lan_address()
    assert lan_url(("0.0.0.0", 80)) == (None if address is None else f"http://{address}:80/")


def test_where_the_browser_has_the_page_is_right_for_phones_too() -> None:
    names = own_names(["table.home"])
    assert phone_address("https://table.home/club/", None, names) == "https://table.home/club/"
    assert phone_address("http://192.168.1.7:8420/?lang=pl#x", None, names) == "http://192.168.1.7:8420/"
    for other in (
        "https://evil.example/",
        "javascript:alert(1)",
        "https://table.home@evil.example/",
        "",
        "//",
        "x" * 999,
    ):
        assert phone_address(other, None, names) is None


def test_a_qr_code_is_drawn_and_written() -> None:
    link = f"http://192.168.1.7:8420/#token={'x' * 32}"
    svg = qr_svg(link)
    assert svg.startswith(("<?xml", "<svg"))
    assert link not in svg
    lines = qr_text(link).splitlines()
    assert len(lines) < 30
    assert max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines) < 60


# The token's file


def test_a_token_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "page-token"
    token = kept_token(path)
    assert TOKEN.fullmatch(token)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert kept_token(path) == token
    assert list(path.parent.iterdir()) == [path]


def test_a_new_token_takes_the_place_of_the_old(tmp_path: Path) -> None:
    path = tmp_path / "page-token"
    old = kept_token(path)
    assert write_new_token(path) != old
    assert kept_token(path) != old


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o606])
def test_a_token_that_others_could_read_is_not_trusted(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "page-token"
    old = kept_token(path)
    path.chmod(mode)
    assert kept_token(path) != old
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [b"", b"short\n", b"\xff" * 32, b"a b" * 11])
def test_a_file_without_a_token_gets_one(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "page-token"
    path.write_bytes(content)
    path.chmod(0o600)
    assert TOKEN.fullmatch(kept_token(path))


def test_a_token_that_cannot_be_kept_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="token_file"):
        kept_token(tmp_path / "file" / "page-token")
