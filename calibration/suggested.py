"""Positions to lay for calibrating: all that has to be learnt, few pieces, quickly laid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from calibration.board import Board

if TYPE_CHECKING:
    from calibration.camera import Lens, Pose


def suggested(
    board: Board,
    *,
    players: int = 2,
    posts: Mapping[str, str] | None = None,
    seen_from: tuple[Lens, Pose] | None = None,
) -> tuple[dict[str, Any], ...]:
    """Reference states, as their files have them: one for each picture that should be taken after the empty one.

    What is laid says nothing of the rules: Finity's are the start of a game with rings and bridges added, so that a
    game can begin when they are taken off again.

    Args:
        players, posts: of Finity: how many play, and each player's base station; one fair choice where it is not said.
        seen_from: of Finity: where the camera stands, if it is known; then nothing is laid where it cannot see it.
    """
    from calibration.finity.board import FinityBoard
    from calibration.infinity.board import InfinityBoard

    if isinstance(board, InfinityBoard):
        from calibration.infinity.suggested import suggested_for_infinity

        return suggested_for_infinity(board)
    if isinstance(board, FinityBoard):
        from calibration.finity.suggested import suggested_for_finity

        return suggested_for_finity(board, players, posts, seen_from)
    raise TypeError(f"nobody lays references of {board.game}")
