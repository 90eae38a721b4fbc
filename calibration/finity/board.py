"""One copy of the board of Finity: hexagon tiles on a mat, and how large and how high the pieces on them are.

Sections of its file: `tile`, `slots`, `bridge`, `blocker`, `rings`, `post`, `tower`, `markers`, `mat`, `patches` and
`map` (which stations there are, which touch, and who plays on which); `hex_side` is the side of a hexagon.
`calibration/boards/finity.json` says what each number means. Without `map` a file has the built-in board's.

Frame: origin in the middle of station C on the mat, x right (E), y up (N), z towards the camera.

Places are named as in the rules: `NE.S`, `NE.M`, `NE.L` are the seats of a station's rings and `NE.P` of its post;
slots are named from the first station of their pair (`C>N L`). Labels: "." for empty; a player's letter on a seat; a
colour and the station of the tail (`b C`) for a bridge, `blocker A` for a blocker.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any

from calibration.board import ANY, LENGTH, NOT_NEGATIVE, SHARE, Markers, built_in, count, digest_of, read_sections
from calibration.errors import BoardError
from calibration.form import Form, points, texts
from calibration.sentences import Sentence

SIZES = ("S", "M", "L")
POST = "P"
LETTERS = ("L", "M", "R")
"""Left, middle and right slot as seen from the first station of a pair."""
COLOURS = ("b", "w")
PLAYER_COUNTS = (2, 3, 4)
FARTHEST = 100
"""Steps of the grid from its middle: no table is as large."""
CONE_HEIGHT_MM = (8.0, 22.0)
"""Bounds of a cone's height where the board file does not say them: flatter ones would not stack, higher ones would
make a tower that topples."""

Xy = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Tile:
    floor_z: float
    gap: float
    bump_z: float


@dataclass(frozen=True, slots=True)
class Slots:
    lateral_offset_sides: Mapping[str, float]
    width_sides: float


@dataclass(frozen=True, slots=True)
class BridgeSize:
    length_sides: float
    width_sides: float
    shaft_sides: float
    top_z: float


@dataclass(frozen=True, slots=True)
class BlockerSize:
    cube_sides: float
    top_z: float


@dataclass(frozen=True, slots=True)
class Rings:
    """`radii_sides`: inner and outer; `seat_z`: what a ring of the size rests on; `thickness`: of the ring itself."""

    radii_sides: Mapping[str, tuple[float, float]]
    thickness: float
    seat_z: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Post:
    radius_sides: float
    hub_z: float
    top_z: float


@dataclass(frozen=True, slots=True)
class Tower:
    """`cone_height`: bounds between which the height of a cone is sought; equal where it was measured."""

    foot: float
    cones: int
    cone_height: tuple[float, float]
    bottom_radius: float
    top_radius: float
    ring_seat_z: float


@dataclass(frozen=True, slots=True)
class Patches:
    """Printed patches side by side around x = 0; `reflectance_linear` are their linear RGB reflectances."""

    y: float
    size: float
    order: tuple[str, ...]
    reflectance_linear: tuple[tuple[float, float, float], ...]

    def centres(self) -> tuple[Xy, ...]:
        return tuple(((index - (len(self.order) - 1) / 2) * self.size, self.y) for index in range(len(self.order)))


@dataclass(frozen=True, slots=True)
class BoardMap:
    """`shifts_mm`: how far a station's tile lies from its place in the grid of hexagons, where it does."""

    centre: str
    stations: Mapping[str, tuple[int, int]]
    pairs: tuple[tuple[str, str], ...]
    layouts: Mapping[str, tuple[str, ...]]
    shifts_mm: Mapping[str, Xy] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SlotPlace:
    """A slot where the tiles lie just as the file says.

    Attributes:
        name: `C>N L`, from the first station of the pair to the second.
        stations: both, the first one first.
        x_mm, y_mm: its middle.
        angle_deg: the way from the first station to the second, counter-clockwise from +x.
    """

    name: str
    stations: tuple[str, str]
    letter: str
    x_mm: float
    y_mm: float
    angle_deg: float

    @property
    def labels(self) -> tuple[str, ...]:
        """The bridges that can lie here: colour and station of the tail."""
        return tuple(f"{colour} {tail}" for colour in COLOURS for tail in self.stations)


