"""Ten ways of breaking the rules at the table, each as hands really do it, and what a referee may rightly call it.

A breach is only planted where the board then looks like no legal move: what nobody could see is no test. What looks
the same from outside may be called by either name:

    out of turn, opponent's marble  the wrong colour went in; who pushed it, only the hand knew
    two marbles                     both at once; or the second is the other player's turn if the first was seen alone
    Joker twice                     the Joker on the board is pushed again: not available, or a marble that moved
    no move                         the mover's hand came and went, and the other side plays on: it is not their turn
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from companion.games.game import Illegal, Place, TableGame
from hw_sim.marbles import Slot, board_slots
from hw_sim.table import SimTable
from hw_sim.timeline import Act
from hw_sim.wires import CHANNELS

PLAIN = {"blue": "B", "yellow": "Y"}
JOKER = {"blue": "K", "yellow": "W"}
OTHER = {"blue": "yellow", "yellow": "blue"}


class BreachKind(StrEnum):
    OUT_OF_TURN = "out_of_turn"
    OPPONENTS_MARBLE = "opponents_marble"
    TWO_MARBLES = "two_marbles"
    TAKEN_AWAY = "taken_away"
    MOVED = "moved"
    WRONG_END = "wrong_end"
    JOKER_TWICE = "joker_twice"
    NO_MOVE = "no_move"
    KNOB_WRONG = "knob_wrong"
    KNOB_NOT_TURNED = "knob_not_turned"


KNOB_KINDS = frozenset({BreachKind.KNOB_WRONG, BreachKind.KNOB_NOT_TURNED})
"""Breaches of a turn that changed the score; all others take the place of a move."""

NOT_YOURS = frozenset({"not_your_turn", "wrong_player"})

REASONS: Mapping[BreachKind, frozenset[str]] = {
    BreachKind.OUT_OF_TURN: NOT_YOURS,
    BreachKind.OPPONENTS_MARBLE: NOT_YOURS,
    BreachKind.TWO_MARBLES: NOT_YOURS | {"two_moves"},
    BreachKind.TAKEN_AWAY: frozenset({"piece_taken"}),
    BreachKind.MOVED: frozenset({"piece_moved"}),
    BreachKind.WRONG_END: frozenset({"wrong_end"}),
    BreachKind.JOKER_TWICE: frozenset({"joker_not_available", "piece_moved"}),
    BreachKind.NO_MOVE: NOT_YOURS | {"no_move", "pass_not_allowed"},
    BreachKind.KNOB_WRONG: frozenset({"knob_mismatch"}),
    BreachKind.KNOB_NOT_TURNED: frozenset({"knob_mismatch"}),
}


@dataclass(frozen=True, slots=True)
class Breach:
    """A breach that is possible now: who does it, how it is done, and in words."""

    kind: BreachKind
    by: str
    perform: Callable[[], Act[object]]
    words: str


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to do it, and how the board may look then (a marble from the far end has two places to rest)."""

    by: str
    perform: Callable[[], Act[object]]
    words: str
    boards: tuple[str, ...]
    first: str = ""
    """The first move of two: were it followed by a forfeit, or the end, the second would be no breach."""


def possible_breach(
    kind: BreachKind, table: SimTable, game: TableGame[Any], position: Any, rng: random.Random
) -> Breach | None:
    """A breach of this kind that hands can do now and eyes can see; None where there is none.

    Not for `KNOB_KINDS`: those need no more than a turn that changes the score.
    """
    mover = game.to_move(position)
    if mover is None:
        return None
    looks = legal_boards(game, position) | {table.truth().board}
    ways = list(_WAYS[kind](table, str(mover)))
    rng.shuffle(ways)
    for way in ways:
        if not looks.intersection(way.boards) and not _plays_twice(game, position, way.first):
            return Breach(kind, way.by, way.perform, way.words)
    return None


def _plays_twice(game: TableGame[Any], position: Any, first: str) -> bool:
    """Whether the mover may play again, or nobody may, after this move."""
    if not first:
        return False
    played = game.play(position, first)
    if isinstance(played, Illegal):
        raise ValueError(f"{first} is not legal here: {played.detail}")
    return game.outcome(played.after) is not None or game.forced(played.after) is not None


def legal_boards(game: TableGame[Any], position: Any) -> set[str]:
    """How the board may look after a legal move."""
    played = [game.play(position, move) for move in game.legal_moves(position)]
    return {board_text(game, p.after) for p in played if not isinstance(p, Illegal)}


def board_text(game: TableGame[Any], position: Any) -> str:
    sight = game.sight(position)
    return "|".join("".join(sight[Place(f"{c}.{s}")] for s in CHANNELS) for c in CHANNELS)


def pushed_board(board: str, kind: str, channel: int) -> str:
    """The board after a push at the entry end: marbles move up as far as the first empty slot."""
    rows = board.split("|")
    row = rows[channel - 1]
    gap = row.find(".")
    rows[channel - 1] = kind + (row[:-1] if gap < 0 else row[:gap] + row[gap + 1 :])
    return "|".join(rows)


def far_boards(board: str, kind: str, channel: int) -> tuple[str, ...]:
    """The boards that a marble from the far end may leave."""
    rows = board.split("|")
    row = rows[channel - 1]
    height = len(row.rstrip("."))
    if height == len(row):
        ends = [row[1:] + kind]
    else:
        ends = [row[:rest] + kind + row[rest + 1 :] for rest in (height, len(row) - 1)]
    return tuple("|".join([*rows[: channel - 1], end, *rows[channel:]]) for end in ends)


