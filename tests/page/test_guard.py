"""Who is let in."""

from __future__ import annotations

import pytest

from companion.page.guard import host_allowed, origin_allowed, own_names, token_matches

NAMES = own_names(["Table.Home"])


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8420", "127.0.0.1:8420", "[::1]:8420", "192.168.1.7:8420", "table.home", "TABLE.home:80"],
)
def test_own_names_and_addresses_are_let_in(host: str) -> None:
    assert host_allowed(host, NAMES)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "localhost.evil.example:8420",
        "127.0.0.1.evil.example",
        "[::1",
        "table.home.evil",
        "@",
        "a b",
    ],
)
def test_names_of_others_are_refused(host: str) -> None:
    assert not host_allowed(host, NAMES)


@pytest.mark.parametrize("origin", [None, "http://localhost:8420", "https://localhost:8420", "https://ha.home:8123"])
def test_the_page_itself_and_programs_may_command(origin: str | None) -> None:
    assert origin_allowed(origin, "localhost:8420", {"ha.home"})


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://localhost",
        "http://localhost:3000",
        "https://evil.example",
        "file://localhost:8420",
        "http://localhost:8420.evil.example",
        "http://[broken",
    ],
)
def test_other_sites_may_not_command(origin: str) -> None:
    assert not origin_allowed(origin, "localhost:8420", {"ha.home"})


def test_only_the_token_matches() -> None:
    assert token_matches("secret", "secret")
    assert not token_matches("secre", "secret")
    assert not token_matches("", "secret")
    assert not token_matches(None, "secret")
    assert not token_matches("sécret", "secret")