@dataclass(frozen=True)
class FinityBoard:
    """One copy of the board; fields as in its file."""

    hex_side: float
    tile: Tile
    slots: Slots
    bridge: BridgeSize
    blocker: BlockerSize
    rings: Rings
    post: Post
    tower: Tower
    aruco: Markers
    mat: Xy
    patches: Patches
    map: BoardMap

    @property
    def game(self) -> str:
        return "finity"

    @property
    def piece_mm(self) -> float:
        """A bridge."""
        return self.bridge.width_sides * self.hex_side

    def stations(self, players: int) -> tuple[str, ...]:
        """The stations of so many players, C first."""
        return self.map.layouts[str(players)]

    @cached_property
    def station_centres(self) -> Mapping[str, Xy]:
        """Where the middle of every station's tile should lie, in mm."""
        shifts = self.map.shifts_mm
        return {
            name: (x + shifts.get(name, (0.0, 0.0))[0], y + shifts.get(name, (0.0, 0.0))[1])
            for name, (x, y) in self.grid_mm.items()
        }

    @cached_property
    def grid_mm(self) -> Mapping[str, Xy]:
        """The stations' places in a grid of hexagons that touch."""
        side, high = self.hex_side, math.sqrt(3) / 2 * self.hex_side
        return {name: (1.5 * side * (i + j), high * (j - i)) for name, (i, j) in self.map.stations.items()}

    def slot_places(self, players: int) -> tuple[SlotPlace, ...]:
        """The slots between the stations of so many players, in the order of the rules."""
        there = set(self.stations(players))
        return tuple(
            self._slot(first, second, letter)
            for first, second in self.map.pairs
            if first in there and second in there
            for letter in LETTERS
        )

    def places(self, players: int) -> tuple[str, ...]:
        """All places of so many players: every seat, then every slot. C has none: what lies there never changes."""
        seats = [
            f"{name}.{what}" for name in self.stations(players) if name != self.map.centre for what in (*SIZES, POST)
        ]
        return (*seats, *(slot.name for slot in self.slot_places(players)))

    def slot_named(self, name: str) -> tuple[SlotPlace, bool]:
        """The slot of either name, and whether that name goes from the first station of its pair to the second.

        Raises:
            KeyError: where there is no such slot.
        """
        way, _, letter = name.partition(" ")
        first, _, second = way.partition(">")
        if letter in LETTERS and (first, second) in self.map.pairs:
            return self._slot(first, second, letter), True
        if letter in LETTERS and (second, first) in self.map.pairs:
            return self._slot(second, first, LETTERS[2 - LETTERS.index(letter)]), False
        raise KeyError(name)

    def _slot(self, first: str, second: str, letter: str) -> SlotPlace:
        (x1, y1), (x2, y2) = self.station_centres[first], self.station_centres[second]
        angle = math.atan2(y2 - y1, x2 - x1)
        aside = self.slots.lateral_offset_sides[letter] * self.hex_side
        x, y = (x1 + x2) / 2 - math.sin(angle) * aside, (y1 + y2) / 2 + math.cos(angle) * aside
        return SlotPlace(f"{first}>{second} {letter}", (first, second), letter, x, y, math.degrees(angle))

    def to_json(self) -> dict[str, Any]:
        """The board as its file says it, without the notes; `parse_finity_board` takes it back."""
        data = asdict(self)
        side, markers, mat, board_map = (data.pop(key) for key in ("hex_side", "aruco", "mat", "map"))
        ids, centres = markers.pop("ids"), markers.pop("centres")
        markers.pop("white_border_mm")
        turns = markers.pop("turns_deg")
        if turns:
            markers["turns_deg"] = dict(zip(map(str, ids), turns, strict=True))
        if not board_map["shifts_mm"]:
            del board_map["shifts_mm"]
        return {
            "game": self.game,
            "units": "mm",
            "hex_side": side,
            **{name: _plain(section) for name, section in data.items()},
            "markers": {**markers, "centres": {str(i): list(at) for i, at in zip(ids, centres, strict=True)}},
            "mat": {"size": list(mat)},
            "map": _plain(board_map),
        }

    @property
    def digest(self) -> str:
        """Short text that is the same for boards of the same measures."""
        return digest_of(self.to_json())


