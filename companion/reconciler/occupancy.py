"""Switches in the slots: whether something lies in each, where they are fitted."""

from __future__ import annotations

from companion.evidence import SlotsOccupied
from companion.games.game import Label, P, Place
from companion.reconciler.hypotheses import Hypothesis, Possible
from companion.reconciler.rates import Rates

MOST_WRONG = 3
"""Switches that stick do so together with their board; more of them say no more."""


def occupancy_fit(
    occupied: SlotsOccupied | None, possible: Possible[P], hypothesis: Hypothesis[P], rates: Rates
) -> float:
    """Log likelihood of what the switches say, against that of the position before the hypothesis."""
    if occupied is None or not hypothesis.changes:
        return 0.0

    def wrong(place: Place, label: Label) -> int:
        return (label == possible.empty.get(place)) == (_slot(place) in occupied.occupied)

    more = sum(wrong(place, label) - wrong(place, possible.sight[place]) for place, label in hypothesis.changes.items())
    return max(-MOST_WRONG, min(MOST_WRONG, more)) * rates.beam_missed


def _slot(place: Place) -> tuple[int, int] | None:
    """Channel and slot of a place named like "2.3"."""
    channel, _, slot = place.partition(".")
    return (int(channel), int(slot)) if channel.isdigit() and slot.isdigit() else None