def without(board: str, slot: Slot) -> str:
    rows = [list(row) for row in board.split("|")]
    rows[slot[0] - 1][slot[1] - 1] = "."
    return "|".join("".join(row) for row in rows)


def _kinds(table: SimTable, player: str) -> list[str]:
    """What the player has in the well."""
    return [kind for kind in (PLAIN[player], JOKER[player]) if kind in table.marbles.well_row()]


def _pushes(table: SimTable, hand: str, owner: str, words: str) -> Iterator[_Way]:
    board = table.truth().board
    for kind in _kinds(table, owner):
        for channel in CHANNELS:
            yield _Way(
                hand,
                partial(table.person(hand).push, kind, channel),
                f"{words}: {kind}{channel}",
                (pushed_board(board, kind, channel),),
            )


def _out_of_turn(table: SimTable, mover: str) -> Iterable[_Way]:
    return _pushes(table, OTHER[mover], OTHER[mover], f"{OTHER[mover]} plays though it is {mover}'s turn")


def _opponents_marble(table: SimTable, mover: str) -> Iterable[_Way]:
    return _pushes(table, mover, OTHER[mover], f"{mover} plays a marble of {OTHER[mover]}")


def _two_marbles(table: SimTable, mover: str) -> Iterator[_Way]:
    board = table.truth().board
    row = list(table.marbles.well_row())
    for first in _kinds(table, mover):
        left = [*row]
        left.remove(first)
        for second in (kind for kind in (PLAIN[mover], JOKER[mover]) if kind in left):
            for one, two in ((one, two) for one in CHANNELS for two in CHANNELS):
                yield _Way(
                    mover,
                    partial(table.person(mover).push_two, (first, one), (second, two)),
                    f"{mover} plays two marbles: {first}{one} and {second}{two}",
                    (pushed_board(pushed_board(board, first, one), second, two),),
                    first=f"{first}{one}",
                )


def _taken_away(table: SimTable, mover: str) -> Iterator[_Way]:
    board = table.truth().board
    for slot in board_slots(board):
        for into_well in (True, False):
            yield _Way(
                mover,
                partial(table.person(mover).take_away, slot, into_well=into_well),
                f"{mover} takes the marble out of {slot[0]}.{slot[1]}",
                (without(board, slot),),
            )


def _moved(table: SimTable, mover: str) -> Iterator[_Way]:
    board = table.truth().board
    slots = board_slots(board)
    for slot, kind in slots.items():
        for channel in (c for c in CHANNELS if c != slot[0]):
            words = f"{mover} moves the marble from {slot[0]}.{slot[1]} to channel {channel}"
            after = pushed_board(without(board, slot), kind, channel)
            if kind != JOKER[mover]:
                yield _Way(
                    mover,
                    partial(table.person(mover).push_again, slot, channel),
                    words,
                    (after,),
                )
            height = sum(1 for s in CHANNELS if (channel, s) in slots)
            if height < len(CHANNELS):
                laid = without(board, slot).split("|")
                laid[channel - 1] = laid[channel - 1][:height] + kind + laid[channel - 1][height + 1 :]
                yield _Way(
                    mover,
                    partial(table.person(mover).move_marble, slot, (channel, height + 1)),
                    words,
                    ("|".join(laid),),
                )


def _wrong_end(table: SimTable, mover: str) -> Iterator[_Way]:
    board = table.truth().board
    for kind in _kinds(table, mover):
        for channel in CHANNELS:
            yield _Way(
                mover,
                partial(table.person(mover).put_from_far_end, kind, channel),
                f"{mover} puts {kind} into channel {channel} from the far end",
                far_boards(board, kind, channel),
            )


def _joker_twice(table: SimTable, mover: str) -> Iterator[_Way]:
    board = table.truth().board
    for slot, kind in board_slots(board).items():
        for channel in CHANNELS if kind == JOKER[mover] else ():
            yield _Way(
                mover,
                partial(table.person(mover).push_again, slot, channel),
                f"{mover} takes the Joker out of {slot[0]}.{slot[1]} and plays it again: {kind}{channel}",
                (pushed_board(without(board, slot), kind, channel),),
            )


def _no_move(table: SimTable, mover: str) -> Iterator[_Way]:
    for way in _pushes(table, OTHER[mover], OTHER[mover], f"{mover} plays nothing and {OTHER[mover]} plays on"):

        def pass_on(way: _Way = way) -> Act[object]:
            yield from table.person(mover).touch_knob()
            yield 1.5
            return (yield from way.perform())

        yield _Way(mover, pass_on, way.words, way.boards)


_WAYS: Mapping[BreachKind, Callable[[SimTable, str], Iterable[_Way]]] = {
    BreachKind.OUT_OF_TURN: _out_of_turn,
    BreachKind.OPPONENTS_MARBLE: _opponents_marble,
    BreachKind.TWO_MARBLES: _two_marbles,
    BreachKind.TAKEN_AWAY: _taken_away,
    BreachKind.MOVED: _moved,
    BreachKind.WRONG_END: _wrong_end,
    BreachKind.JOKER_TWICE: _joker_twice,
    BreachKind.NO_MOVE: _no_move,
}
