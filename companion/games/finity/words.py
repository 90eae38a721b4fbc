"""Sentences for people. Every one that the rules of Finity say is made here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from companion.games.finity.board import FLIPPED
from companion.games.finity.pieces import COLOUR_WORD, SIDE_WORD, SIZE_WORD
from companion.games.game import Outcome
from companion.games.shown import listed, shown

Orphan = tuple[str, str, str]
"""Player, station, size."""


def count_of(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


# Pieces and places


def slot_words(name: str) -> str:
    """`N>NE L` as "the left slot from N to NE"."""
    pair, _, side = name.partition(" ")
    tail, _, tip = pair.partition(">")
    return f"the {SIDE_WORD[side]} slot from {tail} to {tip}"


def bridge_words(colour: str, name: str) -> str:
    """A bridge by its colour and its slot from tail to tip: "the black bridge from N to NE (left slot)"."""
    pair, _, side = name.partition(" ")
    tail, _, tip = pair.partition(">")
    return f"the {COLOUR_WORD[colour]} bridge from {tail} to {tip} ({SIDE_WORD[side]} slot)"


def marker_words(player: str, size: str) -> str:
    return f"{player}'s post" if size == "P" else f"{player}'s {SIZE_WORD[size]} ring"


def place_shows(place: str, label: str) -> str:
    """What a place shows: "A's small ring on NE", "no post on E", "nothing in the left slot from N to NE"."""
    station, dot, size = place.partition(".")
    if dot:
        piece = "post" if size == "P" else f"{SIZE_WORD[size]} ring"
        return f"{f'no {piece}' if label == '.' else marker_words(label, size)} on {station}"
    kind, _, what = label.partition(" ")
    if kind == "blocker":
        return f"{what}'s blocker in {slot_words(place)}"
    if kind not in COLOUR_WORD:
        return f"nothing in {slot_words(place)}"
    pair, _, side = place.partition(" ")
    tail, _, tip = pair.partition(">")
    ahead = what == tail
    return bridge_words(kind, f"{tail}>{tip} {side}" if ahead else f"{tip}>{tail} {FLIPPED[side]}")


def seated(seats: Iterable[tuple[str, str]]) -> str:
    return listed((f"{player} starts on {station}" for player, station in seats), "and")


# Moves


def add(player: str, colour: str, name: str) -> str:
    return f"{player} adds {bridge_words(colour, name)}"


def reverse(player: str, colour: str | None, name: str) -> str:
    what = bridge_words(colour, name) if colour else f"the bridge in {slot_words(name)}"
    return f"{player} reverses {what}"


def remove(player: str, colour: str | None, name: str) -> str:
    what = bridge_words(colour, name) if colour else f"the bridge in {slot_words(name)}"
    return f"{player} removes {what}"


def ring(player: str, station: str, size: str) -> str:
    return f"{player} places a {SIZE_WORD[size]} ring on {station}"


def blocker(player: str, source: str | None, target: str) -> str:
    if source is None:
        return f"{player} places a blocker from the hand in {slot_words(target)}"
    return f"{player} moves a blocker from {slot_words(source)} to {slot_words(target)}"


def unblock(player: str, owner: str | None, name: str) -> str:
    return f"{player} removes {f'{owner}' if owner else 'an opponent'}'s blocker from {slot_words(name)}"


def post(player: str, station: str) -> str:
    return f"{player} moves the post to {station}"


def teleport(player: str, station: str) -> str:
    return f"{player} is trapped and teleports the post to {station}"


def no_move(text: str) -> str:
    return f"{shown(text)} is no move"


# What a move did


def orphaned(orphans: Iterable[Orphan]) -> str:
    """Which rings a move orphaned; empty where none."""
    said = []
    for player, rings in groupby(orphans, key=lambda orphan: orphan[0]):
        where = []
        for station, sizes in groupby(rings, key=lambda orphan: orphan[1]):
            each = [SIZE_WORD[size] for _, _, size in sizes]
            where.append(f"the {listed(each, 'and')} ring{'s'[: len(each) > 1]} on {station}")
        said.append(f"{player} loses {listed(where, 'and')}: no walk from {player}'s post leads there any more")
    return ". ".join(said)


def ended(outcome: Outcome) -> str:
    path = f" ({' '.join(outcome.path)})" if outcome.path else ""
    match outcome.by or outcome.draw:
        case "full_path":
            return f"{outcome.winner} has a full path{path}"
        case "tie_stations":
            return f"several players have a full path, and {outcome.winner}'s passes most stations{path}"
        case "tie_rings":
            return f"several players have full paths of as many stations, and {outcome.winner} has most rings{path}"
        case "tie":
            return "several players have full paths of as many stations and as many rings, which is a draw"
        case "repetition":
            return "the same position has stood so often that it is a draw"
    return "so many moves went by without a ring added or removed that it is a draw"


def place_taken(player: str, place: int) -> str:
    return f"{player} has a full path and takes place {place}"


# Why a move is illegal


def unreadable(text: str, meant: str | None) -> str:
    said = (
        f"{shown(text)} is no move; a move is such as 'add b N>NE M', 'reverse N>NE M', 'remove N>NE M', 'ring NE S', "
        "'blocker N>C L to NE>SE R', 'unblock S>C L', 'post E' or 'teleport E'"
    )
    return f"{said}; did you mean {meant!r}?" if meant else said


def no_such_station(name: str, names: Sequence[str]) -> str:
    return f"There is no station {shown(name)} on this board; there are {listed(names, 'and')}"


def not_adjacent(a: str, b: str) -> str:
    return f"{shown(a)[1:-1]} and {shown(b)[1:-1]} are no neighbours, so there is no slot between them"


def game_over(outcome: Outcome | None) -> str:
    return f"The game is over: {ended(outcome)}" if outcome else "The game is over"


def slot_occupied(name: str, piece: str) -> str:
    return f"{_capital(slot_words(name))} is taken by {piece}"


def corner_taken(name: str, piece: str) -> str:
    return f"{_capital(slot_words(name))} touches the corner that {piece} has taken"


def no_bridge_left(colour: str, count: int) -> str:
    return f"No {COLOUR_WORD[colour]} bridge is left: all {count} are on the board"


def no_ring_left(player: str, size: str, count: int) -> str:
    return f"{player} has no {SIZE_WORD[size]} ring left: all {count} are on the board"


def redundant(colour: str, tail: str, tip: str, name: str) -> str:
    return (
        f"There is a {COLOUR_WORD[colour]} bridge from {tail} to {tip} already ({slot_words(name)}), and two of one "
        "colour and direction may not lie between the same stations"
    )


def undo(last: str) -> str:
    return f"This undoes the last move: {last}"


def refill(colour: str, name: str) -> str:
    return f"A {COLOUR_WORD[colour]} bridge was just removed from {slot_words(name)}; none may go there at once"


def no_bridge_there(name: str, other: str | None) -> str:
    if other is None:
        return f"There is no bridge in {slot_words(name)}"
    tail, _, tip = other.partition(" ")[0].partition(">")
    return f"The bridge in {slot_words(name)} points from {tail} to {tip}: name it {other!r}"


def bridge_into_centre(name: str, centre: str) -> str:
    return f"The bridge in {slot_words(name)} leads into {centre}, from where nobody removes one; it can be reversed"


def not_top_marker(player: str, station: str, top: str | None) -> str:
    who = f"{top} is the top marker there" if top else "nobody has a marker there"
    return f"{player} may only remove bridges into stations where {player} has the top marker; on {station} {who}"


def centre_station(what: str, centre: str) -> str:
    return f"No {what} may go to {centre}"


def own_post_station(player: str, station: str) -> str:
    return f"{player}'s own post stands on {station}"


def station_unreachable(player: str, station: str) -> str:
    return f"No walk from {player}'s post reaches {station}"


def size_taken(station: str, size: str, owner: str) -> str:
    return f"The {SIZE_WORD[size]} place on {station} is taken by {owner}'s ring"


def smaller_size_free(station: str, size: str) -> str:
    return f"The {SIZE_WORD[size]} place on {station} is free, and the smallest free one must be taken"


def no_blocker_there(name: str) -> str:
    return f"There is no blocker in {slot_words(name)}"


def own_blocker(name: str) -> str:
    return f"The blocker in {slot_words(name)} is the own one, and only an opponent's may be removed"


def none_in_hand(player: str) -> str:
    return f"{player} has no blocker in hand"


def not_own_blocker(name: str, owner: str) -> str:
    return f"The blocker in {slot_words(name)} is {owner}'s"


def too_few_bridges(count: int, wanted: int) -> str:
    there = "is" if count == 1 else "are"
    return f"A blocker may be removed once {wanted} bridges are on the board; there {there} {count}"


def post_occupied(station: str, owner: str) -> str:
    return f"{owner}'s post stands on {station}"


def no_ring_supported(player: str, station: str) -> str:
    return f"With the post on {station} no ring of {player} would be left: a post must keep at least one"


def not_trapped(player: str) -> str:
    return f"{player} is not trapped: a neighbour of the post is not full"


def not_trapped_off(player: str) -> str:
    return f"{player} may not teleport: the option teleport_trap is off"


def station_not_empty(station: str) -> str:
    return f"There is a ring on {station}, and one teleports only to a station without rings"


def first_move_restriction(name: str, station: str, owner: str, piece: str) -> str:
    why = f"it would block {owner}'s base station {station}"
    return f"The first {piece} of the game may not lie in {slot_words(name)}: {why}"


def anti_kingmaker(player: str, name: str) -> str:
    return (
        f"{player} is more than two crossings behind two others and may only act beside own markers; there is none "
        f"beside {slot_words(name)}"
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# What hands can do beside moves


def not_your_turn(player: str, what: str) -> str:
    return f"It is {player}'s turn, but {what}"


def ring_taken(owner: str, station: str, size: str) -> str:
    return f"{owner}'s {SIZE_WORD[size]} ring was taken from {station}, and it is no orphan"


def post_taken(owner: str, station: str) -> str:
    return f"{owner}'s post was taken from {station}"


def two_moves(player: str, first: str, second: str) -> str:
    return f"{player} made two moves in one turn: {first}, and {second}"


def blocker_taken(owner: str, name: str) -> str:
    return f"{owner}'s blocker was taken from {slot_words(name)}"


def nothing_played(player: str) -> str:
    return f"It is {player}'s turn, and nothing was played"
