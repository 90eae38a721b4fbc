"""Addresses where nothing is, asked for by a browser and by a script, in both languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.error import HTTPError
from urllib.parse import urljoin
from urllib.request import Request, urlopen

import pytest

from companion.page.app import create_app
from companion.page.server import PageServer
from tests.page.fake_table import TOKEN, FakePageTable

BROWSER = {"accept": "text/html,*/*", "accept-language": "pl"}


def refused(url: str, headers: Mapping[str, str]) -> str:
    """What stands on a page that says "not found"."""
    with pytest.raises(HTTPError) as error, urlopen(Request(url, headers=dict(headers)), timeout=10):
        pass
    with error.value as answer:
        assert answer.code == 404
        return answer.read().decode()


TOKEN_AND_JSON = {"x-companion-token": TOKEN, "content-type": "application/json"}
LATE = b'{"seq": 99, "transaction": "late", "args": {"ply": 1}}'


def answered(url: str, headers: Mapping[str, str], body: bytes | None = None) -> str:
    """What an address answers, whether it refuses or not."""
    try:
        with urlopen(Request(url, body, dict(headers)), timeout=10) as answer:
            return str(answer.read().decode())
    except HTTPError as error:
        with error:
            return error.read().decode()


@pytest.mark.parametrize(
    "address",
    ["/position?ply=abc", "/moves?ply=", "/ask/legal_moves", "/ask/nothing", "/report/nowhere", "/setup/", "/phone"],
)
def test_a_polish_table_refuses_in_polish_whoever_asks(address: str) -> None:
    app = create_app({"table": FakePageTable()}, token=TOKEN, language="pl")
    with PageServer(app, port=0) as server:
        for headers in ({}, {"x-companion-token": TOKEN}, {"accept-language": "fr"}):
            said = answered(urljoin(server.url, address), headers)
            assert re.search("Polecenie wysłano|Nie ma|może tylko oglądać|tylko na tym komputerze|seq", said), said
        assert "Gra toczy się już dalej" in answered(urljoin(server.url, "/command/undo"), TOKEN_AND_JSON, LATE)
        assert "The game has gone on" in answered(urljoin(server.url, "/command/undo?lang=en"), TOKEN_AND_JSON, LATE)


@pytest.mark.parametrize(
    ("address", "words", "root"),
    [
        ("/table/nowhere/", "Nie ma tu takiego stołu.", "../../"),
        ("/summary/nowhere", "Nie ma tu takiego stołu.", "../"),
        ("/nothing", "Nie ma tu takiej strony.", "./"),
        ("/nothing/at/all", "Nie ma tu takiej strony.", "../../"),
    ],
)
def test_what_is_not_here_is_said_with_a_way_back(address: str, words: str, root: str) -> None:
    with PageServer(create_app({"table": FakePageTable()}, token=TOKEN), port=0) as server:
        page = refused(urljoin(server.url, address), BROWSER)
        assert words in page
        assert f'href="{root}"' in page
        plain = refused(urljoin(server.url, address), {})
        assert plain.startswith("There is no such ")
        assert "<" not in plain
