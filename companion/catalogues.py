"""The catalogues under `companion/locale`: one folder a language, one .po file for each part of the program.

`companion.po` has the sentences of the program by their English words (`companion.texts`). The others are the texts of
the pages by their keys, in English, too. They are read as they are, once, when a language is first asked for: no
compiled file has to be made, kept or forgotten, and reading them takes a hundredth of what importing a library for it
takes. Writers of catalogues have gettext's own tools and Babel's (`scripts/texts`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path

from companion.errors import InputError
from companion.texts import text

LOCALE = Path(__file__).parent / "locale"
ENGLISH = "en"
PROGRAM = "companion"
"""The catalogue of the program's sentences; English has none, for they are written in it."""

HELP = "cli"
"""The catalogue of the command line's help (`companion.cli.help_words`); English has none, either."""

PLURALS_TOLD = 200
"""For this many numbers a browser is told which form they take; larger ones take that of their last two digits."""

_LINE = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)\s+)?(".*")')
_PLURAL_RULE = re.compile(r"^Plural-Forms:.*?plural=([^;]+)", re.M)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What a .po file says: for each message its translation, or its plural forms; fuzzy and empty ones are left out.

    Attributes:
        form_of: the number of the form that a count takes.
    """

    messages: Mapping[str, tuple[str, ...]]
    form_of: Callable[[int], int]

    def one(self, message: str) -> str:
        """The translation; the message itself where there is none."""
        return self.messages.get(message, (message,))[0]

    def counted(self, one: str, many: str, n: int) -> str:
        """The form for `n`; the English one where there is no translation."""
        forms = self.messages.get(one)
        return (one if n == 1 else many) if forms is None else forms[self.form_of(n)]


def read_catalogue(written: str, name: str = "catalogue") -> Catalogue:
    """Read the text of a .po file.

    Raises:
        InputError: with the line that cannot be read.
    """
    messages: dict[str, tuple[str, ...]] = {}
    for entry in _entries(written, name):
        forms = tuple(value for field, value in entry.items() if field.startswith("msgstr"))
        if all(forms):
            messages[entry["msgid"]] = forms
    rule = _PLURAL_RULE.search(messages.pop("", ("",))[0])
    return Catalogue(messages, c2py(rule.group(1) if rule else "n != 1"))


def _entries(written: str, name: str) -> Iterator[dict[str, str]]:
    """Each entry's fields in order; those marked as fuzzy are left out."""
    entry: dict[str, str] = {}
    field, fuzzy, fuzzy_next = "", False, False
    for number, line in enumerate(written.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            fuzzy_next = fuzzy_next or (line.startswith("#,") and "fuzzy" in line)
            continue
        found = _LINE.fullmatch(line.strip())
        if found is None or not (found.group(1) or field):
            raise InputError(
                text(
                    "{name}, line {number}: this is no line of a catalogue: {line}",
                    name=name,
                    number=number,
                    line=repr(line[:60]),
                )
            )
        if found.group(1) == "msgid":
            if entry and not fuzzy:
                yield entry
            entry, fuzzy, fuzzy_next = {}, fuzzy_next, False
        field = found.group(1) or field
        entry[field] = entry.get(field, "") + _unquoted(
            found.group(2), text("{name}, line {number}", name=name, number=number)
        )
    if entry and not fuzzy:
        yield entry


def _unquoted(quoted: str, where: str) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError as error:
        raise InputError(
            text("{where}: the quotation marks or a backslash are wrong: {quoted}", where=where, quoted=quoted[:60])
        ) from error


@cache
def found_languages() -> tuple[str, ...]:
    """The languages that there are catalogues for, English first."""
    others = {path.parts[-3] for path in LOCALE.glob(f"*/LC_MESSAGES/{PROGRAM}.po")} - {ENGLISH}
    return (ENGLISH, *sorted(others))


@cache
def catalogue(language: str) -> Catalogue:
    """The program's sentences in a language; those of English, where there is none such."""
    if language == ENGLISH or language not in found_languages():
        return Catalogue({}, lambda n: int(n != 1))
    return read_part(language, PROGRAM)


def read_part(language: str, part: str) -> Catalogue:
    path = LOCALE / language / "LC_MESSAGES" / f"{part}.po"
    return read_catalogue(path.read_text(encoding="utf-8"), f"{language}/{path.name}")


def page_parts(language: str) -> tuple[str, ...]:
    """The catalogues of the pages in a language."""
    found = sorted(path.stem for path in (LOCALE / language / "LC_MESSAGES").glob("*.po"))
    return tuple(part for part in found if part not in (PROGRAM, HELP))


@cache
def page_texts(language: str) -> Mapping[str, str | tuple[str, ...]]:
    """The texts of all pages by key, in a language, and in English where that has none; plural forms in their order."""
    if language not in found_languages():
        return page_texts(ENGLISH)
    texts = {} if language == ENGLISH else dict(page_texts(ENGLISH))
    for part in page_parts(language):
        for key, forms in read_part(language, part).messages.items():
            texts[key] = forms if len(forms) > 1 else forms[0]
    return texts


@cache
def page_texts_json(language: str) -> bytes:
    """What a browser loads: `language`, `languages`, `texts` by key, `plurals` with the form's number for 0, 1, 2, …"""
    language = language if language in found_languages() else ENGLISH
    form_of = read_part(language, page_parts(language)[0]).form_of
    told = {
        "language": language,
        "languages": found_languages(),
        "plurals": "".join(str(int(form_of(n))) for n in range(PLURALS_TOLD)),
        "texts": page_texts(language),
    }
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
