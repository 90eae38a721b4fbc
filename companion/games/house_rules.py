"""Options of a game as fields of a dataclass: each knows its choices and its default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, fields
from difflib import get_close_matches
from typing import Any, TypeVar

from companion.errors import InputError
from companion.games.game import Json
from companion.games.shown import listed, shown
from companion.texts import joined, text

Options = TypeVar("Options")


def one_of(*choices: Json, **metadata: object) -> Any:
    """An option with fixed choices; the first is the default."""

    def fault(value: object) -> str:
        if any(type(value) is type(choice) and value == choice for choice in choices):
            return ""
        return text("must be {known}", known=listed(shown(choice) for choice in choices))

    return field(default=choices[0], metadata={**metadata, "choices": choices, "fault": fault})


def checked(default: Json, fault: Callable[[Any], str], **metadata: object) -> Any:
    """An option of any value in which `fault` finds nothing; it says what the value must be."""
    return field(default=default, metadata={**metadata, "choices": (), "fault": fault})


def parse_options(cls: type[Options], given: Mapping[str, Json]) -> Options:
    """Read options as people write them; those left out keep their defaults.

    Args:
        cls: a dataclass whose fields were made by `one_of` and `checked`.

    Raises:
        InputError: naming every unknown option and every wrong value with its choices.
    """
    known = {item.name: item for item in fields(cls)}  # type: ignore[arg-type]
    faults = []
    for name, value in given.items():
        if name not in known:
            close = get_close_matches(str(name)[:60], known, n=1)
            faults.append(
                text("unknown option {option} (did you mean {close}?)", option=shown(name), close=close[0])
                if close
                else text("unknown option {option} (known: {known})", option=shown(name), known=", ".join(known))
            )
        elif fault := known[name].metadata["fault"](value):
            faults.append(text("option {name} {fault}, not {given}", name=name, fault=fault, given=shown(value)))
    if faults:
        raise InputError(joined(faults, "; "))
    return cls(**{str(name): value for name, value in given.items()})
