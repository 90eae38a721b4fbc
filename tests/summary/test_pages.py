"""The pages after a game as HTML, and the file that is sent to friends."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from companion.summary.markup import Markup, inside, tag
from companion.summary.pages import Place, Row, games_page, replay_page, said_page, summary_page
from companion.summary.story import Story
from companion.texts import text
from tests.summary.games import HOSTILE

HERE = Place("../../", "table")
LARGEST_FILE = 200_000


class Elements(HTMLParser):
    """The elements of a page, as a browser would see them, and the text between them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def pages_of(story: Story) -> list[str]:
    return [
        summary_page(story, "en", HERE),
        replay_page(story, "pl", HERE),
        replay_page(story, "en", Place(None)),
        games_page([Row(3, "table", "Infinity", "today", HOSTILE["blue"], HOSTILE["yellow"])], "en", HERE),
        said_page(HOSTILE["yellow"], "pl", HERE),
    ]


def test_hostile_names_are_only_text(hostile_story: Story) -> None:
    for html in pages_of(hostile_story):
        elements = Elements(html)
        assert {tag for tag, _ in elements.tags} & {"b", "i", "img", "iframe"} == set()
        assert [key for _, attributes in elements.tags for key in attributes if key.startswith("on")] == []
    said = "".join(Elements(pages_of(hostile_story)[0]).texts)
    assert HOSTILE["blue"] in said
    assert HOSTILE["yellow"] in said


def test_served_pages_have_no_script_or_style_of_their_own(hostile_story: Story) -> None:
    for html in (summary_page(hostile_story, "en", HERE), replay_page(hostile_story, "en", HERE)):
        assert "<style" not in html
        assert re.findall(r"<script[^>]*>([^<]+)", html) == []
        assert re.search(r"<[^>]+\sstyle=", html) is None


def test_all_addresses_are_relative(hostile_story: Story) -> None:
    for html in pages_of(hostile_story):
        addresses = [a for _, attributes in Elements(html).tags for k, a in attributes.items() if k in ("href", "src")]
        assert all(a is not None and not a.startswith(("/", "http")) for a in addresses)


@pytest.mark.parametrize("name", ["finity_story", "hostile_story"])
def test_the_file_for_friends_stands_alone_and_is_small(request: pytest.FixtureRequest, name: str) -> None:
    html = replay_page(request.getfixturevalue(name), "en", Place(None))
    assert len(html.encode()) < LARGEST_FILE
    links = [attributes for _, attributes in Elements(html).tags if "href" in attributes or "src" in attributes]
    assert links == []
    [policy] = [a["content"] for _, a in Elements(html).tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    for element in ("style", "script"):
        [content] = re.findall(rf"<{element}[^>]*>(.*?)</{element}>", html, re.S)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy


def test_the_summary_tells_moves_breach_correction_and_ways_to_keep_it(hostile_story: Story) -> None:
    html = summary_page(hostile_story, "en", HERE)
    said = " ".join(Elements(html).texts)
    for words in (
        "Against the rules",
        "Put right",
        "Ola <i>: wrong & channel",
        "illegal move",
        "The score, turn by turn",
    ):
        assert words in said
    own = f"../../summary/table/{hostile_story.number}"
    hrefs = {attributes.get("href") for tag, attributes in Elements(html).tags if tag == "a"}
    files = {f"{own}/{name}" for name in ("picture.png", "replay.html", "record.txt", "record.json")}
    assert files | {f"../../replay/table/{hostile_story.number}", "../../games/"} <= hrefs


def test_pages_speak_polish_and_lead_to_english(finity_story: Story) -> None:
    html = summary_page(finity_story, "pl", Place("../../", "table", "pl"))
    assert '<html lang="pl">' in html
    said = " ".join(Elements(html).texts)
    assert "Wszystkie gry" in said
    assert "English" in said
    assert 'href="../../games/?lang=pl"' in html


def test_a_game_that_was_left_is_told_too(left_story: Story) -> None:
    assert "Not finished" in summary_page(left_story, "en", HERE)


def test_markup_escapes_what_is_not_markup() -> None:
    assert tag("p", "<b>", Markup("<i>"), None, [tag("br")], class_='"') == '<p class="&quot;">&lt;b&gt;<i><br></p>'
    assert tag("input", hidden=True, disabled=False, value=0) == '<input hidden value="0">'
    assert inside("a", ["b", ["&"]]) == "ab&amp;"
    assert tag("p", text("{name} & co", name="<x>")) == "<p>&lt;x&gt; &amp; co</p>"
