"""Sentences for people. Every one that the rules of Infinity say is made here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from companion.games.game import Json, Outcome, Player
from companion.games.infinity.marbles import BLUE, JOKER, PLAIN, Channel, Marble
from companion.games.infinity.options import Options, option_fields
from companion.games.shown import called, shown
from companion.texts import Text, capital, joined, listed, plural, text

A_MARBLE: Final[Mapping[str, Text]] = {
    "B": text("a blue marble"),
    "K": text("a black Joker"),
    "Y": text("a yellow marble"),
    "W": text("a white Joker"),
}
THE_MARBLE: Final[Mapping[str, Text]] = {
    "B": text("the blue marble"),
    "K": text("the black Joker"),
    "Y": text("the yellow marble"),
    "W": text("the white Joker"),
}
MARBLES: Final[Mapping[str, str]] = {
    "B": text("blue marbles"),
    "K": text("black Jokers"),
    "Y": text("yellow marbles"),
    "W": text("white Jokers"),
}


def seat(place: str, label: str) -> Text:
    """What a seat shows, e.g. "a blue marble in seat 2 of channel 3"."""
    channel, _, slot = place.partition(".")
    if label not in A_MARBLE:
        return text("nothing in seat {slot} of channel {channel}", slot=slot, channel=channel)
    return text("{marble} in seat {slot} of channel {channel}", marble=A_MARBLE[label], slot=slot, channel=channel)


def push(player: Player, marble: Marble, channel: Channel, over: Marble | None) -> Text:
    """A push, e.g. "Blue pushes a marble into channel 3"."""
    name, number = called(player), channel + 1
    if marble == JOKER[player]:
        said = text("{player} pushes the Joker into channel {channel}", player=name, channel=number)
    else:
        said = text("{player} pushes a marble into channel {channel}", player=name, channel=number)
    return text("{said}; {marble} goes back to the well", said=said, marble=A_MARBLE[over]) if over else said


def passes(player: Player) -> Text:
    return text("{player} passes", player=called(player))


def forfeits(player: Player) -> Text:
    return text("{player} has no marble in the well and forfeits the turn", player=called(player))


def no_move(move: str) -> Text:
    return text("{move} is no move", move=shown(move))


def unreadable(move: str) -> Text:
    said = text(
        "{move} is no move; a move is a marble (B, K, Y or W) and a channel (1 to 4), such as B3", move=shown(move)
    )
    meant = "".join(move[:20].split()).upper()
    if len(meant) == 2 and meant[0] in A_MARBLE and meant[1] in "1234":
        return text("{said}; did you mean {meant}?", said=said, meant=meant)
    return said


def no_such_channel(move: str) -> Text:
    return text("{move}: the channels are numbered 1 to 4 from the left", move=shown(move))


def game_over(outcome: Outcome) -> Text:
    return text("The game is over: {how}", how=ended(outcome))


def ended(outcome: Outcome) -> Text:
    if outcome.winner is None:
        return text("both players have two rows, which is a draw by house rule A6")
    name = called(outcome.winner)
    if outcome.by == "two_rows":
        return text("{player} has won by two rows of four", player=name)
    return text("{player} has won by a lead of five points", player=name)


def not_your_turn(to_move: Player, marble: Marble) -> Text:
    return text(
        "It is {player}'s turn, and {marble} is not {player}'s", player=called(to_move), marble=A_MARBLE[marble]
    )


def must_forfeit(player: Player) -> Text:
    return text("{player} has no marble in the well and forfeits this turn", player=called(player))


def no_marble_left(player: Player) -> Text:
    name = called(player)
    if PLAIN[player] == "B":
        return text("All blue marbles are on the board; {player} has only the Joker left and must play it", player=name)
    return text("All yellow marbles are on the board; {player} has only the Joker left and must play it", player=name)


def joker_not_available(player: Player) -> Text:
    return text("{player}'s Joker is on the board already", player=called(player))


def pass_not_allowed(player: Player | None) -> Text:
    if player is None:
        return text("There is no passing before the first marble is played")
    return text(
        "{player} has a marble in the well and must play one: passing is not allowed (house rule A10)",
        player=called(player),
    )


def cancelled(player: Player, by: Player) -> Text:
    return text("{by}'s Joker row cancels what {player}'s rows would score", by=called(by), player=called(player))


_READINGS: Final[Mapping[tuple[str, Json], Text]] = {
    ("A1", "points"): text("a Joker row moves the knob by its points"),
    ("A1", "rows"): text("a Joker row moves the knob by the number of rows"),
    ("A1", "off"): text("a Joker row cancels nothing"),
    ("A2", False): text("a Joker row that stands from earlier still cancels the other side's rows"),
    ("A2", True): text("only a new Joker row cancels the other side's rows"),
    ("A3", "difference"): text("where both have a Joker row the plain difference counts"),
    ("A3", "mover"): text("where both have a Joker row the mover's rows count"),
    ("A3", "none"): text("where both have a Joker row nobody scores"),
    ("A4", False): text("two rows win even against a Joker row"),
    ("A4", True): text("a Joker row cancels two plain rows"),
    ("A5", False): text("two rows win even against one row"),
    ("A5", True): text("two rows against one row do not win"),
    ("A6", "continue"): text("where both have two rows nobody wins by them and play goes on"),
    ("A6", "mover"): text("where both have two rows the mover wins"),
    ("A6", "draw"): text("where both have two rows the game is a draw"),
    ("A9", False): text("a turn without a marble does not score"),
    ("A9", True): text("a turn without a marble scores, too"),
    ("A10", True): text("a player may pass"),
    ("A11", True): text("a player may keep back the Joker when nothing else is left"),
    ("A13", False): text("two rows that share a slot count as two"),
    ("A13", True): text("two rows that share a slot do not count as two"),
}
_ONLY_READING: Final[Mapping[str, Text]] = {
    "A7": text("two rows win before five points are looked at"),
    "A8": text("the knob stops at infinity, which wins, and never turns past it"),
    "A14": text("neither of the two rows has to be new"),
}


def house_rules_applied(gaps: Iterable[str], options: Options) -> str:
    """Which house rules decided, and how they read; empty where none did."""
    named = [joined([gap, joined(["(", _reading(gap, options), ")"], "")]) for gap in gaps]
    if not named:
        return ""
    return plural(
        "The leaflet is silent here; house rule {rules} applied",
        "The leaflet is silent here; house rules {rules} applied",
        len(named),
        rules=listed(named),
    )


def _reading(gap: str, options: Options) -> Text:
    if gap == "A15":
        turns = options.max_turns or 0
        return plural("{n} turn is played and the game goes on", "{n} turns are played and the game goes on", turns)
    if gap in _ONLY_READING:
        return _ONLY_READING[gap]
    name = next(item.name for item in option_fields().values() if item.metadata["gap"] == gap)
    return _READINGS[gap, getattr(options, name)]


@cache
def pushed_out_of_turn(player: Player | None, marble: Marble, channel: Channel) -> Text:
    pushed = text("{marble} was pushed into channel {channel}", marble=A_MARBLE[marble], channel=channel + 1)
    if player is None:
        return text("The game is over, but {what}", what=pushed)
    return text("It is {player}'s turn, but {what}", player=called(player), what=pushed)


@cache
def two_moves(player: Player, first: Channel, second: Channel) -> Text:
    if first == second:
        return text(
            "{player} pushed two marbles in one turn, into channel {channel}", player=called(player), channel=first + 1
        )
    return text(
        "{player} pushed two marbles in one turn, into channels {first} and {second}",
        player=called(player),
        first=min(first, second) + 1,
        second=max(first, second) + 1,
    )


def second_joker(player: Player, channel: Channel) -> Text:
    name, number = called(player), channel + 1
    if player == BLUE:
        return text(
            "{player}'s Joker is on the board already, but a black marble was pushed into channel {channel}",
            player=name,
            channel=number,
        )
    return text(
        "{player}'s Joker is on the board already, but a white marble was pushed into channel {channel}",
        player=name,
        channel=number,
    )


def joker_replayed(player: Player, source: Channel, channel: Channel) -> Text:
    return text(
        "{player}'s Joker was taken out of channel {source} and pushed into channel {channel} again",
        player=called(player),
        source=source + 1,
        channel=channel + 1,
    )


@cache
def taken(marble: Marble, channel: Channel, slot: int) -> Text:
    return capital(text("{what} was taken away", what=_lying(marble, channel, slot)))


@cache
def taken_from(count: int, channel: Channel, slot: int) -> Text:
    return plural(
        "{n} marble of channel {channel}, from slot {slot} on, was taken away",
        "{n} marbles of channel {channel}, from slot {slot} on, were taken away",
        count,
        channel=channel + 1,
        slot=slot + 1,
    )


@cache
def fell_out(marble: Marble, channel: Channel) -> Text:
    return capital(
        text(
            "{marble} at the far end of channel {channel} went over, but no marble was pushed in",
            marble=THE_MARBLE[marble],
            channel=channel + 1,
        )
    )


@cache
def moved(marble: Marble, channel: Channel, slot: int, to_channel: Channel, to_slot: int) -> Text:
    what = _lying(marble, channel, slot)
    if channel == to_channel:
        return capital(text("{what} was moved to slot {slot}", what=what, slot=to_slot + 1))
    return capital(
        text("{what} was moved to channel {channel}, slot {slot}", what=what, channel=to_channel + 1, slot=to_slot + 1)
    )


@cache
def moved_in(marble: Marble, channel: Channel, slot: int, into: Channel) -> Text:
    what = _lying(marble, channel, slot)
    if channel == into:
        return capital(text("{what} was taken out and pushed into the same channel", what=what))
    return capital(text("{what} was taken out and pushed into channel {channel}", what=what, channel=into + 1))


@cache
def wrong_end(marble: Marble, channel: Channel) -> Text:
    return capital(
        text(
            "{marble} was put into channel {channel} from the far end, not from the entry end",
            marble=A_MARBLE[marble],
            channel=channel + 1,
        )
    )


def nothing_played(player: Player) -> Text:
    return text("It is {player}'s turn, and no marble was played", player=called(player))


@cache
def _lying(marble: Marble, channel: Channel, slot: int) -> Text:
    """A marble and its seat, with a comma after it in English: "the blue marble in channel 1, slot 2,"."""
    return text(
        "{marble} in channel {channel}, slot {slot},", marble=THE_MARBLE[marble], channel=channel + 1, slot=slot + 1
    )
