"""Rings that a move has cut off, as the record and the events name them: player, station and size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.events import IllegalSeen
from companion.games.game import Breach, P, Place, Played, TableGame
from companion.games.shown import called
from companion.record import Ply
from companion.texts import Text, listed, plural, text

Orphan = tuple[str, str, str]
"""Player, station and size of a ring that must leave the board."""

RING_NOT_REMOVED = "ring_not_removed"
SIZES = {"S": text("small"), "M": text("medium"), "L": text("large")}


def orphans_of(ply: Ply[P]) -> tuple[Orphan, ...]:
    """The rings that must leave the board after a ply; none where they were overlooked."""
    return () if ply.overlooked else cut_off(ply.played)


def cut_off(played: Played[P]) -> tuple[Orphan, ...]:
    """The rings that a move cuts off, as it states them among its facts."""
    found = played.facts.get("orphans")
    if not isinstance(found, Sequence):
        return ()
    rings = [ring for ring in found if isinstance(ring, Sequence)]
    return tuple((str(player), str(station), str(size)) for player, station, size in rings)


def orphan_place(orphan: Orphan) -> Place:
    """The seat of a ring that must leave the board."""
    _, station, size = orphan
    return Place(f"{station}.{size}")


def ring_words(orphan: Orphan) -> Text:
    """E.g. "A's small ring on NE"."""
    player, station, size = orphan
    ring = text("{player}'s {size} ring", player=called(player), size=SIZES.get(size, size))
    return text("{piece} on {station}", piece=ring, station=station)


def not_removed(orphans: Sequence[Orphan]) -> IllegalSeen:
    """The next move was made while these still lay there; whose duty it was to take them off, the rules leave open."""
    detail = plural(
        "{rings} had to leave the board before the next move: take it off",
        "{rings} had to leave the board before the next move: take them off",
        len(orphans),
        rings=listed(map(ring_words, orphans)),
    )
    seen = {str(orphan_place(orphan)): orphan[0] for orphan in orphans}
    return IllegalSeen(RING_NOT_REMOVED, detail, None, seen)


def of_wrong_ring(game: TableGame[P], position: P, breach: Breach, orphans: Sequence[Orphan]) -> Breach:
    """The breach, which is another one where a ring was taken off while others had to be."""
    places = list(breach.changes)
    if not orphans or breach.reason != "piece_taken" or len(places) != 1 or places[0].rpartition(".")[2] not in SIZES:
        return breach
    taken = game.place_words(places[0], game.sight(position)[places[0]])
    detail = text(
        "{taken} was taken off and is no orphan; {rings} must leave the board: change them back",
        taken=taken,
        rings=listed(map(ring_words, orphans)),
    )
    return replace(breach, reason="wrong_ring_removed", detail=detail)
