"""Sentences for people that can still be said in another language: text, its pattern, and the values in it.

`calibration`, `vision` and `firmware_bridge` know no catalogues. What they have to say is a `Sentence`, kept whole in
their errors and details; whoever knows a catalogue says it in another language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping


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


def several(parts: Iterable[str], between: str = "; ") -> str:
    """Sentences, or parts of one, one after another; a single one stays as it is."""
    values = {f"part{number}": part for number, part in enumerate(parts)}
    if len(values) == 1:
        return values["part0"]
    return Sentence(between.join(f"{{{name}}}" for name in values), **values)


def error_sentence(error: BaseException) -> str:
    """What an error says: the `Sentence` that it was made of, where there is one."""
    first = error.args[0] if error.args else None
    return first if isinstance(first, Sentence) else str(error)


def system_sentence(error: OSError) -> str:
    """The operating system's words, such as "No space left on device"; the common ones stand in the catalogues."""
    return Sentence(error.strerror or str(error))
