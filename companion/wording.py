"""What the referee says in its own words, beside the games' sentences, and how it calls the players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from companion.events import Event
from companion.games.game import Outcome
from companion.games.shown import called
from companion.reconciler.knob import KnobNews
from companion.texts import Text, text, with_names

_BY: Mapping[str, Text] = {
    "two_rows": text("two rows"),
    "five_ahead": text("five ahead"),
    "full_path": text("full path"),
    "tie_stations": text("most stations on the path"),
    "tie_rings": text("most rings on the board"),
    "no_ring_change": text("no ring was added or removed for long"),
    "tie": text("equal paths"),
    "repetition": text("the same position again and again"),
    "both_two_rows": text("both have two rows"),
}


def outcome_words(outcome: Outcome) -> Text:
    """How a game has ended, e.g. "Blue wins (two rows)"."""
    name = outcome.by or outcome.draw or ""
    how = _BY.get(name, name.replace("_", " "))
    if outcome.winner is None:
        return text("The game is a draw ({how})", how=how)
    return text("{player} wins ({how})", player=called(outcome.winner), how=how)


def other_rules(was: str, now: str) -> Text | None:
    """That a game was begun under another version of the rules than judges it now; None where it was not."""
    if was == now:
        return None
    return text(
        "the game was begun under version {was} of the rules; it is judged by version {now} here", was=was, now=now
    )


def knob_words(news: KnobNews) -> Text:
    if news.resolved:
        return text("The knob shows the score again")
    if news.turned:
        return text(
            "The knob was turned to stop {seen} without a move; it belongs at {expected}",
            seen=news.seen,
            expected=news.expected,
        )
    return text(
        "The knob stands at stop {seen}; the score belongs at {expected}", seen=news.seen, expected=news.expected
    )


def named(event: Event, names: Mapping[str, str]) -> Event:
    """The event with the players called by their own names in every text, where there are some."""
    if not names:
        return event
    changed: dict[str, Any] = {}
    for item in fields(event):
        value = getattr(event, item.name)
        if isinstance(value, Text):
            changed[item.name] = with_names(value, names)
        elif isinstance(value, tuple) and any(isinstance(each, Text) for each in value):
            changed[item.name] = tuple(with_names(each, names) for each in value)
    return replace(event, **changed) if changed else event
