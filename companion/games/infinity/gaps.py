"""Which gaps of the leaflet decided a turn: those whose other reading would have given another score or outcome."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from companion.games.infinity.marbles import BLUE, INFINITY, YELLOW
from companion.games.infinity.options import Options, option_fields
from companion.games.infinity.scoring import Result, Turn, settle

JOKER_ROWS = ("joker_override", "joker_override_new_rows_only", "both_jokers")
"""The options that bear on turns with a Joker row."""
TWO_ROWS = ("joker_cancels_two_rows", "two_rows_net", "both_two_rows", "two_rows_disjoint")
"""The options that bear on turns in which somebody has two rows."""


@lru_cache(maxsize=256)
def other_readings(options: Options, names: tuple[str, ...]) -> tuple[tuple[str, Options], ...]:
    """These house rules with one of the named options set to another of its choices, by gap: every such change."""
    known = option_fields()
    return tuple(
        (known[name].metadata["gap"], replace(options, **{name: choice}))
        for name in names
        for choice in known[name].metadata["choices"]
        if choice != getattr(options, name)
    )


def decisive_gaps(turn: Turn, result: Result, options: Options) -> set[str]:
    """The gaps that decided a counted turn, in no order."""
    rows = turn.after.values()
    others: tuple[tuple[str, Options], ...] = ()
    if any(each.with_joker for each in rows):
        others += other_readings(options, JOKER_ROWS)
    if any(len(each.lines) >= 2 for each in rows):
        others += other_readings(options, TWO_ROWS)
    gaps = {gap for gap, other in others if _differs(settle(turn, other), result)}
    return gaps | _without_option(turn, result)


def _differs(one: Result, other: Result) -> bool:
    return one.score != other.score or one.outcome != other.outcome


def _without_option(turn: Turn, result: Result) -> set[str]:
    """A7, A8 and A14: the gaps that have one reading only, and still may have decided."""
    gaps: set[str] = set()
    if result.outcome is None:
        return gaps
    winner = result.outcome.winner
    unclamped = turn.score + result.points[BLUE] - result.points[YELLOW]
    if result.outcome.by == "five_ahead" and abs(unclamped) > INFINITY:
        gaps.add("A8")
    if result.outcome.by == "two_rows" and winner is not None:
        lead = unclamped if winner == BLUE else -unclamped
        if lead <= -INFINITY:
            gaps.add("A7")
        if set(turn.after[winner].lines) <= set(turn.before[winner].lines):
            gaps.add("A14")
    return gaps
