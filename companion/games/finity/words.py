"""Moves of Finity in sentences for people: what was done, what came of it, and what hands can do beside moves."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from companion.games.finity.naming import (
    bridge_words,
    in_slot,
    into_slot,
    out_of_slot,
    some_bridge_words,
)
from companion.games.finity.pieces import SIZE_WORD
from companion.games.game import Outcome
from companion.games.shown import called, shown
from companion.texts import Text, joined, listed, plural, text

Orphan = tuple[str, str, str]
"""Player, station, size."""


def seated(seats: Iterable[tuple[str, str]]) -> Text:
    return listed(
        text("{player} starts on {station}", player=called(player), station=station) for player, station in seats
    )


# Moves


def add(player: str, colour: str, name: str) -> Text:
    return text("{player} adds {bridge}", player=called(player), bridge=bridge_words(colour, name))


def reverse(player: str, colour: str | None, name: str) -> Text:
    return text("{player} reverses {bridge}", player=called(player), bridge=some_bridge_words(colour, name))


def remove(player: str, colour: str | None, name: str) -> Text:
    return text("{player} removes {bridge}", player=called(player), bridge=some_bridge_words(colour, name))


def ring(player: str, station: str, size: str) -> Text:
    return text(
        "{player} places a {size} ring on {station}", player=called(player), size=SIZE_WORD[size], station=station
    )


def blocker(player: str, source: str | None, target: str) -> Text:
    if source is None:
        return text("{player} places a blocker from the hand {in_slot}", player=called(player), in_slot=in_slot(target))
    return text(
        "{player} moves a blocker {out_of_slot} {into_slot}",
        player=called(player),
        out_of_slot=out_of_slot(source),
        into_slot=into_slot(target),
    )


def unblock(player: str, owner: str | None, name: str) -> Text:
    where = out_of_slot(name)
    if owner is None:
        return text("{player} removes an opponent's blocker {out_of_slot}", player=called(player), out_of_slot=where)
    return text(
        "{player} removes {owner}'s blocker {out_of_slot}",
        player=called(player),
        owner=called(owner),
        out_of_slot=where,
    )


def post(player: str, station: str) -> Text:
    return text("{player} moves the post to {station}", player=called(player), station=station)


def teleport(player: str, station: str) -> Text:
    return text("{player} is trapped and teleports the post to {station}", player=called(player), station=station)


def no_move(move: str) -> Text:
    return text("{move} is no move", move=shown(move))


# What a move did


def orphaned(orphans: Iterable[Orphan]) -> Text:
    """Which rings a move orphaned; empty where none."""
    said = []
    for player, rings in groupby(orphans, key=lambda orphan: orphan[0]):
        where = []
        for station, sizes in groupby(rings, key=lambda orphan: orphan[1]):
            each = [SIZE_WORD[size] for _, _, size in sizes]
            where.append(
                plural(
                    "the {sizes} ring on {station}",
                    "the {sizes} rings on {station}",
                    len(each),
                    sizes=listed(each),
                    station=station,
                )
            )
        said.append(
            text(
                "{player} loses {rings}: no walk from {player}'s post leads there any more",
                player=called(player),
                rings=listed(where),
            )
        )
    return joined(said, ". ")


def ended(outcome: Outcome) -> Text:
    return joined([_how_it_ended(outcome), f"({' '.join(outcome.path)})" if outcome.path else ""])


def _how_it_ended(outcome: Outcome) -> Text:
    winner = called(str(outcome.winner))
    match outcome.by or outcome.draw:
        case "full_path":
            return text("{player} has a full path", player=winner)
        case "tie_stations":
            return text("several players have a full path, and {player}'s passes most stations", player=winner)
        case "tie_rings":
            return text(
                "several players have full paths of as many stations, and {player} has most rings", player=winner
            )
        case "tie":
            return text("several players have full paths of as many stations and as many rings, which is a draw")
        case "repetition":
            return text("the same position has stood so often that it is a draw")
    return text("so many moves went by without a ring added or removed that it is a draw")


def place_taken(player: str, place: int) -> Text:
    return text("{player} has a full path and takes place {place}", player=called(player), place=place)


# What hands can do beside moves


def not_your_turn(player: str, what: str) -> Text:
    return text("It is {player}'s turn, but {what}", player=called(player), what=what)


def ring_carried(owner: str, station: str, into: str, size: str) -> Text:
    return text(
        "{owner}'s {size} ring was moved from {station} to {into}: a ring stays where it was placed",
        owner=called(owner),
        size=SIZE_WORD[size],
        station=station,
        into=into,
    )


def ring_taken(owner: str, station: str, size: str) -> Text:
    return text(
        "{owner}'s {size} ring was taken from {station}, and it is no orphan",
        owner=called(owner),
        size=SIZE_WORD[size],
        station=station,
    )


def post_taken(owner: str, station: str) -> Text:
    return text("{owner}'s post was taken from {station}", owner=called(owner), station=station)


def two_moves(player: str, first: str, second: str) -> Text:
    return text(
        "{player} made two moves in one turn: {first}, and {second}", player=called(player), first=first, second=second
    )


def blocker_taken(owner: str, name: str) -> Text:
    return text("{owner}'s blocker was taken {out_of_slot}", owner=called(owner), out_of_slot=out_of_slot(name))


def nothing_played(player: str) -> Text:
    return text("It is {player}'s turn, and nothing was played", player=called(player))
