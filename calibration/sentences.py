"""Sentences for people that can still be said in another language: text, its pattern, and the values in it."""

from __future__ import annotations

from collections.abc import Mapping


class Sentence(str):
    """An English sentence that remembers its pattern, such as "turn the lamp away: glare at {places}"."""

    __slots__ = ("pattern", "values")
    pattern: str
    values: Mapping[str, str | int | float]

    def __new__(cls, pattern: str, /, **values: str | int | float) -> Sentence:
        self = super().__new__(cls, pattern.format_map(values) if values else pattern)
        self.pattern, self.values = pattern, values
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, str | int | float]]:  # for copies and pickles
        return (self.pattern,), dict(self.values)
