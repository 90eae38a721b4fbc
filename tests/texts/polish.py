"""Whether a text has Polish words, and no English ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from companion.catalogues import PROGRAM, read_part
from companion.texts import Called, Counted, Joined, Recipe, Said, Text, in_language

ENGLISH = re.compile(
    r"\b(the|an?|is|are|was|were|has|have|of|into|from|turn|move|marble|ring|bridge|post|blocker|slot|blue|yellow|"
    r"black|white|small|medium|large|wins|draw|board|knob|and|or|it|no|not|by)\b",
    re.I,
)
LETTERS, PLACE = re.compile(r"[^\W\d_]"), re.compile(r"\{[^}]*\}")
ALSO_POLISH = frozenset({"a", "to", "no"})
"""Words of both languages."""


def untranslated(said: str) -> Iterator[str]:
    """What in a text has no Polish; text that is none of ours counts, unless a person or a device said it."""
    known = known_messages()

    def missing(recipe: Recipe) -> Iterator[str]:
        match recipe:
            case Said(message, values):
                yield from () if message in known or not LETTERS.search(PLACE.sub("", message)) else (message,)
                parts: Sequence[object] = tuple(values.values())
            case Counted(one, _, _, values):
                yield from () if one in known else (one,)
                parts = tuple(values.values())
            case Joined(parts):
                pass
            case Called(_, words):
                parts = (words,)
        for part in parts:
            if isinstance(part, Text):
                yield from missing(part.recipe)

    if isinstance(said, Text):
        yield from missing(said.recipe)
    else:
        yield said


def english_in(words: str) -> set[str]:
    plain = re.sub(r"`[^`]*`|\S*/\S*", "", words)  # commands and paths are no language
    return {found.lower() for found in ENGLISH.findall(plain)} - ALSO_POLISH


@cache
def known_messages() -> frozenset[str]:
    return frozenset(read_part("pl", PROGRAM).messages)


def polish(said: str) -> str:
    """The text in Polish; fails where anything of it is English."""
    assert isinstance(said, Text), f"{said!r} knows no other language"
    assert list(untranslated(said)) == []
    words = str(in_language(said, "pl"))
    assert english_in(words) == set(), words
    return words
