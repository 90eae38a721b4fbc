"""Addresses where nothing is, asked for by a browser and by a script, in both languages."""

from __future__ import annotations

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
