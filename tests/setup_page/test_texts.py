"""The set-up's texts: everything that the page says is there, in both languages, and nothing else."""

from __future__ import annotations

import re
from importlib.resources import files

from companion.catalogues import page_texts, read_part

KEY = re.compile(r"""["`]((?:setup|camera|link|board|refusal|game)\.[\w.]*(?:\$\{[^}]*\}[\w.]*)*)["`]""")
FILES = ("setup", "editor")


def keys() -> set[str]:
    """All keys in the page's files; what is filled in stands as a wild card."""
    folder = files("companion.page").joinpath("static")
    sources = [item.read_text("utf-8") for item in folder.iterdir() if item.name.startswith(FILES)]
    return {re.sub(r"\$\{[^}]*\}", "*", key) for source in sources for key in KEY.findall(source)}


def matches(key: str, text: str) -> bool:
    return re.fullmatch(re.escape(key).replace(r"\*", r"[\w.]+"), text) is not None


def test_every_key_of_the_page_has_a_text() -> None:
    known = page_texts("en")
    assert len(keys()) > 100
    assert [key for key in sorted(keys()) if not any(matches(key, text) for text in known)] == []


def test_every_text_is_used_and_said_in_polish_too() -> None:
    english, polish = read_part("en", "setup").messages, read_part("pl", "setup").messages
    used = keys() | {"setup.title"}
    assert [text for text in english if not any(matches(key, text) for key in used)] == []
    assert english.keys() == polish.keys()
    places = re.compile(r"\{\w+\}")
    for key, forms in english.items():
        wanted = {place for form in forms for place in places.findall(form)}
        assert all(set(places.findall(form)) <= wanted for form in polish[key]), key
