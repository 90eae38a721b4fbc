"""The drawing of Finity: hexagon tiles with the seats of rings and posts, lanes for bridges, the tower.

It is drawn to be read, not to scale: rings are wider and bridges shorter than on the table, so that every ring has
room for its player's letter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from companion.errors import InputError, error_words
from companion.games.game import Json
from companion.games.shown import called
from companion.page.layout.colours import with_colours
from companion.texts import text

if TYPE_CHECKING:
    from calibration.finity.board import FinityBoard, SlotPlace

Layout = dict[str, Json]

MARGIN_SIDES: Final = 0.08
RING_SIDES: Final[Mapping[str, tuple[float, float]]] = {"S": (0.185, 0.285), "M": (0.3, 0.405), "L": (0.42, 0.53)}
"""Inner and outer radius of a ring as drawn. The largest ends where the lanes begin."""
BADGE_DEG: Final[Mapping[str, int]] = {"S": 150, "M": 30, "L": 270}
"""Where a ring has its letter: each size at a side of its own, so that they do not cover one another."""
POST_SIDES: Final = 0.165
TOWER_SIDES: Final = 0.53
LANE_SIDES: Final = (0.64, 0.2)
"""Length and width of a bridge as drawn."""
BED_SIDES: Final = (0.46, 0.06)
"""Length and width of the groove that marks a place for a bridge."""
COLOUR_WORDS: Final[Mapping[str, str]] = {"b": text("black"), "w": text("white")}
CONE_WORDS: Final[Mapping[str, str]] = {"b": text("black cone"), "w": text("white cone")}
BRIDGES: Final[Mapping[str, Layout]] = {
    "b": {"shape": "arrow", "text": "", "fill": "#16191f", "shade": "#a4aebd", "ink": "#ffffff"},
    "w": {"shape": "arrow", "text": "", "fill": "#f7f8fa", "shade": "#20252e", "ink": "#16191f"},
}
PLAYERS: Final[Mapping[str, Mapping[str, str]]] = {
    "A": {"fill": "#2bb8dd", "shade": "#0d5f78", "ink": "#06222b"},
    "B": {"fill": "#f5c518", "shade": "#8a6500", "ink": "#2b2100"},
    "C": {"fill": "#a26bdc", "shade": "#4d2684", "ink": "#ffffff"},
    "D": {"fill": "#ee5a52", "shade": "#86211c", "ink": "#ffffff"},
}
"""One of the editions' colours, for a table without a camera. Letters stand everywhere beside the colours."""


def finity_layout(
    board: Mapping[str, Json], setup: Mapping[str, Json], colours: Mapping[str, str] | None = None
) -> Layout:
    """The layout of a board of Finity for a set-up (players, pattern).

    Args:
        colours: the players' own, where they are known.
    Raises:
        InputError: where the board file is none of Finity.
    """
    from calibration.errors import BoardError
    from calibration.finity.board import parse_finity_board

    try:
        parsed = parse_finity_board(board)
    except BoardError as error:
        raise InputError(text("the page cannot draw the board: {why}", why=error_words(error))) from error
    players, pattern = setup.get("players", 2), setup.get("pattern", "")
    if not isinstance(players, int) or not isinstance(pattern, str):
        raise InputError(text("the page cannot draw the board: its set-up has no number of players and no pattern"))
    return _Drawing(parsed, players, pattern, with_colours(PLAYERS, colours or {})).layout()


