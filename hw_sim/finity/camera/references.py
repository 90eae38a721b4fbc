"""Positions to calibrate by: pictures of a table as people take them, each with what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from calibration.finity.board import FinityBoard
from hw_sim.finity.camera.positions import Standing, played, scene_of, shows_all
from hw_sim.finity.scene import FinityScene

MOVES = (44, 60)
"""So many moves lay pieces of every kind, and a game is not often over by then."""


def bare(table: FinityScene) -> FinityScene:
    """The table with nothing on it but its tiles and the tower."""
    return replace(table, pieces=(), hands=(), things=())


def references(
    table: FinityScene, board: FinityBoard, seed: int, count: int
) -> list[tuple[FinityScene, dict[str, Any]]]:
    """Scenes on a table (how many play, how its tiles lie, its tower) that show every kind of piece, with their states.

    The states have the form of the contract's reference states.
    """
    rng = np.random.default_rng([seed, 21])
    found: list[tuple[FinityScene, dict[str, Any]]] = []
    while len(found) < count:
        standing = played(table.players, table.pattern, rng, int(rng.integers(*MOVES)))
        if shows_all(standing, table.players, board):
            found.append((_laid(standing, table, board, rng), {"players": table.players, **standing.to_json()}))
    return found


def laid(table: FinityScene, state: Mapping[str, Any], board: FinityBoard, seed: int) -> FinityScene:
    """A reference state, laid by hand on a table (how many play, how its tiles lie, its tower)."""
    standing = Standing(tuple(state["bridges"]), state["rings"], state["posts"], state["blockers"])
    return _laid(standing, table, board, np.random.default_rng([seed, 22]))


def _laid(standing: Standing, table: FinityScene, board: FinityBoard, rng: np.random.Generator) -> FinityScene:
    letters = "ABCD"[: table.players]
    return scene_of(standing, board, table.players, table.pattern, tiles=table.tiles, rng=rng, centre_rings=letters)