def _plain(value: Any) -> Any:
    """Tuples as lists, as JSON has them."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def reference_board() -> FinityBoard:
    """The board that comes with the program."""
    return parse_finity_board(built_in("finity"), "finity")


def _each(keys: tuple[str, ...], form: Form) -> Form:
    """An object with just these keys."""

    def check(value: object) -> tuple[Any, str]:
        if not isinstance(value, Mapping) or set(value) != set(keys):
            return None, Sentence("must be an object with {keys}", keys=", ".join(keys))
        got = {key: form(value[key]) for key in keys}
        fault = next((Sentence("{key} {fault}", key=key, fault=fault) for key, (_, fault) in got.items() if fault), "")
        return {key: item for key, (item, _) in got.items()}, fault

    return check


def _rising(form: Form) -> Form:
    """A pair [smaller, larger]."""

    def check(value: object) -> tuple[Any, str]:
        if not isinstance(value, list | tuple) or len(value) != 2:
            return None, Sentence("must be a pair [smaller, larger], not {value}", value=repr(value))
        (low, first), (high, second) = (form(item) for item in value)
        if first or second:
            return None, first or second
        return (
            ((low, high), "")
            if low <= high
            else (None, Sentence("must be a pair [smaller, larger], not {value}", value=repr(value)))
        )

    return check


def _cone_height(value: object) -> tuple[Any, str]:
    """A number where it was measured, bounds, or a text that says that nobody knows."""
    if isinstance(value, str):
        return CONE_HEIGHT_MM, ""
    return _rising(LENGTH)(value) if isinstance(value, list | tuple) else _rising(LENGTH)([value, value])


def _centres_by_id(value: object) -> tuple[Any, str]:
    if not isinstance(value, Mapping) or len(value) < 2 or not all(str(key).isdigit() for key in value):
        return None, Sentence("must name at least two markers by their ids, like {form}", form='{"4": [-190, 165], …}')
    got, fault = points(at_least=2)(list(value.values()))
    return dict(zip((int(key) for key in value), got or (), strict=False)), fault


def _turns_by_id(value: object) -> tuple[Any, str]:
    if not isinstance(value, Mapping) or not all(str(key).isdigit() for key in value):
        return None, Sentence("must name markers by their ids, like {form}", form='{"4": 0.5, …}')
    got, fault = points(at_least=0, each=ANY)(list(value.values()))
    return dict(zip((int(key) for key in value), got or (), strict=False)), fault


def _colours(value: object) -> tuple[Any, str]:
    return points(at_least=2, each=points(at_least=3, each=SHARE))(value)


SECTIONS: Mapping[str, Mapping[str, Form]] = {
    "tile": {"floor_z": NOT_NEGATIVE, "gap": NOT_NEGATIVE, "bump_z": NOT_NEGATIVE},
    "slots": {"lateral_offset_sides": _each(LETTERS, ANY), "width_sides": LENGTH},
    "bridge": {
        "length_sides": LENGTH,
        "width_sides": LENGTH,
        "shaft_sides": LENGTH,
        "top_z": LENGTH,
        "shape": texts(),
    },
    "blocker": {"cube_sides": LENGTH, "top_z": LENGTH},
    "rings": {
        "radii_sides": _each(SIZES, _rising(LENGTH)),
        "thickness": LENGTH,
        "seat_z": _each(SIZES, NOT_NEGATIVE),
    },
    "post": {"radius_sides": LENGTH, "hub_z": NOT_NEGATIVE, "top_z": LENGTH},
    "tower": {
        "foot": NOT_NEGATIVE,
        "cones": count(1, 99),
        "cone_height": _cone_height,
        "bottom_radius": LENGTH,
        "top_radius": LENGTH,
        "ring_seat_z": NOT_NEGATIVE,
    },
    "markers": {
        "dict": texts("DICT_APRILTAG_36h11"),
        "size": LENGTH,
        "z": ANY,
        "centres": _centres_by_id,
        "turns_deg": _turns_by_id,
    },
    "mat": {"size": points(at_least=2, each=LENGTH)},
    "patches": {
        "y": ANY,
        "size": LENGTH,
        "order": points(at_least=2, each=texts()),
        "reflectance_linear": _colours,
    },
}


def parse_finity_board(data: Mapping[str, Any], where: str = "") -> FinityBoard:
    """Check a board description and make a board of it; `where` is told in errors.

    Raises:
        BoardError: with every fault.
    """
    rest = {key: value for key, value in data.items() if key not in ("hex_side", "map")}
    sections, faults = read_sections(rest, SECTIONS, ("shape",), ("turns_deg",))
    side, fault = LENGTH(data.get("hex_side"))
    faults += [Sentence("hex_side {fault}", fault=fault)] if fault else []
    board_map = _map(data.get("map", built_in("finity")["map"]), faults)
    if not faults:
        faults += _contradictions(sections, side)
    if faults or board_map is None:
        raise BoardError(where, tuple(faults))
    markers = sections.pop("markers")
    centres, turns = markers.pop("centres"), markers.pop("turns_deg", {})
    mat = sections.pop("mat")["size"]
    kinds = {"tile": Tile, "slots": Slots, "bridge": BridgeSize, "blocker": BlockerSize, "rings": Rings}
    kinds |= {"post": Post, "tower": Tower, "patches": Patches}
    board = FinityBoard(
        hex_side=side,
        aruco=Markers(
            **markers,
            white_border_mm=0.0,
            centres=tuple(centres.values()),
            ids=tuple(centres),
            turns_deg=tuple(turns.get(marker, 0.0) for marker in centres) if turns else (),
        ),
        mat=(mat[0], mat[1]),
        map=board_map,
        **{name: kinds[name](**values) for name, values in sections.items()},
    )
    if overlaps := _overlaps(board):
        raise BoardError(where, overlaps)
    return board


def _overlaps(board: FinityBoard) -> tuple[str, ...]:
    """Tiles that were shifted over others. Those in the grid are 1.73 sides apart."""
    least = 0.9 * math.sqrt(3) * board.hex_side
    return tuple(
        Sentence("map.shifts_mm: {first} and {second} overlap", first=first, second=second)
        for (first, a), (second, b) in combinations(board.station_centres.items(), 2)
        if board.map.shifts_mm and math.dist(a, b) < least
    )


def _map(data: object, faults: list[str]) -> BoardMap | None:
    try:
        assert isinstance(data, Mapping)
        found = BoardMap(
            str(data["centre"]),
            {str(name): (_steps(i), _steps(j)) for name, (i, j) in data["stations"].items()},
            tuple((str(a), str(b)) for a, b in data["pairs"]),
            {str(players): tuple(map(str, names)) for players, names in data["layouts"].items()},
            _shifts(data.get("shifts_mm", {})),
        )
    except (AssertionError, KeyError, TypeError, ValueError, AttributeError, OverflowError):
        faults.append(
            Sentence("map must have centre, stations, pairs and layouts, as the built-in board's file has them")
        )
        return None
    named = {found.centre}.union(*found.pairs, *found.layouts.values(), found.shifts_mm)
    faults += [Sentence("map: there is no station {name}", name=name) for name in sorted(named - set(found.stations))]
    if set(found.layouts) != {str(players) for players in PLAYER_COUNTS}:
        faults.append(Sentence("map.layouts must be for {players} players", players=", ".join(map(str, PLAYER_COUNTS))))
    return found


def _steps(value: Any) -> int:
    steps = int(value)
    if abs(steps) > FARTHEST:
        raise ValueError(f"{FARTHEST} steps of the grid are the most")
    return steps


def _shifts(data: Any) -> dict[str, Xy]:
    got, fault = points(at_least=0)(list(data.values()))
    if fault:
        raise ValueError(fault)
    return dict(zip(map(str, data), got, strict=True))


def _contradictions(s: Mapping[str, Mapping[str, Any]], side: float) -> list[str]:
    """What cannot be true together, each number for itself being possible."""
    faults: list[str] = []
    radii = s["rings"]["radii_sides"]
    for inner, outer in pairwise(SIZES):
        if radii[inner][1] > radii[outer][0]:
            faults.append(Sentence("rings.radii_sides: {inner} and {outer} overlap", inner=inner, outer=outer))
    if s["post"]["radius_sides"] > radii["S"][0]:
        faults.append(Sentence("post.radius_sides is larger than the hole of the small ring"))
    if s["post"]["top_z"] <= s["post"]["hub_z"]:
        faults.append(Sentence("post.top_z must be above post.hub_z"))
    if s["tower"]["bottom_radius"] < s["tower"]["top_radius"]:
        faults.append(Sentence("tower.bottom_radius must not be smaller than tower.top_radius"))
    faults += [
        Sentence("{piece}.top_z must be above tile.floor_z", piece=piece)
        for piece in ("bridge", "blocker")
        if s[piece]["top_z"] <= s["tile"]["floor_z"]
    ]
    if len(s["patches"]["order"]) != len(s["patches"]["reflectance_linear"]):
        faults.append(Sentence("patches needs one reflectance for each of its order"))
    centres = s["markers"]["centres"]
    faults += [
        Sentence("markers.turns_deg: there is no marker {marker}", marker=i)
        for i in s["markers"].get("turns_deg", ())
        if i not in centres
    ]
    half_w, half_h = (length / 2 for length in s["mat"]["size"])
    for marker, (x, y) in centres.items():
        if abs(x) > half_w or abs(y) > half_h:
            faults.append(Sentence("markers.centres {marker} lies outside the mat", marker=marker))
    return faults
