"""Sentences of `calibration`, which knows no catalogues, as texts that can be said in any language."""

from __future__ import annotations

from calibration.sentences import Sentence
from companion.calibration_words import calibration_words
from companion.texts import Said, Text


def in_words(value: str) -> str:
    """The same, able to be said in other languages where it knows how it was made."""
    if isinstance(value, Sentence):
        return Text(str(value), Said(value.pattern, value.values))
    return value if isinstance(value, Text) else calibration_words(value)
