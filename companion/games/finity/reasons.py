"""Why a move of Finity is illegal, in sentences for people."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.finity.naming import (
    blocker_words,
    bridge_words,
    in_slot,
    marker_words,
    out_of_slot,
    slot_words,
)
from companion.games.finity.pieces import COLOUR_WORD, SIZE_WORD
from companion.games.finity.words import ended
from companion.games.game import Outcome
from companion.games.shown import called, shown
from companion.texts import Text, capital, listed, plural, text


def unreadable(move: str, meant: str | None) -> Text:
    said = text(
        "{move} is no move; a move is such as 'add b N>NE M', 'reverse N>NE M', 'remove N>NE M', 'ring NE S', "
        "'blocker N>C L to NE>SE R', 'unblock S>C L', 'post E' or 'teleport E'",
        move=shown(move),
    )
    return text("{said}; did you mean {meant}?", said=said, meant=repr(meant)) if meant else said


def no_such_station(name: str, names: Sequence[str]) -> Text:
    return text("There is no station {name} on this board; there are {names}", name=shown(name), names=listed(names))


def not_adjacent(a: str, b: str) -> Text:
    return text("{a} and {b} are no neighbours, so there is no slot between them", a=shown(a)[1:-1], b=shown(b)[1:-1])


def game_over(outcome: Outcome | None) -> Text:
    return text("The game is over: {how}", how=ended(outcome)) if outcome else text("The game is over")


def slot_occupied(name: str, piece: str) -> Text:
    return capital(text("{slot} is taken by {piece}", slot=slot_words(name), piece=piece))


def corner_taken(name: str, piece: str) -> Text:
    return capital(text("{slot} touches the corner that {piece} has taken", slot=slot_words(name), piece=piece))


def piece_in_the_way(colour: str | None, owner: str | None, name: str) -> str:
    """The bridge or blocker in a slot; empty where there is none."""
    if colour is not None:
        return bridge_words(colour, name)
    return blocker_words(owner, name) if owner else ""


def no_bridge_left(colour: str, count: int) -> Text:
    if colour == "b":
        return text("No black bridge is left: all {count} are on the board", count=count)
    return text("No white bridge is left: all {count} are on the board", count=count)


def no_ring_left(player: str, size: str, count: int) -> Text:
    name = called(player)
    match size:
        case "S":
            return text("{player} has no small ring left: all {count} are on the board", player=name, count=count)
        case "M":
            return text("{player} has no medium ring left: all {count} are on the board", player=name, count=count)
    return text("{player} has no large ring left: all {count} are on the board", player=name, count=count)


def redundant(colour: str, tail: str, tip: str, name: str) -> Text:
    return text(
        "There is a {colour} bridge from {tail} to {tip} already ({slot}), and two of one colour and direction may not "
        "lie between the same stations",
        colour=COLOUR_WORD[colour],
        tail=tail,
        tip=tip,
        slot=slot_words(name),
    )


def undoes_reversal(name: str) -> Text:
    return text("This undoes the last move: the bridge {in_slot} was just reversed", in_slot=in_slot(name))


def undoes_adding(name: str) -> Text:
    return text("This undoes the last move: the bridge {in_slot} was just added", in_slot=in_slot(name))


def refill(colour: str, name: str) -> Text:
    return text(
        "A {colour} bridge was just removed {out_of_slot}; none may go there at once",
        colour=COLOUR_WORD[colour],
        out_of_slot=out_of_slot(name),
    )


def no_bridge_there(name: str, other: str | None) -> Text:
    if other is None:
        return text("There is no bridge {in_slot}", in_slot=in_slot(name))
    tail, _, tip = other.partition(" ")[0].partition(">")
    return text(
        "The bridge {in_slot} points from {tail} to {tip}: name it {other}",
        in_slot=in_slot(name),
        tail=tail,
        tip=tip,
        other=repr(other),
    )


def bridge_into_centre(name: str, centre: str) -> Text:
    return text(
        "The bridge {in_slot} leads into {centre}, from where nobody removes one; it can be reversed",
        in_slot=in_slot(name),
        centre=centre,
    )


def not_top_marker(player: str, station: str, top: tuple[str, str] | None) -> Text:
    """`top` is the player and the size of the top marker there."""
    if top is None:
        return text(
            "{player} may only remove bridges into stations where {player} has the top marker; on {station} nobody has "
            "a marker there",
            player=called(player),
            station=station,
        )
    return text(
        "{player} may only remove bridges into stations where {player} has the top marker; on {station} {marker} is "
        "the top marker there",
        player=called(player),
        station=station,
        marker=marker_words(*top),
    )


def no_ring_on_centre(centre: str) -> Text:
    return text("No ring may go to {centre}", centre=centre)


def no_post_on_centre(centre: str) -> Text:
    return text("No post may go to {centre}", centre=centre)


def own_post_station(player: str, station: str) -> Text:
    return text("{player}'s own post stands on {station}", player=called(player), station=station)


def station_unreachable(player: str, station: str) -> Text:
    return text("No walk from {player}'s post reaches {station}", player=called(player), station=station)


def size_taken(station: str, size: str, owner: str) -> Text:
    return text(
        "The {size} place on {station} is taken by {owner}'s ring",
        size=SIZE_WORD[size],
        station=station,
        owner=called(owner),
    )


def smaller_size_free(station: str, size: str) -> Text:
    return text(
        "The {size} place on {station} is free, and the smallest free one must be taken",
        size=SIZE_WORD[size],
        station=station,
    )


def no_blocker_there(name: str) -> Text:
    return text("There is no blocker {in_slot}", in_slot=in_slot(name))


def own_blocker(name: str) -> Text:
    return text("The blocker {in_slot} is the own one, and only an opponent's may be removed", in_slot=in_slot(name))


def none_in_hand(player: str) -> Text:
    return text("{player} has no blocker in hand", player=called(player))


def not_own_blocker(name: str, owner: str) -> Text:
    return text("The blocker {in_slot} is {owner}'s", in_slot=in_slot(name), owner=called(owner))


def too_few_bridges(count: int, wanted: int) -> Text:
    return plural(
        "A blocker may be removed once {wanted} bridges are on the board; there is {n}",
        "A blocker may be removed once {wanted} bridges are on the board; there are {n}",
        count,
        wanted=wanted,
    )


def post_occupied(station: str, owner: str) -> Text:
    return text("{owner}'s post stands on {station}", owner=called(owner), station=station)


def no_ring_supported(player: str, station: str) -> Text:
    return text(
        "With the post on {station} no ring of {player} would be left: a post must keep at least one",
        station=station,
        player=called(player),
    )


def not_trapped(player: str) -> Text:
    return text("{player} is not trapped: a neighbour of the post is not full", player=called(player))


def not_trapped_off(player: str) -> Text:
    return text("{player} may not teleport: the option teleport_trap is off", player=called(player))


def station_not_empty(station: str) -> Text:
    return text("There is a ring on {station}, and one teleports only to a station without rings", station=station)


def first_bridge_restricted(name: str, station: str, owner: str) -> Text:
    return text(
        "The first bridge of the game may not lie {in_slot}: it would block {owner}'s base station {station}",
        in_slot=in_slot(name),
        owner=called(owner),
        station=station,
    )


def first_blocker_restricted(name: str, station: str, owner: str) -> Text:
    return text(
        "The first blocker of the game may not lie {in_slot}: it would block {owner}'s base station {station}",
        in_slot=in_slot(name),
        owner=called(owner),
        station=station,
    )


def anti_kingmaker(player: str, name: str) -> Text:
    return text(
        "{player} is more than two crossings behind two others and may only act beside own markers; there is none "
        "beside {slot}",
        player=called(player),
        slot=slot_words(name),
    )
