"""Sentences for people. Every one that the rules of Infinity say is made here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from companion.games.game import Json, Outcome, Player
from companion.games.infinity.marbles import BLUE, JOKER, PLAIN, YELLOW, Channel, Marble
from companion.games.infinity.options import Options, option_fields
from companion.games.shown import listed, shown

NAME: Final[Mapping[Player, str]] = {BLUE: "Blue", YELLOW: "Yellow"}
MARBLE: Final[Mapping[str, str]] = {"B": "blue marble", "K": "black Joker", "Y": "yellow marble", "W": "white Joker"}
MARBLES: Final[Mapping[str, str]] = {
    "B": "blue marbles",
    "K": "black Jokers",
    "Y": "yellow marbles",
    "W": "white Jokers",
}


def count_of(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def channel_of(channel: Channel) -> str:
    return f"channel {channel + 1}"


def seat(place: str, label: str) -> str:
    """What a seat shows, e.g. "a blue marble in seat 2 of channel 3"."""
    channel, _, slot = place.partition(".")
    what = f"a {MARBLE[label]}" if label in MARBLE else "nothing"
    return f"{what} in seat {slot} of channel {channel}"


def push(player: Player, marble: Marble, channel: Channel, over: Marble | None) -> str:
    """A push, e.g. "Blue pushes a marble into channel 3"."""
    what = "the Joker" if marble == JOKER[player] else "a marble"
    said = f"{NAME[player]} pushes {what} into {channel_of(channel)}"
    return f"{said}; a {MARBLE[over]} goes back to the well" if over else said


def passes(player: Player) -> str:
    return f"{NAME[player]} passes"


def forfeits(player: Player) -> str:
    return f"{NAME[player]} has no marble in the well and forfeits the turn"


def no_move(text: str) -> str:
    return f"{shown(text)} is no move"


def unreadable(text: str) -> str:
    said = f"{shown(text)} is no move; a move is a marble (B, K, Y or W) and a channel (1 to 4), such as B3"
    meant = "".join(text[:20].split()).upper()
    if len(meant) == 2 and meant[0] in MARBLE and meant[1] in "1234":
        return f"{said}; did you mean {meant}?"
    return said


def no_such_channel(text: str) -> str:
    return f"{shown(text)}: the channels are numbered 1 to 4 from the left"


def game_over(outcome: Outcome) -> str:
    return f"The game is over: {ended(outcome)}"


def ended(outcome: Outcome) -> str:
    if outcome.winner is None:
        return "both players have two rows, which is a draw by house rule A6"
    how = "two rows of four" if outcome.by == "two_rows" else "a lead of five points"
    return f"{NAME[outcome.winner]} has won by {how}"


def not_your_turn(to_move: Player, marble: Marble) -> str:
    return f"It is {NAME[to_move]}'s turn, and a {MARBLE[marble]} is not {NAME[to_move]}'s"


def must_forfeit(player: Player) -> str:
    return f"{NAME[player]} has no marble in the well and forfeits this turn"


def no_marble_left(player: Player) -> str:
    return f"All {MARBLES[PLAIN[player]]} are on the board; {NAME[player]} has only the Joker left and must play it"


def joker_not_available(player: Player) -> str:
    return f"{NAME[player]}'s Joker is on the board already"


def pass_not_allowed(player: Player | None) -> str:
    if player is None:
        return "There is no passing before the first marble is played"
    return f"{NAME[player]} has a marble in the well and must play one: passing is not allowed (house rule A10)"


def cancelled(player: Player, by: Player) -> str:
    return f"{NAME[by]}'s Joker row cancels what {NAME[player]}'s rows would score"


_READINGS: Final[Mapping[tuple[str, Json], str]] = {
    ("A1", "points"): "a Joker row moves the knob by its points",
    ("A1", "rows"): "a Joker row moves the knob by the number of rows",
    ("A1", "off"): "a Joker row cancels nothing",
    ("A2", False): "a Joker row that stands from earlier still cancels the other side's rows",
    ("A2", True): "only a new Joker row cancels the other side's rows",
    ("A3", "difference"): "where both have a Joker row the plain difference counts",
    ("A3", "mover"): "where both have a Joker row the mover's rows count",
    ("A3", "none"): "where both have a Joker row nobody scores",
    ("A4", False): "two rows win even against a Joker row",
    ("A4", True): "a Joker row cancels two plain rows",
    ("A5", False): "two rows win even against one row",
    ("A5", True): "two rows against one row do not win",
    ("A6", "continue"): "where both have two rows nobody wins by them and play goes on",
    ("A6", "mover"): "where both have two rows the mover wins",
    ("A6", "draw"): "where both have two rows the game is a draw",
    ("A9", False): "a turn without a marble does not score",
    ("A9", True): "a turn without a marble scores, too",
    ("A10", True): "a player may pass",
    ("A11", True): "a player may keep back the Joker when nothing else is left",
    ("A13", False): "two rows that share a slot count as two",
    ("A13", True): "two rows that share a slot do not count as two",
}
_ONLY_READING: Final[Mapping[str, str]] = {
    "A7": "two rows win before five points are looked at",
    "A8": "the knob stops at infinity, which wins, and never turns past it",
    "A14": "neither of the two rows has to be new",
}


def house_rules_applied(gaps: Iterable[str], options: Options) -> str:
    """Which house rules decided, and how they read; empty where none did."""
    named = [f"{gap} ({_reading(gap, options)})" for gap in gaps]
    if not named:
        return ""
    return f"The leaflet is silent here; house rule{'s'[: len(named) > 1]} {listed(named, 'and')} applied"


def _reading(gap: str, options: Options) -> str:
    if gap == "A15":
        return f"{options.max_turns} turns are played and the game goes on"
    if gap in _ONLY_READING:
        return _ONLY_READING[gap]
    name = next(item.name for item in option_fields().values() if item.metadata["gap"] == gap)
    return _READINGS[gap, getattr(options, name)]


def pushed_out_of_turn(player: Player | None, marble: Marble, channel: Channel) -> str:
    pushed = f"a {MARBLE[marble]} was pushed into {channel_of(channel)}"
    return f"The game is over, but {pushed}" if player is None else f"It is {NAME[player]}'s turn, but {pushed}"


def two_moves(player: Player, first: Channel, second: Channel) -> str:
    both = channel_of(first) if first == second else f"channels {min(first, second) + 1} and {max(first, second) + 1}"
    return f"{NAME[player]} pushed two marbles in one turn, into {both}"


def second_joker(player: Player, channel: Channel) -> str:
    colour = MARBLE[JOKER[player]].split(maxsplit=1)[0]
    return f"{joker_not_available(player)}, but a {colour} marble was pushed into {channel_of(channel)}"


def joker_replayed(player: Player, source: Channel, channel: Channel) -> str:
    return f"{NAME[player]}'s Joker was taken out of {channel_of(source)} and pushed into {channel_of(channel)} again"


def taken(marble: Marble, channel: Channel, slot: int) -> str:
    return f"The {MARBLE[marble]} in {channel_of(channel)}, slot {slot + 1}, was taken away"


def taken_from(count: int, channel: Channel, slot: int) -> str:
    return f"{count} marbles of {channel_of(channel)}, from slot {slot + 1} on, were taken away"


def fell_out(marble: Marble, channel: Channel) -> str:
    return f"The {MARBLE[marble]} at the far end of {channel_of(channel)} went over, but no marble was pushed in"


def moved(marble: Marble, channel: Channel, slot: int, to_channel: Channel, to_slot: int) -> str:
    where = f"slot {to_slot + 1}" if channel == to_channel else f"{channel_of(to_channel)}, slot {to_slot + 1}"
    return f"The {MARBLE[marble]} in {channel_of(channel)}, slot {slot + 1}, was moved to {where}"


def moved_in(marble: Marble, channel: Channel, slot: int, into: Channel) -> str:
    where = "the same channel" if channel == into else channel_of(into)
    return f"The {MARBLE[marble]} in {channel_of(channel)}, slot {slot + 1}, was taken out and pushed into {where}"


def wrong_end(marble: Marble, channel: Channel) -> str:
    return f"A {MARBLE[marble]} was put into {channel_of(channel)} from the far end, not from the entry end"


def nothing_played(player: Player) -> str:
    return f"It is {NAME[player]}'s turn, and no marble was played"
