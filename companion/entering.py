"""Moves that a person may enter by hand, with where to tap for them on a drawing of the board."""

from __future__ import annotations

from companion.errors import UsageError
from companion.games.game import Illegal, Json, P
from companion.orphans import cut_off
from companion.record import GameRecord
from companion.texts import text


def legal_moves_json(record: GameRecord[P], ply: Json = None) -> dict[str, Json]:
    """The moves that are legal before a ply, or now.

    Each is {"move", "by", "words", "taps", "shows", "orphans"}: `taps` are the places to tap, step by step, any of a
    step's will do; `shows` is the label at the last of them after the move, "." where a piece is taken away; `orphans`
    are the rings that it cuts off. Beside them stand the `ply`, whose turn it is and the `sight` of the board then.

    Raises:
        UsageError: where there is no such ply.
    """
    if ply is not None:
        if not isinstance(ply, int):
            raise UsageError(text("a ply is a number"))
        turn = record.turn_of(ply)
        if turn is None and ply != len(record.plies) + 1:
            raise UsageError(
                text("there is no move at ply {ply}; the record has {count}", ply=ply, count=len(record.plies))
            )
        record = record if turn is None else record.until(turn)
    record = record.with_forfeits()
    game, position = record.game, record.position
    to_move = game.to_move(position)
    return {
        "ply": len(record.plies) + 1,
        "to_move": None if to_move is None else str(to_move),
        "sight": {str(place): str(label) for place, label in game.sight(position).items()},
        "moves": [line for move in game.legal_moves(position) if (line := _move_json(record, move))],
    }


def _move_json(record: GameRecord[P], move: str) -> dict[str, Json]:
    game, position = record.game, record.position
    played = game.play(position, move)
    if isinstance(played, Illegal):
        raise ValueError(f"the rules list {move} and refuse it: {played.detail}")
    taps = game.taps(position, move)
    return {
        "move": move,
        "by": str(played.by),
        "words": game.describe(position, move),
        "taps": [list(map(str, step)) for step in taps],
        "shows": str(game.sight(played.after)[taps[-1][0]]) if taps else "",
        "orphans": [list(orphan) for orphan in cut_off(played)],
    }
