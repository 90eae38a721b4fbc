"""What cannot all be true: more pieces on the board than the box holds."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.finity.board import POST, SIZES

RINGS = {"S": 8, "M": 8, "L": 7}
"""Rings of each size that a player can have on seats; of the eight large ones one lies on the centre."""
BRIDGES, BLOCKERS, POSTS = 32, 2, 1


def contradictions(labels: Mapping[str, str]) -> set[str]:
    """The places whose sure labels cannot be true together.

    Args:
        labels: label by place, those that are not sure left out.
    """
    by_kind: dict[tuple[str, str], list[str]] = {}
    for place, label in labels.items():
        if label != ".":
            by_kind.setdefault(_kind(place, label), []).append(place)
    return {place for (kind, _), places in by_kind.items() if len(places) > _supply(kind) for place in places}


def _kind(place: str, label: str) -> tuple[str, str]:
    """What kind of piece a label means, and whose or which."""
    _, _, what = place.partition(".")
    if what:
        return what, label
    first, _, second = label.partition(" ")
    return ("blocker", second) if first == "blocker" else ("bridge", first)


def _supply(kind: str) -> int:
    if kind in SIZES:
        return RINGS[kind]
    return {POST: POSTS, "blocker": BLOCKERS, "bridge": BRIDGES}[kind]
