"""How the page draws a board: shapes in millimetres, and how each label looks.

The drawing knows no game. A layout is
    {"width_mm", "height_mm", "shapes": [...], "labels": {...}, "players": {player: {"label", "line"}},
     "score": {"positive", "negative", "goal"} or null, "pattern": [label, ...] or null, "example": "a move"}
with the origin at the top left, x right, y down. `score` is for games with one score between two players, `pattern`
for games in which every player's longest walk follows the same row of labels; `line` is the colour of a player's
walks. Shapes are drawn in order, and angles of pieces (`deg`) count clockwise from the right.

Those with a `place` show what the state's `sight` has there, or what is seen there against the rules:
    disc     place, x_mm, y_mm, r_mm                   a seat for a ball
    ring     place, x_mm, y_mm, r_mm, inner_mm, badge_deg, station, size    a seat for a ring with its letter at a side
    post     place, x_mm, y_mm, r_mm, text             a seat for a disc; the text stands where nothing does
    lane     place, names, x_mm, y_mm, deg, ways, length_mm, width_mm    for an arrow or a square

Others:
    panel    x_mm, y_mm, width_mm, height_mm, r_mm     the board itself
    slot     x1_mm, y1_mm, x2_mm, y2_mm, width_mm      a straight groove with round ends
    arc      x_mm, y_mm, r_mm, from_deg, to_deg, width_mm    a round groove
    hexagon  x_mm, y_mm, r_mm, station, seats_mm       a tile, flat at the top; r to a corner; radii of circles on it
    tower    x_mm, y_mm, r_mm, pattern                 cones from above, the lowest outside
    dial     place, x_mm, y_mm, r_mm, ring_r_mm, stops [{"stop", "deg", "text"}]    deg clockwise from the top
    well     place, r_mm, seats [[x_mm, y_mm], ...]    the pieces of the state's `well`
    text     x_mm, y_mm, text
    walks    (no keys)                                 what the state's `explanation` says, as lines below what follows

A label's look is {"shape", "text", "name", "fill", "shade", "ink", ...}; `name` is said to those who do not see it:
    ball     where no shape is said; `star`: whether the letter stands on a star
    ring, square      with the letter
    arrow    the lane's `ways` say whether it points along the lane's `deg` (1) or against it (-1): {label: way}

What the state's `explanation` may have (see `companion.games.finity.explaining`): `rings` (player, station, sizes,
walk, bridges, hangs_on), `partial_paths` by player (length, walk, bridges), `would_orphan` by move. A walk is a row of
stations and one of bridges, each said as a label's word and a name of its lane: "b N>NE M". The state's `orphans` are
rings (player, station, size) that must leave the board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.errors import InputError
from companion.games.game import Json
from companion.page.layout.finity import finity_layout
from companion.page.layout.infinity import infinity_layout
from companion.texts import text

Layout = dict[str, Json]
Board = Mapping[str, Json]
Setup = Mapping[str, Json]
Colours = Mapping[str, str]

LAYOUTS: Mapping[str, Callable[[Board, Setup, Colours], Layout]] = {
    "infinity": lambda board, _setup, _colours: infinity_layout(board),
    "finity": finity_layout,
}


def layout_for(game: str, board: Board, setup: Setup | None = None, colours: Colours | None = None) -> Layout:
    """The layout of a game's board.

    Args:
        board: the board file, as a mapping.
        setup: what the game was told beside its options (`Game.setup`).
        colours: each player's, "#rrggbb", where they are known (`companion.page.layout.colours.learnt_colours`).
    Raises:
        InputError: where the game has no drawing, or the board file lacks a measure.
    """
    if game not in LAYOUTS:
        raise InputError(
            text(
                "the page has no drawing for the game {game}; it has {known}",
                game=repr(game),
                known=", ".join(sorted(LAYOUTS)),
            )
        )
    return LAYOUTS[game](board, setup or {}, colours or {})
