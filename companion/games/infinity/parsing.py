"""Positions and moves as people write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from companion.errors import PositionError
from companion.games.game import Json, Outcome, Player
from companion.games.infinity.lines import count_rows
from companion.games.infinity.marbles import CHANNELS, EMPTY, INFINITY, PLAYERS, SLOTS, SUPPLY, Channel, Marble
from companion.games.infinity.options import Options
from companion.games.infinity.position import NO_MARBLES, Channels, Position
from companion.games.infinity.scoring import Turn, five_ahead, two_rows
from companion.games.infinity.words import MARBLES
from companion.games.shown import listed, shown
from companion.texts import plural, text

PASS = "pass"
_MOVE = re.compile(r"([BKYW])([0-9]+)", re.ASCII)
_ENDS = tuple(
    [Outcome(winner=player, by=by) for by in ("two_rows", "five_ahead") for player in PLAYERS]
    + [Outcome(draw="both_two_rows")]
)


@dataclass(frozen=True, slots=True)
class Push:
    """A marble and the channel it goes into; `channel` is None where the board has no such channel."""

    marble: Marble
    channel: Channel | None


def parse_push(text: str) -> Push | None:
    """Read `B3`; None for text that is no push, `pass` too."""
    match = _MOVE.fullmatch(text)
    if match is None:
        return None
    number = match[2]
    return Push(Marble(match[1]), Channel(int(number) - 1) if number in ("1", "2", "3", "4") else None)


def parse_position(data: Mapping[str, Json], options: Options) -> Position:
    """Read a `position` object; see `Game.parse_position`. Keys that are not known are left alone.

    Besides `board`, `score` and `to_move`: `turns` where `max_turns` is set, and `outcome` where the rest does not
    say how the game ended.
    """
    faults: list[str] = []
    channels = _channels(data.get("board"), faults)
    score = _score(data, faults)
    to_move = _to_move(data, faults)
    turns = _turns(data, options, faults)
    outcome = _outcome(data, faults)
    if to_move is not None and (outcome or five_ahead(score)):
        why = text("an outcome is given") if outcome else text("the score is {score}", score=score)
        faults.append(
            text("to_move is {given}, but the game is over ({why}): it must be null", given=shown(to_move), why=why)
        )
    if faults or channels is None:
        raise PositionError(tuple(faults))
    if to_move is None and outcome is None:
        outcome = outcome_shown(channels, score, options)
    if to_move is None and outcome is None:
        if channels != NO_MARBLES:
            raise PositionError((text("to_move is null, but nobody has won: say whose turn it is"),))
        to_move = None if options.first is None else Player(options.first)
    return Position(channels, score, to_move, outcome, turns)


def position_json(position: Position, options: Options) -> dict[str, Json]:
    """Write a position as `parse_position` takes it back."""
    data: dict[str, Json] = {"board": position.board, "score": position.score, "to_move": position.to_move}
    if options.max_turns is not None:
        data["turns"] = position.turns
    end = position.outcome
    if end is not None and end != outcome_shown(position.channels, position.score, options):
        data["outcome"] = {"draw": end.draw} if end.draw else {"winner": end.winner, "by": end.by}
    return data


def outcome_shown(channels: Channels, score: int, options: Options) -> Outcome | None:
    """How a finished game ended, as far as its last position shows it."""
    rows = count_rows(channels)
    return five_ahead(score) or two_rows(Turn(rows, rows, None, score), options)


def _channels(board: Json, faults: list[str]) -> Channels | None:
    if not isinstance(board, str):
        faults.append(text("board must be a text such as 'BY..|K...|....|Y...', not {given}", given=shown(board)))
        return None
    parts = board.split("|")
    found = len(faults)
    if len(parts) != len(CHANNELS):
        faults.append(plural("board has {n} channel, not 4", "board has {n} channels, not 4", len(parts)))
    for number, part in enumerate(parts[: len(CHANNELS)], 1):
        faults.extend(text("channel {number} {fault}", number=number, fault=fault) for fault in _channel_faults(part))
    for marble, supply in SUPPLY.items():
        if (count := board.count(marble)) > supply:
            faults.append(
                plural(
                    "{count} {marbles} on the board, but there is only {n}",
                    "{count} {marbles} on the board, but there are only {n}",
                    supply,
                    count=count,
                    marbles=MARBLES[marble],
                )
            )
    if len(faults) > found:
        return None
    a, b, c, d = (part.rstrip(EMPTY) for part in parts)
    return a, b, c, d


def _channel_faults(part: str) -> list[str]:
    faults: list[str] = []
    if len(part) != SLOTS:
        faults.append(plural("has {n} slot, not 4", "has {n} slots, not 4", len(part)))
    unknown = sorted({letter for letter in part if letter not in SUPPLY and letter != EMPTY})
    if unknown:
        letters = listed((shown(letter) for letter in unknown[:5]), "and")
        faults.append(text("has {letters}; a slot is B, K, Y, W or . for empty", letters=letters))
    if EMPTY in part.rstrip(EMPTY):
        faults.append(text("has a gap at slot {slot}: channels fill from the entry end", slot=part.index(EMPTY) + 1))
    return faults


def _score(data: Mapping[str, Json], faults: list[str]) -> int:
    score = data.get("score")
    if type(score) is int and abs(score) <= INFINITY:
        return score
    faults.append(
        text("score must be a whole number from -5 to 5, not {given}", given=shown(score))
        if "score" in data
        else text("score is missing")
    )
    return 0


def _to_move(data: Mapping[str, Json], faults: list[str]) -> Player | None:
    to_move = data.get("to_move")
    if to_move in PLAYERS:
        return Player(str(to_move))
    if "to_move" not in data:
        faults.append(text("to_move is missing"))
    elif to_move is not None:
        faults.append(text("to_move must be 'blue', 'yellow' or null, not {given}", given=shown(to_move)))
    return None


def _turns(data: Mapping[str, Json], options: Options, faults: list[str]) -> int:
    turns = data.get("turns", 0)
    if options.max_turns is None:
        return 0
    if type(turns) is int and turns >= 0:
        return turns
    faults.append(text("turns must be a whole number from 0 on, not {given}", given=shown(turns)))
    return 0


def _outcome(data: Mapping[str, Json], faults: list[str]) -> Outcome | None:
    given = data.get("outcome")
    if given is None:
        return None
    if isinstance(given, Mapping):
        for end in _ENDS:
            if given.get("winner") == end.winner and given.get("by") == end.by and given.get("draw") == end.draw:
                return end
    faults.append(text("outcome must be null, a winner with by 'two_rows' or 'five_ahead', or draw 'both_two_rows'"))
    return None
