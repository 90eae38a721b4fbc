"""Addresses where nothing is, asked for by a browser and by a script, in both languages."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from companion.page.app import create_app
from tests.page.fake_table import TOKEN, FakePageTable

BROWSER = {"accept": "text/html,*/*", "accept-language": "pl"}


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
    with TestClient(create_app({"table": FakePageTable()}, token=TOKEN), base_url="http://localhost") as client:
        page = client.get(address, headers=BROWSER)
        assert page.status_code == 404
        assert words in page.text
        assert f'href="{root}"' in page.text
        plain = client.get(address)
        assert plain.status_code == 404
        assert plain.text.startswith("There is no such ")
        assert "<" not in plain.text