class _Drawing:
    """One board for one number of players."""

    def __init__(self, board: FinityBoard, players: int, pattern: str, looks: Mapping[str, Mapping[str, str]]) -> None:
        self._looks = looks
        self._board = board
        self._players = players
        self._pattern = pattern
        self._side = board.hex_side
        self._stations = board.stations(players)
        centres = [board.station_centres[name] for name in self._stations]
        margin = (1 + MARGIN_SIDES) * self._side
        high = (math.sqrt(3) / 2 + MARGIN_SIDES) * self._side
        self._left = min(x for x, _ in centres) - margin
        self._top = max(y for _, y in centres) + high
        self._size = (max(x for x, _ in centres) + margin - self._left, self._top - min(y for _, y in centres) + high)

    def layout(self) -> Layout:
        letters = tuple(self._looks)[: self._players]
        shapes: list[Json] = [self._tile(name) for name in self._stations]
        slots = self._board.slot_places(self._players)
        shapes += [*map(self._bed, slots), {"kind": "walks"}, *map(self._lane, slots)]
        for name in self._stations:
            shapes += [self._tower(name)] if name == self._board.map.centre else self._seats(name)
        return {
            "width_mm": round(self._size[0], 2),
            "height_mm": round(self._size[1], 2),
            "shapes": shapes,
            "labels": {**self._bridge_labels(), **self._player_labels(letters)},
            "players": {letter: {"label": letter, "line": self._looks[letter]["fill"]} for letter in letters},
            "score": None,
            "pattern": list(self._pattern),
            "example": "add b N>NE M",
        }

    def _at(self, x_mm: float, y_mm: float) -> Layout:
        return {"x_mm": round(x_mm - self._left, 2), "y_mm": round(self._top - y_mm, 2)}

    def _of_side(self, share: float) -> float:
        return round(share * self._side, 2)

    def _tile(self, name: str) -> Layout:
        at = self._at(*self._board.station_centres[name])
        seats = (
            [] if name == self._board.map.centre else [self._of_side(sum(radii) / 2) for radii in RING_SIDES.values()]
        )
        return {"kind": "hexagon", **at, "r_mm": self._side, "station": name, "seats_mm": seats}

    def _tower(self, name: str) -> Layout:
        at = self._at(*self._board.station_centres[name])
        return {"kind": "tower", **at, "r_mm": self._of_side(TOWER_SIDES), "pattern": list(self._pattern)}

    def _seats(self, name: str) -> list[Json]:
        at = self._at(*self._board.station_centres[name])
        seats: list[Json] = []
        for size, (inner, outer) in reversed([*RING_SIDES.items()]):  # what lies inside can be pointed at
            seat: Layout = {
                "kind": "ring", "place": f"{name}.{size}", **at,
                "r_mm": self._of_side(outer), "inner_mm": self._of_side(inner), "badge_deg": BADGE_DEG[size],
                "station": name, "size": size,
            }  # fmt: skip
            seats.append(seat)
        post: Layout = {"kind": "post", "place": f"{name}.P", **at, "text": name}
        return [{**post, "r_mm": self._of_side(POST_SIDES)}, *seats]

    def _bed(self, slot: SlotPlace) -> Layout:
        along = math.radians(slot.angle_deg)
        dx, dy = (0.5 * BED_SIDES[0] * self._side * part for part in (math.cos(along), math.sin(along)))
        start, end = self._at(slot.x_mm - dx, slot.y_mm - dy), self._at(slot.x_mm + dx, slot.y_mm + dy)
        ends = {"x1_mm": start["x_mm"], "y1_mm": start["y_mm"], "x2_mm": end["x_mm"], "y2_mm": end["y_mm"]}
        return {"kind": "slot", **ends, "width_mm": self._of_side(BED_SIDES[1])}

    def _lane(self, slot: SlotPlace) -> Layout:
        first, second = slot.stations
        flipped = {"L": "R", "M": "M", "R": "L"}[slot.letter]
        # The board's angles are counter-clockwise with y up; as y points down here, they turn round.
        return {
            "kind": "lane", "place": slot.name, "names": [slot.name, f"{second}>{first} {flipped}"],
            **self._at(slot.x_mm, slot.y_mm), "deg": round(-slot.angle_deg, 2),
            "length_mm": self._of_side(LANE_SIDES[0]), "width_mm": self._of_side(LANE_SIDES[1]),
            "ways": {f"{colour} {tail}": way for colour in BRIDGES for tail, way in ((first, 1), (second, -1))},
        }  # fmt: skip

    def _bridge_labels(self) -> Layout:
        return {
            f"{colour} {station}": {
                **look,
                "name": text("{colour} bridge from {station}", colour=COLOUR_WORDS[colour], station=station),
            }
            for colour, look in BRIDGES.items()
            for station in self._stations
        }

    def _player_labels(self, letters: tuple[str, ...]) -> Layout:
        rings: Layout = {
            letter: {**self._looks[letter], "shape": "ring", "text": letter, "name": letter} for letter in letters
        }
        blockers: Layout = {
            f"blocker {letter}": {
                **self._looks[letter],
                "shape": "square",
                "text": letter,
                "name": text("{player}'s blocker", player=called(letter)),
            }
            for letter in letters
        }
        cones: Layout = {
            colour: {**look, "shape": "square", "name": CONE_WORDS[colour]} for colour, look in BRIDGES.items()
        }
        return {**rings, **blockers, **cones}
