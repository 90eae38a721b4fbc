"""The house rules: each is a gap of the leaflet with a default and, mostly, an option.

The gaps A7, A8, A12 and A14 have no alternative to choose; A8 keeps an option so that a config can state it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, fields
from math import isfinite
from typing import Any

from companion.games.game import Json
from companion.games.house_rules import checked, one_of, parse_options
from companion.texts import text


def _one_of(gap: str, *choices: Json) -> Any:
    return one_of(*choices, gap=gap)


def _switch(gap: str) -> Any:
    return one_of(False, True, gap=gap)


def _number(gap: str, default: Json, fault: Callable[[Any], str]) -> Any:
    return checked(default, fault, gap=gap)


def _turns_fault(value: object) -> str:
    good = value is None or (type(value) is int and value >= 1)
    return "" if good else text("must be a whole number of turns from 1 on, or null")


def _seconds_fault(value: object) -> str:
    # An hour is longer than anybody looks at a wrong knob; more is a slip of the unit.
    good = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and 0 <= value <= 3600
    return "" if good else text("must be seconds from 0 to 3600")


@dataclass(frozen=True, slots=True)
class Options:
    """The house rules in force. Each field's metadata holds its gap and its choices, the default first."""

    joker_override: str = _one_of("A1", "points", "rows", "off")
    joker_override_new_rows_only: bool = _switch("A2")
    both_jokers: str = _one_of("A3", "difference", "mover", "none")
    joker_cancels_two_rows: bool = _switch("A4")
    two_rows_net: bool = _switch("A5")
    both_two_rows: str = _one_of("A6", "continue", "mover", "draw")
    knob_overshoot: str = _one_of("A8", "clamp")
    score_on_forfeit: bool = _switch("A9")
    allow_pass: bool = _switch("A10")
    joker_may_be_withheld: bool = _switch("A11")
    two_rows_disjoint: bool = _switch("A13")
    max_turns: int | None = _number("A15", None, _turns_fault)
    first: str | None = _one_of("A16", None, "blue", "yellow")
    blue_knob: str = _one_of("A17", "cw", "ccw")
    knob_grace_s: float = _number("A18", 10, _seconds_fault)

    @classmethod
    def parse(cls, given: Mapping[str, Json]) -> Options:
        """Read options as people write them; those left out keep their defaults.

        Raises:
            InputError: naming every unknown option and every wrong value with its choices.
        """
        return parse_options(cls, given)

    def as_json(self) -> dict[str, Json]:
        """All options in force, defaults too, in the order of the gaps."""
        return {item.name: getattr(self, item.name) for item in fields(self)}


def option_fields() -> dict[str, Field[Any]]:
    """The options by name."""
    return {item.name: item for item in fields(Options)}
