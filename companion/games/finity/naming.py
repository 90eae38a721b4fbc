"""Pieces and places of Finity in words, for the sentences of `words` and `reasons`."""

from __future__ import annotations

from functools import cache

from companion.games.finity.board import FLIPPED
from companion.games.finity.pieces import COLOUR_WORD, SIZE_WORD
from companion.games.shown import called
from companion.texts import Text, text

# A slot, "N>NE L": languages with cases have a form for each of these four.


@cache
def slot_words(name: str) -> Text:
    """The slot itself: "the left slot from N to NE"."""
    tail, tip, side = _parts(name)
    match side:
        case "L":
            return text("the left slot from {tail} to {tip}", tail=tail, tip=tip)
        case "M":
            return text("the middle slot from {tail} to {tip}", tail=tail, tip=tip)
    return text("the right slot from {tail} to {tip}", tail=tail, tip=tip)


@cache
def in_slot(name: str) -> Text:
    tail, tip, side = _parts(name)
    match side:
        case "L":
            return text("in the left slot from {tail} to {tip}", tail=tail, tip=tip)
        case "M":
            return text("in the middle slot from {tail} to {tip}", tail=tail, tip=tip)
    return text("in the right slot from {tail} to {tip}", tail=tail, tip=tip)


@cache
def out_of_slot(name: str) -> Text:
    tail, tip, side = _parts(name)
    match side:
        case "L":
            return text("from the left slot from {tail} to {tip}", tail=tail, tip=tip)
        case "M":
            return text("from the middle slot from {tail} to {tip}", tail=tail, tip=tip)
    return text("from the right slot from {tail} to {tip}", tail=tail, tip=tip)


@cache
def into_slot(name: str) -> Text:
    tail, tip, side = _parts(name)
    match side:
        case "L":
            return text("to the left slot from {tail} to {tip}", tail=tail, tip=tip)
        case "M":
            return text("to the middle slot from {tail} to {tip}", tail=tail, tip=tip)
    return text("to the right slot from {tail} to {tip}", tail=tail, tip=tip)


SLOT_OF_BRIDGE = {"L": text("left slot"), "M": text("middle slot"), "R": text("right slot")}
NO_RING = {"S": text("no small ring"), "M": text("no medium ring"), "L": text("no large ring")}


@cache
def bridge_words(colour: str, name: str) -> Text:
    """A bridge by its colour and its slot from tail to tip: "the black bridge from N to NE (left slot)"."""
    tail, tip, side = _parts(name)
    return text(
        "the {colour} bridge from {tail} to {tip} ({slot})",
        colour=COLOUR_WORD[colour],
        tail=tail,
        tip=tip,
        slot=SLOT_OF_BRIDGE[side],
    )


def some_bridge_words(colour: str | None, name: str) -> Text:
    """The bridge in a slot, whose colour may not be known."""
    return bridge_words(colour, name) if colour else text("the bridge {in_slot}", in_slot=in_slot(name))


@cache
def marker_words(player: str, size: str) -> Text:
    if size == "P":
        return text("{player}'s post", player=called(player))
    return text("{player}'s {size} ring", player=called(player), size=SIZE_WORD[size])


def blocker_words(owner: str, name: str) -> Text:
    return text("{player}'s blocker {in_slot}", player=called(owner), in_slot=in_slot(name))


@cache
def place_shows(place: str, label: str) -> Text:
    """What a place shows: "A's small ring on NE", "no post on E", "nothing in the left slot from N to NE"."""
    station, dot, size = place.partition(".")
    if dot:
        none = text("no post") if size == "P" else NO_RING[size]
        marker = none if label == "." else marker_words(label, size)
        return text("{piece} on {station}", piece=marker, station=station)
    kind, _, what = label.partition(" ")
    if kind == "blocker":
        return blocker_words(what, place)
    if kind not in COLOUR_WORD:
        return text("nothing {in_slot}", in_slot=in_slot(place))
    tail, tip, side = _parts(place)
    return bridge_words(kind, place if what == tail else f"{tip}>{tail} {FLIPPED[side]}")


def _parts(name: str) -> tuple[str, str, str]:
    """Tail, tip and side of a slot's name."""
    pair, _, side = name.partition(" ")
    tail, _, tip = pair.partition(">")
    return tail, tip, side
