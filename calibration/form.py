"""What one value of a file may be: small checks that return the value or say what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from calibration.sentences import Sentence

Form = Callable[[object], tuple[Any, str]]
"""Takes what a file has; returns the value and "", or anything and what is wrong ("must be above 0")."""


def number(
    *,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    whole: bool = False,
) -> Form:
    """A finite number within bounds."""

    def check(value: object) -> tuple[Any, str]:
        if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
            return None, _no_number(value, whole)
        if whole and value != int(value):
            return None, _no_number(value, whole)
        if above is not None and value <= above:
            return None, Sentence("must be above {above:g}, not {value:g}", above=above, value=value)
        if at_least is not None and value < at_least:
            return None, Sentence("must be at least {at_least:g}, not {value:g}", at_least=at_least, value=value)
        if at_most is not None and value > at_most:
            return None, Sentence("must be at most {at_most:g}, not {value:g}", at_most=at_most, value=value)
        return (int(value) if whole else float(value)), ""

    return check


def _no_number(value: object, whole: bool) -> Sentence:
    if whole:
        return Sentence("must be a whole number, not {value}", value=repr(value))
    return Sentence("must be a number, not {value}", value=repr(value))


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number of hundreds of digits
        return False


def texts(*allowed: str) -> Form:
    """A text, one of `allowed` where given."""

    def check(value: object) -> tuple[Any, str]:
        if not isinstance(value, str):
            return None, Sentence("must be a text, not {value}", value=repr(value))
        if allowed and value not in allowed:
            return None, Sentence("must be {allowed}, not {value}", allowed=" or ".join(allowed), value=repr(value))
        return value, ""

    return check


def points(*, at_least: int, each: Form | None = None) -> Form:
    """A list of [x, y] points, or of numbers where `each` says what one is."""

    def check(value: object) -> tuple[Any, str]:
        if not isinstance(value, list | tuple) or len(value) < at_least:
            return None, Sentence("must be a list of at least {at_least}", at_least=at_least)
        items = []
        for index, item in enumerate(value):
            got, fault = (each or _pair)(item)
            if fault:
                return None, Sentence("[{index}] {fault}", index=index, fault=fault)
            items.append(got)
        return tuple(items), ""

    return check


def _pair(value: object) -> tuple[Any, str]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None, Sentence("must be a pair [x, y], not {value}", value=repr(value))
    values = [number()(item) for item in value]
    fault = next((fault for _, fault in values if fault), "")
    return tuple(item for item, _ in values), fault
