"""The catalogues under `companion/locale`: one folder a language, one .po file for each part of the program.

`companion.po` has the sentences of the program by their English words (`companion.texts`). The others are the texts of
the pages by their keys, in English, too. They are read as they are, once, when a language is first asked for: no
compiled file has to be made, kept or forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

LOCALE = Path(__file__).parent / "locale"
ENGLISH = "en"
PROGRAM = "companion"
"""The catalogue of the program's sentences; English has none, for they are written in it."""

PageText = str | Mapping[str, str]
"""A text of a page, or its forms by the word that `Intl.PluralRules` has for them: "one", "few", "many", "other"."""

LARGEST_SAMPLE = 200
"""Every rule for whole numbers that languages have shows its forms below this."""


@cache
def found_languages() -> tuple[str, ...]:
    others = sorted(path.parts[-3] for path in LOCALE.glob(f"*/LC_MESSAGES/{PROGRAM}.po"))
    return (ENGLISH, *(name for name in others if name != ENGLISH))


@cache
def catalogue(language: str) -> NullTranslations:
    """The program's sentences in a language; those of English, where there is none such."""
    if language == ENGLISH or language not in found_languages():
        return NullTranslations()
    from babel.messages.mofile import write_mo

    compiled = BytesIO()
    write_mo(compiled, read_catalogue(language, PROGRAM))
    compiled.seek(0)
    return GNUTranslations(compiled)


def read_catalogue(language: str, part: str) -> Catalog:
    """One .po file as it is."""
    from babel.messages.pofile import read_po

    with (LOCALE / language / "LC_MESSAGES" / f"{part}.po").open("rb") as file:
        return read_po(file, locale=language, domain=part, abort_invalid=True)


def page_parts(language: str) -> tuple[str, ...]:
    """The catalogues of the pages in a language."""
    found = sorted(path.stem for path in (LOCALE / language / "LC_MESSAGES").glob("*.po"))
    return tuple(part for part in found if part != PROGRAM)


@cache
def page_texts(language: str) -> Mapping[str, PageText]:
    """The texts of all pages by key, in a language, and in English where that has none."""
    texts: dict[str, PageText] = {} if language == ENGLISH else dict(page_texts(ENGLISH))
    if language not in found_languages():
        return texts
    for part in page_parts(language):
        found = read_catalogue(language, part)
        forms = _forms(language, found.plural_expr)
        for message in found:
            said = message.string
            if isinstance(message.id, str) and isinstance(said, str) and message.id and said:
                texts[message.id] = said
            elif isinstance(message.id, list | tuple) and isinstance(said, list | tuple) and all(said):
                texts[message.id[0]] = {word: said[number] for word, number in forms.items()}
    return texts


def _forms(language: str, plural_expr: str) -> Mapping[str, int]:
    """For each word of a language's plurals the number of the form in its catalogue.

    A browser chooses by the word, gettext by the number, and their orders differ from language to language.
    """
    from gettext import c2py

    from babel import Locale

    number_of = c2py(plural_expr)
    word_of = Locale.parse(language).plural_form
    forms = {word_of(n): number_of(n) for n in reversed(range(LARGEST_SAMPLE))}
    return {"other": max(forms.values()), **forms}
