"""Sentences for people: in English, and able to say themselves in another language.

A `Text` is a string, so everything that takes strings takes it: it can be printed, compared, kept in a dataclass and
written as JSON. It also remembers how it was made: its message (the English sentence with {places} for values), and its
values, which may be texts themselves. `in_language` goes through any value and says every text in it anew.

    text("{player} wins", player=name)
    plural("{n} marble is left", "{n} marbles are left", n)
    joined([text("black"), text("white")], ", ")

Put together with + or in an f-string it becomes a plain string, and forgets. Catalogues: `companion.catalogues`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from calibration.sentences import Sentence

if TYPE_CHECKING:
    from companion.catalogues import Catalogue

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
Value = str | int | float
"""What fills a place of a message; a `Text` among them is said in the language of the whole."""

ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Said:
    """A message with its values."""

    message: str
    values: Mapping[str, Value]

    def say(self, to: Catalogue | None, names: Mapping[str, str]) -> str:
        return _filled(self.message if to is None else to.one(self.message), self.values, to, names)


@dataclass(frozen=True, slots=True)
class Counted:
    """A message that depends on a number: the languages differ in how many forms they have."""

    one: str
    many: str
    n: int
    values: Mapping[str, Value]

    def say(self, to: Catalogue | None, names: Mapping[str, str]) -> str:
        english = self.one if self.n == 1 else self.many
        message = english if to is None else to.counted(self.one, self.many, self.n)
        return _filled(message, {**self.values, "n": self.n}, to, names)


@dataclass(frozen=True, slots=True)
class Joined:
    """Texts one after another; `capital` makes the first letter of the whole a large one."""

    parts: tuple[str, ...]
    between: str = ""
    capital: bool = False

    def say(self, to: Catalogue | None, names: Mapping[str, str]) -> str:
        whole = self.between.join(str(_said(part, to, names)) for part in self.parts)
        return whole[:1].upper() + whole[1:] if self.capital else whole


@dataclass(frozen=True, slots=True)
class Called:
    """A player: by the own name where one is known, else by these words."""

    player: str
    words: str

    def say(self, to: Catalogue | None, names: Mapping[str, str]) -> str:
        return names.get(self.player) or str(_said(self.words, to, names))


Recipe = Said | Counted | Joined | Called


class Text(str):
    """A string in English that remembers how it was made."""

    __slots__ = ("recipe",)
    recipe: Recipe

    def __new__(cls, english: str, recipe: Recipe | None = None) -> Text:
        self = super().__new__(cls, english)
        self.recipe = Said(english, {}) if recipe is None else recipe
        return self

    def __getnewargs__(self) -> tuple[str, Recipe]:  # type: ignore[override]  # for copies and pickles
        return str(self), self.recipe


def remade(recipe: Recipe) -> Text:
    """The text that a recipe makes."""
    return Text(recipe.say(None, {}), recipe)


def noted(message: str) -> str:
    """A message for the catalogues that is filled with values elsewhere."""
    return message


DECIMAL_MARK = noted(".")
"""What stands between a number and its fraction."""


def text(message: str, /, **values: Value) -> Text:
    """A sentence, or a part of one. The message must stand there literally: catalogues are made from the source."""
    return Text(message.format_map(values) if values else message, Said(message, values))


def plural(one: str, many: str, n: int, /, **values: Value) -> Text:
    """A sentence about `n` things; {n} is the number."""
    message = one if n == 1 else many
    return Text(message.format_map({**values, "n": n}), Counted(one, many, n, values))


def joined(parts: Iterable[str], between: str = " ") -> Text:
    """Texts one after another; empty ones are left out."""
    return remade(Joined(tuple(part for part in parts if part), between))


def listed(parts: Iterable[str], *, last: str = "and") -> Text:
    """A list as it stands in a sentence: "a, b and c".

    Args:
        last: "and" or "or", before the last of several.
    """
    *first, end = tuple(parts) or ("",)
    if not first:
        return end if isinstance(end, Text) else remade(Joined((end,)))
    head = joined(first, ", ")
    if last == "or":
        return text("{first} or {end}", first=head, end=end)
    return text("{first} and {end}", first=head, end=end)


def in_words(value: str) -> str:
    """The same; a `Sentence` of a package that knows no catalogues as a text."""
    if not isinstance(value, Sentence):
        return value
    values = {key: in_words(item) if isinstance(item, str) else item for key, item in value.values.items()}
    return Text(str(value), Said(value.pattern, values))


def capital(words: str) -> Text:
    """The same with a large first letter, to begin a sentence."""
    return remade(Joined((words,), capital=True))


def player_called(player: str, words: str) -> Text:
    """A player in a sentence: `words` where `with_names` brings no name."""
    return Text(words, Called(player, words))


def with_names(value: str, names: Mapping[str, str]) -> str:
    """The same text with players called by their own names, where there are some."""
    if not names or not isinstance(value, Text):
        return value
    return remade(_named(value.recipe, names))


def names_of(state: Mapping[str, Json]) -> Mapping[str, str]:
    """What the players are called, by player, as a state says."""
    names = state.get("names")
    return {str(player): str(name) for player, name in names.items()} if isinstance(names, Mapping) else {}


def names_in(value: Json, names: Mapping[str, str]) -> Json:
    """The value with the players called by their own names in every `Text` in it, however deep."""
    return _walked(value, lambda said: with_names(said, names)) if names else value


def in_language(value: Json, language: str) -> Json:
    """The value with every `Text` in it, however deep, said in a language; what has no translation stays English.

    Args:
        language: a name of `languages`; the value is given back untouched for English, whose texts are strings.
    """
    if language == ENGLISH:
        return value
    from companion.catalogues import catalogue

    words = catalogue(language)
    return _walked(value, lambda said: said.recipe.say(words, {}))


def languages() -> tuple[str, ...]:
    """The languages that there are catalogues for, English first."""
    from companion.catalogues import found_languages

    return found_languages()


def best_language(wanted: Iterable[str], otherwise: str = ENGLISH) -> str:
    """The first language of a list of wishes ("pl-PL", "pl_PL.UTF-8", "en;q=0.8") that there is."""
    known = languages()
    for wish in wanted:
        name = wish.strip().replace("_", "-").split("-")[0].split(";")[0].split(".")[0].lower()
        if name in known:
            return name
    return otherwise


def _said(value: Value, to: Catalogue | None, names: Mapping[str, str]) -> Value:
    if isinstance(value, Text):
        return value.recipe.say(to, names)
    return _Decimal(value).marked(to.one(DECIMAL_MARK)) if isinstance(value, float) and to is not None else value


class _Decimal(float):
    """A number that is written with a language's own mark before its fraction."""

    def marked(self, mark: str) -> _Decimal:
        self.mark = mark
        return self

    def __format__(self, spec: str) -> str:
        return super().__format__(spec).replace(DECIMAL_MARK, self.mark)


def _filled(message: str, values: Mapping[str, Value], to: Catalogue | None, names: Mapping[str, str]) -> str:
    return message.format_map({key: _said(value, to, names) for key, value in values.items()}) if values else message


def _walked(value: Json, say: Callable[[Text], str]) -> Json:
    if isinstance(value, str):
        return say(value) if isinstance(value, Text) else value
    if isinstance(value, Mapping):
        return {key: _walked(item, say) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(_walked(item, say) for item in value)
    return [_walked(item, say) for item in value] if isinstance(value, Sequence) else value


def _named(recipe: Recipe, names: Mapping[str, str]) -> Recipe:
    match recipe:
        case Called(player=player) if player in names:
            return Joined((names[player],))
        case Called(words=words):
            return replace(recipe, words=with_names(words, names))
        case Joined(parts=parts):
            return replace(recipe, parts=tuple(with_names(part, names) for part in parts))
        case Said() | Counted():
            values = {key: with_names(v, names) if isinstance(v, str) else v for key, v in recipe.values.items()}
            return replace(recipe, values=values)
