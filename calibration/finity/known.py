"""What reference pictures show of every piece whose colour is a player's: rings, posts and blockers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from calibration.finity.board import POST, SIZES
from calibration.finity.examples import Bare, Example, State
from calibration.finity.hiding import hidden_by_tower
from calibration.finity.seats import HEAD, Look, bare_values, log_ratio, look_at, seats_of

EMPTY = "."
RING, BLOCKER = "ring", "blocker"
KINDS = (RING, POST, BLOCKER)
"""What a player's colour is learnt from, the best first."""
WELL_SEEN = 0.6
"""Share of a place's sectors in sight from which it is learnt."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What one known place shows, its sectors in sight alone. `what` is one of `KINDS`."""

    name: str
    what: str
    label: str
    look: Look


def known_places(bare: Bare, example: Example) -> Iterable[Shown]:
    """All that an example shows well of rings, posts and blockers, and of empty seats."""
    board, state, view = bare.board, example.state, example.view
    seats = seats_of(board, bare.players, bare.tiles, view.lens, view.pose, bare.view.pose)
    values = bare_values(seats, bare.view)
    rows = range(len(seats.stations))
    stands = {
        piece: np.array([_may_stand(state, f"{name}.{piece}") for name in seats.stations]) for piece in (POST, *SIZES)
    }
    for part in (HEAD, *SIZES):
        shown = look_at(seats, part, rows, view, values, stands)
        for row, station in enumerate(seats.stations):
            place = f"{station}.{POST if part == HEAD else part}"
            in_sight = shown.seen[row] > 0
            if place not in state.hidden and in_sight.mean() >= WELL_SEEN:
                what = POST if part == HEAD else RING
                own = Look(*(values[row : row + 1, in_sight] for values in (shown.ratios, shown.colours, shown.seen)))
                yield Shown(f"{example.name}: {place}", what, state.labels[place], own)
    for place, label in state.labels.items():
        if label.startswith("blocker ") and place not in state.hidden:
            look = _blocker(bare, example, place)
            if look is not None:
                yield Shown(f"{example.name}: {place}", BLOCKER, label.removeprefix("blocker "), look)


def _may_stand(state: State, place: str) -> bool:
    return state.labels[place] != EMPTY or place in state.hidden


def _blocker(bare: Bare, example: Example, place: str) -> Look | None:
    """A blocker's upper face in a dozen parts; None where it is not in sight."""
    board = bare.board
    slot, _ = board.slot_named(place)
    line = np.linspace(-0.3, 0.3, 6) * board.blocker.cube_sides * board.hex_side
    x, y = np.meshgrid(line, line)
    points = bare.tiles.slot_mm(board, slot, np.stack([x, y, np.full(x.shape, board.blocker.top_z)], axis=-1))
    eye = example.view.pose.eye_mm
    if hidden_by_tower(board, bare.tiles, eye, points).any():
        return None
    now = example.view.values(points).reshape(1, 12, 3, 3).mean(axis=2)
    ratios = log_ratio(now, bare.view.values(points).mean(axis=(0, 1)))
    return Look(ratios, ratios, np.ones((1, 12), dtype=np.float32))
