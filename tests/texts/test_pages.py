"""Every text of the pages is there in every language, with the same places, and each is said somewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

import httpx
import pytest

from companion.catalogues import page_parts, page_texts, page_texts_json, read_part
from companion.page.app import create_app
from companion.page.server import PageServer
from companion.page.statics import read_statics
from companion.texts import languages, text
from tests.page.fake_table import TOKEN, FakePageTable

OTHERS = [language for language in languages() if language != "en"]
PLACE = re.compile(r"\{(\w+)\}")
KEY = r"[a-z0-9_]+(?:\.[A-Za-z0-9_]+)*"


def scripts() -> Mapping[str, str]:
    return {name: data.decode() for name, (data, _) in read_statics().items() if name.endswith((".js", ".html"))}


def said_keys() -> set[str]:
    """Every key that stands in a file as it is; a text between quotation marks that is a key counts as said."""
    known = page_texts("en")
    keys: set[str] = set()
    for source in scripts().values():
        keys |= set(re.findall(rf'(?:\bsay|\bfield)\("({KEY})"', source))
        keys |= set(re.findall(r'data-(?:text|say)="([^"]+)"', source))
        keys |= {key for key in re.findall(rf'"({KEY})"', source) if key in known}
    return keys


def beginnings() -> set[str]:
    """What keys begin with that are put together: "reason." of `reason.${...}`."""
    return {start for source in scripts().values() for start in re.findall(r"`([a-z_]+(?:\.[a-z_]+)*\.)\$\{", source)}


def places(forms: str | tuple[str, ...]) -> set[str]:
    return set(PLACE.findall(" ".join([forms] if isinstance(forms, str) else forms)))


def test_every_text_that_the_scripts_say_is_in_the_catalogue() -> None:
    assert said_keys() - set(page_texts("en")) == set()


def test_every_text_in_the_catalogue_is_said() -> None:
    starts = tuple(beginnings())
    assert starts
    assert {key for key in set(page_texts("en")) - said_keys() if not key.startswith(starts)} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_every_text_with_the_same_places(language: str) -> None:
    assert page_parts(language) == page_parts("en")
    for part in page_parts("en"):
        english, other = read_part("en", part).messages, read_part(language, part).messages
        assert set(other) == set(english), part
        wrong = {key for key in english if places(other[key]) != places(english[key])}
        assert wrong == set(), part
        assert {key for key in english if (len(english[key]) > 1) != (len(other[key]) > 1)} == set(), part


def test_no_key_stands_in_two_catalogues() -> None:
    keys = [key for part in page_parts("en") for key in read_part("en", part).messages]
    assert sorted(keys) == sorted(set(keys))


def test_a_browser_is_told_all_texts_and_which_form_a_number_takes() -> None:
    told = json.loads(page_texts_json("pl"))
    assert told["texts"]["camera"] == "Kamera"
    assert told["languages"] == ["en", "pl"]
    assert told["language"] == "pl"
    assert [told["plurals"][n] for n in (1, 2, 5, 12, 22, 25, 101, 112)] == list("01221222"[:8])


def test_a_language_that_is_not_there_is_english() -> None:
    assert json.loads(page_texts_json("xx"))["language"] == "en"


# What the server gives to a browser


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    app = create_app({"table": FakePageTable()}, token=TOKEN, language="pl")
    with PageServer(app, port=0) as server, httpx.Client(base_url=server.url) as client:
        yield client


@pytest.mark.parametrize(
    ("asked", "preferred", "language"),
    [
        ("", "pl-PL,pl;q=0.9,en;q=0.8", "pl"),
        ("?lang=en", "pl-PL,pl;q=0.9", "en"),
        ("", "en-GB", "en"),
        ("", "fr-FR,fr;q=0.9", "pl"),
        ("?lang=../../etc", "", "pl"),
    ],
)
def test_a_page_is_in_the_language_asked_for_then_preferred_then_the_tables(
    client: httpx.Client, asked: str, preferred: str, language: str
) -> None:
    told = client.get(f"static/texts.json{asked}", headers={"Accept-Language": preferred})
    assert told.headers["content-type"] == "application/json"
    assert told.json()["language"] == language
    again = client.get(
        f"static/texts.json{asked}", headers={"Accept-Language": preferred, "If-None-Match": told.headers["etag"]}
    )
    assert again.status_code == 304


def test_state_stream_and_refusals_are_in_the_viewers_language() -> None:
    table = FakePageTable()
    with PageServer(create_app({"table": table}, token=TOKEN), port=0) as server:
        table.move("B1", "B...|....|....|....", by="blue", words=text("{player} passes", player="Żaneta"))
        with httpx.Client(base_url=server.url) as client:
            english, polish = (client.get("state", params={"lang": language}).json() for language in ("en", "pl"))
            assert english["moves"][-1]["words"] == "Żaneta passes"
            assert polish["moves"][-1]["words"] == "Żaneta pasuje"
            with client.stream("GET", "events", params={"lang": "pl"}) as stream:
                data = next(line for line in stream.iter_lines() if line.startswith("data: "))
            told = json.loads(data.removeprefix("data: "))
            assert told["records"][-1]["words"] == told["state"]["moves"][-1]["words"] == "Żaneta pasuje"
            refused = client.post("command/undo", params={"lang": "pl"}, content="{}").json()
            assert refused["detail"].startswith("Ta strona może tylko oglądać")
